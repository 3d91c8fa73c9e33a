#!/usr/bin/env bash
# python_wheel.sh - the wheel and the source package install into empty environments, and play.
# SPDX-License-Identifier: MIT
# usage: python_wheel.sh BUILD_DIR
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?usage: python_wheel.sh BUILD_DIR}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH QUEVEDO_LIBRARY
"$source/tools/build-python" "$work/dist" "$build/libquevedo.so.0"
cat >"$work/play.py" <<'END'
import quevedo, quevedo.env, quevedo.spiel
position = quevedo.Game("reversi").start()
while not position.is_over:
    position = position.play(quevedo.Player("level:1").choose(position))
assert quevedo.Game("chess").start().perft(3) == 8902
print(quevedo.library_path, quevedo.__version__, position.result)
END
cd "$work"

# The wheel has the library inside.
/usr/bin/python3 -m venv "$work/wheel"
"$work/wheel/bin/pip" -q install --no-index --no-deps "$work"/dist/quevedo-*.whl
case $(basename "$work"/dist/*.whl) in
*-py3-none-linux_"$(uname -m)".whl) ;;
*) echo "python_wheel.sh: the wheel has the wrong tags" >&2; exit 1 ;;
esac
found=$("$work/wheel/bin/python" play.py)
echo "python_wheel.sh: wheel: $found"
[[ $found == "$work"/wheel/*/quevedo/libquevedo.so.0\ * ]]

# The source package uses the system's library, here through its path.
/usr/bin/python3 -m venv --system-site-packages "$work/sdist"
"$work/sdist/bin/pip" -q install --no-index --no-deps --no-build-isolation "$work"/dist/quevedo-*.tar.gz
found=$(LD_LIBRARY_PATH=$build "$work/sdist/bin/python" play.py)
echo "python_wheel.sh: source package: $found"
[[ $found == libquevedo.so.0\ * ]]
if "$work/sdist/bin/python" play.py 2>"$work/error"; then
	echo "python_wheel.sh: it found a library that should not be there" >&2
else
	grep -q 'ImportError: quevedo: libquevedo.so.0 was not found; set QUEVEDO_LIBRARY' "$work/error"
fi

if command -v mypy >/dev/null; then
	mypy --strict --python-version 3.9 "$source/bindings/python/quevedo"
fi
