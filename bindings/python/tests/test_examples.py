"""The examples run, with small settings.

SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.dom import minidom

import quevedo

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PACKAGE = Path(quevedo.__file__).resolve().parent.parent
KALAH = os.environ.get("QUEVEDO_KALAH", "")


class ExampleTest(unittest.TestCase):
    def run_example(self, name: str, *arguments: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        command = [sys.executable, str(EXAMPLES / name), *arguments]
        run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_selfplay_learns(self) -> None:
        printed = self.run_example("selfplay.py", "hexapawn", "--games", "600", "--check", "60")
        scores = [float(score) for score in re.findall(r"([0-9.]+) % against", printed)]
        self.assertEqual(len(scores), 7)
        self.assertGreater(max(scores[-3:]), scores[0] + 10)

    def test_nodes_draws_a_chart(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "nodes.svg")
            printed = self.run_example("nodes.py", "connect4", "--depth", "4", "--out", str(out))
            # Without pruning, every sequence of up to four moves is a node: 7 + 49 + 343 + 2401.
            self.assertRegex(printed, r"\n +4 +2,800 +[0-9]+\n")
            chart = minidom.parse(str(out))
        self.assertEqual(len(chart.getElementsByTagName("polyline")), 2)
        self.assertEqual(len(chart.getElementsByTagName("circle")), 8)

    @unittest.skipUnless(KALAH, "QUEVEDO_KALAH names no plug-in")
    def test_kalah_match(self) -> None:
        printed = self.run_example("kalah_match.py", KALAH, "--games", "4", "--player", "mcts:playouts=30")
        self.assertEqual(len(re.findall(r"^game \d: ", printed, re.MULTILINE)), 4)
        self.assertRegex(printed, r"player: \d wins, \d draws, \d losses of 4")

    def test_playouts(self) -> None:
        printed = self.run_example("playouts.py", "--seconds", "0.02", "noughts", "race")
        rows = [line.split() for line in printed.splitlines()[1:]]
        self.assertEqual([row[0] for row in rows], ["noughts", "race"])
        self.assertTrue(5 <= float(rows[0][1]) <= 9 and all(float(row[3]) > 0 for row in rows))


if __name__ == "__main__":
    unittest.main()
