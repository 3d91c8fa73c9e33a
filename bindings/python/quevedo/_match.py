"""Matches with statistics, opening books, and the conformance suite.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _structs as c
from ._game import Game, Position, as_game, as_position
from ._library import (
    INT_MAX,
    UINT64_MAX,
    Guard,
    Handle,
    QuevedoError,
    StopFlag,
    check_call,
    context,
    encode,
    encode_optional,
    flag_pointer,
    lib,
    milliseconds,
    nothing,
    sized,
    users,
    whole,
)


class MatchGame(NamedTuple):
    """A finished game of a match."""

    number: int
    players: Tuple[str, ...]
    """The player in each seat."""
    winner: Optional[int]
    """The seat; None: a draw."""
    points: Tuple[int, ...]
    plies: int
    end: str
    """"rules", "max-plies", "adjudicated", "crash", "timeout" or "illegal"."""
    record: str
    """As Record.load reads it."""
    at_fault: Optional[int]
    """The seat that crashed, ran out of time or broke the rules; None: no seat."""
    reason: str
    """Why, in words; "": by the rules."""
    pgn: Optional[str]
    """With pgn=True, in games that have this format."""


class Figures(NamedTuple):
    """The statistics of a player. Errors are half of the 95 % interval (docs/match.md)."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    score_error: float
    elo: float
    elo_error: float
    los: float
    """The likelihood of superiority, 0 to 1."""
    crashes: int
    timeouts: int
    illegal: int
    nodes: int
    seconds: float
    pairs: Tuple[int, ...]
    """With pairs=True: how many pairs brought the player 0, 1/2, 1, 1 1/2 and 2 points."""
    llr: float
    """With sprt: the log-likelihood ratio of the first player, and the bounds at which the test ends."""
    llr_lower: float
    llr_upper: float


class Match:
    """The results of a match. Get the figures of a player by its name."""

    def __init__(self, handle: Handle, names: Tuple[str, ...], stopped: bool) -> None:
        self._handle, self.players, self.stopped = handle, names, stopped

    def figures(self, player: str, opponent: Optional[str] = None) -> Figures:
        """The figures of a player against another; None: against all others."""
        found = sized(c.MatchFigures)
        against = -1 if opponent is None else self._number(opponent)
        with self._handle as pointer:
            check_call(lib.qv_match_score, pointer, self._number(player), against, ctypes.byref(found))
        values: Dict[str, Any] = {name: getattr(found, name) for name in Figures._fields}
        values["pairs"] = tuple(found.pairs)
        return Figures(**values)

    def _number(self, player: str) -> int:
        if player not in self.players:
            raise QuevedoError(f"match: no player '{player}'; there are {', '.join(self.players)}")
        return self.players.index(player)

    def __str__(self) -> str:
        lines = []
        for name in self.players:
            f = self.figures(name)
            lines.append(
                f"{name}: {f.wins} wins, {f.draws} draws, {f.losses} losses of {f.games};"
                f" score {f.score:.3f}, Elo {f.elo:+.1f} +- {f.elo_error:.1f}, LOS {f.los:.3f}"
            )
        return "\n".join(lines)


def match(
    game: Union[str, Game],
    players: Mapping[str, str],
    games: int,
    *,
    seed: int = 1,
    pairs: bool = False,
    gauntlet: bool = False,
    random_plies: int = 0,
    max_plies: int = 0,
    base: float = 0,
    increment: float = 0,
    move_time: float = 0,
    jobs: int = 1,
    threads: int = 1,
    hash_mb: int = 64,
    journal: Optional[str] = None,
    resume: bool = False,
    period_moves: int = 0,
    openings: Optional[str] = None,
    opening_plies: int = 0,
    sprt: Optional[str] = None,
    resign_score: int = 0,
    resign_moves: int = 0,
    draw_score: int = 0,
    draw_moves: int = 0,
    draw_plies: int = 0,
    tables: Optional[str] = None,
    log: Optional[str] = None,
    pgn: bool = False,
    notes: bool = False,
    stop: Optional[StopFlag] = None,
    callback: Optional[Callable[[MatchGame], Optional[bool]]] = None,
    warning: Optional[Callable[[str, str], None]] = None,
) -> Match:
    """Plays a match between players, {name: spec}, and returns the results.

    pairs: statistics of pairs of games with seats exchanged. random_plies: each game begins with so many
    random moves. openings: the text of a file of openings. base and increment are the clock in seconds,
    for all moves or for each period_moves; move_time is the seconds of a move. sprt: a text such as
    "elo0=0,elo1=5", which ends the match when it is decided. resign_*, draw_* and tables end games early.
    log: a folder for the dialogues with programs. docs/match.md explains all of them.

    callback is called after each game; False ends the match. warning gets the name of a player and what
    its program does not accept. Ctrl-C ends the match after the games in progress.
    """
    rules = as_game(game)
    if not isinstance(players, Mapping):
        raise TypeError(f"players: a mapping of names to specs is needed, not {type(players).__name__}")
    names = tuple(players)
    list_ = (c.MatchPlayer * max(1, len(names)))(
        *(c.MatchPlayer(encode(name, "name"), encode(spec, "player")) for name, spec in players.items())
    )
    guard = Guard()
    report = callback or nothing
    ended: List[bool] = []

    def finished(_: Any, pointer: Any) -> bool:
        goes_on = guard(lambda: report(_make_game(pointer.contents, rules, names)))
        if not goes_on:
            ended.append(True)
        return goes_on

    def warned(_: Any, player: int, words: bytes) -> None:
        if warning is not None:
            guard(warning, names[player], words.decode("utf-8", "replace"))

    job = sized(
        c.MatchJob,
        players=list_,
        player_count=len(names),
        games=whole(games, "games", 1, 1 << 40),
        seed=whole(seed, "seed", 0, UINT64_MAX),
        gauntlet=bool(gauntlet),
        pairs=bool(pairs),
        random_plies=whole(random_plies, "random_plies", 0, INT_MAX),
        max_plies=whole(max_plies, "max_plies", 0, INT_MAX),
        base_ms=milliseconds(base, "base"),
        added_ms=milliseconds(increment, "increment"),
        move_ms=milliseconds(move_time, "move_time"),
        jobs=whole(jobs, "jobs", 0, 4096),
        threads=whole(threads, "threads", 0, 4096),
        hash_mb=whole(hash_mb, "hash_mb", 0, 1 << 20),
        journal=encode_optional(journal, "journal"),
        resume=bool(resume),
        stop=flag_pointer(stop),
        game=c.MatchGameFn(finished),
        openings=encode_optional(openings, "openings"),
        opening_plies=whole(opening_plies, "opening_plies", 0, INT_MAX),
        period_moves=whole(period_moves, "period_moves", 0, INT_MAX),
        sprt=encode_optional(sprt, "sprt"),
        resign_score=whole(resign_score, "resign_score", 0, INT_MAX),
        resign_moves=whole(resign_moves, "resign_moves", 0, INT_MAX),
        draw_score=whole(draw_score, "draw_score", 0, INT_MAX),
        draw_moves=whole(draw_moves, "draw_moves", 0, INT_MAX),
        draw_plies=whole(draw_plies, "draw_plies", 0, INT_MAX),
        tables=encode_optional(tables, "tables"),
        log_folder=encode_optional(log, "log"),
        pgn=bool(pgn),
        notes=bool(notes),
        warning=c.MatchWarningFn(warned),
    )
    made = ctypes.c_void_p()
    handle = Handle("match", lib.qv_match_free, None)
    with guard:
        with users:
            status = check_call(
                lib.qv_match_run,
                context,
                ctypes.byref(rules._rules),
                ctypes.byref(job),
                ctypes.byref(made),
                stopped_is_fine=True,
            )
        handle._pointer = made.value
    return Match(handle, names, status == c.STOPPED or bool(ended))


def _make_game(found: c.MatchGame, game: Game, names: Tuple[str, ...]) -> MatchGame:
    return MatchGame(
        number=found.number,
        players=tuple(names[player] for player in found.player[: game.seats]),
        winner=found.winner if found.winner >= 0 else None,
        points=tuple(found.points[: game.seats]),
        plies=found.plies,
        end=found.end.decode(),
        record=ctypes.string_at(found.record, found.record_size).decode("utf-8", "replace"),
        at_fault=found.at_fault if found.at_fault >= 0 else None,
        reason=(found.reason or b"").decode("utf-8", "replace"),
        pgn=found.pgn.decode("utf-8", "replace") if found.pgn else None,
    )


class Audit(NamedTuple):
    """What an audit of a journal found."""

    games: int
    checked: int
    replayed: int
    """Of those checked, played again by reproducible players."""
    wrong: int
    first_wrong: str


def audit(journal: str, *, sample: int = 0, seed: int = 0, jobs: int = 1, stop: Optional[StopFlag] = None) -> Audit:
    """Checks games of a match's journal by the rules, and by playing them again; sample 0: all."""
    found = sized(c.MatchAudit)
    with users:
        check_call(
            lib.qv_match_audit,
            context,
            encode(journal, "journal"),
            whole(sample, "sample", 0, 1 << 40),
            whole(seed, "seed", 0, UINT64_MAX),
            whole(jobs, "jobs", 0, 4096),
            flag_pointer(stop),
            ctypes.byref(found),
        )
    words = found.first_wrong.decode("utf-8", "replace")
    return Audit(found.games, found.checked, found.replayed, found.wrong, words)


class BookMove(NamedTuple):
    """A move of an opening book."""

    move: str
    weight: int


class Book:
    """An opening book: a file, a Polyglot file (.bin) of chess, or "own:GAME", which is built in."""

    def __init__(self, game: Union[str, Game], path: str) -> None:
        self.game = as_game(game)
        made = ctypes.c_void_p()
        data = encode(path, "book")
        with users:
            check_call(lib.qv_book_open, context, ctypes.byref(self.game._rules), data, ctypes.byref(made))
        self._handle = Handle("book", lib.qv_book_close, made.value)

    def _check(self, position: Position) -> Position:
        if as_position(position).game != self.game:
            raise QuevedoError(f"book: it is for {self.game}, not {position.game}")
        return position

    def moves(self, position: Position) -> List[BookMove]:
        """The book moves of a position, heaviest first."""
        codes = (ctypes.c_uint64 * c.MAX_MOVES)()
        weights = (ctypes.c_uint64 * c.MAX_MOVES)()
        state = self._check(position)._state
        with self._handle as pointer:
            count = lib.qv_book_moves(pointer, state, codes, weights, c.MAX_MOVES)
        found = ((position._text_of(codes[i]), weights[i]) for i in range(min(count, c.MAX_MOVES)))
        return [BookMove(move, weight) for move, weight in found if move is not None]

    def name(self, position: Position) -> str:
        """The name of the opening that the position belongs to; "": none."""
        state = self._check(position)._state
        with self._handle as pointer:
            name: Optional[bytes] = lib.qv_book_name(pointer, state)
            return (name or b"").decode("utf-8", "replace")

    def close(self) -> None:
        """Frees the book. It cannot be used any more."""
        self._handle.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Conformance(NamedTuple):
    """What the conformance suite found."""

    ok: bool
    laws: Tuple[Tuple[str, int], ...]
    """The laws that hold, and how often each was checked."""
    error: str
    """Which law is violated, and in which position; "": none."""


def conform(
    game: Union[str, Game], *, seed: int = 0, games: int = 100, max_plies: int = 400, search_depth: int = 3
) -> Conformance:
    """Checks the laws that every game must obey. A plug-in that crashes takes this process with it:
    `quevedo plugin check` runs the suite in another one.
    """
    laws: List[Tuple[str, int]] = []
    guard = Guard()
    how = sized(
        c.Conformance,
        seed=whole(seed, "seed", 0, UINT64_MAX),
        games=whole(games, "games", 0, INT_MAX),
        max_plies=whole(max_plies, "max_plies", 0, INT_MAX),
        search_depth=whole(search_depth, "search_depth", 0, 100),
        progress=c.ProgressFn(lambda _, law, checks: guard(laws.append, (law.decode(), checks)) and None),
    )
    error = c.Error()
    rules = ctypes.byref(as_game(game)._rules)
    with guard, users:
        status = lib.qv_conform(context, rules, ctypes.byref(how), ctypes.byref(error))
    if status not in (c.OK, c.ILLEGAL):
        raise QuevedoError(error.text.decode("utf-8", "replace"))
    return Conformance(status == c.OK, tuple(laws), error.text.decode("utf-8", "replace"))
