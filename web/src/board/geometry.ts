// geometry.ts - positions and outlines of cells, and keyboard navigation between them.
// SPDX-License-Identifier: MIT
import type { Board, Cell } from "../types";

export interface Point {
	x: number;
	y: number;
}

/** A point of the board as drawn; a turned board is rotated by 180 degrees, an upright one is mirrored. */
export function pointOn(board: Board, { x, y }: Point, turned: boolean): Point {
	return turned ? { x: board.width - x, y: board.upright ? y : board.height - y } : { x, y };
}

/** The centre of a cell as drawn. */
export function middle(board: Board, cell: Cell, turned: boolean): Point {
	return pointOn(board, cell, turned);
}

/** The outline of a cell around its centre, as SVG path data. */
export function outline(cell: Cell, turned = false): string {
	const w = cell.width / 2, h = cell.height / 2, s = cell.slant / 2;
	if (cell.tilt) {
		const [a, b, c, d] = cell.tilt, corner = (x: number, y: number) => `${short(a * x + c * y)} ${short(b * x + d * y)}`;
		return `M${corner(-w, -h)}L${corner(w, -h)}L${corner(w, h)}L${corner(-w, h)}Z`;
	}
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
	case "triangle-left":
	case "triangle-right": {
		const tip = (cell.shape === "triangle-left") !== turned ? -w : w;
		return `M${-tip} ${-h}V${h}L${tip} 0Z`;
	}
	default:
		return `M${-w + s} ${-h}H${w + s}L${w - s} ${h}H${-w - s}Z`;
	}
}

function short(number: number): number {
	return Math.round(number * 100) / 100;
}

/** The outline of the mark on a cell, `by` inside its edge. Men on points are round, and so are their marks. */
export function inset(cell: Cell, by: number, turned = false): string {
	return outline({ ...cell, width: cell.width - 2 * by, height: cell.height - 2 * by, shape: cell.shape === "point" ? "ellipse" : cell.shape }, turned);
}

/** The transform from upright to the plane of a tilted cell. */
export function plane(cell: Cell): string {
	return cell.tilt ? `matrix(${cell.tilt.join(" ")} 0 0)` : "";
}

/** The transform that fits a picture of the box -50 to 50 into a cell. */
export function fit(cell: Cell): string {
	if (cell.tilt)
		return `${plane(cell)} scale(${Math.min(cell.width, cell.height) / 100})`;
	if (cell.slant)
		return `matrix(${cell.width / 100} 0 ${-cell.slant / 100} ${cell.height / 100} 0 0)`;
	return `scale(${Math.min(cell.width, cell.height) / 100})`;
}

const STACK_STEP = 0.88; // the distance of pieces in a stack, as in quevedo_board.h

function isLying(cell: Cell): boolean {
	return cell.stack === "left" || cell.stack === "right";
}

/**
 * The pieces of a stack that fit into the cell, as heights below its centre, or in a lying stack as distances to the right of it;
 * one piece is in the centre of other cells.
 */
export function stackOf(cell: Cell, count: number, turned: boolean): number[] {
	if (!cell.stack)
		return [0];
	const [size, length] = isLying(cell) ? [cell.height, cell.width] : [cell.width, cell.height];
	const step = (cell.overlap ?? STACK_STEP) * size, free = length - size;
	const sign = (cell.stack === "up" || cell.stack === "left") !== turned ? 1 : -1;
	return Array.from({ length: Math.min(count, 1 + Math.floor(free / step)) }, (_, i) => sign * (free / 2 - i * step));
}

const MOST_SPREAD = 9; // more pieces are one piece with a number

/** Several pieces side by side on a cell without a stack: their places in hundredths of the cell, and their size. Null: too many. */
export function spread(count: number): { places: Point[]; size: number } | null {
	if (count > MOST_SPREAD)
		return null;
	const columns = Math.ceil(Math.sqrt(count)), lines = Math.ceil(count / columns), step = 92 / columns;
	return {
		size: columns === 1 ? 1 : 1.26 / columns,
		places: Array.from({ length: count }, (_, i) => {
			const line = Math.floor(i / columns), inLine = Math.min(columns, count - line * columns);
			return { x: (i % columns - (inLine - 1) / 2) * step, y: (line - (lines - 1) / 2) * step };
		}),
	};
}

/** The place of a piece in a stack, seen from the centre of the cell. */
export function inStack(cell: Cell, distance: number): Point {
	return isLying(cell) ? { x: distance, y: 0 } : { x: 0, y: distance };
}

/** The centre of the last of some pieces on a cell, as drawn. */
export function topOf(board: Board, cell: Cell, count: number, turned: boolean): Point {
	const { x, y } = middle(board, cell, turned), top = inStack(cell, stackOf(cell, count, turned).pop() ?? 0);
	return { x: x + top.x, y: y + top.y };
}

/** Rows of cells in reading order, as they are drawn. */
export function rowsOf(board: Board, turned: boolean): number[][] {
	const rows = new Map<number, number[]>();
	board.cells.forEach((cell, i) => rows.set(cell.row, [...(rows.get(cell.row) ?? []), i]));
	const across = turned ? -1 : 1, down = turned && !board.upright ? -1 : 1;
	const column = (i: number) => board.cells[i]?.column ?? 0;
	return [...rows.entries()]
		.sort(([a], [b]) => down * (a - b))
		.map(([, cells]) => cells.sort((a, b) => across * (column(a) - column(b))));
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
