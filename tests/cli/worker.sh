#!/usr/bin/env bash
# worker.sh - the command worker: what it refuses. What it does is in tests/unit/server_worker.c.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory

refused worker
says 'a worker needs the PostgreSQL database'
refused worker --store ''
says 'a worker needs the PostgreSQL database'
refused worker --store sqlite:///x
says 'postgres://'
refused worker --store postgres:///x?host=/nowhere
refused worker --store postgres:///x?host=/nowhere --threads 0
says 'threads'
refused worker --store postgres:///x?host=/nowhere --drain -1
says 'drain'
refused worker --store postgres:///x?host=/nowhere --log xml
refused worker --store postgres:///x?host=/nowhere --config "$work/none"
refused worker now
refused worker --port 5
refused serve --think workers --data "$work/data"
says '--think: --store'
refused serve --think nowhere --data "$work/data"
[ -e "$work/data" ] && bad "a command that refuses makes no folder"
run worker --help
is 'help' 0 $rc

finish
