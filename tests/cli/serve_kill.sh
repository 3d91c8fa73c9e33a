#!/usr/bin/env bash
# serve_kill.sh - the web server killed in mid-game a few times (make soak: a hundred), and broken requests for a few seconds.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
set -e
mkdir "$work/kill" "$work/fuzz"
python3 "$(dirname "$0")/../soak/kill_rounds.py" "$quevedo" "$work/kill" 5 8
python3 "$(dirname "$0")/../soak/fuzz_requests.py" "$quevedo" "$work/fuzz" 8
