def word_count(text: str) -> str:
    """Conta palavras em um texto."""
    return str(len(text.split()))
