def helper(:
    pass
