"""Games in the style of OpenSpiel: the names and conventions of its Python interface.

    game = quevedo.spiel.load_game("connect_four")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    print(state.returns())

Actions are those of quevedo.Actions, and observation tensors those of quevedo.observe.Planes. All games
here are sequential and of perfect information.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import _structs as c
from ._game import Game as Rules
from ._game import Position, Result
from ._library import QuevedoError, game_names, whole
from ._record import Record
from .actions import Actions
from .observe import Planes, rewards

INVALID_ACTION = -1


class PlayerId:
    """Who is to move, when nobody is."""

    CHANCE = -1
    TERMINAL = -4


# Where OpenSpiel names a game differently.
NAMES = {
    "tic_tac_toe": "noughts",
    "connect_four": "connect4",
    "othello": "reversi",
    "checkers": "draughts",
    "nine_mens_morris": "morris",
    "mancala": "kalah",
}


class PlayerAction(NamedTuple):
    """An element of State.full_history."""

    player: int
    action: int


def registered_names() -> List[str]:
    """The names that load_game accepts, besides those of NAMES."""
    return game_names()


def load_game(name: str, parameters: Optional[Dict[str, Any]] = None, *, actions: Optional[Actions] = None) -> Game:
    """A game by its name here or in OpenSpiel. Options: "gomoku:size=19", "gomoku(size=19)" or a dict."""
    if not isinstance(name, str):
        raise TypeError(f"game: a str is needed, not {type(name).__name__}")
    short, bracket, inside = name.partition("(")
    if bracket:
        if not inside.endswith(")"):
            raise QuevedoError(f"game '{name}': the closing parenthesis is missing")
        name = short + (":" + inside[:-1] if inside != ")" else "")
    short, colon, rest = name.partition(":")
    items = [rest] if colon else []
    items += [f"{key}={value}" for key, value in (parameters or {}).items()]
    return Game(Rules(NAMES.get(short, short) + (":" + ",".join(items) if items else "")), actions)


class Game:
    """A game, as pyspiel.Game. `rules` is the quevedo.Game behind it."""

    def __init__(self, rules: Rules, actions: Optional[Actions] = None) -> None:
        self.rules = rules
        self.actions = actions or Actions(rules)
        if self.actions.game != rules:
            raise QuevedoError(f"actions: they are for {self.actions.game}, not {rules}")
        self._planes = Planes(rules) if rules.cells else None

    def new_initial_state(self, position: str = "start") -> State:
        return State(self, self.rules.position(position))

    def num_players(self) -> int:
        return self.rules.seats

    def num_distinct_actions(self) -> int:
        return self.actions.count

    def max_chance_outcomes(self) -> int:
        return self.rules.max_moves if self.rules.has_chance else 0

    def max_game_length(self) -> int:
        """The greatest number of plies; 2^31 - 1: unknown."""
        return self.rules.max_plies or (1 << 31) - 1

    def min_utility(self) -> float:
        return -self.max_utility()

    def max_utility(self) -> float:
        return float(self.rules.stakes or 1)

    def utility_sum(self) -> Optional[float]:
        return 0.0 if self.rules.seats > 1 else None

    def observation_tensor_shape(self) -> List[int]:
        return list(self._need_planes().shape)

    def observation_tensor_size(self) -> int:
        return self._need_planes().size

    def _need_planes(self) -> Planes:
        if self._planes is None:
            raise QuevedoError(f"observation tensor: {self.rules.name} has no board")
        return self._planes

    def get_parameters(self) -> Dict[str, Union[int, str]]:
        return self.rules.options

    def get_type(self) -> Any:
        """Facts, under the names that OpenSpiel uses."""
        return SimpleNamespace(
            short_name=self.rules.name,
            long_name=self.rules.title,
            dynamics="sequential",
            chance_mode="explicit_stochastic" if self.rules.has_chance else "deterministic",
            information="perfect_information",
            utility="zero_sum" if self.rules.seats > 1 else "general_sum",
            reward_model="terminal",
            min_num_players=self.rules.seats,
            max_num_players=self.rules.seats,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=self._planes is not None,
        )

    def deserialize_state(self, text: str) -> State:
        """The state that State.serialize wrote."""
        try:
            start, moves = json.loads(text)
            return State(self, self.rules.position(start, moves))
        except (ValueError, TypeError) as error:
            raise QuevedoError(f"state: {error}") from None

    def __str__(self) -> str:
        return self.rules.rules

    def __repr__(self) -> str:
        return f"quevedo.spiel.load_game({self.rules.rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.rules)


class State:
    """A state, as pyspiel.State: it changes when an action is applied. `position` is its Position."""

    def __init__(self, game: Game, position: Position, history: Tuple[PlayerAction, ...] = ()) -> None:
        self._game, self.position = game, position
        self._history: List[PlayerAction] = list(history)
        # Repetition is known to records only. They are made when first needed, and by each state for itself.
        self._record: Optional[Record] = None
        self._known = False  # whether _last is the result of this state
        self._last: Optional[Result] = None

    def _result(self) -> Optional[Result]:
        if not self._known:
            self._last = self.position.result
            if self._last is None:
                if self._record is None:
                    self._record = self.position.record()
                self._last = self._record.result
            self._known = True
        return self._last

    # ---- Whose turn it is, and what can be done ----

    def get_game(self) -> Game:
        return self._game

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def is_terminal(self) -> bool:
        return self._result() is not None

    def is_chance_node(self) -> bool:
        return self.current_player() == PlayerId.CHANCE

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        return False

    def current_player(self) -> int:
        return PlayerId.TERMINAL if self.is_terminal() else self.position.seat

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """Ascending. Empty for a player who is not to move, and in terminal states."""
        current = self.current_player()
        if current == PlayerId.TERMINAL or player not in (None, current):
            return []
        return self._game.actions.legal(self.position)

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        mask = [0] * (self._game.max_chance_outcomes() if self.is_chance_node() else self.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        """Pairs of outcome and probability."""
        if not self.is_chance_node():
            raise QuevedoError("chance_outcomes: not a chance node")
        return [(action, chance) for action, (_, chance) in enumerate(self.position.outcomes())]

    # ---- Actions ----

    def apply_action(self, action: int) -> None:
        player = self.current_player()
        if player == PlayerId.TERMINAL:
            raise QuevedoError("apply_action: the game has ended")
        following = self._game.actions.play(self.position, action)
        if self._record is not None:
            self._record._play_code(following._code, -1.0)
        self.position, self._known = following, False
        self._history.append(PlayerAction(player, whole(action, "action", 0, c.NO_MOVE)))

    def child(self, action: int) -> State:
        state = self.clone()
        state.apply_action(action)
        return state

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        if not self._history or self._history[-1] != (player, action):
            raise QuevedoError(f"undo_action: action {action} of player {player} is not the last one")
        assert self.position.parent is not None
        self.position, self._known = self.position.parent, False
        self._history.pop()
        if self._record is not None:
            self._record.undo()

    def clone(self) -> State:
        return State(self._game, self.position, tuple(self._history))

    def action_to_string(self, first: int, second: Optional[int] = None) -> str:
        """action_to_string(action) or action_to_string(player, action)."""
        return self._game.actions.text(self.position, first if second is None else second)

    def string_to_action(self, first: Union[int, str], second: Optional[str] = None) -> int:
        """string_to_action(text) or string_to_action(player, text)."""
        text = first if second is None else second
        if not isinstance(text, str):
            raise TypeError(f"move: a str is needed, not {type(text).__name__}")
        return self._game.actions.number(self.position, text)

    # ---- Results ----

    def returns(self) -> List[float]:
        """All 0 before the end."""
        result = self._result()
        return list(rewards(self._game.rules, result)) if result else [0.0] * self.num_players()

    rewards = returns

    def player_return(self, player: int) -> float:
        return self.returns()[whole(player, "player", 0, self.num_players() - 1)]

    player_reward = player_return

    # ---- History and observations ----

    def history(self) -> List[int]:
        return [entry.action for entry in self._history]

    def full_history(self) -> List[PlayerAction]:
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        return len(self._history)

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The actions so far: with perfect information everybody has seen all of them."""
        self._check_player(player)
        return self.history_str()

    def observation_string(self, player: Optional[int] = None) -> str:
        """The position in the game's notation."""
        self._check_player(player)
        return self.position.text

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The planes of the position, the same for every player, as a flat list."""
        self._check_player(player)
        return self._game._need_planes().flat(self.position).tolist()

    def _check_player(self, player: Optional[int]) -> None:
        if player is not None:
            whole(player, "player", 0, self.num_players() - 1)

    def serialize(self) -> str:
        line = list(self.position._line())
        return json.dumps([line[-1].text, self.position.moves_played()])

    def __str__(self) -> str:
        return str(self.position)
