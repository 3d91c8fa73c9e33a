"""Players, analysis, solvers, evaluation terms and search trees.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import json
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _structs as c
from ._game import Game, Move, Position, as_game, as_position
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

WIN = c.WIN
"""The score of a won position; a win in n plies scores WIN - n."""
_LONGEST_WIN = 1 << 16


class Answer(NamedTuple):
    """What a search found."""

    move: Optional[str]
    """The best move; None: the game has ended."""
    score: int
    """For the seat to move, in the points of the evaluation; a win in n plies is WIN - n. mcts: -1000 to 1000."""
    pv: Tuple[str, ...]
    """The best line."""
    depth: int
    nodes: int
    evals: int
    seconds: float
    proven: bool
    bound: int
    """1: the true score is at least this; -1: at most; 0: exact."""
    deepest: int
    table_permille: int
    unsolved: bool
    """A solver gave up: the move is legal, and there is no score."""
    book: str
    """The opening that the move comes from; "": it was searched."""
    stopped: bool

    @property
    def win_in(self) -> Optional[int]:
        """Plies to a win, or less than 0 to a loss; None: neither was found."""
        distance = WIN - abs(self.score)
        if self.unsolved or not 0 <= distance < _LONGEST_WIN:
            return None
        return distance if self.score > 0 else -distance


def _line_texts(position: Position, codes: Sequence[int]) -> Tuple[str, ...]:
    """The texts of a line. It ends early where a move is not legal, as a foreign engine's may be."""
    texts = []
    for code in codes:
        text = position._text_of(code)
        if text is None:
            break
        texts.append(text)
        position = position._play_code(code)
    return tuple(texts)


def _make_answer(position: Position, found: c.Answer, stopped: bool) -> Answer:
    return Answer(
        move=position._text_of(found.move),
        score=found.score,
        pv=_line_texts(position, found.line[: max(0, min(found.line_length, c.MAX_LINE))]),
        depth=found.depth,
        nodes=found.nodes,
        evals=found.evals,
        seconds=found.seconds,
        proven=found.proven,
        bound=found.bound,
        deepest=found.deepest,
        table_permille=found.table_permille,
        unsolved=found.unsolved,
        book=found.book.decode("utf-8", "replace"),
        stopped=stopped,
    )


# ---- Listeners ----

VISIT_FLAGS = (
    "scout", "again", "quiet", "probe", "pass", "reduced", "extended", "table", "kept", "killer", "sample", "usual",
    "verify",
)  # fmt: skip
WHY = (
    "leaf", "ended", "repeated", "table", "solved", "stand-pat", "razor", "hard", "top", "null-move", "futile", "late",
    "mate", "star1", "star2", "won", "cut", "deepest",
)  # fmt: skip


class Visit(NamedTuple):
    """A node that a search enters (quevedo/visit.h)."""

    position: Position
    move: Optional[str]
    """That led to it; None at the root and for a null move."""
    ply: int
    depth: int
    seat: int
    alpha: float
    beta: float
    flags: Tuple[str, ...]


class Growth(NamedTuple):
    """A step of a growing tree: a playout of mcts, or an expansion of a proof search."""

    path: Tuple[str, ...]
    added: bool
    numbers: Tuple[Tuple[float, float], ...]
    result: Optional[Tuple[float, ...]]


class Listener:
    """Follows a search. Override what you need: a method that you leave alone costs nothing.

    The methods run in the thread that searches. If one raises an exception, the search ends and
    raises it.
    """

    def iteration_start(self, depth: int) -> None:
        """Before each iteration of iterative deepening."""

    def iteration(self, answer: Answer) -> None:
        """After each complete iteration."""

    def root_move(self, move: str, number: int, depth: int) -> None:
        """Before root move `number`, from 1, is searched."""

    def enter(self, visit: Visit) -> None:
        """A node is entered."""

    def why(self, ply: int, reason: str, number: float) -> None:
        """What happens at the node that was entered last: one of WHY."""

    def leave(self, ply: int, value: float, best: Optional[str]) -> None:
        """A node is left with its value and its best move."""

    def growth(self, step: Growth) -> None:
        """After each step of a tree that grows."""


class _Wires:
    """Connects a Listener to the callbacks of C, for one search."""

    def __init__(self, position: Position, listener: Listener, guard: Guard) -> None:
        self.root, self.listener, self.guard = position, listener, guard
        self.path: List[Position] = []
        connections: Dict[str, Tuple[Any, Callable[..., None]]] = {
            "iteration_start": (c.IterationStartFn, lambda depth: listener.iteration_start(depth)),
            "iteration": (c.IterationFn, self.iteration),
            "root_move": (c.RootMoveFn, self.root_move),
            "enter": (c.EnterFn, self.enter),
            "why": (c.WhyFn, self.why),
            "leave": (c.LeaveFn, self.leave),
            "growth": (c.GrowthFn, self.growth),
        }
        used = {name for name in connections if getattr(type(listener), name) is not getattr(Listener, name)}
        if "leave" in used:
            used.add("enter")  # a best move is legal in the position that was entered
        self.struct = sized(
            c.Listener, **{name: self.wire(*connections[name]) for name in sorted(used)}
        )

    def wire(self, kind: Any, function: Callable[..., None]) -> Any:
        def call(_: Any, *arguments: Any) -> None:
            self.guard(lambda: function(*arguments) and None)

        return kind(call)

    def iteration(self, answer: Any) -> None:
        self.listener.iteration(_make_answer(self.root, answer.contents, False))

    def root_move(self, code: int, number: int, depth: int) -> None:
        self.listener.root_move(self.root._text_of(code) or "", number, depth)

    def enter(self, pointer: Any) -> None:
        visit = pointer.contents
        game = self.root.game
        state = game._buffer()
        ctypes.memmove(state, visit.state, game._size)
        before = self.path[visit.ply - 1] if 0 < visit.ply <= len(self.path) else None
        position = Position._make(game, state, before, visit.move)
        del self.path[visit.ply :]
        self.path.append(position)
        move = before._text_of(visit.move) if before else None
        flags = tuple(name for bit, name in enumerate(VISIT_FLAGS) if visit.flags >> bit & 1)
        self.listener.enter(
            Visit(position, move, visit.ply, visit.depth, visit.seat, visit.alpha, visit.beta, flags)
        )

    def why(self, ply: int, why: int, number: float) -> None:
        self.listener.why(ply, WHY[why] if why < len(WHY) else str(why), number)

    def leave(self, ply: int, value: float, code: int) -> None:
        at = self.path[ply] if ply < len(self.path) else None
        self.listener.leave(ply, value, at._text_of(code) if at else None)

    def growth(self, pointer: Any) -> None:
        step = pointer.contents
        result = tuple(step.result[: self.root.game.seats]) if step.result else None
        numbers = tuple((pair[0], pair[1]) for pair in step.numbers[: step.count]) if step.numbers else ()
        path = _line_texts(self.root, step.path[: step.length]) if step.length else ()
        self.listener.growth(Growth(path, step.added, numbers, result))


class _EachIteration(Listener):
    """Calls a function after each iteration. If it returns False, the search stops."""

    def __init__(self, callback: Callable[[Answer], Optional[bool]]) -> None:
        self.callback, self.stop = callback, False

    def iteration(self, answer: Answer) -> None:
        if self.callback(answer) is False:
            self.stop = True


# ---- Players ----


def make_defaults(seed: int, threads: int, hash_mb: int, tables: Optional[str], book: bool) -> c.Defaults:
    return sized(
        c.Defaults,
        seed=whole(seed, "seed", 0, UINT64_MAX),
        threads=whole(threads, "threads", 0, 4096),
        hash_mb=whole(hash_mb, "hash_mb", 0, 1 << 20),
        tables=encode_optional(tables, "tables"),
        no_book=not book,
    )


def _make_player(spec: str, game: Optional[Game], how: Dict[str, Any]) -> Player:
    return Player(spec, game, **how)


class Player:
    """Chooses moves: a search ("negascout:depth=6"), a level ("level:3") or a program ("uci:stockfish").

    seed, threads and hash_mb, the size of its table, hold where the spec says nothing else. tables is a
    folder of endgame tables; book=False: levels play without the opening book of the library.

    Use a player from one thread at a time. Without a game it takes that of the first position. Close
    it, or use it in a `with` block, to end a foreign program or to free its tables early. A copy is a
    player of its own, as new: it has the spec, but has not thought yet.
    """

    def __init__(
        self,
        spec: str,
        game: Union[None, str, Game] = None,
        *,
        seed: int = 0,
        threads: int = 1,
        hash_mb: int = 64,
        tables: Optional[str] = None,
        book: bool = True,
    ) -> None:
        self.spec = spec
        self.game: Optional[Game] = None
        self._how = {"seed": seed, "threads": threads, "hash_mb": hash_mb, "tables": tables, "book": book}
        self._defaults = make_defaults(seed, threads, hash_mb, tables, book)
        self._handle: Optional[Handle] = None
        self._closed = False
        encode(spec, "player")
        if game is not None:
            self._open(as_game(game))

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._closed:
            raise QuevedoError(f"player {self.spec}: is closed")
        return _make_player, (self.spec, self.game, self._how)

    def _open(self, game: Game) -> Handle:
        if self._closed:
            raise QuevedoError(f"player {self.spec}: is closed")
        if self._handle is None:
            made = ctypes.c_void_p()
            with users:
                check_call(
                    lib.qv_player_open,
                    context,
                    ctypes.byref(game._rules),
                    encode(self.spec, "player"),
                    ctypes.byref(self._defaults),
                    ctypes.byref(made),
                )
            self.game, self._handle = game, Handle(f"player {self.spec}", lib.qv_player_free, made.value)
        if self.game != game:
            raise QuevedoError(f"player {self.spec}: it plays {self.game}, not {game}")
        return self._handle

    def think(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int = 0,
        evals: int = 0,
        time: float = 0,
        aim: float = 0,
        only: Sequence[Move] = (),
        stop: Optional[StopFlag] = None,
        callback: Optional[Callable[[Answer], Optional[bool]]] = None,
        listener: Optional[Listener] = None,
        history: bool = True,
    ) -> Answer:
        """Searches a position. 0 is no limit here; the limits that the spec names hold, too.

        time is the most seconds, and aim the usual ones. only: search these moves alone. callback is
        called with the answer so far after each iteration, and ends the search if it returns False.
        history: take the positions before this one into account, for repetition.
        """
        handle = self._open(as_position(position).game)
        if callback is not None and listener is not None:
            raise QuevedoError("think: callback and listener exclude each other; use Listener.iteration")
        follow = _EachIteration(callback) if callback is not None else listener
        if follow is not None and not isinstance(follow, Listener):
            raise TypeError(f"listener: a Listener is needed, not {type(follow).__name__}")
        guard = Guard()

        def watch(_: Any, __: int) -> bool:
            if isinstance(follow, _EachIteration) and follow.stop:
                return False
            return guard(nothing)

        limits = sized(
            c.Limits,
            depth=whole(depth, "depth", 0, INT_MAX),
            nodes=whole(nodes, "nodes", 0, UINT64_MAX),
            evals=whole(evals, "evals", 0, UINT64_MAX),
            time_ms=milliseconds(time, "time"),
            aim_ms=milliseconds(aim, "aim"),
            stop=flag_pointer(stop),
            watch=c.WatchFn(watch),
        )
        codes = [position._code_of(move) for move in only]
        if codes:
            limits.only, limits.only_count = (ctypes.c_uint64 * len(codes))(*codes), len(codes)
        past = _history(position) if history and position.parent else []
        if past:
            limits.history, limits.history_count = (ctypes.c_uint64 * len(past))(*past), len(past)
        wires = _Wires(position, follow, guard) if follow is not None else None
        found = sized(c.Answer)
        with guard, handle as pointer:
            status = check_call(
                lib.qv_player_think,
                pointer,
                position._state,
                ctypes.byref(limits),
                ctypes.byref(wires.struct) if wires else None,
                ctypes.byref(found),
                stopped_is_fine=True,
            )
        return _make_answer(position, found, status == c.STOPPED)

    def choose(self, position: Position, **limits: Any) -> str:
        """The move that the player plays. Limits are those of think."""
        move = self.think(position, **limits).move
        if move is None:
            raise QuevedoError("choose: the game has ended")
        return move

    def new_game(self) -> None:
        """Forgets earlier searches and restarts the random numbers."""
        if self._handle is not None:
            with self._handle as pointer:
                lib.qv_player_new_game(pointer)

    def game_over(self, position: Position) -> None:
        """Reports the final position of a game, from which the player `learn` learns."""
        with self._open(as_position(position).game) as pointer:
            check_call(lib.qv_player_game_over, pointer, position._state)

    def close(self) -> None:
        """Ends a foreign program and frees the tables. The player cannot be used any more."""
        if self._handle is not None:
            self._handle.close()
        self._closed = True

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"quevedo.Player({self.spec!r})"


def _history(position: Position) -> List[int]:
    with position.record() as record:
        return record._history()


class Analysis(NamedTuple):
    """The best lines of a position, best first."""

    lines: Tuple[Answer, ...]

    @property
    def best(self) -> Answer:
        return self.lines[0]

    @property
    def nodes(self) -> int:
        return sum(line.nodes for line in self.lines)


def analyse(
    position: Position,
    player: Union[str, Player] = "negascout:depth=6",
    *,
    lines: int = 1,
    **limits: Any,
) -> Analysis:
    """The best `lines` moves, each with its score and line. Limits and callbacks are those of
    Player.think and hold for each line: a further line is a search without the moves found so far.
    """
    count = whole(lines, "lines", 1, c.MAX_MOVES)
    if isinstance(player, Player):
        return _analyse(position, player, count, limits)
    with Player(player, as_position(position).game) as own:
        return _analyse(position, own, count, limits)


def _analyse(position: Position, player: Player, count: int, limits: Dict[str, Any]) -> Analysis:
    found: List[Answer] = []
    left: List[Move] = list(limits.pop("only", ()) or as_position(position).legal_moves)
    if not left:
        raise QuevedoError("analyse: the game has ended")
    while left and len(found) < count:
        answer = player.think(position, only=left, **limits)
        found.append(answer)
        if answer.move not in left or answer.stopped:
            break
        left = [move for move in left if move != answer.move]
    found.sort(key=lambda line: -line.score)
    return Analysis(tuple(found))


# ---- Solving ----

_VALUES = ("unknown", "loss", "draw", "win")
_METHODS = {"any": 0, "search": 1, "proof": 2, "own": 3}


class Solution(NamedTuple):
    """The value of a position."""

    value: str
    """"win", "draw" or "loss" for the seat to move, or "unknown"."""
    plies: Optional[int]
    """To the end of a win or loss with best play; None: not asked for, or unknown."""
    move: Optional[str]
    nodes: int
    seconds: float
    margin: Optional[int]
    """The final lead in points, if it was asked for and found."""
    stopped: bool


def solve(
    position: Position,
    *,
    distance: bool = False,
    margin: bool = False,
    method: str = "any",
    nodes: int = 0,
    threads: int = 1,
    hash_mb: int = 64,
    tables: Optional[str] = None,
    stop: Optional[StopFlag] = None,
    callback: Optional[Callable[[int], Optional[bool]]] = None,
) -> Solution:
    """Proves the value of a position of a game with two seats and without chance.

    method: "own" (the game's own solver), "search", "proof" (df-pn), or "any". tables: a folder of
    endgame tables. callback gets the nodes so far from time to time, and ends it with False.
    """
    game = as_position(position).game
    if method not in _METHODS:
        raise QuevedoError(f"method '{method}': no such method; one of {', '.join(_METHODS)}")
    size = whole(hash_mb, "hash_mb", 0, 1 << 20) << 20
    guard = Guard()
    report = callback or nothing
    limits = sized(
        c.SolveLimits,
        distance=bool(distance),
        margin=bool(margin),
        stop=flag_pointer(stop),
        threads=whole(threads, "threads", 0, 4096),
        nodes=whole(nodes, "nodes", 0, UINT64_MAX),
        watch=c.WatchFn(lambda _, count: guard(report, count)),
    )
    made = ctypes.c_void_p()
    rules = ctypes.byref(game._rules)
    with users:
        if tables is not None:
            check_call(lib.qv_solver_new_tables, context, rules, encode(tables, "tables"), size, ctypes.byref(made))
        else:
            check_call(lib.qv_solver_new_by, context, rules, _METHODS[method], size, ctypes.byref(made))
    solver = Handle("solver", lib.qv_solver_free, made.value)
    found = sized(c.Solution)
    try:
        with guard, solver as pointer:
            status = check_call(
                lib.qv_solver_solve,
                pointer,
                position._state,
                ctypes.byref(limits),
                ctypes.byref(found),
                stopped_is_fine=True,
            )
    finally:
        solver.close()
    plies = getattr(found, "in")
    return Solution(
        value=_VALUES[found.value],
        plies=plies if plies >= 0 else None,
        move=position._text_of(found.move),
        nodes=found.nodes,
        seconds=found.seconds,
        margin=found.margin if found.has_margin else None,
        stopped=status == c.STOPPED,
    )


# ---- Evaluation terms ----


class Term(NamedTuple):
    """A term of an evaluation: how often it counts for each seat, and what it adds to the value."""

    name: str
    counts: Tuple[int, ...]
    share: float
    value: int


def terms(position: Position, evaluation: Optional[str] = None) -> List[Term]:
    """The terms whose values add up to Position.evaluate."""
    game = as_position(position).game
    name = encode_optional(evaluation, "evaluation")
    list_ = (c.Term * c.MAX_TERMS)()
    found = c.Terms(list_, c.MAX_TERMS, 0, 0)
    with users:
        check_call(lib.qv_evaluation_terms, context, game._pointer, position._state, name, ctypes.byref(found))
    return [
        Term(_term_name(game, name, term), tuple(term.counts[: game.seats]), term.share, term.value)
        for term in list_[: found.count]
    ]


def _term_name(game: Game, evaluation: Optional[bytes], term: c.Term) -> str:
    if term.place < 0:
        return (term.name or b"").decode("utf-8", "replace")
    buffer = ctypes.create_string_buffer(c.POSITION_TEXT)
    text = c.Text(ctypes.addressof(buffer), c.POSITION_TEXT, 0)
    check_call(lib.qv_weight_name, context, game._pointer, evaluation, term.place, ctypes.byref(text))
    return buffer.value.decode("utf-8", "replace")


# ---- Search trees ----

_FORMS = {"text": 0, "json": 1, "dot": 2, "svg": 3}


def tree_text(
    position: Position,
    player: str = "alphabeta:depth=3",
    *,
    form: str = "text",
    max_nodes: int = 1000,
    max_ply: int = 0,
    seed: int = 0,
    stop: Optional[StopFlag] = None,
) -> str:
    """The tree that a search visits in its last complete iteration: "text", "json", "dot" or "svg"."""
    if form not in _FORMS:
        raise QuevedoError(f"form '{form}': no such form; one of {', '.join(_FORMS)}")
    guard = Guard()
    parts: List[bytes] = []
    defaults = make_defaults(seed, 1, 64, None, True)
    job = sized(
        c.TreeJob,
        player=encode(player, "player"),
        defaults=ctypes.pointer(defaults),
        form=_FORMS[form],
        max_nodes=whole(max_nodes, "max_nodes", 0, 1 << 40),
        max_ply=whole(max_ply, "max_ply", 0, INT_MAX),
        stop=flag_pointer(stop),
        write=c.WriteFn(lambda _, data, size: guard(parts.append, data[:size])),
    )
    rules = ctypes.byref(as_position(position).game._rules)
    with guard, users:
        check_call(lib.qv_search_tree, context, rules, position._state, ctypes.byref(job), None)
    return b"".join(parts).decode("utf-8", "replace")


def tree(position: Position, player: str = "alphabeta:depth=3", **options: Any) -> Dict[str, Any]:
    """The same tree as nested dicts (docs/formats.md describes the fields)."""
    found: Dict[str, Any] = json.loads(tree_text(position, player, form="json", **options))
    return found


# ---- Luck and skill ----


class Review(NamedTuple):
    """A move compared with the best one, by quick estimates."""

    best: str
    loss: float


def equity(position: Position) -> Tuple[float, ...]:
    """The expected result of each seat in points, by a quick estimate."""
    values = (ctypes.c_double * c.MAX_SEATS)()
    game = as_position(position).game
    with users:
        check_call(lib.qv_equity, context, game._pointer, position._state, values)
    return tuple(values[: game.seats])


def luck(position: Position, outcome: Move) -> Tuple[float, ...]:
    """What a chance outcome brought each seat, against the mean of all outcomes."""
    found = sized(c.RollLuck)
    game = as_position(position).game
    code = position._code_of(outcome)
    with users:
        check_call(lib.qv_luck, context, game._pointer, position._state, code, ctypes.byref(found))
    return tuple(found.of[: game.seats])


def review(position: Position, move: Move) -> Review:
    """What a move loses against the best one, in points."""
    found = sized(c.MoveReview)
    game = as_position(position).game
    code = position._code_of(move)
    with users:
        check_call(lib.qv_review, context, game._pointer, position._state, code, ctypes.byref(found))
    return Review(position._text_of(found.best) or "", found.loss)


