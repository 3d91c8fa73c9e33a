"""The structs of ctypes have the layout that a C compiler gives those of the header.

SPDX-License-Identifier: MIT
"""
import ctypes
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from quevedo import _structs as c
from quevedo._library import _FUNCTIONS

INCLUDE = Path(os.environ.get("QUEVEDO_INCLUDE", Path(__file__).resolve().parents[3] / "include"))
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CONSTANTS = {
    "QV_MAX_SEATS": c.MAX_SEATS,
    "QV_MAX_OPTIONS": c.MAX_OPTIONS,
    "QV_MAX_MOVES": c.MAX_MOVES,
    "QV_MAX_LINE": c.MAX_LINE,
    "QV_MAX_TERMS": c.MAX_TERMS,
    "QV_MAX_CELLS": c.MAX_CELLS,
    "QV_WIN": c.WIN,
    "QV_MOVE_TEXT": c.MOVE_TEXT,
    "QV_POSITION_TEXT": c.POSITION_TEXT,
    "QV_OPENING_NAME": c.OPENING_NAME,
    "QV_CHANCE": c.CHANCE,
    "QV_UNDECIDED": c.UNDECIDED,
    "QV_STOPPED": c.STOPPED,
    "QV_ILLEGAL": c.ILLEGAL,
    "QV_DRAWN_BY_COUNT": c.DRAWN_BY_COUNT,
    "QV_VALUE_WIN": 3,
    "QV_BY_OWN": 3,
    "QV_TREE_SVG": 3,
    "QV_WHY_COUNT": 18,
    "QV_VISIT_VERIFY": 1 << 12,
}


class LayoutTest(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        if not COMPILER:
            self.skipTest("there is no C compiler")
        if not (INCLUDE / "quevedo.h").exists():
            self.skipTest(f"{INCLUDE} has no quevedo.h")

    def test_structs_and_constants(self) -> None:
        expected, lines = {}, []
        for struct, name in c.C_NAMES.items():
            expected[name] = ctypes.sizeof(struct)
            lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
            for field, kind in struct._fields_:
                member = f"{name}.{field}"
                expected[member] = getattr(struct, field).offset * 10000 + ctypes.sizeof(kind)
                size = f"sizeof(((struct {name} *)0)->{field})"
                lines.append(f'printf("{member} %zu\\n", offsetof(struct {name}, {field}) * 10000 + {size});')
        for name, value in CONSTANTS.items():
            expected[name] = value
            lines.append(f'printf("{name} %d\\n", (int){name});')
        # A function that the header does not declare does not compile.
        lines += [f"(void)&{name};" for name in _FUNCTIONS]
        program = "#include <quevedo.h>\n#include <stdio.h>\nint main(void)\n{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "layout.c")
            source.write_text(program)
            subprocess.run(
                [str(COMPILER), "-std=c99", "-O1", f"-I{INCLUDE}", str(source), "-o", folder + "/layout"], check=True
            )
            printed = subprocess.run([folder + "/layout"], check=True, capture_output=True, text=True).stdout
        found = {line.split()[0]: int(line.split()[1]) for line in printed.splitlines()}
        self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
