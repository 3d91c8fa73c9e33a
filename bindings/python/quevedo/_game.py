"""Games and positions.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import json
from array import array
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _structs as c
from ._library import (
    INT_MAX,
    UINT64_MAX,
    QuevedoError,
    check_call,
    context,
    encode,
    encode_optional,
    flag_pointer,
    lib,
    long_text,
    short_text,
    sized,
    users,
    whole,
)

from ._numpy import numpy

if TYPE_CHECKING:
    from ._library import StopFlag
    from ._record import Record

Move = Union[str, int]
_moves, _play = lib.qv_moves, lib.qv_play  # what is called most, found quickly


class Option(NamedTuple):
    """An option of a game. A choice has words; a number has bounds."""

    name: str
    help: str
    choices: Tuple[str, ...]
    min: int
    max: int
    default: Union[int, str]


class Result(NamedTuple):
    """How a game has ended."""

    points: Tuple[int, ...]
    winner: Optional[int]
    """The seat with the most points; None: a draw."""
    by_count: bool
    """Drawn by a counter of moves, as after fifty moves of chess."""

    def margin(self, seat: int = 0) -> int:
        """The points of the seat, less the most that another seat has."""
        seat = whole(seat, "seat", 0, len(self.points) - 1)
        others = [points for other, points in enumerate(self.points) if other != seat]
        return self.points[seat] - max(others, default=0)


class Cell(NamedTuple):
    """A cell of the board, and where it is in arrays of planes."""

    name: str
    row: int
    column: int


class Piece(NamedTuple):
    """A kind of piece; seat None: nobody's, as a die."""

    name: str
    seat: Optional[int]


class Random:
    """The random numbers of the library: the same seed gives the same dice and playouts everywhere."""

    def __init__(self, seed: int = 0) -> None:
        self._state = c.RandomState(whole(seed, "seed", 0, UINT64_MAX), 0)


def _owner(seat: Any) -> Optional[int]:
    """A seat of the JSON, where they count from 1."""
    return seat - 1 if seat else None


class Game:
    """The rules of a game with its options, such as Game("gomoku:size=19"). It never changes."""

    def __init__(self, rules: str) -> None:
        self._rules = c.Rules()
        with users:
            check_call(lib.qv_rules_parse, context, encode(rules, "game"), ctypes.byref(self._rules))
        pointer = self._rules.game
        self._pointer: int = pointer
        self.rules: str = short_text(lib.qv_rules_text, ctypes.byref(self._rules))
        """The text that makes the same rules: the name, and the options that differ from their defaults."""
        self.name: str = lib.qv_game_name(pointer).decode()
        self.title: str = lib.qv_game_title(pointer).decode()
        self.seats: int = lib.qv_game_seats(pointer)
        self.has_chance: bool = lib.qv_game_has_chance(pointer)
        self.alternates: bool = lib.qv_game_alternates(pointer)
        self.stakes: int = lib.qv_game_stakes(pointer)
        """The largest margin of points that counts; 0: only who wins counts."""
        self.max_moves: int = lib.qv_game_max_moves(pointer)
        self.max_plies: int = lib.qv_game_max_plies(pointer)
        """The greatest length of a game; 0: unknown."""
        self._size: int = lib.qv_state_size(pointer)
        # Python aligns small blocks for 8 bytes only, but a state may need 16.
        self._buffer = ctypes.c_char * max(self._size, 64)
        self._list = ctypes.c_uint64 * self.max_moves
        self._board: Optional[Dict[str, Any]] = None

    # ---- Facts ----

    @property
    def help(self) -> str:
        """The rules, options and notation, for people."""
        text: Optional[bytes] = lib.qv_game_help(self._pointer)
        return (text or b"").decode()

    @property
    def solved(self) -> Optional[str]:
        """"win", "loss" or "draw" for the seat that moves first; None: unknown."""
        text = lib.qv_game_solved(self._pointer)
        return text.decode() if text else None

    @property
    def seat_names(self) -> Tuple[str, ...]:
        """As the game names them, or "1", "2" and so on."""
        names = [lib.qv_game_seat_name(self._pointer, seat) for seat in range(self.seats)]
        return tuple(name.decode() if name else str(seat + 1) for seat, name in enumerate(names))

    def _option_rows(self) -> Iterator[c.Option]:
        for index in range(c.MAX_OPTIONS):
            row = lib.qv_game_option(self._pointer, index)
            if not row:
                return
            yield row.contents

    @property
    def option_table(self) -> Tuple[Option, ...]:
        """The options that the game has."""
        table = []
        for row in self._option_rows():
            words = tuple(row.choices.decode().split("|")) if row.choices else ()
            default = words[row.preset] if words else row.preset
            table.append(Option(row.name.decode(), (row.help or b"").decode(), words, row.min, row.max, default))
        return tuple(table)

    @property
    def options(self) -> Dict[str, Union[int, str]]:
        """The values of the options in these rules."""
        values = {}
        for index, option in enumerate(self.option_table):
            value = self._rules.options[index]
            values[option.name] = option.choices[value] if option.choices else value
        return values

    @property
    def evaluations(self) -> Dict[str, str]:
        """The names of the evaluations, each with a line of help; the first is the default."""
        found: Dict[str, str] = {}
        help_text = ctypes.c_char_p()
        for index in range(INT_MAX):
            name = lib.qv_game_evaluation(context, self._pointer, index, ctypes.byref(help_text))
            if not name:
                break
            found[name.decode()] = (help_text.value or b"").decode()
        return found

    @property
    def levels(self) -> Tuple[str, ...]:
        """The player specs of level:1, level:2 and so on."""
        list_: Any = lib.qv_levels(self._pointer)
        specs: List[str] = []
        while list_ and list_[len(specs)]:
            specs.append(list_[len(specs)].decode())
        return tuple(specs)

    # ---- The board ----

    def board(self) -> Optional[Dict[str, Any]]:
        """The empty board as in docs/boards.md, where seats count from 1; None: the game has none."""
        board = self._board_data()
        return json.loads(json.dumps(board)) if board else None

    def _board_data(self) -> Dict[str, Any]:
        if self._board is None:
            self._board = json.loads(long_text(lib.qv_board_json, context, ctypes.byref(self._rules))) or {}
        return self._board

    @property
    def cells(self) -> Tuple[Cell, ...]:
        """The cells of the board, in the order of Position.to_array; none without a board."""
        cells = self._board_data().get("cells", [])
        return tuple(Cell(cell["name"], cell["row"], cell["column"]) for cell in cells)

    @property
    def pieces(self) -> Tuple[Piece, ...]:
        """The kinds of pieces; number n of Position.to_array is pieces[n - 1]."""
        pieces = self._board_data().get("pieces", [])
        return tuple(Piece(piece["name"], _owner(piece["seat"])) for piece in pieces)

    # ---- Positions ----

    def start(self) -> Position:
        """The start position."""
        state = self._buffer()
        lib.qv_start(ctypes.byref(self._rules), state)
        return Position._make(self, state)

    def position(self, text: str = "start", moves: Sequence[Move] = ()) -> Position:
        """The position that the text describes in the game's notation, after these moves."""
        state = self._buffer()
        check_call(lib.qv_position_parse, ctypes.byref(self._rules), encode(text, "position"), state)
        found = Position._make(self, state)
        for move in moves:
            found = found.play(move)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return bytes(self._rules) == bytes(other._rules)

    def __hash__(self) -> int:
        return hash(self.rules)

    def __repr__(self) -> str:
        return f"quevedo.Game({self.rules!r})"

    def __str__(self) -> str:
        return self.rules

    def __reduce__(self) -> Tuple[Any, ...]:
        return Game, (self.rules,)


def as_game(game: Union[str, Game]) -> Game:
    if isinstance(game, str):
        return Game(game)
    if not isinstance(game, Game):
        raise TypeError(f"game: a str or a Game is needed, not {type(game).__name__}")
    return game


class Position:
    """A position of a game. It never changes: play() returns another one.

    You get positions from Game.start, Game.position and play. Two positions are equal if their rules
    and states are, however they came about.
    """

    __slots__ = ("_game", "_parent", "_state", "_code", "_codes", "_texts", "__weakref__")

    _game: Game
    _parent: Optional[Position]
    _state: Any
    _code: int
    _codes: Optional[List[int]]
    _texts: Optional[Tuple[str, ...]]

    def __init__(self) -> None:
        raise TypeError("Position: use Game.start, Game.position or Position.play")

    @classmethod
    def _make(cls, game: Game, state: Any, parent: Optional[Position] = None, code: int = c.NO_MOVE) -> Position:
        self = cls.__new__(cls)
        self._game, self._state, self._parent, self._code = game, state, parent, code
        self._codes = self._texts = None
        return self

    @property
    def game(self) -> Game:
        """The rules."""
        return self._game

    @property
    def parent(self) -> Optional[Position]:
        """The position before the last move; None: this is the first one."""
        return self._parent

    # ---- What it is ----

    @property
    def state(self) -> bytes:
        """The bytes of the state. Equal states are equal positions; their meaning is the game's own."""
        return bytes(self._state[: self._game._size])

    @property
    def key(self) -> int:
        """The 64-bit hash that transposition tables use."""
        return int(lib.qv_hash(self._game._pointer, self._state))

    @property
    def text(self) -> str:
        """The position in the game's notation (FEN in chess)."""
        return short_text(lib.qv_position_text, self._game._pointer, self._state)

    @property
    def seat(self) -> int:
        """The seat to move, from 0; -1: chance, dice are rolled next."""
        return int(lib.qv_seat(self._game._pointer, self._state))

    @property
    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return bool(lib.qv_seat(self._game._pointer, self._state) == c.CHANCE)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules. A Record also knows repetition."""
        return not self._list_codes()

    @property
    def result(self) -> Optional[Result]:
        """How the game has ended; None: it goes on."""
        points = (ctypes.c_int32 * c.MAX_SEATS)()
        outcome = lib.qv_result(self._game._pointer, self._state, points)
        return None if outcome == c.GOING else make_result(points[: self._game.seats], outcome)

    # ---- Moves ----

    def _list_codes(self) -> List[int]:
        codes = self._codes
        if codes is None:
            game = self._game
            list_ = game._list()
            self._codes = codes = list_[: _moves(game._pointer, self._state, list_, game.max_moves)]
        return codes

    @property
    def move_count(self) -> int:
        """The number of legal moves, which is faster than their texts."""
        return len(self._list_codes())

    @property
    def legal_moves(self) -> Tuple[str, ...]:
        """The texts of all legal moves, or of the chance outcomes; empty: the game has ended.

        A move that stands for several ("build 10 ships") is listed once, with its greatest number.
        """
        texts = self._texts
        if texts is None:
            buffer = ctypes.create_string_buffer(c.MOVE_TEXT)
            text = c.Text(ctypes.addressof(buffer), c.MOVE_TEXT, 0)
            write, pointer, state = lib.qv_move_text, self._game._pointer, self._state
            found = []
            for code in self._list_codes():
                text.length = 0
                write(pointer, state, code, text)
                found.append(buffer.value.decode())
            texts = tuple(found)
            self._texts = texts
        return texts

    def outcomes(self) -> List[Tuple[str, float]]:
        """The chance outcomes with their probabilities; empty unless chance is to move."""
        codes, chances = self._game._list(), (ctypes.c_double * self._game.max_moves)()
        count = lib.qv_outcomes(self._game._pointer, self._state, codes, chances, self._game.max_moves)
        return list(zip(self.legal_moves, chances[:count])) if count else []

    def is_legal(self, move: str) -> bool:
        """Whether this is the text of a legal move."""
        try:
            self._code_of(move)
        except QuevedoError:
            return False
        return True

    def _code_of(self, move: Move) -> int:
        """The code of a legal move, from its text or its number in legal_moves."""
        if isinstance(move, str):
            code = ctypes.c_uint64()
            check_call(lib.qv_move_parse, self._game._pointer, self._state, encode(move, "move"), ctypes.byref(code))
            return code.value
        codes = self._list_codes()
        if type(move) is int and 0 <= move < len(codes):
            return codes[move]
        if not codes:
            raise QuevedoError("move: the game has ended")
        return codes[whole(move, "move", 0, len(codes) - 1)]

    def _text_of(self, code: int) -> Optional[str]:
        """The text of a move, if it is legal here: a game may misbehave when asked about others."""
        if code == c.NO_MOVE or not lib.qv_move_legal(self._game._pointer, self._state, code):
            return None
        return short_text(lib.qv_move_text, self._game._pointer, self._state, code, size=c.MOVE_TEXT)

    def play(self, move: Move) -> Position:
        """The position after a move, given by its text or by its number in legal_moves."""
        return self._play_code(self._code_of(move))

    def _play_code(self, code: int) -> Position:
        game = self._game
        state = game._buffer.from_buffer_copy(self._state)
        if _play(game._pointer, state, code, None):
            raise QuevedoError("move: not a legal move here")
        return Position._make(game, state, self, code)

    def roll(self, random: Random) -> Position:
        """The position after a random chance outcome."""
        code = lib.qv_roll(self._game._pointer, self._state, ctypes.byref(_random(random)._state))
        if code == c.NO_MOVE:
            raise QuevedoError("roll: chance is not to move")
        return self._play_code(code)

    def playout(self, random: Random, max_plies: int = 10000) -> Position:
        """The end of a random game from here, or the position after max_plies. It has no parent."""
        game = self._game
        state = game._buffer.from_buffer_copy(self._state)
        limit = whole(max_plies, "max_plies", 0, INT_MAX)
        lib.qv_playout(game._pointer, state, ctypes.byref(_random(random)._state), limit)
        return Position._make(game, state)

    @property
    def last_move(self) -> Optional[str]:
        """The text of the move that led here; None: this is the first position."""
        return self._parent._text_of(self._code) if self._parent else None

    @property
    def ply(self) -> int:
        """How many moves were played from the first position to this one."""
        return sum(1 for _ in self._line()) - 1

    def _line(self) -> Iterator[Position]:
        """This position and those before it, the first one last."""
        at: Optional[Position] = self
        while at is not None:
            yield at
            at = at.parent

    def moves_played(self) -> List[str]:
        """The moves from the first position to this one."""
        line = list(self._line())[::-1]
        return [position.last_move or "" for position in line[1:]]

    def record(self) -> Record:
        """The game so far as a record, which knows repetition."""
        from ._record import Record

        line = list(self._line())[::-1]
        record = Record(self._game, line[0].text)
        for position in line[1:]:
            record._play_code(position._code, -1.0)
        return record

    # ---- Arrays ----

    def _standing(self) -> List[Tuple[int, int, int]]:
        list_ = (c.Standing * c.MAX_CELLS)()
        count = lib.qv_standings(self._game._pointer, self._state, list_, c.MAX_CELLS)
        return [(entry.cell, entry.piece, entry.count) for entry in list_[:count]]

    def to_array(self, counts: bool = False) -> Any:
        """What stands on each cell of game.cells: 0 for nothing, n for game.pieces[n - 1].

        counts=True: how many stand there instead. A numpy array (int32) if numpy is installed,
        else an array.array.
        """
        size = len(self._game._board_data().get("cells", []))
        if not size:
            raise QuevedoError(f"array: {self._game.name} has no board")
        values = array("i", bytes(4 * size))
        for cell, piece, count in self._standing():
            values[cell] = count if counts else piece + 1
        return values if numpy is None else numpy.array(values, dtype=numpy.int32)

    # ---- Values ----

    def evaluate(self, evaluation: Optional[str] = None) -> int:
        """The static value for the seat to move by an evaluation of the game; None: its first."""
        value = ctypes.c_int32()
        name = encode_optional(evaluation, "evaluation")
        with users:
            check_call(lib.qv_evaluate, context, self._game._pointer, self._state, name, ctypes.byref(value))
        return value.value

    def perft(self, depth: int, *, threads: int = 1, hash_mb: int = 0, stop: Optional[StopFlag] = None) -> int:
        """The number of leaves of the move tree at this depth."""
        limits = sized(
            c.PerftLimits,
            depth=whole(depth, "depth", 0, 1000),
            hash_bytes=whole(hash_mb, "hash_mb", 0, 1 << 20) << 20,
            threads=whole(threads, "threads", 0, 4096),
            stop=flag_pointer(stop),
        )
        leaves = ctypes.c_uint64()
        with users:
            check_call(
                lib.qv_perft, context, self._game._pointer, self._state, ctypes.byref(limits), ctypes.byref(leaves)
            )
        return leaves.value

    # ---- Pictures ----

    def board(self) -> Dict[str, Any]:
        """The position as in docs/boards.md: moves with their clicks, what stands where, and more.

        In this JSON seats count from 1, as in all texts for users.
        """
        rules = ctypes.byref(self._game._rules)
        found: Dict[str, Any] = json.loads(long_text(lib.qv_position_json, context, rules, self._state))
        return found

    def svg(self) -> str:
        """A picture of the board."""
        return long_text(lib.qv_position_svg, context, ctypes.byref(self._game._rules), self._state)

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg()
        except QuevedoError:  # no board: notebooks show the text instead
            return None

    def draw(self, unicode: bool = True) -> str:
        """The board for a terminal."""
        return long_text(lib.qv_draw, self._game._pointer, self._state, bool(unicode), fails=False)

    def __str__(self) -> str:
        return self.draw().rstrip("\n")

    def __repr__(self) -> str:
        return f"<quevedo.Position {self._game.rules}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._game == other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, _: Any) -> Position:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        line = list(self._line())[::-1]
        return _unpickle, (self._game, line[0].text, self.moves_played())


def _unpickle(game: Game, text: str, moves: List[str]) -> Position:
    return game.position(text, moves)


def _random(random: Random) -> Random:
    if not isinstance(random, Random):
        raise TypeError(f"random: a quevedo.Random is needed, not {type(random).__name__}")
    return random


def make_result(points: Sequence[int], outcome: int) -> Result:
    best = [seat for seat, own in enumerate(points) if own == max(points)]
    winner = best[0] if len(best) == 1 else None
    return Result(tuple(points), winner, outcome == c.DRAWN_BY_COUNT)


def as_position(position: Position) -> Position:
    if not isinstance(position, Position):
        raise TypeError(f"position: a Position is needed, not {type(position).__name__}")
    return position
