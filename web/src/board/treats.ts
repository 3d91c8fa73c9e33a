// treats.ts - what the page adds to the boards of some games: a road, a frame, room above a rack, the rows that count.
// SPDX-License-Identifier: MIT
import type { Board, Cell } from "../types";
import { FIRST_ANGLE, inSpace } from "./space";

const HEAD_ROOM = 88; // above a rack: the next disc waits there

export function isRack(board: Board): boolean {
	return board.ground === "frame" && board.cells.every(({ tone }) => tone === "hole");
}

function rack(board: Board): Board {
	const lower = <T extends { y: number }>(one: T): T => ({ ...one, y: one.y + HEAD_ROOM });
	return isRack(board) ? { ...board, top: HEAD_ROOM, height: board.height + HEAD_ROOM, cells: board.cells.map(lower), labels: board.labels.map(lower) } : board;
}

/** The cells of each line of the board: the mills of nine men's morris. */
function mills(board: Board): Board {
	const on = ([x1, y1, x2, y2]: Board["lines"][number], { x, y, shape }: Cell) => shape === "point" &&
		Math.min(x1, x2) <= x && x <= Math.max(x1, x2) && Math.min(y1, y2) <= y && y <= Math.max(y1, y2);
	const rows = board.lines.map((line) => board.cells.flatMap((cell, i) => (on(line, cell) ? [i] : []))).filter(({ length }) => length === 3);
	/* From one end to the other. */
	return { ...board, rows: rows.map((row) => row.sort((a, b) => board.cells[a]!.x - board.cells[b]!.x || board.cells[a]!.y - board.cells[b]!.y)) };
}

const PLACE_SIZE = 84;

/** The track of Race! as a road of round places, with an arrow from each place to the next. */
function road(board: Board): Board {
	const isOnTrack = ({ name }: Cell) => /^\d+$/.test(name);
	const track = board.cells.filter(isOnTrack), owners = board.pieces.map(({ paint }) => paint);
	const by = (name: string) => board.cells.find((cell) => cell.name === name);
	const arrow = (from: Cell | undefined, to: Cell | undefined) => {
		if (!from || !to)
			return "";
		const x = (from.x + to.x) / 2, y = (from.y + to.y) / 2, far = Math.hypot(to.x - from.x, to.y - from.y);
		const u = (to.x - from.x) / far, v = (to.y - from.y) / far;
		return `M${x - 5 * u - 9 * v} ${y - 5 * v + 9 * u}L${x + 5 * u} ${y + 5 * v}L${x - 5 * u + 9 * v} ${y - 5 * v - 9 * u}`;
	};
	const [first, last] = [track[0], track[track.length - 1]];
	const over = (cell: Cell | undefined, at: Cell | undefined) => (cell && at ? { ...cell, x: at.x } : undefined);
	return {
		...board,
		cells: board.cells.map((cell) => {
			const seat = /^(?:start|home) (\d)$/.exec(cell.name)?.[1], owner = owners[Number(seat) - 1];
			return isOnTrack(cell) ? { ...cell, shape: "ellipse", width: PLACE_SIZE, height: PLACE_SIZE } : owner ? { ...cell, owner } : cell;
		}),
		labels: board.labels.map((label) => {
			const at = by(label.text); // numbers are in the middle of their places, and men stand on them
			return at ? { ...label, x: at.x, y: at.y } : label;
		}),
		under: [["road", track.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("")]],
		above: [["ways", track.map((cell, i) => arrow(cell, track[i + 1])).join("") + arrow(over(by("start 1"), first), first) + arrow(last, over(by("home 1"), last))]],
	};
}

/** A wooden frame around the squares of draughts: the light ones are the ground, of which the frame takes the edge. */
function framed(board: Board): Board {
	const [x1, x2] = [Math.min(...board.lines.map(([x]) => x)), Math.max(...board.lines.map(([x]) => x))];
	return board.ground === "light" && board.lines.length === 4
		? { ...board, ground: "wood", lines: [], under: [["tone-light", `M${x1} ${x1}H${x2}V${x2}H${x1}Z`]] } : board;
}

const TREATS: Record<string, (board: Board) => Board> = {
	connect4: rack, draughts: framed, morris: mills, race: road, noughts3d: (board) => inSpace(board, FIRST_ANGLE),
};

export function treated(board: Board, game: string): Board {
	return TREATS[game]?.(board) ?? board;
}
