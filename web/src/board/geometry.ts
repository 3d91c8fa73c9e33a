// geometry.ts - positions and outlines of cells, and keyboard navigation between them.
// SPDX-License-Identifier: MIT
import type { Board, Cell } from "../types";

export interface Point {
	x: number;
	y: number;
}

/** The centre of a cell as drawn; a turned board is rotated by 180 degrees. */
export function middle(board: Board, cell: Cell, turned: boolean): Point {
	return turned ? { x: board.width - cell.x, y: board.height - cell.y } : { x: cell.x, y: cell.y };
}

/** The outline of a cell around its centre, as SVG path data. */
export function outline(cell: Cell, turned = false): string {
	const w = cell.width / 2, h = cell.height / 2, s = cell.slant / 2;
	switch (cell.shape) {
	case "ellipse":
		return `M${-w} 0A${w} ${h} 0 0 1 ${w} 0A${w} ${h} 0 0 1 ${-w} 0Z`;
	case "hexagon":
		return `M0 ${-h}L${w} ${-h / 2}V${h / 2}L0 ${h}L${-w} ${h / 2}V${-h / 2}Z`;
	case "triangle":
	case "triangle-down": {
		const tip = (cell.shape === "triangle") !== turned ? -h : h;
		return `M${-w} ${-tip}H${w}L0 ${tip}Z`;
	}
	default:
		return `M${-w + s} ${-h}H${w + s}L${w - s} ${h}H${-w - s}Z`;
	}
}

/** The transform that fits a picture of the box -50 to 50 into a cell. */
export function fit(cell: Cell): string {
	if (cell.slant)
		return `matrix(${cell.width / 100} 0 ${-cell.slant / 100} ${cell.height / 100} 0 0)`;
	return `scale(${Math.min(cell.width, cell.height) / 100})`;
}

const STACK_STEP = 0.88; // the distance of pieces in a stack, as in quevedo_board.h

/** The pieces of a stack that fit into the cell, as heights below its centre; one piece is in the centre of other cells. */
export function stackOf(cell: Cell, count: number, turned: boolean): number[] {
	if (!cell.stack)
		return [0];
	const step = STACK_STEP * cell.width, free = cell.height - cell.width;
	const sign = (cell.stack === "up") !== turned ? 1 : -1;
	return Array.from({ length: Math.min(count, 1 + Math.floor(free / step)) }, (_, i) => sign * (free / 2 - i * step));
}

/** The centre of the last of some pieces on a cell, as drawn. */
export function topOf(board: Board, cell: Cell, count: number, turned: boolean): Point {
	const { x, y } = middle(board, cell, turned);
	return { x, y: y + (stackOf(cell, count, turned).pop() ?? 0) };
}

/** Rows of cells in reading order; reversed on a turned board. */
export function rowsOf(board: Board, turned: boolean): number[][] {
	const rows = new Map<number, number[]>();
	board.cells.forEach((cell, i) => rows.set(cell.row, [...(rows.get(cell.row) ?? []), i]));
	const sign = turned ? -1 : 1;
	const column = (i: number) => board.cells[i]?.column ?? 0;
	return [...rows.entries()]
		.sort(([a], [b]) => sign * (a - b))
		.map(([, cells]) => cells.sort((a, b) => sign * (column(a) - column(b))));
}

/** The cell that a key leads to; the same cell if there is no such cell. */
export function walk(rows: number[][], board: Board, from: number, key: string): number {
	const r = rows.findIndex((row) => row.includes(from));
	const row = rows[r] ?? [];
	const i = row.indexOf(from);
	switch (key) {
	case "ArrowLeft":
		return row[i - 1] ?? from;
	case "ArrowRight":
		return row[i + 1] ?? from;
	case "ArrowUp":
		return nearest(rows[r - 1], board, from);
	case "ArrowDown":
		return nearest(rows[r + 1], board, from);
	case "Home":
		return row[0] ?? from;
	case "End":
		return row[row.length - 1] ?? from;
	case "PageUp":
		return nearest(rows[0], board, from);
	case "PageDown":
		return nearest(rows[rows.length - 1], board, from);
	default:
		return from;
	}
}

/** The cell of the row in the same column, else the nearest one. */
function nearest(row: number[] | undefined, board: Board, from: number): number {
	const here = board.cells[from];
	if (!row || !here)
		return from;
	const distance = (i: number) => {
		const cell = board.cells[i];
		return cell ? Math.abs(cell.column - here.column) * 1e6 + Math.abs(cell.x - here.x) : Infinity;
	};
	return row.reduce((best, i) => (distance(i) < distance(best) ? i : best), row[0] ?? from);
}
