#!/usr/bin/env bash
# observe.sh - what the operator of a web server sees: its log in both forms, and its figures for Prometheus.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory
refused serve --log xml
refused serve --log-level loud
refused serve --contact ''
refused serve --mail-from nobody
refused serve --mail-from 'Ann <ann@games.example>'
says 'not an e-mail address'
refused serve --contact $'two\nlines'
refused serve --contact $'\xff'
for wrong in here :9 127.0.0.1: 127.0.0.1:99999 ::1:9 '[::1]' ''; do
	refused serve --metrics "$wrong"
	says --metrics
done
python3 "$(dirname "$0")/observe.py" "$quevedo" "$work" || failures=$((failures + 1))
finish
