import json
import os
import subprocess
import sys

path = os.path.join(os.environ["TOOLC_HOST_CWD"], json.load(sys.stdin)["path"])
try:
    lint = subprocess.run(["ruff", "check", "--isolated", "--no-cache", "--output-format=concise", path])
except FileNotFoundError:
    sys.exit("this tool needs ruff, and there is none on the PATH")
sys.exit(lint.returncode)
