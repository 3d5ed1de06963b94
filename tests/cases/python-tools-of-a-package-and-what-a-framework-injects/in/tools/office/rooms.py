from enum import Enum


class Room(Enum):
    BLUE = "blue"
    GREEN = "green"
