from pathlib import Path

from toolc import tool


@tool(name="render")
def render_template(values: dict[str, str | float | None]) -> dict[str, str]:
    """Fill in the letter."""
    template = Path(__file__).parent / "templates" / "letter.txt"
    return {"text": template.read_text().format(**values)}
