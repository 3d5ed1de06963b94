def broken(path: str) -> str
    return path
