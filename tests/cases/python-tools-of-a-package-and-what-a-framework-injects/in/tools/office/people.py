from dataclasses import dataclass

from . import rooms


@dataclass
class Person:
    name: str
    prefers: rooms.Room = rooms.Room.BLUE
