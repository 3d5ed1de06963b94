#!/bin/sh
echo "deployed $(basename "$PWD") to $1"
