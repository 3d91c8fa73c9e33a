#!/usr/bin/env bash
# serve.sh - the web server, started for real, against hostile clients.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
python3 "$(dirname "$0")/serve_hostile.py" "$quevedo" "$work"
