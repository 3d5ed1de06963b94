def manual(text: str) -> str:
    """Do as the manual says.

    Step 1: a sentence of the manual, which the author wanted every model to read.
    Step 2: a sentence of the manual, which the author wanted every model to read.
    Step 3: a sentence of the manual, which the author wanted every model to read.
    Step 4: a sentence of the manual, which the author wanted every model to read.
    Step 5: a sentence of the manual, which the author wanted every model to read.
    Step 6: a sentence of the manual, which the author wanted every model to read.
    Step 7: a sentence of the manual, which the author wanted every model to read.
    Step 8: a sentence of the manual, which the author wanted every model to read.
    Step 9: a sentence of the manual, which the author wanted every model to read.
    Step 10: a sentence of the manual, which the author wanted every model to read.
    Step 11: a sentence of the manual, which the author wanted every model to read.
    Step 12: a sentence of the manual, which the author wanted every model to read.
    Step 13: a sentence of the manual, which the author wanted every model to read.
    Step 14: a sentence of the manual, which the author wanted every model to read.
    """
    return text
