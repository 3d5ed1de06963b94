def make(word, count):
    def search(text: str, most: int = count) -> str:
        return word

    search.__doc__ = f"Search {word} a text."
    return search
