NAME = "a" + 1
