"""Rules and positions, compared with published counts and with the program's own answers.

SPDX-License-Identifier: MIT
"""
import copy
import json
import math
import os
import pickle
import subprocess
import unittest

import quevedo
from quevedo import Game, QuevedoError, Random, Record

PROGRAM = os.environ.get("QUEVEDO", "")
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class RulesTest(unittest.TestCase):
    def test_games_have_facts(self) -> None:
        self.assertIn("chess", quevedo.games())
        for name in quevedo.games():
            game = Game(name)
            self.assertEqual(game.name, name)
            self.assertTrue(game.title and game.help and game.levels and game.evaluations)
            self.assertEqual(len(game.seat_names), game.seats)

    def test_options(self) -> None:
        game = Game("GoMoku:size=19,rule=renju")
        self.assertEqual(game.rules, "gomoku:size=19,rule=renju")
        self.assertEqual(game.options, {"size": 19, "rule": "renju", "opening": "none"})
        self.assertEqual(game.option_table[0][3:], (9, 20, 15))
        self.assertEqual(game, Game(game.rules))
        self.assertNotEqual(game, Game("gomoku"))
        self.assertEqual(pickle.loads(pickle.dumps(game)), game)

    def test_published_counts(self) -> None:
        start = Game("chess").start()
        self.assertEqual([start.perft(n) for n in range(1, 5)], [20, 400, 8902, 197281])
        start = Game("reversi").start()
        self.assertEqual([start.perft(n) for n in range(1, 7)], [4, 12, 56, 244, 1396, 8200])
        # Kiwipete, by playing the moves one by one.
        kiwipete = Game("chess").position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
        self.assertEqual(kiwipete.move_count, 48)
        self.assertEqual(sum(kiwipete.play(i).move_count for i in range(48)), 2039)
        self.assertEqual(kiwipete.perft(3, threads=2, hash_mb=1), 97862)

    @unittest.skipUnless(PROGRAM, "QUEVEDO does not name the program")
    def test_same_as_the_program(self) -> None:
        for name, seed in (("chess", 5), ("reversi", 2), ("backgammon", 4), ("draughts", 1), ("morris", 2)):
            position = Game(name).start().playout(Random(seed), 37)
            shown = self.ask("show", name, position.text)
            moves = [move if isinstance(move, str) else move["move"] for move in shown["moves"]]
            self.assertEqual(list(position.legal_moves), moves)
            self.assertEqual(position.text, shown["position"])
            self.assertEqual(position.is_over, shown["over"])
            self.assertEqual(str(position), shown["text"].rstrip("\n"))
            self.assertEqual(position.seat, (shown["seat"] or 0) - 1)

    def ask(self, *arguments: str) -> "dict[str, object]":
        printed = subprocess.run([PROGRAM, *arguments, "--json"], check=True, capture_output=True, text=True)
        return json.loads(printed.stdout)

    @unittest.skipUnless(PROGRAM, "QUEVEDO does not name the program")
    def test_searches_as_the_program(self) -> None:
        position = Game("reversi").start().playout(Random(8), 21)
        best = self.ask("best", "reversi", position.text, "--player", "negascout:depth=5")
        answer = quevedo.Player("negascout:depth=5").think(position)
        self.assertEqual((answer.move, answer.score, answer.nodes), (best["move"], best["score"], best["nodes"]))
        self.assertEqual(list(answer.pv), best["pv"])
        terms = self.ask("eval", "reversi", position.text)
        self.assertEqual(position.evaluate(), terms["value"])
        found = [(term.name, list(term.counts), term.value) for term in quevedo.terms(position)]
        self.assertEqual(found, [(term["name"], term["counts"], term["value"]) for term in terms["terms"]])


class PositionTest(unittest.TestCase):
    def test_play_and_take_back(self) -> None:
        start = Game("chess").start()
        self.assertEqual(start.text, CHESS)
        after = start.play("e2e4").play("E7E5")
        self.assertEqual(after.moves_played(), ["e2e4", "e7e5"])
        self.assertEqual((after.ply, after.last_move, start.last_move), (2, "e7e5", None))
        self.assertIs(after.parent.parent, start)
        self.assertEqual(start.text, CHESS)
        self.assertEqual(start.play(start.legal_moves.index("e2e4")), after.parent)

    def test_equality_and_copies(self) -> None:
        start = Game("chess").start()
        one = start.play("b1c3").play("b8c6").play("g1f3")
        two = start.play("g1f3").play("b8c6").play("b1c3")
        self.assertEqual(one, two)
        self.assertEqual((hash(one), one.key), (hash(two), two.key))
        self.assertEqual(len({one, two, start}), 2)
        self.assertNotEqual(start, Game("reversi").start())
        self.assertIs(copy.deepcopy(one), one)
        again = pickle.loads(pickle.dumps(one))
        self.assertEqual((again, again.moves_played()), (one, one.moves_played()))
        self.assertEqual(Game("chess").position(one.text), one)
        self.assertIn("chess", repr(one))

    def test_nothing_can_be_assigned(self) -> None:
        start = Game("noughts").start()
        for name in ("game", "parent", "text", "seat", "other"):
            with self.assertRaises(AttributeError):
                setattr(start, name, None)
        with self.assertRaises(TypeError):
            quevedo.Position()

    def test_results(self) -> None:
        won = Game("noughts").position("start", ["1", "4", "2", "5", "3"])
        self.assertEqual((won.is_over, won.legal_moves), (True, ()))
        self.assertEqual((won.result.winner, won.result.points), (0, (1, 0)))
        self.assertEqual((won.result.margin(0), won.result.margin(1)), (1, -1))
        drawn = Game("noughts").position("start", list("152379648"))
        self.assertEqual((drawn.result.winner, drawn.result.by_count), (None, False))
        self.assertIsNone(Game("noughts").start().result)

    def test_dice(self) -> None:
        start = Game("race").start()
        self.assertTrue(start.is_chance)
        self.assertEqual(start.seat, -1)
        self.assertEqual([text for text, _ in start.outcomes()], [f"roll {n}" for n in range(1, 7)])
        for name in ("race", "backgammon", "warptrog"):
            position = Game(name).start()
            random = Random(3)
            for _ in range(60):
                if position.is_chance:
                    self.assertAlmostEqual(math.fsum(chance for _, chance in position.outcomes()), 1)
                    position = position.roll(random)
                elif not position.is_over:
                    self.assertEqual(position.outcomes(), [])
                    position = position.play(0)
        with self.assertRaises(QuevedoError):
            Game("chess").start().roll(Random())

    def test_playouts_repeat_and_end(self) -> None:
        for name in quevedo.games():
            start = Game(name).start()
            end = start.playout(Random(7), 400)
            self.assertEqual(end, start.playout(Random(7), 400))
            self.assertEqual(end.is_over, end.result is not None)
        self.assertEqual(start.playout(Random(7), 0), start)

    def test_counted_moves(self) -> None:
        start = Game("starchess").start()
        self.assertIn("move A1 A2 20", start.legal_moves)
        self.assertTrue(start.is_legal("move A1 A2 7"))
        self.assertFalse(start.is_legal("move A1 A2 21"))
        self.assertEqual(start.play("move A1 A2 7").last_move, "move A1 A2 7")

    def test_arrays(self) -> None:
        game = Game("reversi")
        values = list(game.start().to_array())
        found = {cell.name: value for cell, value in zip(game.cells, values) if value}
        self.assertEqual(found, {"d4": 2, "e5": 2, "e4": 1, "d5": 1})
        self.assertEqual([piece.seat for piece in game.pieces], [0, 1])
        backgammon = Game("backgammon").start()
        self.assertEqual(sum(backgammon.to_array(counts=True)[:24]), 30)
        self.assertEqual(len(backgammon.to_array()), len(Game("backgammon").cells))
        # What the fast function says is what the board's JSON says.
        for name in quevedo.games():
            position = Game(name).start().playout(Random(1), 20)
            standing = [tuple(entry) for entry in position.board()["standing"]]
            self.assertEqual(position._standing(), standing)

    def test_pictures(self) -> None:
        position = Game("chess").start()
        self.assertTrue(position.svg().startswith("<svg"))
        self.assertEqual(position._repr_svg_(), position.svg())
        self.assertIsNone(Game("diagram").start()._repr_svg_())
        self.assertEqual(len(Game("chess").board()["cells"]), 64)
        self.assertIn("a b c", str(position))
        self.assertTrue(position.draw(unicode=False).isascii())

    def test_state_bytes(self) -> None:
        position = Game("noughts").start()
        self.assertEqual(position.state, Game("noughts").start().state)
        self.assertNotEqual(position.state, position.play("5").state)


class RecordTest(unittest.TestCase):
    def test_repetition_ends_a_game(self) -> None:
        position = Game("chess").start()
        for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
            position = position.play(move)
        self.assertIsNone(position.result)
        with position.record() as record:
            self.assertEqual(record.ply, 8)
            self.assertIsNone(record.result.winner)
            with self.assertRaises(QuevedoError):
                record.play("e2e4")

    def test_undo_variations_and_notes(self) -> None:
        record = Record("chess")
        record.play("e2e4", 1.5)
        self.assertEqual(record.undo(5), 1)
        record.play("d2d4")
        record.note = "a note with ü"
        self.assertEqual(record.undo(), 1)
        self.assertEqual(record.variations, ("e2e4", "d2d4"))
        self.assertEqual(record.redo(), 1)
        again = Record.load(record.save())
        self.assertEqual((again.moves, again.note, again.game), (("d2d4",), "a note with ü", Game("chess")))
        again.end(1, "resigns")
        self.assertEqual((again.moves, again.result.winner), (("d2d4",), 1))
        self.assertEqual(Record.load(again.save()).result.winner, 1)
        with self.assertRaises(QuevedoError):
            Record.load("{}")

    def test_files_of_other_programs(self) -> None:
        pgn = '[White "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n1. d4 d5 2. c4 *\n'
        games = quevedo.read_games(pgn)
        self.assertEqual([record.ply for record in games], [7, 3])
        self.assertEqual((games[0].result.winner, games[1].moves), (0, ("d2d4", "d7d5", "c2c4")))
        self.assertIn("4. Qxf7#", games[0].export("pgn"))
        again = quevedo.read_games(games[0].export("pgn").encode())
        self.assertEqual(again[0].moves, games[0].moves)
        errors, illegal = [], '[Result "*"]\n\n1. e4 e5 2. Ke5 *\n'
        quevedo.read_games(illegal, wrong=lambda what, harmless: errors.append(what))
        self.assertIn("Ke5", errors[0])
        with self.assertRaises(ZeroDivisionError):
            quevedo.read_games(illegal, wrong=lambda what, harmless: 1 // 0)
        self.assertEqual(quevedo.read_games(""), [])
        for bad in (b"\xff\0\xff", "hello"):
            with self.assertRaises(QuevedoError):
                quevedo.read_games(bad)
        with self.assertRaises(QuevedoError):
            games[0].export("nonsense")
        with self.assertRaises(QuevedoError):
            Record("connect4").export("pdn")
        with self.assertRaises(TypeError):
            quevedo.read_games(None)

    def test_starts_from_any_position(self) -> None:
        middle = Game("gomoku:size=9").start().playout(Random(5), 10)
        record = Record(middle.game, middle.text)
        record.play(0)
        again = Record.load(record.save())
        self.assertEqual((again.game, again.moves, again.position), (middle.game, record.moves, record.position))


if __name__ == "__main__":
    unittest.main()
