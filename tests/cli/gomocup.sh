#!/usr/bin/env bash
# gomocup.sh - the protocol of Gomocup, both ways: a referee plays whole games of two brains, and scripted brains play matches.
# SPDX-License-Identifier: MIT
# usage: gomocup.sh BUILD_DIR
set -euo pipefail
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=0
python3 "$here/gomocup.py" "$1" "$work"
