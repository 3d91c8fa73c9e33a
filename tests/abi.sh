#!/usr/bin/env bash
# abi.sh - the functions and structs of the library are those of its interface number, and the library exports just these functions.
# SPDX-License-Identifier: MIT
# usage: abi.sh BUILD_DIR      exit status 77: a tool is missing, and nothing was compared
set -euo pipefail
export LC_ALL=C
source=$(cd "$(dirname "$0")/.." && pwd)
library=${1:?usage: abi.sh BUILD_DIR}/libquevedo.so

"$source/tools/abi-update" --check
[ -f "$library" ] || { echo "abi.sh: $library is not built" >&2; exit 1; }
exported=$(nm -D --defined-only "$library" | awk '$(NF - 1) != "A" { print $NF }' | sort)
declared=$(cat "$source"/include/*.h "$source"/include/quevedo/*.h | grep -v '^#' | tr '\n' ' ' | grep -oE 'QV_API [^;]*\)' | sed -E 's/^[^(]*\b(qv_[a-z0-9_]+)\(.*$/\1@@QUEVEDO_0/' | sort)
if [ "$exported" != "$declared" ]; then
	echo "abi.sh: the library exports (>) other names than the headers declare (<), or without the version QUEVEDO_0" >&2
	diff <(echo "$declared") <(echo "$exported") >&2
	exit 1
fi
packaged=$(sed -n 's/^ \(qv_.*\)@\(.*\) .*/\1@@\2/p' "$source/debian/libquevedo0.symbols" | sort)
if [ "$exported" != "$packaged" ]; then
	echo "abi.sh: the library exports (>) other names than debian/libquevedo0.symbols lists (<); a new name has the version of the next release" >&2
	diff <(echo "$packaged") <(echo "$exported") >&2
	exit 1
fi
echo "abi.sh: $(wc -l <<<"$exported") functions, all with their version"
