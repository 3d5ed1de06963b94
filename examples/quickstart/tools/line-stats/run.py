import json
import sys

lines = json.load(sys.stdin)["text"].splitlines()
longest = max(map(len, lines), default=0)
print(f"{len(lines)} lines, the longest has {longest} characters")
