#!/bin/sh
cat >/dev/null
printf 'Are you sure? '
if { read -r answer </dev/tty; } 2>/dev/null; then
    echo "answered $answer"
else
    echo "nobody to ask" >&2
    exit 3
fi
