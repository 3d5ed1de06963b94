"""As Semantic Kernel takes it: methods, and a model of another module."""

from semantic_kernel.functions import kernel_function

from shapes import Shape
from toolc import tool


class Canvas:
    def __init__(self) -> None:
        self.shapes = []

    @kernel_function(description="Draw a shape")
    def draw(self, shape: Shape) -> str:
        self.shapes.append(shape)
        return "drawn"

    @tool
    def erase(self, shape: Shape) -> str:
        """Erase a shape."""
        return "erased"


DEFINITIONS = [
    {"type": "function", "function": {"name": "draw", "description": "Draw a shape", "parameters": {}}},
]
