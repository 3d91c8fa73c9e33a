"""Bad input gets an exception, never a crash.

SPDX-License-Identifier: MIT
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable

import quevedo
from quevedo import Book, Game, Listener, Player, QuevedoError, Random, Record, StopFlag, _library

HUGE = 1 << 100
WRONG = (None, 3.5, b"x", [], {}, object(), True)
PACKAGE = Path(quevedo.__file__).resolve().parent.parent


class ErrorTest(unittest.TestCase):
    def refuse(self, call: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        with self.assertRaises((QuevedoError, TypeError)) as caught:
            call(*arguments, **named)
        self.assertTrue(str(caught.exception))

    def test_messages_are_the_library_s(self) -> None:
        with self.assertRaisesRegex(QuevedoError, "game 'ches': no such game.*chess"):
            Game("ches")
        with self.assertRaisesRegex(QuevedoError, "e2e5"):
            Game("chess").start().play("e2e5")
        with self.assertRaisesRegex(QuevedoError, "size"):
            Game("gomoku:size=8")
        with self.assertRaisesRegex(QuevedoError, "depht"):
            Player("negascout:depht=3", "chess")

    def test_wrong_types(self) -> None:
        start = Game("noughts").start()
        for value in WRONG:
            self.refuse(Game, value)
            self.refuse(Game("noughts").position, value)
            self.refuse(start.play, value)
            self.refuse(Player, value)
            self.refuse(Player("random").choose, value)
            self.refuse(quevedo.solve, value)
            self.refuse(quevedo.terms, value)
            self.refuse(quevedo.tree, value)
            self.refuse(start.roll, value)
            self.refuse(start.playout, value)
            self.refuse(quevedo.match, "noughts", value, 1)
            self.refuse(Record.load, value)
            self.refuse(Record, value)
            self.refuse(Book, "chess", value)
            self.refuse(quevedo.conform, value)
            if value is not None:
                self.refuse(start.evaluate, value)
                self.refuse(Player("random").think, start, stop=value)
                self.refuse(Player("random").think, start, listener=value)
            if value is not True and not isinstance(value, float):
                self.refuse(Player("random").think, start, time=value)
            self.refuse(start.perft, value)
            self.refuse(Random, value)
        for path in (None, 3, b"x\0", object()):
            self.refuse(quevedo.load_plugin, path)

    def test_odd_texts(self) -> None:
        start = Game("chess").start()
        for text in ("", "e2e4\0", "\ud800", "é" * 1000, "x" * 100000, "%s%n%d", "\n", "0", "-1"):
            self.refuse(start.play, text)
            self.assertFalse(start.is_legal(text))
            self.refuse(Game, text)
            self.refuse(Player, text, "chess")
            self.refuse(Book, "chess", text)
            self.refuse(Record.load, text)
            if text:
                self.refuse(Game("chess").position, text)
            self.refuse(quevedo.load_plugin, text or "/no/such/file.so")

    def test_huge_numbers(self) -> None:
        start = Game("noughts").start()
        player = Player("random")
        for number in (HUGE, -HUGE, -1, 1 << 63, 1 << 31):
            self.refuse(start.play, number)
            self.refuse(start.perft, number)
            self.refuse(player.think, start, depth=number)
        for number in (HUGE, -HUGE, -1):
            self.refuse(player.think, start, nodes=number)
            self.refuse(player.think, start, evals=number)
            self.refuse(Random, number)
            self.refuse(Player, "random", seed=number)
            self.refuse(Player, "random", threads=number)
            self.refuse(quevedo.solve, start, nodes=number)
            self.refuse(quevedo.solve, start, hash_mb=number)
            self.refuse(quevedo.match, "noughts", {"a": "random", "b": "random"}, number)
            self.refuse(quevedo.tree_text, start, max_ply=number)
            self.refuse(quevedo.conform, "noughts", games=number)
            self.refuse(Record("noughts").undo, number)
            self.refuse(quevedo.Actions("noughts").play, start, number)
        for seconds in (-1.0, float("nan"), float("inf"), 1e30):
            self.refuse(player.think, start, time=seconds)

    def test_moves_of_others(self) -> None:
        reversi, chess = Game("reversi").start(), Game("chess").start()
        self.refuse(reversi.play, "e2e4")
        self.refuse(chess.play, "d3d3")
        with Player("negascout:depth=2", "chess") as player:
            self.refuse(player.choose, reversi)
            self.refuse(player.think, chess, only=["e7e5"])
            self.assertIn(player.choose(chess), chess.legal_moves)
        over = Game("noughts").position("start", list("14253"))
        self.refuse(over.play, 0)
        self.refuse(over.play, "9")
        self.refuse(Player("random").choose, over)
        self.refuse(quevedo.analyse, over)
        self.refuse(quevedo.luck, chess, "e2e4")
        self.refuse(quevedo.review, Game("race").start(), "roll 1")

    def test_closed_objects(self) -> None:
        start = Game("chess").start()
        player, record, book = Player("random", "chess"), Record("chess"), Book("chess", "own:chess")
        for thing in (player, record, book):
            thing.close()
            thing.close()
        self.refuse(player.choose, start)
        self.refuse(record.play, "e2e4")
        self.refuse(lambda: record.position)
        self.refuse(record.save)
        self.refuse(book.moves, start)
        lazy = Player("random")
        lazy.close()
        self.refuse(lazy.choose, start)

    def test_a_search_cannot_use_its_own_player(self) -> None:
        player = Player("negascout:depth=5", "chess")
        start = Game("chess").start()
        for inner in (lambda: player.think(start), player.close, player.new_game):
            with self.assertRaisesRegex(QuevedoError, "in use"):
                player.think(start, callback=lambda answer, inner=inner: inner())
        self.assertIn(player.choose(start), start.legal_moves)

    def test_two_threads_one_player(self) -> None:
        player = Player("negascout:depth=60", "chess")
        start = Game("chess").start()
        stop = StopFlag()
        begun = threading.Event()
        thread = threading.Thread(
            target=lambda: player.think(start, stop=stop, callback=lambda answer: begun.set())
        )
        thread.start()
        begun.wait(60)
        try:
            self.refuse(player.choose, start)
            with self.assertRaisesRegex(QuevedoError, "running"):
                quevedo.load_plugin("/no/such/file.so")
        finally:
            stop.set()
            thread.join()

    def test_exceptions_pass_through_listeners(self) -> None:
        class Broken(Listener):
            def enter(self, visit: quevedo.Visit) -> None:
                raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            Player("alphabeta:depth=6", "chess").think(Game("chess").start(), listener=Broken())

    def test_positions_outlive_everything(self) -> None:
        position = Game("chess").start().play("e2e4")
        player = Player("alphabeta:depth=2")
        answer = player.think(position)
        del player
        self.assertIn(answer.move, position.legal_moves)
        states = [Record("chess").position for _ in range(50)]
        self.assertEqual(len({state.text for state in states}), 1)

    def test_states_are_aligned(self) -> None:
        for name in quevedo.games():
            position = Game(name).start()
            for _ in range(10):
                self.assertEqual(ctypes.addressof(position._state) % 16, 0, name)
                position = position if position.is_over else position.play(0)

    def test_not_a_plugin(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "text.so")
            path.write_text("no machine code")
            self.refuse(quevedo.load_plugin, path)
        self.refuse(quevedo.load_plugin, _library.library_path)


class ImportTest(unittest.TestCase):
    def run_python(self, code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "PYTHONPATH": str(PACKAGE), **environment}
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)

    def test_missing_library_is_named(self) -> None:
        run = self.run_python("import quevedo", QUEVEDO_LIBRARY="/no/such/libquevedo.so")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("/no/such/libquevedo.so", run.stderr)
        self.assertIn("ImportError", run.stderr)

    def test_another_library_is_refused(self) -> None:
        run = self.run_python("import quevedo", QUEVEDO_LIBRARY="libc.so.6")
        self.assertIn("ImportError: quevedo: libc.so.6 is too old or no libquevedo", run.stderr)

    def test_ctrl_c_ends_a_search(self) -> None:
        code = (
            "import os, quevedo, signal, threading\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may ignore it
            "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "try:\n"
            "    quevedo.Player('negascout:depth=90').think(quevedo.Game('chess').start())\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        self.assertEqual(self.run_python(code).stdout, "interrupted\n")


if __name__ == "__main__":
    unittest.main()
