#!/usr/bin/env bash
# external.sh - GNU Backgammon's external players, both ways, against scripted peers on this machine.
# SPDX-License-Identifier: MIT
# usage: external.sh BUILD_DIR
set -euo pipefail
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=0
python3 "$here/external.py" "$1/quevedo" "$work"
