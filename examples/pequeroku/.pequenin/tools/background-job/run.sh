#!/bin/bash
arguments=$(cat)
file=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["file"])' "$arguments")
seconds=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["seconds"])' "$arguments")
setsid nohup sh -c 'sleep "$1"; echo done > "$2"' job "$seconds" "$file" >/dev/null 2>&1 &
echo "started"
