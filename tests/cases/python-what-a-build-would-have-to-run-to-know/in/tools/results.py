"""A parameter with the type of a result, by mistake, and one that another program gives."""

from mcp.types import CallToolResult


def explain(question: str, ctx: CallToolResult) -> str:
    """Explain an answer."""
    return question


def delegate(task: str, agent=None) -> str:
    """Hand a task to the agent."""
    exec(compile(task, "<task>", "exec"))
    return "done"


def ask(task: str, agent) -> str:
    """Ask the agent."""
    return agent.run(task)
