#!/usr/bin/env bash
# serve_trouble.sh - a web server that cannot write: what it answers, its health, its log.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
python3 "$(dirname "$0")/serve_trouble.py" "$quevedo" "$work"
