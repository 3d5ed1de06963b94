import json
import sys

print(len(json.load(sys.stdin)["text"].splitlines()))
