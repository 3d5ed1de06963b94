"""`python -m toolc` is `toolc`."""

from toolc.cli import main

if __name__ == "__main__":
    main()
