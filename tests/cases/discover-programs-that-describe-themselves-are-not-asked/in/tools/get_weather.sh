#!/usr/bin/env bash
set -e

# @describe Get the weather of a place.
# The answer is for a day:
# ---
# - temperature
# - rain
# @option --location! The place, such as @@Berlin
# @option --days[=1|3|7] How far ahead
# @env WEATHER_KEY! The key of the service

main() {
    curl -sf "https://weather.example/$argc_location" >> "$LLM_OUTPUT"
}

eval "$(argc --argc-eval "$0" "$@")"
