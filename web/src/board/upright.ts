// upright.ts - boards that are too wide for a phone: rows become columns, so that points and men are larger.
// SPDX-License-Identifier: MIT
import type { Board, Cell } from "../types";
import { isBackgammon } from "./backgammon";

const LENGTH = 0.8; // of the points, compared with the wide board: the shorter they are, the larger are the men
const MARGIN = 8; // more room for the labels
const LABEL_SIZE = 32;
const OVERLAP = 0.67; // five men still fit

const SHAPES: Partial<Record<Cell["shape"], Cell["shape"]>> = { triangle: "triangle-left", "triangle-down": "triangle-right" };

/**
 * The same board with the near side at the right and the end with the trays at the bottom. Cells keep their order.
 * Boards that fit a phone are returned as they are.
 */
export function uprightBoard(board: Board): Board {
	if (!isBackgammon(board.game))
		return board;
	const across = (y: number) => MARGIN + LENGTH * y;
	return {
		...board, upright: true, label_size: LABEL_SIZE, width: Math.round(across(board.height) + MARGIN), height: board.width,
		labels: board.labels.map(({ text, x, y }) => ({ text, x: across(y), y: x })),
		cells: board.cells.map((cell) => ({
			...cell, x: across(cell.y), y: cell.x, width: cell.stack ? LENGTH * cell.height : cell.height, height: cell.width,
			row: cell.column, column: cell.row, shape: SHAPES[cell.shape] ?? cell.shape,
			...(cell.stack ? { stack: cell.stack === "up" ? "left" : "right", overlap: OVERLAP } : {}),
		})),
	};
}
