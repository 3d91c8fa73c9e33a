#!/bin/sh
# Tests @NAME@.so: the laws that every game obeys, then positions whose value is known.
# Usage: make check
set -eu
quevedo=${QUEVEDO:-quevedo}

# value GAME POSITION EXPECTED
value()
{
	answer=$("$quevedo" solve "$1" "$2" --plugin ./@NAME@.so | tail -n 1)
	[ "$answer" = "value $3" ] || { echo "$1 $2: '$answer', expected 'value $3'" >&2; exit 1; }
}

"$quevedo" plugin check ./@NAME@.so

# A heap is lost for the side to move if it is a multiple of most + 1.
value @NAME@ "21 1" win
value @NAME@ "20 2" loss
value @NAME@:most=4 "20 1" loss
value @NAME@:most=4 "19 1" win
