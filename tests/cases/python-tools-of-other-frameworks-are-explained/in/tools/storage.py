"""As crewAI and smolagents take them, and one that toolc does."""

from typing import Any, Type

from crewai.tools import BaseTool
from dotenv import load_dotenv
from pydantic import BaseModel, Field

from toolc import tool

load_dotenv(override=True)


class S3ReaderInput(BaseModel):
    path: str = Field(..., description="Where the object is")


class S3ReaderTool(BaseTool):
    name: str = "S3 Reader Tool"
    description: str = "Reads an object of a bucket"
    args_schema: Type[BaseModel] = S3ReaderInput

    def _run(self, path: str) -> str:
        return read_object(path)


class ImageCaption:
    name = "image_caption"
    description = "Says what is in an image"
    inputs = {"image": {"type": "image", "description": "The image"}}
    output_type = "string"

    def forward(self, image: Any) -> str:
        return self.model(image)


def connect(path):
    return path.partition("/")


@tool(name="S3 Reader Tool")
def read_object(path: str) -> str:
    """Read an object of a bucket."""
    return "".join(connect(path))
