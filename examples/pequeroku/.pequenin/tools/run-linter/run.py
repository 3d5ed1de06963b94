import json
import os
import subprocess
import sys

path = os.path.join(os.environ["TOOLC_HOST_CWD"], json.load(sys.stdin)["path"])
lint = subprocess.run(["ruff", "check", "--isolated", "--no-cache", "--output-format=concise", path])
sys.exit(lint.returncode)
