// numbered.ts - boards without labels, for texts that name squares: each square gets its name in a corner.
// SPDX-License-Identifier: MIT
import type { Board } from "../types";

const INSET = 14, SIZE = 16; // pieces leave the corners of a cell free

const made = new WeakMap<Board, Board>();

/** The same board if it has labels. */
export function numbered(board: Board): Board {
	if (board.labels.length)
		return board;
	const known = made.get(board) ?? {
		...board, label_size: SIZE,
		labels: board.cells.map(({ name, x, y, width, height }) => ({ text: name, x: x - width / 2 + INSET, y: y - height / 2 + INSET })),
	};
	made.set(board, known);
	return known;
}
