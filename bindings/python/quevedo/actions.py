"""Numbers for moves, as learning programs need them.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from ._game import Game, Position, Random, as_game, as_position
from ._library import QuevedoError, encode, whole
from ._numpy import numpy

_Step = Tuple[int, int]
_ROOK: Tuple[_Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_KING: Tuple[_Step, ...] = _ROOK + ((1, 1), (1, -1), (-1, -1), (-1, 1))
_KNIGHT: Tuple[_Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _name(column: int, row: int) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"


def _squares(columns: int, rows: int) -> List[str]:
    """a1, b1, ... row by row."""
    return [_name(column, row) for row in range(rows) for column in range(columns)]


def _pairs(columns: int, rows: int, steps: Sequence[_Step], far: bool, between: str = "") -> Iterator[str]:
    """All moves from a square to another by one of the steps, repeated if `far`."""
    for row in range(rows):
        for column in range(columns):
            for right, up in steps:
                x, y = column + right, row + up
                while 0 <= x < columns and 0 <= y < rows:
                    yield _name(column, row) + between + _name(x, y)
                    if not far:
                        break
                    x, y = x + right, y + up


def _chess(_: Game) -> List[str]:
    moves = [*_pairs(8, 8, _KING, True), *_pairs(8, 8, _KNIGHT, False)]
    for row, target in ((6, 7), (1, 0)):
        for column in range(8):
            for x in (column - 1, column, column + 1):
                if 0 <= x < 8:
                    moves += [_name(column, row) + _name(x, target) + piece for piece in "qrbn"]
    return moves


def _minichess(_: Game) -> List[str]:
    return [*_pairs(5, 6, _KING, True, "-"), *_pairs(5, 6, _KNIGHT, False, "-")]


def _morris(_: Game) -> List[str]:
    # The points of the three squares, and every way to place or move a man, with or without a mill.
    points = [
        "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3", "d3", "e3",
        "b2", "d2", "f2", "a1", "d1", "g1",
    ]  # fmt: skip
    moves = points + [f"{a}-{b}" for a in points for b in points if a != b]
    return moves + [f"{move}x{taken}" for move in moves for taken in points if taken not in move]


def _race(_: Game) -> List[str]:
    return ["pass", *(f"{a}-{b}" for a in range(18) for b in range(a + 1, min(a + 6, 18) + 1))]


def _hexapawn(_: Game) -> List[str]:
    return list(_pairs(3, 3, [(right, up) for up in (1, -1) for right in (-1, 0, 1)], False, "-"))


def _gomoku(game: Game) -> List[str]:
    size = int(game.options["size"])
    return _squares(size, size) + (["black", "white"] if game.options["opening"] != "none" else [])


# The texts of all moves that a game can have, in a fixed order: the number of a move is its place here.
_TABLES: Dict[str, Callable[[Game], List[str]]] = {
    "noughts": lambda _: [str(n) for n in range(1, 10)],
    "connect4": lambda _: [str(n) for n in range(1, 8)],
    "reversi": lambda _: _squares(8, 8) + ["pass"],
    "noughts3d": lambda _: [square + level for level in "ABCD" for square in _squares(4, 4)],
    "gomoku": _gomoku,
    "hexapawn": _hexapawn,
    "warptrog": lambda _: [*_pairs(6, 6, _ROOK, False), "warp"],
    "race": _race,
    "morris": _morris,
    "minichess": _minichess,
    "chess": _chess,
}
# In these a move's code has the same text in every position, so that it need not be written again.
_CODES_LAST = set(_TABLES) - {"race"}


class Actions:
    """Numbers for the moves of a game, from 0 to count - 1.

    If `stable`, a number means the same move text in every position. Such a table exists for noughts,
    connect4, reversi, noughts3d, gomoku, hexapawn, warptrog, race, morris, minichess and chess. It
    depends on nothing but the rules. For other games give the texts yourself, or use Actions.sample.

    Without a table, the number of a move is its place in Position.legal_moves: it is valid for that
    position only, as with backgammon, where a table would have a hundred thousand entries.
    """

    def __init__(self, game: Union[str, Game], texts: Optional[Sequence[str]] = None) -> None:
        self.game = as_game(game)
        table: Optional[List[str]] = None
        if texts is not None:
            table = [str(text) for text in texts]
            for text in table:
                encode(text, "action")
        elif self.game.name in _TABLES:
            table = _TABLES[self.game.name](self.game)
        self.texts: Optional[Tuple[str, ...]] = tuple(table) if table is not None else None
        """The texts of the table; None: there is none."""
        self.stable = table is not None
        self.count = len(table) if table is not None else self.game.max_moves
        self._numbers = {text: number for number, text in enumerate(table or ())}
        if len(self._numbers) != len(table or ()):
            raise QuevedoError("actions: a text occurs twice")
        self._known: Optional[Dict[int, int]] = None
        if texts is None and self.game.name in _CODES_LAST:
            self._known = {}

    @classmethod
    def sample(cls, game: Union[str, Game], games: int = 200, seed: int = 0, max_plies: int = 1000) -> Actions:
        """A table of the moves that occur in random games, sorted. A move that did not occur is
        refused later, with a QuevedoError: sample enough games, and keep `texts` with what you learn.
        """
        rules = as_game(game)
        random = Random(seed)
        found: Set[str] = set()
        for _ in range(whole(games, "games", 1, 1 << 30)):
            position = rules.start()
            for _ in range(whole(max_plies, "max_plies", 1, 1 << 30)):
                if position.is_over:
                    break
                if not position.is_chance:
                    found.update(position.legal_moves)
                position = position.playout(random, 1)
        return cls(rules, sorted(found))

    def _list(self, position: Position) -> List[int]:
        """The number of each move, in the order of legal_moves."""
        codes = as_position(position)._list_codes()
        if position.game != self.game:
            raise QuevedoError(f"actions: they are for {self.game}, not {position.game}")
        if not self.stable:
            return list(range(len(codes)))
        if self._known is not None:
            try:
                return [self._known[code] for code in codes]
            except KeyError:
                pass
        try:
            numbers = [self._numbers[text] for text in position.legal_moves]
        except KeyError as error:
            raise QuevedoError(f"actions: the table has no move {error}") from None
        if self._known is not None:
            self._known.update(zip(codes, numbers))
        return numbers

    def legal(self, position: Position) -> List[int]:
        """The numbers of the legal moves, ascending. At a chance node: those of the outcomes, from 0."""
        if position.is_chance:
            return list(range(position.move_count))
        return sorted(self._list(position))

    def mask(self, position: Position) -> Any:
        """1 for each legal number, else 0; all 0 at a chance node. A numpy array (int8) or bytearray."""
        return self._mask([] if as_position(position).is_chance else self._list(position))

    def _mask(self, numbers: Sequence[int]) -> Any:
        mask = bytearray(self.count)
        for number in numbers:
            mask[number] = 1
        return mask if numpy is None else numpy.frombuffer(mask, dtype=numpy.int8)

    def _place(self, position: Position, action: int) -> int:
        """The place of the move in legal_moves."""
        number = whole(action, "action", 0, max(self.count, position.game.max_moves) - 1)
        if position.is_chance:
            if number < position.move_count:
                return number
        else:
            numbers = self._list(position)
            if number in numbers:
                return numbers.index(number)
        raise QuevedoError(f"action {number}: not a legal move here")

    def play(self, position: Position, action: int) -> Position:
        """The position after the move with this number."""
        place = self._place(as_position(position), action)
        return position._play_code(position._list_codes()[place])

    def text(self, position: Position, action: int) -> str:
        """The text of the legal move with this number."""
        place = self._place(as_position(position), action)
        return position._text_of(position._list_codes()[place]) or ""

    def number(self, position: Position, move: str) -> int:
        """The number of a legal move."""
        code = as_position(position)._code_of(move)
        codes = position._list_codes()
        if code not in codes:
            raise QuevedoError(f"move '{move}': it has no number; only its greatest count has one")
        place = codes.index(code)
        return place if position.is_chance else self._list(position)[place]
