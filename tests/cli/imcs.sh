#!/usr/bin/env bash
# imcs.sh - IMCS on the network: the server with hundreds of guests and any bytes, and the client against it and against worse.
# SPDX-License-Identifier: MIT
# usage: imcs.sh BUILD_DIR
set -euo pipefail
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/imcs.py" "$1/quevedo" "$work" "${IMCS_GAMES:-4}"
