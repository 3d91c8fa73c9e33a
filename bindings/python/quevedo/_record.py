"""Records of games: moves with notes, variations, undo, and results by repetition, too.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import json
from typing import Any, Callable, List, Optional, Tuple, Union

from . import _structs as c
from ._game import Game, Move, Position, Result, as_game, make_result
from ._library import (
    INT_MAX,
    Guard,
    Handle,
    QuevedoError,
    check_call,
    context,
    encode,
    lib,
    long_text,
    short_text,
    sized,
    users,
    whole,
)


def _check(status: int, what: str) -> None:
    if status:
        raise QuevedoError(f"{what}: {lib.qv_status_text(status).decode()}")


class Record:
    """A game as it is played: a tree of moves with a cursor. Use it from one thread at a time."""

    def __init__(self, game: Union[str, Game], position: str = "start") -> None:
        self.game = as_game(game)
        made = ctypes.c_void_p()
        text = encode(position, "position")
        with users:
            check_call(lib.qv_record_new, context, ctypes.byref(self.game._rules), text, ctypes.byref(made))
        self._handle = Handle("record", lib.qv_record_free, made.value)
        self._start = self.game.position(position)

    @classmethod
    def load(cls, text: str) -> Record:
        """Reads a record as save() writes it, JSON lines (docs/formats.md)."""
        data = encode(text, "record")
        made = ctypes.c_void_p()
        with users:
            check_call(lib.qv_record_load, context, data, len(data), ctypes.byref(made))
        self = cls.__new__(cls)
        self._handle = Handle("record", lib.qv_record_free, made.value)
        self.game = Game(short_text(lib.qv_rules_text, lib.qv_record_rules(made.value)))
        header = json.loads(self.save().split("\n", 1)[0])
        self._start = self.game.position(header["position"])
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        return Record.load, (self.save(),)

    def save(self) -> str:
        """The record as JSON lines."""
        with self._handle as pointer:
            return long_text(lib.qv_record_save, pointer, fails=False)

    def export(self, format: str) -> str:
        """The record as "pgn", "pdn", "record", "mat", "sgf" or "ggf"."""
        name = encode(format, "format")
        with self._handle as pointer:
            return long_text(lib.qv_record_export, context, pointer, name)

    @property
    def position(self) -> Position:
        """The position at the cursor. It has no parent: the record has the moves."""
        state = self.game._buffer()
        with self._handle as pointer:
            ctypes.memmove(state, lib.qv_record_state(pointer), self.game._size)
        return Position._make(self.game, state)

    @property
    def ply(self) -> int:
        """The number of moves from the start to the cursor."""
        with self._handle as pointer:
            return int(lib.qv_record_ply(pointer))

    @property
    def moves(self) -> Tuple[str, ...]:
        """The moves from the start to the cursor."""
        with self._handle as pointer:
            codes = [lib.qv_record_move(pointer, ply) for ply in range(lib.qv_record_ply(pointer))]
        texts = []
        at = self._start
        for code in codes:
            texts.append(at._text_of(code) or "")
            at = at._play_code(code)
        return tuple(texts)

    @property
    def variations(self) -> Tuple[str, ...]:
        """The moves that are recorded at the cursor, oldest first."""
        at = self.position
        with self._handle as pointer:
            codes = [lib.qv_record_variation(pointer, n) for n in range(lib.qv_record_variations(pointer))]
        return tuple(at._text_of(code) or "" for code in codes)

    def play(self, move: Move, seconds: float = -1.0) -> None:
        """Plays a move at the cursor; seconds < 0: the time is unknown."""
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise TypeError("seconds: a number is needed")
        self._play_code(self.position._code_of(move), float(seconds))

    def _play_code(self, code: int, seconds: float) -> None:
        with self._handle as pointer:
            check_call(lib.qv_record_play, pointer, code, seconds)

    def undo(self, plies: int = 1) -> int:
        """Moves the cursor back and returns by how many plies."""
        return self._step(lib.qv_record_undo, plies)

    def redo(self, plies: int = 1) -> int:
        """Moves the cursor forward along the line that was visited last; returns by how many plies."""
        return self._step(lib.qv_record_redo, plies)

    def _step(self, function: Any, plies: int) -> int:
        done = ctypes.c_int()
        count = whole(plies, "plies", 0, INT_MAX)
        with self._handle as pointer:
            _check(function(pointer, count, ctypes.byref(done)), "record")
        return done.value

    @property
    def note(self) -> str:
        """The comment on the position at the cursor."""
        with self._handle as pointer:
            text: Optional[bytes] = lib.qv_record_note_text(pointer)
        return (text or b"").decode("utf-8", "replace")

    @note.setter
    def note(self, text: str) -> None:
        data = encode(text, "note")
        with self._handle as pointer:
            _check(lib.qv_record_note(pointer, data), "note")

    def end(self, winner: Optional[int], reason: str) -> None:
        """Ends the game by resignation, agreement and the like; winner None: a draw."""
        seat = -1 if winner is None else whole(winner, "winner", 0, self.game.seats - 1)
        data = encode(reason, "reason")
        with self._handle as pointer:
            _check(lib.qv_record_end(pointer, seat, data), "record")

    @property
    def result(self) -> Optional[Result]:
        """The result at the cursor by the rules, by repetition or from end(); None: the game goes on."""
        points = (ctypes.c_int32 * c.MAX_SEATS)()
        with self._handle as pointer:
            outcome = lib.qv_record_result(pointer, points)
        return None if outcome == c.GOING else make_result(points[: self.game.seats], outcome)

    def _history(self) -> List[int]:
        count = ctypes.c_int()
        with self._handle as pointer:
            hashes = lib.qv_record_history(pointer, ctypes.byref(count))
            return list(hashes[: count.value]) if count.value else []

    def close(self) -> None:
        """Frees the record. It cannot be used any more."""
        self._handle.close()

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def read_games(
    data: Union[str, bytes],
    game: Union[None, str, Game] = None,
    *,
    wrong: Optional[Callable[[str, bool], None]] = None,
) -> List[Record]:
    """All games of a file's contents: PGN, PDN, SGF, GGF, .mat, WTHOR, records or the journal of a match.

    game: the rules of PGN without the tag Variant; None: chess. A game that cannot be read is skipped.
    wrong gets the reason, and whether it is harmless, as something odd in a game that was read is.
    """
    if not isinstance(data, (str, bytes)):
        raise TypeError(f"games: a str or bytes are needed, not {type(data).__name__}")
    contents = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    rules = None if game is None else ctypes.byref(as_game(game)._rules)
    guard = Guard()
    found: List[Record] = []

    def read(_: Any, record: int) -> bool:
        return guard(lambda: found.append(Record.load(long_text(lib.qv_record_save, record, fails=False))))

    def report(_: Any, what: bytes, harmless: bool) -> None:
        if wrong is not None:
            guard(wrong, what.decode("utf-8", "replace"), harmless)

    listener = sized(c.GamesListener, game=c.GameReadFn(read), wrong=c.GameWrongFn(report))
    with guard, users:
        check_call(lib.qv_games_read, context, rules, contents, len(contents), ctypes.byref(listener))
    return found
