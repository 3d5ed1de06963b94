import subprocess

from aru.plugins import tool


@tool(description="Deploy the current branch to an environment, and return what the script says")
def deploy(environment: str = "staging") -> str:
    """Runs the deploy script of the project.

    Args:
        environment: Where to deploy to.
    """
    result = subprocess.run(["./scripts/deploy.sh", environment], capture_output=True, text=True)
    return result.stdout or result.stderr
