"""Finds libquevedo, checks its version and declares its functions.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import os
import signal
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple, Type, TypeVar, Union

from . import _structs as c

NEEDED_INTERFACE = 9
LIBRARY = "libquevedo.so.0"


class QuevedoError(Exception):
    """What the library refuses, in one sentence: WHAT: WHY."""


def _candidates() -> Iterator[str]:
    """Where the library may be, best first."""
    here = Path(__file__).resolve().parent
    named = os.environ.get("QUEVEDO_LIBRARY")
    if named:
        yield named
        return
    yield str(here / LIBRARY)
    # In a source tree the package is bindings/python/quevedo, and the library is in build/.
    if here.parts[-3:-1] == ("bindings", "python"):
        yield str(here.parents[2] / "build" / LIBRARY)
    yield LIBRARY


def _open() -> Tuple[ctypes.CDLL, str]:
    tried: List[str] = []
    for path in _candidates():
        if os.path.isabs(path) and not os.path.exists(path):
            tried.append(f"{path}: no such file")
            continue
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            tried.append(str(error))
    raise ImportError(f"quevedo: {LIBRARY} was not found; set QUEVEDO_LIBRARY to its path (tried: {'; '.join(tried)})")


_p = c_void_p
_error = POINTER(c.Error)
_text = POINTER(c.Text)
_rules = POINTER(c.Rules)

# Each function: the type that it returns, then those of its arguments. c_int is enum qv_status, too.
_FUNCTIONS: "dict[str, Tuple[Any, ...]]" = {
    "qv_status_text": (c_char_p, c_int),
    "qv_flag_set": (None, POINTER(c.Flag)),
    "qv_flag_clear": (None, POINTER(c.Flag)),
    "qv_flag_is_set": (c_bool, POINTER(c.Flag)),
    "qv_context_new": (_p, _p),
    "qv_context_load": (c_int, _p, c_char_p, _error),
    "qv_game_at": (_p, _p, c_int),
    "qv_game_name": (c_char_p, _p),
    "qv_game_title": (c_char_p, _p),
    "qv_game_help": (c_char_p, _p),
    "qv_game_seats": (c_int, _p),
    "qv_game_seat_name": (c_char_p, _p, c_int),
    "qv_game_has_chance": (c_bool, _p),
    "qv_game_alternates": (c_bool, _p),
    "qv_game_stakes": (c_int32, _p),
    "qv_game_max_moves": (c_int, _p),
    "qv_game_max_plies": (c_int, _p),
    "qv_game_solved": (c_char_p, _p),
    "qv_game_option": (POINTER(c.Option), _p, c_int),
    "qv_game_evaluation": (c_char_p, _p, _p, c_int, POINTER(c_char_p)),
    "qv_rules_parse": (c_int, _p, c_char_p, _rules, _error),
    "qv_rules_text": (None, _rules, _text),
    "qv_state_size": (c_size_t, _p),
    "qv_start": (None, _rules, _p),
    "qv_position_parse": (c_int, _rules, c_char_p, _p, _error),
    "qv_position_text": (None, _p, _p, _text),
    "qv_draw": (None, _p, _p, c_bool, _text),
    "qv_hash": (c_uint64, _p, _p),
    "qv_seat": (c_int, _p, _p),
    "qv_moves": (c_int, _p, _p, _p, c_int),
    "qv_move_max_count": (c_int, _p, _p, c_uint64),
    "qv_outcomes": (c_int, _p, _p, _p, _p, c_int),
    "qv_roll": (c_uint64, _p, _p, POINTER(c.RandomState)),
    "qv_play": (c_int, _p, _p, c_uint64, _p),
    "qv_move_text": (None, _p, _p, c_uint64, _text),
    "qv_move_parse": (c_int, _p, _p, c_char_p, POINTER(c_uint64), _error),
    "qv_move_legal": (c_bool, _p, _p, c_uint64),
    "qv_result": (c_int, _p, _p, _p),
    "qv_playout": (c_int, _p, _p, POINTER(c.RandomState), c_int),
    "qv_standings": (c_int, _p, _p, _p, c_int),
    "qv_evaluate": (c_int, _p, _p, _p, c_char_p, POINTER(c_int32), _error),
    "qv_evaluation_terms": (c_int, _p, _p, _p, c_char_p, POINTER(c.Terms), _error),
    "qv_weight_name": (c_int, _p, _p, c_char_p, c_int, _text, _error),
    "qv_perft": (c_int, _p, _p, _p, POINTER(c.PerftLimits), POINTER(c_uint64), _error),
    "qv_levels": (POINTER(c_char_p), _p),
    "qv_player_open": (c_int, _p, _rules, c_char_p, POINTER(c.Defaults), POINTER(_p), _error),
    "qv_player_free": (None, _p),
    "qv_player_new_game": (None, _p),
    "qv_player_think": (c_int, _p, _p, POINTER(c.Limits), POINTER(c.Listener), POINTER(c.Answer), _error),
    "qv_player_game_over": (c_int, _p, _p, _error),
    "qv_solver_new_by": (c_int, _p, _rules, c_int, c_size_t, POINTER(_p), _error),
    "qv_solver_new_tables": (c_int, _p, _rules, c_char_p, c_size_t, POINTER(_p), _error),
    "qv_solver_free": (None, _p),
    "qv_solver_solve": (c_int, _p, _p, POINTER(c.SolveLimits), POINTER(c.Solution), _error),
    "qv_match_run": (c_int, _p, _rules, POINTER(c.MatchJob), POINTER(_p), _error),
    "qv_match_free": (None, _p),
    "qv_match_score": (c_int, _p, c_int, c_int, POINTER(c.MatchFigures), _error),
    "qv_match_audit": (
        c_int, _p, c_char_p, c_int64, c_uint64, c_int, POINTER(c.Flag), POINTER(c.MatchAudit), _error,
    ),
    "qv_book_open": (c_int, _p, _rules, c_char_p, POINTER(_p), _error),
    "qv_book_close": (None, _p),
    "qv_book_moves": (c_int, _p, _p, _p, _p, c_int),
    "qv_book_name": (c_char_p, _p, _p),
    "qv_record_new": (c_int, _p, _rules, c_char_p, POINTER(_p), _error),
    "qv_record_free": (None, _p),
    "qv_record_rules": (_rules, _p),
    "qv_record_state": (_p, _p),
    "qv_record_ply": (c_int, _p),
    "qv_record_move": (c_uint64, _p, c_int),
    "qv_record_variations": (c_int, _p),
    "qv_record_variation": (c_uint64, _p, c_int),
    "qv_record_play": (c_int, _p, c_uint64, c_double, _error),
    "qv_record_undo": (c_int, _p, c_int, POINTER(c_int)),
    "qv_record_redo": (c_int, _p, c_int, POINTER(c_int)),
    "qv_record_note": (c_int, _p, c_char_p),
    "qv_record_note_text": (c_char_p, _p),
    "qv_record_end": (c_int, _p, c_int, c_char_p),
    "qv_record_result": (c_int, _p, _p),
    "qv_record_winner": (c_int, _p),
    "qv_record_history": (POINTER(c_uint64), _p, POINTER(c_int)),
    "qv_record_save": (None, _p, _text),
    "qv_record_load": (c_int, _p, c_char_p, c_size_t, POINTER(_p), _error),
    "qv_record_export": (c_int, _p, _p, c_char_p, _text, _error),
    "qv_games_read": (c_int, _p, _rules, c_char_p, c_size_t, POINTER(c.GamesListener), _error),
    "qv_board_json": (c_int, _p, _rules, _text, _error),
    "qv_position_json": (c_int, _p, _rules, _p, _text, _error),
    "qv_position_svg": (c_int, _p, _rules, _p, _text, _error),
    "qv_search_tree": (c_int, _p, _rules, _p, POINTER(c.TreeJob), POINTER(c.Answer), _error),
    "qv_equity": (c_int, _p, _p, _p, POINTER(c_double), _error),
    "qv_luck": (c_int, _p, _p, _p, c_uint64, POINTER(c.RollLuck), _error),
    "qv_review": (c_int, _p, _p, _p, c_uint64, POINTER(c.MoveReview), _error),
    "qv_conform": (c_int, _p, _rules, POINTER(c.Conformance), _error),
    "qv_version": (c_char_p,),
    "qv_interface_number": (c_int,),
}


def _load() -> Tuple[ctypes.CDLL, str]:
    library, path = _open()
    try:
        library.qv_interface_number.restype = c_int
        number = library.qv_interface_number()
        if number < NEEDED_INTERFACE:
            raise ImportError(f"quevedo: {path} has interface {number}; this package needs {NEEDED_INTERFACE} or later")
        for name, types in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = types[0]
            function.argtypes = types[1:]
    except AttributeError as error:
        raise ImportError(f"quevedo: {path} is too old or no libquevedo: {error}") from None
    return library, path


lib, library_path = _load()
context = lib.qv_context_new(None)
if not context:
    raise MemoryError("quevedo: not enough memory")


class _Users:
    """Counts the calls that use the context, since plug-ins can be loaded only while there is none."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0

    def __enter__(self) -> None:
        with self.lock:
            self.count += 1

    def __exit__(self, *_: Any) -> None:
        with self.lock:
            self.count -= 1


users = _Users()


def load_plugin(path: Union[str, "os.PathLike[str]"]) -> List[str]:
    """Loads the games and evaluations of a plug-in and returns the names of its games.

    A plug-in is machine code that runs in this process: load only what you trust. It stays loaded.
    """
    name = encode(os.fspath(path), "plug-in")
    with users.lock:
        if users.count:
            raise QuevedoError("plug-in: a search or match is running; load plug-ins before it")
        before = len(game_names())
        check_call(lib.qv_context_load, context, name)
        return game_names()[before:]


def game_names() -> List[str]:
    names: List[str] = []
    while True:
        game = lib.qv_game_at(context, len(names))
        if not game:
            return names
        names.append(lib.qv_game_name(game).decode())


def check_call(function: Any, *arguments: Any, stopped_is_fine: bool = False) -> int:
    """Calls a function that takes an error as its last argument, and raises what it reports."""
    error = c.Error()
    status: int = function(*arguments, ctypes.byref(error))
    if status == c.OK or (stopped_is_fine and status == c.STOPPED):
        return status
    raise QuevedoError(error.text.decode("utf-8", "replace") or lib.qv_status_text(status).decode())


def encode(text: str, what: str) -> bytes:
    """The text for C."""
    if not isinstance(text, str):
        raise TypeError(f"{what}: a str is needed, not {type(text).__name__}")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise QuevedoError(f"{what}: not valid Unicode") from None
    if b"\0" in data:
        raise QuevedoError(f"{what}: contains a NUL character")
    return data


def encode_optional(text: Optional[str], what: str) -> Optional[bytes]:
    return None if text is None else encode(text, what)


def whole(value: int, what: str, low: int, high: int) -> int:
    """The number for C, which would cut it to its own size without a word."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: an int is needed, not {type(value).__name__}")
    number = value.__index__()
    if not low <= number <= high:
        raise QuevedoError(f"{what}: must be from {low} to {high}")
    return number


INT_MAX = (1 << 31) - 1
UINT64_MAX = (1 << 64) - 1


def milliseconds(seconds: float, what: str) -> int:
    """A time for C. The least positive one is a millisecond: 0 would be no limit."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{what}: a number of seconds is needed, not {type(seconds).__name__}")
    if not 0 <= seconds <= 1e9:
        raise QuevedoError(f"{what}: must be from 0 to 1e9 seconds")
    return max(1, round(seconds * 1000)) if seconds > 0 else 0


def short_text(function: Any, *arguments: Any, size: int = c.POSITION_TEXT) -> str:
    """What a function writes that needs no error: a text of a known greatest size."""
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, ctypes.byref(c.Text(ctypes.addressof(buffer), size, 0)))
    return buffer.value.decode("utf-8", "replace")


def long_text(function: Any, *arguments: Any, fails: bool = True) -> str:
    """What a function writes that may be of any length."""
    size = 1 << 14
    while True:
        buffer = ctypes.create_string_buffer(size)
        text = c.Text(ctypes.addressof(buffer), size, 0)
        if fails:
            with users:
                check_call(function, *arguments, ctypes.byref(text))
        else:
            function(*arguments, ctypes.byref(text))
        if text.length < size:
            return buffer.value.decode("utf-8", "replace")
        size = text.length + 1


_Structure = TypeVar("_Structure", bound=ctypes.Structure)


def sized(kind: Type[_Structure], **members: Any) -> _Structure:
    """A struct whose first member is its size."""
    return kind(ctypes.sizeof(kind), **members)


class StopFlag:
    """Stops a search, solver or match from another thread: pass it as `stop` and call set()."""

    def __init__(self) -> None:
        self._flag = c.Flag()

    def set(self) -> None:
        lib.qv_flag_set(ctypes.byref(self._flag))

    def clear(self) -> None:
        lib.qv_flag_clear(ctypes.byref(self._flag))

    def is_set(self) -> bool:
        return bool(lib.qv_flag_is_set(ctypes.byref(self._flag)))


def flag_pointer(stop: Optional[StopFlag]) -> Any:
    if stop is None:
        return None
    if not isinstance(stop, StopFlag):
        raise TypeError(f"stop: a StopFlag is needed, not {type(stop).__name__}")
    return ctypes.pointer(stop._flag)


class Handle:
    """An object of the library's that must be freed. It is used by one thread at a time."""

    def __init__(self, what: str, free: Any, pointer: Optional[int]) -> None:
        self._what, self._free, self._pointer = what, free, pointer
        self._lock = threading.Lock()

    def __enter__(self) -> int:
        # No waiting: a callback that uses the object of its own search would wait forever.
        if not self._lock.acquire(blocking=False):
            raise QuevedoError(f"{self._what}: already in use, by another thread or by this call's own caller")
        if self._pointer is None:
            self._lock.release()
            raise QuevedoError(f"{self._what}: is closed")
        users.__enter__()
        return self._pointer

    def __exit__(self, *_: Any) -> None:
        users.__exit__()
        self._lock.release()

    def close(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise QuevedoError(f"{self._what}: in use and cannot be closed")
        try:
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                self._free(pointer)
        finally:
            self._lock.release()

    def __reduce__(self) -> Any:
        raise TypeError(f"{self._what}: can be neither copied nor pickled")

    def __del__(self) -> None:
        if self._pointer is not None:
            self._free(self._pointer)
            self._pointer = None


class Guard:
    """Keeps what a callback raises until the call that made it has returned, and raises it then.

    An exception cannot pass through C, so the callback ends the search. Ctrl-C is noticed when a callback
    begins, which is too early to catch it: while the guard is entered, Ctrl-C only leaves a note. Its
    usual handler runs at the end.
    """

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        self._noted: Optional[Tuple[int, Any]] = None
        self._handler: Any = None

    def __call__(self, function: Any, *arguments: Any) -> bool:
        """Calls the function unless one has failed before. False: end the search."""
        if self.raised is not None or self._noted is not None:
            return False
        try:
            return function(*arguments) is not False
        except BaseException as error:
            self.raised = error
            return False

    def _note(self, number: int, frame: Any) -> None:
        self._noted = (number, frame)

    def __enter__(self) -> Guard:
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._noted is not None:
                self._handler(*self._noted)
        if self.raised is not None:
            raise self.raised


def nothing(*_: Any) -> None:
    """A callback for calls that need one only so that Ctrl-C is noticed."""


__all__ = ["QuevedoError", "StopFlag", "load_plugin", "game_names", "library_path", "lib", "context", "users"]
