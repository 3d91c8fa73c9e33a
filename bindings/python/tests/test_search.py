"""Players, solvers, matches, terms, trees, books and plug-ins.

SPDX-License-Identifier: MIT
"""
import math
import os
import sys
import tempfile
import threading
import unittest

import quevedo
from quevedo import Game, Listener, Player, Position, QuevedoError, Random, StopFlag

MATE_IN_TWO = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"  # 1. Ra6+ f6 2. Bxf6+ Rg7 3. Rxa8#
KALAH = os.environ.get("QUEVEDO_KALAH", "")
ENGINE = os.environ.get("QUEVEDO_ENGINE", "")


def connect4(moves: str) -> Position:
    return Game("connect4").position("start", list(moves))


class PlayerTest(unittest.TestCase):
    def test_finds_a_win(self) -> None:
        answer = Player("alphabeta:depth=3").think(connect4("112233"))
        self.assertEqual((answer.move, answer.win_in, answer.pv), ("4", 1, ("4",)))
        lost = Player("alphabeta:depth=4").think(Game("connect4").position("start", list("4455")).play("6"))
        self.assertEqual(lost.win_in, -2)
        mate = Player("negascout:depth=6", "chess").think(Game("chess").position(MATE_IN_TWO))
        self.assertEqual((mate.pv[0], mate.win_in), ("f6a6", 5))

    def test_same_seed_same_game(self) -> None:
        for spec in ("random", "mcts:playouts=40", "level:2"):
            games = []
            for _ in range(2):
                position = Game("connect4").start()
                with Player(spec, seed=9) as player:
                    while not position.is_over:
                        position = position.play(player.choose(position))
                games.append(position.moves_played())
            self.assertEqual(*games)

    def test_limits_and_only(self) -> None:
        start = Game("chess").start()
        player = Player("negascout:depth=30")
        self.assertLess(player.think(start, nodes=2000).nodes, 4000)
        self.assertEqual(player.think(start, depth=3).depth, 3)
        self.assertEqual(player.think(start, depth=2, only=["a2a3"]).move, "a2a3")
        self.assertLess(player.think(start, time=0.02).seconds, 5)
        answer = quevedo.analyse(start, "negascout:depth=3", lines=3)
        self.assertEqual(len({line.move for line in answer.lines}), 3)
        self.assertGreaterEqual(answer.lines[0].score, answer.lines[1].score)
        self.assertEqual(answer.nodes, sum(line.nodes for line in answer.lines))

    def test_limits_replace_those_that_no_spec_names(self) -> None:
        start = Game("connect4").start()
        for spec, own in (("alphabeta", 6), ("negascout", 6), ("mtdf", 6), ("minimax", 4), ("maxn", 4), ("lurgee:book=none", 5)):
            with self.subTest(spec=spec):
                player = Player(spec)
                self.assertEqual(player.think(start).depth, own)
                self.assertEqual(player.think(start, depth=own + 1).depth, own + 1)
                # The clock never ends these searches: they are stopped once they are deeper.
                for limit in ({"time": 3600.0}, {"aim": 3600.0}, {"nodes": 10**9}, {"evals": 10**9}):
                    depths: list[int] = []

                    def note(so_far: quevedo.Answer, depths: "list[int]" = depths, own: int = own) -> bool:
                        depths.append(so_far.depth)
                        return so_far.depth <= own

                    player.think(start, callback=note, **limit)
                    self.assertGreater(max(depths), own, limit)
        for limit in ({"nodes": 300000}, {"nodes": 600000}):
            self.assertGreater(Player("mcts").think(start, **limit).nodes, limit["nodes"] * 0.9)
        self.assertEqual(Player("alphabeta:depth=3").think(start, nodes=10**9).depth, 3)

    def test_repetition_counts(self) -> None:
        # Black can claim a draw by repetition with one move, if the search is told of the moves before.
        line = ("b1c1", "h8g8", "c1b1", "g8h8", "b1c1", "h8g8", "c1b1")
        position = Game("chess").position("7k/8/8/8/8/8/8/KQ6 w - - 0 1", line)
        player = Player("alphabeta:depth=1")
        self.assertEqual(player.think(position, only=["g8h8"]).score, 0)
        self.assertLess(player.think(position, only=["g8h8"], history=False).score, -300)

    def test_callbacks(self) -> None:
        start = Game("chess").start()
        seen = []
        quevedo.analyse(start, "negascout:depth=4", callback=lambda answer: seen.append(answer.depth))
        self.assertEqual(seen, [1, 2, 3, 4])
        answer = Player("negascout:depth=40").think(start, callback=lambda answer: answer.depth < 3)
        self.assertTrue(answer.stopped)
        with self.assertRaises(ZeroDivisionError):
            Player("negascout:depth=40").think(start, callback=lambda answer: 1 // 0)

    def test_stop_from_another_thread(self) -> None:
        stop = StopFlag()
        timer = threading.Timer(0.05, stop.set)
        timer.start()
        answer = Player("negascout:depth=90", "chess").think(Game("chess").start(), stop=stop)
        timer.join()
        self.assertTrue(answer.stopped and stop.is_set())
        self.assertIn(answer.move, Game("chess").start().legal_moves)
        stop.clear()
        self.assertFalse(stop.is_set())

    def test_listener_sees_the_tree(self) -> None:
        class Follow(Listener):
            def __init__(self) -> None:
                self.open, self.entered, self.reasons, self.roots = 0, 0, set(), []

            def enter(self, visit: quevedo.Visit) -> None:
                self.entered += 1
                self.open += 1
                if visit.move is not None and visit.position.parent.parent is not None:
                    assert visit.move in visit.position.parent.legal_moves

            def why(self, ply: int, reason: str, number: float) -> None:
                self.reasons.add(reason)

            def leave(self, ply: int, value: float, best: object) -> None:
                self.open -= 1

            def root_move(self, move: str, number: int, depth: int) -> None:
                self.roots.append(move)

        follow = Follow()
        Player("alphabeta:depth=3,iterate=0").think(Game("noughts").start(), listener=follow)
        self.assertEqual(follow.open, 0)
        self.assertGreater(follow.entered, 20)
        self.assertIn("leaf", follow.reasons)
        self.assertEqual(len(follow.roots), 9)

        class Grow(Listener):
            steps = 0

            def growth(self, step: quevedo.Growth) -> None:
                self.steps += 1

        grow = Grow()
        Player("mcts:playouts=30").think(Game("noughts").start(), listener=grow)
        self.assertEqual(grow.steps, 31)

    def test_threads_may_search_at_once(self) -> None:
        moves = [None] * 4

        def search(number: int) -> None:
            with Player("negascout:depth=4", "chess") as player:
                moves[number] = player.choose(Game("chess").start())

        threads = [threading.Thread(target=search, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(moves)), 1)
        self.assertIsNotNone(moves[0])

    @unittest.skipUnless(ENGINE, "QUEVEDO_ENGINE names no engine")
    def test_foreign_program(self) -> None:
        with Player(f"qgp:{sys.executable} {ENGINE}", "race", seed=1) as player:
            position = Game("race").start().play("roll 6")
            self.assertIn(player.choose(position), position.legal_moves)


class SolveTest(unittest.TestCase):
    def test_values(self) -> None:
        self.assertEqual(quevedo.solve(Game("noughts").start()).value, "draw")
        start = Game("hexapawn").start()
        found = quevedo.solve(start, distance=True)
        self.assertEqual((found.value, found.plies), self.brute(start))
        self.assertEqual(found.value, Game("hexapawn").solved)
        # The middle column wins the first game of connect-four, the one beside it draws, the edge loses.
        firsts = [quevedo.solve(connect4(move), method="own").value for move in "431"]
        self.assertEqual(firsts, ["loss", "draw", "win"])
        self.assertEqual(quevedo.solve(connect4("112233"), method="proof").value, "win")
        self.assertEqual(quevedo.solve(connect4("112233"), distance=True).plies, 1)

    def brute(self, position: Position) -> "tuple[str, int]":
        """The value and distance of a game without draws, by trying everything."""
        if position.is_over:
            return ("win" if position.result.winner == position.seat else "loss"), 0
        replies = [self.brute(position.play(i)) for i in range(position.move_count)]
        won = [plies for value, plies in replies if value == "loss"]
        return ("win", 1 + min(won)) if won else ("loss", 1 + max(plies for _, plies in replies))

    def test_margin(self) -> None:
        late = Game("reversi").start().playout(Random(4), 52)
        found = quevedo.solve(late, margin=True)
        # The same by playing on: the best margin over all moves, from the other side.
        best = max(self.lead(late.play(i), late.seat) for i in range(late.move_count))
        self.assertEqual(found.margin, best)

    def lead(self, position: Position, seat: int) -> int:
        """The final lead of the seat with best play; the winner gets the empty squares."""
        if position.is_over:
            lead = position.result.margin(seat)
            empty = sum(1 for value in position.to_array() if not value)
            counted = list(position.to_array())
            discs = counted.count(seat + 1) - counted.count(2 - seat)
            return discs + (empty if discs > 0 else -empty if discs < 0 else 0) if lead else 0
        leads = [self.lead(position.play(i), seat) for i in range(position.move_count)]
        return max(leads) if position.seat == seat else min(leads)

    def test_limits(self) -> None:
        found = quevedo.solve(Game("chess").start(), nodes=2000)
        self.assertEqual((found.value, found.stopped), ("unknown", True))
        found = quevedo.solve(Game("chess").start(), callback=lambda nodes: False)
        self.assertTrue(found.stopped)
        with self.assertRaises(QuevedoError):
            quevedo.solve(Game("race").start())


class MatchTest(unittest.TestCase):
    def test_figures(self) -> None:
        seen = []
        played = quevedo.match("connect4", {"r": "random", "a": "alphabeta:depth=3"}, 20, callback=seen.append, seed=3)
        figures = played.figures("a")
        self.assertEqual([game.number for game in seen], list(range(20)))
        wins = sum(game.winner is not None and game.players[game.winner] == "a" for game in seen)
        draws = sum(game.winner is None for game in seen)
        self.assertEqual((figures.games, figures.wins, figures.draws), (20, wins, draws))
        self.assertEqual(figures.losses, played.figures("r", "a").wins)
        self.assertAlmostEqual(figures.score, (wins + draws / 2) / 20)
        self.assertAlmostEqual(figures.elo, -played.figures("r").elo)
        self.assertAlmostEqual(figures.elo, 400 * math.log10(figures.score / (1 - figures.score)))
        self.assertGreater(figures.los, 0.95)
        record = quevedo.Record.load(seen[0].record)
        self.assertEqual((record.game.name, record.ply), ("connect4", seen[0].plies))
        self.assertIn("Elo", str(played))

    def test_jobs_do_not_change_it(self) -> None:
        players = {"x": "mcts:playouts=20", "y": "level:2"}
        one = quevedo.match("noughts", players, 12, seed=5)
        two = quevedo.match("noughts", players, 12, seed=5, jobs=2)
        self.assertEqual(one.figures("x")[:9], two.figures("x")[:9])

    def test_ends_early(self) -> None:
        played = quevedo.match("noughts", {"x": "random", "y": "random"}, 50, callback=lambda game: game.number < 3)
        self.assertEqual((played.figures("x").games, played.stopped), (4, True))
        with self.assertRaises(ZeroDivisionError):
            quevedo.match("noughts", {"x": "random", "y": "random"}, 5, callback=lambda game: 1 // 0)

    def test_openings_pairs_and_sprt(self) -> None:
        seen = []
        players = {"a": "alphabeta:depth=2", "r": "random"}
        played = quevedo.match(
            "chess", players, 40, pairs=True, openings="e2e4 e7e5\nd2d4 d7d5\n", max_plies=60, seed=2,
            sprt="elo0=0,elo1=400", draw_score=30, draw_moves=2, draw_plies=6, pgn=True, callback=seen.append,
        )  # fmt: skip
        figures = played.figures("a")
        self.assertEqual(sum(figures.pairs), figures.games // 2)
        self.assertLess(figures.llr_lower, figures.llr_upper)
        self.assertNotEqual(figures.llr, 0)
        starts = {quevedo.Record.load(game.record).position.game.name for game in seen}
        self.assertEqual(starts, {"chess"})
        self.assertTrue(all("1. e4 e5" in game.pgn or "1. d4 d5" in game.pgn for game in seen))
        self.assertTrue({game.end for game in seen} <= {"rules", "max-plies", "adjudicated"})
        with self.assertRaises(QuevedoError):
            quevedo.match("chess", players, 2, sprt="elo0=x")
        with self.assertRaises(QuevedoError):
            quevedo.match("chess", players, 2, openings="e2e5")

    def test_journals_are_audited(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "journal")
            players = {"x": "alphabeta:depth=1", "y": "random"}
            quevedo.match("noughts", players, 6, journal=journal)
            whole = quevedo.match("noughts", players, 10, journal=journal, resume=True)
            self.assertEqual(whole.figures("x").games, 10)
            self.assertEqual(quevedo.audit(journal)[:4], (10, 10, 10, 0))
            with open(journal) as file:
                text = file.read()
            spoilt = text.replace('"result":"win 1"', '"result":"win 2"', 1)
            self.assertNotEqual(text, spoilt)
            with open(journal, "w") as file:
                file.write(spoilt)
            found = quevedo.audit(journal)
            self.assertEqual((found.wrong, bool(found.first_wrong)), (1, True))

    def test_a_program_that_fails_is_named(self) -> None:
        with self.assertRaisesRegex(QuevedoError, "/no/such/engine"):
            quevedo.match("noughts", {"bad": "qgp:/no/such/engine", "r": "random"}, 2)

    @unittest.skipUnless(KALAH, "QUEVEDO_KALAH names no plug-in")
    def test_plugin(self) -> None:
        if "kalah" not in quevedo.games():
            self.assertEqual(quevedo.load_plugin(KALAH), ["kalah"])
        with self.assertRaises(QuevedoError):
            quevedo.load_plugin(KALAH)
        self.assertEqual([Game("kalah").start().perft(n) for n in range(1, 6)], [6, 35, 185, 942, 4690])
        played = quevedo.match("kalah", {"m": "mcts:playouts=60", "r": "random"}, 10)
        self.assertGreater(played.figures("m").score, 0.5)
        self.assertTrue(quevedo.conform("kalah", games=2, max_plies=60).ok)


class KnowledgeTest(unittest.TestCase):
    def test_terms_add_up(self) -> None:
        for name in ("chess", "reversi", "connect4", "morris"):
            position = Game(name).start().playout(Random(2), 15)
            self.assertEqual(sum(term.value for term in quevedo.terms(position)), position.evaluate())
        position = connect4("4")
        self.assertEqual({term.name for term in quevedo.terms(position)}, {"threat", "middle", "inner"})
        self.assertEqual(Game("chess").start().evaluate("material"), 0)
        with self.assertRaises(QuevedoError):
            position.evaluate("nonsense")

    def test_tree(self) -> None:
        start = Game("noughts").start()
        tree = quevedo.tree(start, "minimax:depth=2", max_nodes=2000)
        self.assertIn("root", quevedo.tree_text(start, "alphabeta:depth=2"))
        self.assertTrue(quevedo.tree_text(start, "alphabeta:depth=2", form="dot").startswith("digraph"))
        self.assertIn("<svg", quevedo.tree_text(start, "alphabeta:depth=2", form="svg"))
        self.assertIsInstance(tree, dict)
        with self.assertRaises(QuevedoError):
            quevedo.tree(start, "perfect")

    def test_book(self) -> None:
        with quevedo.Book("chess", "own:chess") as book:
            start = Game("chess").start()
            moves = book.moves(start)
            self.assertIn("e2e4", [move.move for move in moves])
            self.assertEqual([move.weight for move in moves], sorted((m.weight for m in moves), reverse=True))
            self.assertIn("Ruy", book.name(Game("chess").position("start", "e2e4 e7e5 g1f3 b8c6 f1b5".split())))
            with self.assertRaises(QuevedoError):
                book.moves(Game("reversi").start())

    def test_luck(self) -> None:
        start = Game("race").start()
        values = [quevedo.luck(start, text)[0] for text, _ in start.outcomes()]
        self.assertAlmostEqual(sum(values), 0)
        self.assertEqual(max(values), values[5])
        self.assertAlmostEqual(sum(quevedo.equity(start)), 0)
        backgammon = Game("backgammon").position("start", ["roll 31"])
        reviews = [quevedo.review(backgammon, move) for move in backgammon.legal_moves]
        self.assertEqual(min(review.loss for review in reviews), 0)
        self.assertEqual(len({review.best for review in reviews if review.loss > 0}), 1)

    def test_conform(self) -> None:
        found = quevedo.conform("noughts", games=3)
        self.assertTrue(found.ok and not found.error)
        self.assertIn("hash", dict(found.laws))


if __name__ == "__main__":
    unittest.main()
