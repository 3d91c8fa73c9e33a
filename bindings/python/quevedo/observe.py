"""Positions as planes of numbers, which neural networks read.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

from array import array
from typing import Any, Tuple, Union

from ._game import Game, Position, Result, as_game, as_position
from ._library import QuevedoError
from ._numpy import numpy


class Planes:
    """Turns positions into arrays of the shape (planes, rows, columns).

    Plane p, for each kind of piece: how many of game.pieces[p] stand on each cell. Then one plane for
    each seat, all 1 if it is to move, and in games with chance one more, all 1 before a dice roll. Rows
    and columns are those of game.cells; places without a cell are 0.

    The board does not show everything: castling rights, counters and earlier positions are missing.
    """

    def __init__(self, game: Union[str, Game]) -> None:
        self.game = as_game(game)
        cells, pieces = self.game.cells, self.game.pieces
        if not cells:
            raise QuevedoError(f"planes: {self.game.name} has no board")
        rows = sorted({cell.row for cell in cells})
        columns = sorted({cell.column for cell in cells})
        self._places = [rows.index(cell.row) * len(columns) + columns.index(cell.column) for cell in cells]
        self.names: Tuple[str, ...] = (
            *(piece.name for piece in pieces),
            *(f"seat {seat} to move" for seat in range(self.game.seats)),
            *(("chance to move",) if self.game.has_chance else ()),
        )
        self.shape: Tuple[int, int, int] = (len(self.names), len(rows), len(columns))
        self.size = self.shape[0] * self.shape[1] * self.shape[2]
        self._turn = len(pieces)

    def flat(self, position: Position) -> "array[float]":
        """The planes one after another, as an array.array of floats."""
        if as_position(position).game != self.game:
            raise QuevedoError(f"planes: they are for {self.game}, not {position.game}")
        area = self.shape[1] * self.shape[2]
        values = array("f", bytes(4 * self.size))
        for cell, piece, count in position._standing():
            values[piece * area + self._places[cell]] = count
        seat = position.seat
        start = (self._turn + (seat if seat >= 0 else self.game.seats)) * area
        values[start : start + area] = array("f", [1.0]) * area
        return values

    def __call__(self, position: Position) -> Any:
        """The planes as a numpy array of this shape; without numpy, flat."""
        values = self.flat(position)
        return values if numpy is None else numpy.frombuffer(values, dtype=numpy.float32).reshape(self.shape)


def rewards(game: Game, result: Result) -> Tuple[float, ...]:
    """What a result is worth for each seat. They add up to 0, except for a single seat.

    Two seats: 1 for a win, -1 for a loss, 0 for a draw; where the margin counts (game.stakes), the
    margin. More seats: the mean over the other seats of 1, 0 or -1, as matches count. One: its points.
    """
    points = result.points
    if len(points) == 1:
        return (float(points[0]),)
    most = game.stakes or 1

    def against(own: int, other: int) -> float:
        if len(points) == 2 and game.stakes:
            return float(max(-most, min(most, own - other)))
        return float((own > other) - (own < other))

    return tuple(
        sum(against(own, other) for rival, other in enumerate(points) if rival != seat) / (len(points) - 1)
        for seat, own in enumerate(points)
    )
