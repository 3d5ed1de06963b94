"""`python -m toolc` is `toolc`."""

import os
import sys

if __name__ == "__main__":
    # `-m` puts the current folder first on the path. It may be a project, and a build runs nothing of it, not even a
    # file that has the name of a module of ours.
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != os.path.realpath(f"{__file__}/../.."):
        del sys.path[0]
    from toolc.cli import main

    main()
