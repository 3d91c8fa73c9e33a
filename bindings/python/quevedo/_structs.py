"""The structs of quevedo.h, as ctypes sees them.

tests/test_layout.py compares every size and offset with what a C compiler computes.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int16,
    c_int32,
    c_int64,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)

MAX_SEATS = 4
MAX_OPTIONS = 8
MAX_MOVES = 4096
MAX_LINE = 128
MAX_TERMS = 1024
MAX_CELLS = 512
WIN = 1 << 30
MOVE_TEXT = 64
POSITION_TEXT = 4096
OPENING_NAME = 128
NO_MOVE = (1 << 64) - 1
CHANCE = -1
UNDECIDED = -2

OK, NO_MEMORY, BAD_INPUT, ILLEGAL, UNKNOWN, UNSUPPORTED, IO, STOPPED = range(8)
GOING, ENDED, DRAWN_BY_COUNT = range(3)

# Callbacks. A state or an answer that they get is valid during the call only.
WatchFn = CFUNCTYPE(c_bool, c_void_p, c_uint64)
WriteFn = CFUNCTYPE(c_bool, c_void_p, POINTER(c_char), c_size_t)
ProgressFn = CFUNCTYPE(None, c_void_p, c_char_p, c_uint64)


class Error(ctypes.Structure):
    _fields_ = [("text", c_char * 256)]


class Flag(ctypes.Structure):
    _fields_ = [("value", c_int32)]


class Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t), ("length", c_size_t)]


class RandomState(ctypes.Structure):
    _fields_ = [("key", c_uint64), ("next", c_uint64)]


class Option(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("help", c_char_p),
        ("choices", c_char_p),
        ("min", c_int64),
        ("max", c_int64),
        ("preset", c_int64),
    ]


class Rules(ctypes.Structure):
    _fields_ = [("game", c_void_p), ("options", c_int64 * MAX_OPTIONS)]


class Standing(ctypes.Structure):
    _fields_ = [("cell", c_int16), ("piece", c_int16), ("count", c_int32)]


class Term(ctypes.Structure):
    _fields_ = [
        ("place", c_int),
        ("name", c_char_p),
        ("counts", c_int32 * MAX_SEATS),
        ("share", c_double),
        ("value", c_int64),
    ]


class Terms(ctypes.Structure):
    _fields_ = [("list", POINTER(Term)), ("max", c_int), ("count", c_int), ("seat", c_int)]


class PerftLimits(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("depth", c_int),
        ("hash_bytes", c_size_t),
        ("threads", c_int),
        ("stop", POINTER(Flag)),
    ]


class Limits(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("depth", c_int),
        ("nodes", c_uint64),
        ("evals", c_uint64),
        ("time_ms", c_int64),
        ("aim_ms", c_int64),
        ("ponder", POINTER(Flag)),
        ("stop", POINTER(Flag)),
        ("history", POINTER(c_uint64)),
        ("history_count", c_int),
        ("only", POINTER(c_uint64)),
        ("only_count", c_int),
        ("watch", WatchFn),
        ("watch_ctx", c_void_p),
    ]


class Answer(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("move", c_uint64),
        ("score", c_int32),
        ("proven", c_bool),
        ("unsolved", c_bool),
        ("rests_on_repetition", c_bool),
        ("bound", c_int),
        ("depth", c_int),
        ("deepest", c_int),
        ("table_permille", c_int),
        ("nodes", c_uint64),
        ("evals", c_uint64),
        ("considered", c_uint64),
        ("table_hits", c_uint64),
        ("seconds", c_double),
        ("line_length", c_int),
        ("line", c_uint64 * MAX_LINE),
        ("book", c_char * OPENING_NAME),
    ]


class Visit(ctypes.Structure):
    _fields_ = [
        ("state", c_void_p),
        ("move", c_uint64),
        ("ply", c_int),
        ("depth", c_int),
        ("seat", c_int),
        ("alpha", c_double),
        ("beta", c_double),
        ("flags", c_uint),
    ]


class Growth(ctypes.Structure):
    _fields_ = [
        ("path", POINTER(c_uint64)),
        ("length", c_int),
        ("added", c_bool),
        ("count", c_int),
        ("numbers", POINTER(c_double * 2)),
        ("proven", POINTER(c_bool)),
        ("result", POINTER(c_double)),
        ("ucb", c_double),
        ("attacker", c_int),
    ]


IterationStartFn = CFUNCTYPE(None, c_void_p, c_int)
IterationFn = CFUNCTYPE(None, c_void_p, POINTER(Answer))
RootMoveFn = CFUNCTYPE(None, c_void_p, c_uint64, c_int, c_int)
BranchFn = CFUNCTYPE(None, c_void_p, c_void_p, c_uint64, c_int, c_int32, c_int32)
NodeFn = CFUNCTYPE(None, c_void_p, c_uint64, c_int, c_int32, c_bool)
LeafFn = CFUNCTYPE(None, c_void_p, c_void_p, c_int, c_int32)
EnterFn = CFUNCTYPE(None, c_void_p, POINTER(Visit))
WhyFn = CFUNCTYPE(None, c_void_p, c_int, c_int, c_double)
ValuesFn = CFUNCTYPE(None, c_void_p, c_int, POINTER(c_double))
LeaveFn = CFUNCTYPE(None, c_void_p, c_int, c_double, c_uint64)
GrowthFn = CFUNCTYPE(None, c_void_p, POINTER(Growth))


class Listener(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("ctx", c_void_p),
        ("next", c_void_p),
        ("iteration_start", IterationStartFn),
        ("iteration", IterationFn),
        ("bound", IterationFn),
        ("root_move", RootMoveFn),
        ("branch", BranchFn),
        ("node", NodeFn),
        ("leaf", LeafFn),
        ("enter", EnterFn),
        ("why", WhyFn),
        ("values", ValuesFn),
        ("leave", LeaveFn),
        ("growth", GrowthFn),
    ]


class Defaults(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("threads", c_int),
        ("hash_mb", c_int),
        ("tables", c_char_p),
        ("prober", c_void_p),
        ("no_book", c_bool),
    ]


class SolveLimits(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("distance", c_bool),
        ("stop", POINTER(Flag)),
        ("margin", c_bool),
        ("threads", c_int),
        ("nodes", c_uint64),
        ("watch", WatchFn),
        ("ctx", c_void_p),
        ("listener", POINTER(Listener)),
    ]


class Solution(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("value", c_int),
        ("in", c_int),
        ("move", c_uint64),
        ("nodes", c_uint64),
        ("seconds", c_double),
        ("has_margin", c_bool),
        ("margin", c_int32),
    ]


class TreeJob(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("player", c_char_p),
        ("defaults", POINTER(Defaults)),
        ("form", c_int),
        ("max_nodes", c_int64),
        ("max_ply", c_int),
        ("stop", POINTER(Flag)),
        ("write", WriteFn),
        ("ctx", c_void_p),
    ]


class MatchPlayer(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("spec", c_char_p)]


class MatchGame(ctypes.Structure):
    _fields_ = [
        ("number", c_int64),
        ("player", c_int * MAX_SEATS),
        ("winner", c_int),
        ("points", c_int32 * MAX_SEATS),
        ("plies", c_int),
        ("end", c_char_p),
        ("record", c_void_p),
        ("record_size", c_size_t),
        ("at_fault", c_int),
        ("reason", c_char_p),
        ("pgn", c_char_p),
    ]


MatchGameFn = CFUNCTYPE(c_bool, c_void_p, POINTER(MatchGame))
MatchWarningFn = CFUNCTYPE(None, c_void_p, c_int, c_char_p)


class MatchJob(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("players", POINTER(MatchPlayer)),
        ("player_count", c_int),
        ("games", c_int64),
        ("seed", c_uint64),
        ("gauntlet", c_bool),
        ("pairs", c_bool),
        ("no_times", c_bool),
        ("random_plies", c_int),
        ("max_plies", c_int),
        ("base_ms", c_int64),
        ("added_ms", c_int64),
        ("move_ms", c_int64),
        ("jobs", c_int),
        ("threads", c_int),
        ("hash_mb", c_int),
        ("journal", c_char_p),
        ("resume", c_bool),
        ("stop", POINTER(Flag)),
        ("game", MatchGameFn),
        ("ctx", c_void_p),
        ("openings", c_char_p),
        ("opening_plies", c_int),
        ("period_moves", c_int),
        ("sprt", c_char_p),
        ("resign_score", c_int32),
        ("draw_score", c_int32),
        ("resign_moves", c_int),
        ("draw_moves", c_int),
        ("draw_plies", c_int),
        ("tables", c_char_p),
        ("log_folder", c_char_p),
        ("pgn", c_bool),
        ("notes", c_bool),
        ("warning", MatchWarningFn),
    ]


class MatchFigures(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("games", c_int64),
        ("wins", c_int64),
        ("draws", c_int64),
        ("losses", c_int64),
        ("score", c_double),
        ("score_error", c_double),
        ("elo", c_double),
        ("elo_error", c_double),
        ("los", c_double),
        ("crashes", c_int64),
        ("timeouts", c_int64),
        ("illegal", c_int64),
        ("nodes", c_uint64),
        ("seconds", c_double),
        ("pairs", c_int64 * 5),
        ("llr", c_double),
        ("llr_lower", c_double),
        ("llr_upper", c_double),
    ]


class MatchAudit(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("games", c_int64),
        ("checked", c_int64),
        ("replayed", c_int64),
        ("wrong", c_int64),
        ("first_wrong", c_char * 200),
    ]


GameReadFn = CFUNCTYPE(c_bool, c_void_p, c_void_p)
GameWrongFn = CFUNCTYPE(None, c_void_p, c_char_p, c_bool)


class GamesListener(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("ctx", c_void_p), ("game", GameReadFn), ("wrong", GameWrongFn)]


class RollLuck(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("seat", c_int), ("of", c_double * MAX_SEATS)]


class MoveReview(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("best", c_uint64), ("loss", c_double)]


class Conformance(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("games", c_int),
        ("max_plies", c_int),
        ("search_depth", c_int),
        ("progress", ProgressFn),
        ("ctx", c_void_p),
    ]


# The name that each has in the header, for the test of the layout.
C_NAMES = {
    Error: "qv_error",
    Flag: "qv_flag",
    Text: "qv_text",
    RandomState: "qv_random",
    Option: "qv_option",
    Rules: "qv_rules",
    Standing: "qv_standing",
    Term: "qv_term",
    Terms: "qv_terms",
    PerftLimits: "qv_perft_limits",
    Limits: "qv_limits",
    Answer: "qv_answer",
    Visit: "qv_visit",
    Growth: "qv_growth",
    Listener: "qv_listener",
    Defaults: "qv_defaults",
    SolveLimits: "qv_solve_limits",
    Solution: "qv_solution",
    TreeJob: "qv_tree_job",
    MatchPlayer: "qv_match_player",
    MatchGame: "qv_match_game",
    MatchJob: "qv_match_job",
    MatchFigures: "qv_match_figures",
    MatchAudit: "qv_audit",
    GamesListener: "qv_games_listener",
    RollLuck: "qv_roll_luck",
    MoveReview: "qv_move_review",
    Conformance: "qv_conformance",
}
