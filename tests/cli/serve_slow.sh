#!/usr/bin/env bash
# serve_slow.sh - a web server among visitors who read nothing, send half of a body, or want more than the disk can take.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
python3 "$(dirname "$0")/serve_slow.py" "$quevedo" "$work" "$(dirname "$0")/../../bench"
