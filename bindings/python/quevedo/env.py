"""An environment in the style of Gymnasium.

    env = Env("connect4", opponent="level:2", seed=1)
    observation, info = env.reset()
    while True:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break

Against an opponent you play one seat, and step() also plays the replies. Without an opponent you play
all seats in turn; the reward is that of the seat that moved, and info["rewards"] has all. Dice are
rolled by the environment. Repetition ends a game as its rules say.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ._game import Game, Move, Position, Random, as_game
from ._library import UINT64_MAX, QuevedoError, whole
from ._record import Record
from ._search import Player
from .actions import Actions
from .observe import Planes, rewards

Opponent = Union[None, str, Player, Callable[[Position], Move]]


class Discrete:
    """The numbers from 0 to n - 1."""

    def __init__(self, n: int, seed: int = 0) -> None:
        self.n = n
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._random = random.Random(seed)

    def sample(self, mask: Optional[Any] = None) -> int:
        """A random number; with a mask, one where it is 1."""
        numbers = range(self.n) if mask is None else [number for number, legal in enumerate(mask) if legal]
        if not numbers:
            raise QuevedoError("sample: the mask allows nothing")
        return self._random.choice(numbers)

    def contains(self, value: Any) -> bool:
        return hasattr(value, "__index__") and 0 <= value.__index__() < self.n


class Box:
    """Arrays of this shape with elements of at least `low`."""

    def __init__(self, shape: Tuple[int, ...], low: float = 0.0, high: float = float("inf")) -> None:
        self.shape, self.low, self.high, self.dtype = shape, low, high, "float32"


class Env:
    """A game as an environment; actions and observations are those of Actions and Planes.

    opponent: a player spec, a Player, or a function from a position to a move. seat: yours, from 0.
    A game that is longer than max_plies is truncated. Games without a board have no observations but
    info["position"]; observation is None there. It can be copied and pickled in the middle of a game. A
    copy has an opponent of its own, who has not thought yet.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: Union[str, Game],
        opponent: Opponent = None,
        *,
        seat: int = 0,
        actions: Optional[Actions] = None,
        max_plies: int = 10000,
        seed: int = 0,
        render_mode: str = "ansi",
    ) -> None:
        self.game = as_game(game)
        self.seat = whole(seat, "seat", 0, self.game.seats - 1)
        self.actions = actions or Actions(self.game)
        if self.actions.game != self.game:
            raise QuevedoError(f"actions: they are for {self.actions.game}, not {self.game}")
        if render_mode not in self.metadata["render_modes"]:
            raise QuevedoError(f"render_mode '{render_mode}': no such mode; one of ansi, svg")
        self.render_mode = render_mode
        self.planes = Planes(self.game) if self.game.cells else None
        self.action_space = Discrete(self.actions.count)
        self.observation_space = Box(self.planes.shape) if self.planes else None
        self._max_plies = whole(max_plies, "max_plies", 1, 1 << 30)
        self._owns_player = isinstance(opponent, str)
        self.opponent: Opponent = Player(opponent, self.game, seed=seed) if isinstance(opponent, str) else opponent
        self._record: Optional[Record] = None
        self._seed(seed)

    def _seed(self, seed: int) -> None:
        self._random = Random(whole(seed, "seed", 0, UINT64_MAX))
        self.action_space.seed(seed)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        """Starts a game, from the position text options["position"] if there is one. With a seed, the
        dice are the same each time, and so are the replies of a player that the environment opened.
        """
        if seed is not None:
            self._seed(seed)
            if self._owns_player and isinstance(self.opponent, Player):
                self.opponent.new_game()
        self._close_record()
        text = (options or {}).get("position", "start")
        self.position = self.game.position(text)
        self._record = Record(self.game, text)
        self._moves: List[str] = []
        self._ply = 0
        self._advance()
        return self._observe(), self._info()

    def step(self, action: int) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Plays an action and what follows it, until it is your turn again. An illegal action raises a
        QuevedoError and changes nothing.
        """
        if self._record is None:
            raise QuevedoError("step: call reset first")
        if self._record.result or self._ply >= self._max_plies:
            raise QuevedoError("step: the game has ended; call reset")
        mover = self.seat if self.opponent is not None else self.position.seat
        following = self.actions.play(self.position, action)
        self._moves = []
        self._move_to(following)
        self._advance()
        info = self._info()
        reward = info["rewards"][mover] if info["rewards"] else 0.0
        terminated = self._record.result is not None
        return self._observe(), reward, terminated, not terminated and self._ply >= self._max_plies, info

    def _move_to(self, following: Position) -> None:
        assert self._record is not None
        self._record._play_code(following._code, -1.0)
        self._moves.append(following.last_move or "")
        self.position = following
        self._ply += 1

    def _advance(self) -> None:
        """Rolls dice and plays the opponents' moves until it is your turn."""
        assert self._record is not None
        while self._record.result is None and self._ply < self._max_plies:
            if self.position.is_chance:
                self._move_to(self.position.roll(self._random))
            elif self.opponent is None or self.position.seat == self.seat:
                return
            elif isinstance(self.opponent, Player):
                self._move_to(self.position.play(self.opponent.choose(self.position)))
            else:
                assert callable(self.opponent)
                self._move_to(self.position.play(self.opponent(self.position)))

    def _observe(self) -> Any:
        return self.planes(self.position) if self.planes else None

    def _info(self) -> Dict[str, Any]:
        assert self._record is not None
        result = self._record.result
        return {
            "action_mask": self.actions.mask(self.position) if result is None else self.actions._mask([]),
            "seat": self.position.seat,
            "ply": self._ply,
            "moves": tuple(self._moves),
            "position": self.position,
            "rewards": rewards(self.game, result) if result else None,
            "result": result,
        }

    def render(self) -> str:
        """The board, as text or SVG."""
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def _close_record(self) -> None:
        if self._record is not None:
            self._record.close()
            self._record = None

    def close(self) -> None:
        """Frees the game, and the opponent unless it was yours."""
        self._close_record()
        if self._owns_player and isinstance(self.opponent, Player):
            self.opponent.close()
