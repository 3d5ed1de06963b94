"""Values in, text for the user out: one module a form. Nothing here reads a disk, a clock or a terminal."""
