def lint(path: str) -> str
    return path
