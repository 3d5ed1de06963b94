from .rooms import Room

hours = (8, 18)
