"""Plays, searches and solves strategy games.

    >>> import quevedo
    >>> position = quevedo.Game("connect4").start().play("4")
    >>> quevedo.Player("level:5").choose(position)

Positions never change and may be shared by threads. Players, records and books are used by one thread
at a time; a second one gets a QuevedoError. Searches release the interpreter's lock, so other threads
run on. Load plug-ins before you start threads.

quevedo.env has an environment in the style of Gymnasium, and quevedo.spiel games in the style of
OpenSpiel. The package needs libquevedo.so.0: $QUEVEDO_LIBRARY, or that of the package, of the build
folder, or of the system.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

from typing import List

from ._game import Cell, Game, Option, Piece, Position, Random, Result
from ._library import QuevedoError, StopFlag, game_names, lib, library_path, load_plugin
from ._match import Audit, Book, BookMove, Conformance, Figures, Match, MatchGame, audit, conform, match
from ._record import Record, read_games
from ._search import (
    VISIT_FLAGS,
    WHY,
    WIN,
    Analysis,
    Answer,
    Growth,
    Listener,
    Player,
    Review,
    Solution,
    Term,
    Visit,
    analyse,
    equity,
    luck,
    review,
    solve,
    terms,
    tree,
    tree_text,
)
from .actions import Actions

__version__: str = lib.qv_version().decode()
"""The version of the library."""
interface_number: int = lib.qv_interface_number()


def games() -> List[str]:
    """The names of all games: the built-in ones, then those of plug-ins."""
    return game_names()


__all__ = [
    "Actions", "Analysis", "Answer", "Audit", "Book", "BookMove", "Cell", "Conformance", "Figures", "Game", "Growth",
    "Listener", "Match", "MatchGame", "Option", "Piece", "Player", "Position", "QuevedoError", "Random", "Record",
    "Result", "Review", "Solution", "StopFlag", "Term", "VISIT_FLAGS", "Visit", "WHY", "WIN", "analyse", "audit",
    "conform", "equity", "games", "interface_number", "library_path", "load_plugin", "luck", "match",
    "read_games", "review", "solve", "terms", "tree", "tree_text",
]  # fmt: skip
