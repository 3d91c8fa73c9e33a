"""Actions, planes, the environment and the OpenSpiel adapter, with the invariants that these promise.

SPDX-License-Identifier: MIT
"""
import copy
import math
import pickle
import random
import unittest

import quevedo
from quevedo import Actions, Game, Player, QuevedoError, Random, spiel
from quevedo.env import Env
from quevedo.observe import Planes, rewards

TABLES = {
    "noughts": 9, "connect4": 7, "reversi": 65, "noughts3d": 64, "gomoku": 225, "gomoku:size=9,opening=swap2": 83,
    "hexapawn": 28, "warptrog": 121, "race": 94, "morris": 13272, "minichess": 554, "chess": 1968,
}  # fmt: skip


def first_move(position: quevedo.Position) -> str:
    return position.legal_moves[0]


class ActionsTest(unittest.TestCase):
    def test_tables_hold_every_move(self) -> None:
        for name, size in TABLES.items():
            game = Game(name)
            actions = Actions(game)
            self.assertEqual((actions.count, actions.stable), (size, True), name)
            rolls = Random(11)
            position = game.start()
            for _ in range(150):
                if not position.is_chance:
                    # By the code that is remembered, and by the text: both are the same number.
                    numbers = actions._list(position)
                    self.assertEqual(numbers, [actions.texts.index(text) for text in position.legal_moves])
                position = game.start() if position.is_over else position.playout(rolls, 1)

    def test_chess_promotions_and_castling(self) -> None:
        actions = Actions("chess")
        game = actions.game
        for text, move in (
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n"),
            ("k7/8/8/8/8/8/6p1/K6R b - - 0 1", "g2h1q"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
        ):
            position = game.position(text)
            number = actions.number(position, move)
            self.assertEqual((actions.texts[number], actions.text(position, number)), (move, move))
            self.assertEqual(actions.play(position, number), position.play(move))

    def test_places_where_there_is_no_table(self) -> None:
        position = Game("backgammon").position("start", ["roll 31"])
        actions = Actions(position.game)
        self.assertEqual((actions.stable, actions.texts), (False, None))
        self.assertEqual(actions.legal(position), list(range(position.move_count)))
        self.assertEqual(actions.text(position, 2), position.legal_moves[2])

    def test_sample(self) -> None:
        actions = Actions.sample("draughts", games=5, seed=1)
        self.assertEqual(actions.texts, Actions.sample("draughts", games=5, seed=1).texts)
        self.assertEqual(list(actions.texts), sorted(actions.texts))
        few = Actions("connect4", ["1", "2"])
        with self.assertRaisesRegex(QuevedoError, "no move '3'"):
            few.legal(Game("connect4").start())
        with self.assertRaises(QuevedoError):
            Actions("connect4", ["1", "1"])

    def test_masks(self) -> None:
        actions = Actions("reversi")
        start = actions.game.start()
        mask = actions.mask(start)
        self.assertEqual([n for n, legal in enumerate(mask) if legal], actions.legal(start))
        self.assertEqual(len(mask), 65)
        for bad in (-1, 0, 65, 1 << 70):
            with self.assertRaises(QuevedoError):
                actions.play(start, bad)
        with self.assertRaises(QuevedoError):
            actions.legal(Game("chess").start())


class PlanesTest(unittest.TestCase):
    def test_planes_are_the_board(self) -> None:
        for name in quevedo.games():
            game = Game(name)
            if not game.cells:
                self.assertRaises(QuevedoError, Planes, game)
                continue
            planes = Planes(game)
            position = game.start().playout(Random(3), 25)
            flat = planes.flat(position)
            area = planes.shape[1] * planes.shape[2]
            self.assertEqual(len(flat), planes.size)
            self.assertEqual(len(set(planes._places)), len(game.cells))
            values = list(position.to_array(counts=True))
            pieces = list(position.to_array())
            for cell, (value, piece) in enumerate(zip(values, pieces)):
                for plane in range(len(game.pieces)):
                    expected = value if piece == plane + 1 else 0
                    self.assertEqual(flat[plane * area + planes._places[cell]], expected)
            turns = [flat[(len(game.pieces) + seat) * area] for seat in range(game.seats)]
            self.assertEqual(turns, [float(seat == position.seat) for seat in range(game.seats)])

    def test_chess_start(self) -> None:
        planes = Planes("chess")
        self.assertEqual(planes.shape, (14, 8, 8))
        flat = planes.flat(Game("chess").start())
        self.assertEqual(sum(flat[: 12 * 64]), 32)
        king = planes.names.index("white king") * 64
        self.assertEqual(flat[king + 7 * 8 + 4], 1)  # e1: the last row, the fifth column

    def test_rewards(self) -> None:
        result = quevedo.Result((3, 1, 1, 0), 0, False)
        self.assertEqual([round(x, 3) for x in rewards(Game("starchess"), result)], [1, 0, 0, -1])
        self.assertEqual(rewards(Game("backgammon"), quevedo.Result((2, 0), 0, False)), (2.0, -2.0))
        self.assertEqual(rewards(Game("reversi"), quevedo.Result((40, 24), 0, False)), (1.0, -1.0))


class EnvTest(unittest.TestCase):
    def play(self, env: Env, seed: int) -> "list[object]":
        observation, info = env.reset(seed=seed)
        log = [list(info["moves"])]
        for _ in range(500):
            action = env.action_space.sample(info["action_mask"])
            self.assertTrue(env.action_space.contains(action))
            observation, reward, terminated, truncated, info = env.step(action)
            log.append((action, reward, info["moves"]))
            if terminated or truncated:
                break
        self.assertEqual(sum(info["action_mask"]) if terminated else 0, 0)
        with self.assertRaises(QuevedoError):
            env.step(0)
        return log

    def test_against_an_opponent(self) -> None:
        for seat in (0, 1):
            env = Env("connect4", opponent="level:2", seat=seat, seed=4)
            first, second = self.play(env, 7), self.play(env, 7)
            self.assertEqual(first, second)
            self.assertEqual(len(first[0]), seat)
            self.assertIn(first[-1][1], (1.0, 0.0, -1.0))
            self.assertTrue(all(entry[1] == 0 for entry in first[1:-1]))
            env.close()

    def test_self_play_rewards_the_mover(self) -> None:
        env = Env("noughts")
        env.reset()
        for action in (0, 3, 1, 4):
            self.assertEqual(env.step(action)[1:4], (0.0, False, False))
        _, reward, terminated, _, info = env.step(2)
        self.assertEqual((reward, terminated, info["rewards"]), (1.0, True, (1.0, -1.0)))
        self.assertIn("X", env.render().upper())

    def test_dice_functions_and_limits(self) -> None:
        env = Env("race", opponent=lambda position: position.legal_moves[-1])
        self.assertEqual(self.play(env, 3), self.play(env, 3))
        env = Env("chess", max_plies=10)
        log = self.play(env, 1)
        self.assertEqual(len(log), 11)
        env = Env("chess", render_mode="svg")
        env.reset(options={"position": "7k/8/8/8/8/8/8/KQ6 w - - 0 1"})
        for _ in range(2):
            for move in ("b1c1", "h8g8", "c1b1", "g8h8"):
                step = env.step(env.actions.number(env.position, move))
        self.assertEqual((step[1:3], env.render()[:4]), ((0.0, True), "<svg"))

    def test_copies(self) -> None:
        """In the middle of a game, a copy plays on as the original does, and neither notices the other."""
        for game, opponent in (("chess", None), ("race", None), ("connect4", "negamax:depth=2"), ("reversi", first_move)):
            env = Env(game, opponent=opponent)
            _, info = env.reset(seed=9)
            for _ in range(2):
                info = env.step(env.action_space.sample(info["action_mask"]))[4]
            text = env._record.save()
            games = []
            for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
                self.assertEqual(env._record.save(), text)
                mask, moves = info["action_mask"], []
                for _ in range(2):
                    _, reward, _, _, after = one.step(one.action_space.sample(mask))
                    mask = after["action_mask"]
                    moves.append((reward, after["moves"], after["position"]))
                games.append(moves)
            self.assertEqual(games[0], games[2])
            self.assertEqual(games[1], games[2])
        closed = Env("noughts", opponent="level:1")
        closed.close()
        with self.assertRaises(QuevedoError):
            copy.deepcopy(closed)
        with self.assertRaises(TypeError):
            copy.copy(env._record._handle)

    def test_observations(self) -> None:
        env = Env("reversi")
        observation, info = env.reset()
        self.assertEqual(env.observation_space.shape, (4, 8, 8))
        values = observation if not hasattr(observation, "ravel") else observation.ravel()
        self.assertEqual(list(values), list(env.planes.flat(info["position"])))
        self.assertIsNone(Env("diagram").reset()[0])

    def test_refusals(self) -> None:
        with self.assertRaises(QuevedoError):
            Env("noughts").step(0)
        for arguments in ({"seat": 2}, {"opponent": "no-such-player"}, {"render_mode": "x"}, {"max_plies": 0}):
            with self.assertRaises(QuevedoError):
                Env("noughts", **arguments)
        env = Env("noughts")
        env.reset()
        env.step(4)
        for action in (4, 9, -1, 1 << 80):
            with self.assertRaises(QuevedoError):
                env.step(action)
        for action in ("4", None, 1.0, True):
            with self.assertRaises(TypeError):
                env.step(action)


class SpielTest(unittest.TestCase):
    def test_invariants(self) -> None:
        """What OpenSpiel's own tests of a game check, in random games of every game."""
        for name in quevedo.games():
            game = spiel.load_game(name)
            chooser = random.Random(5)
            state = game.new_initial_state()
            for _ in range(120):
                if state.is_terminal():
                    break
                self.assertEqual(state.returns(), [0.0] * game.num_players())
                actions = state.legal_actions()
                self.assertEqual(actions, sorted(set(actions)))
                mask = state.legal_actions_mask()
                self.assertEqual([n for n, legal in enumerate(mask) if legal], actions)
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    self.assertAlmostEqual(math.fsum(chance for _, chance in outcomes), 1)
                    self.assertEqual([outcome for outcome, _ in outcomes], actions)
                    self.assertEqual(state.current_player(), spiel.PlayerId.CHANCE)
                else:
                    self.assertLess(actions[-1], game.num_distinct_actions())
                    self.assertEqual(state.legal_actions(1 - state.current_player()), [])
                action = chooser.choice(actions)
                text = state.action_to_string(state.current_player(), action)
                self.assertEqual(state.string_to_action(text), action)
                before, copy = str(state), state.clone()
                child = state.child(action)
                self.assertEqual((str(state), str(copy)), (before, before))
                mover = state.current_player()
                state.apply_action(action)
                self.assertEqual((str(child), child.history()), (str(state), state.history()))
                self.assertEqual(str(copy), before)
                if len(state.history()) % 40 == 7:
                    self.assertEqual(str(game.deserialize_state(state.serialize())), str(state))
                    state.undo_action(mover, action)
                    self.assertEqual(str(state), before)
                    state.apply_action(action)
                if game.rules.cells:
                    self.assertEqual(len(state.observation_tensor()), game.observation_tensor_size())
            if state.is_terminal():
                self.assertEqual((state.current_player(), state.legal_actions()), (spiel.PlayerId.TERMINAL, []))
                self.assertAlmostEqual(sum(state.returns()), game.utility_sum())
                self.assertLessEqual(max(state.returns()), game.max_utility())

    def test_names_and_parameters(self) -> None:
        self.assertEqual(spiel.load_game("tic_tac_toe").rules.name, "noughts")
        for name, parameters in (("gomoku(size=9)", None), ("gomoku:size=9", None), ("gomoku", {"size": 9})):
            self.assertEqual(spiel.load_game(name, parameters).num_distinct_actions(), 81)
        self.assertEqual(spiel.load_game("reversi()"), spiel.load_game("othello"))
        game = spiel.load_game("connect_four")
        self.assertEqual((game.num_distinct_actions(), game.max_game_length()), (7, 42))
        self.assertEqual(game.observation_tensor_shape(), [4, 6, 7])
        self.assertEqual(game.get_type().chance_mode, "deterministic")
        self.assertEqual(spiel.load_game("backgammon").get_type().chance_mode, "explicit_stochastic")

    def test_repetition_is_terminal(self) -> None:
        state = spiel.load_game("chess").new_initial_state()
        for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
            self.assertFalse(state.is_terminal())
            state.apply_action(state.string_to_action(move))
        self.assertEqual((state.is_terminal(), state.returns()), (True, [0.0, 0.0]))
        self.assertTrue(state.clone().is_terminal())

    def test_refusals(self) -> None:
        for name in ("no_such_game", "gomoku(size=9", "gomoku(size=)", "gomoku:size=1000"):
            with self.assertRaises(QuevedoError):
                spiel.load_game(name)
        state = spiel.load_game("noughts").new_initial_state()
        with self.assertRaises(QuevedoError):
            state.chance_outcomes()
        with self.assertRaises(QuevedoError):
            state.undo_action(0, 0)
        with self.assertRaises(QuevedoError):
            state.observation_tensor(2)
        for text in ("", "[]", '["start"]', '["start", ["99"]]', "3"):
            with self.assertRaises(QuevedoError):
                state.get_game().deserialize_state(text)

    def test_players_choose_in_a_state(self) -> None:
        state = spiel.load_game("connect_four").new_initial_state()
        with Player("level:3") as player:
            while not state.is_terminal():
                state.apply_action(state.string_to_action(player.choose(state.position)))
        self.assertEqual(len(state.full_history()), state.move_number())


if __name__ == "__main__":
    unittest.main()
