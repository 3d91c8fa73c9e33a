// backgammon.ts - what the page knows of backgammon beyond its board: places as each seat counts them, and what lies on the board.
// SPDX-License-Identifier: MIT
import type { Board, Piece, Standing } from "../types";

const POINTS = 24, HOME = 6, BAR = 25, OFF = 0;

export function isBackgammon(game: string): boolean {
	return game.split(":", 1)[0] === "backgammon";
}

/** The place of a cell as the seat counts: 1 to 24, 25 for the bar, 0 for the tray; null: another cell. */
export function placeOf(board: Board, seat: number, cell: number): number | null {
	if (cell < POINTS)
		return seat === 1 ? cell + 1 : POINTS - cell;
	const name = board.cells[cell]?.name ?? "";
	return name.endsWith(" bar") ? BAR : name.endsWith(" tray") ? OFF : null;
}

/** Labels and names of the points, as the player in front of the board counts them. */
export function facing(board: Board, turned: boolean): Board {
	if (!turned || !isBackgammon(board.game))
		return board;
	const count = (text: string) => (/^\d+$/.test(text) ? String(BAR - Number(text)) : text);
	return {
		...board,
		labels: board.labels.map((label) => ({ ...label, text: count(label.text) })),
		cells: board.cells.map((cell) => ({ ...cell, name: count(cell.name) })),
	};
}

/** The pips that a seat has to move until all its men are off. */
export function pipsOf(board: Board, standing: Standing[], seat: number): number {
	return standing.reduce((sum, [cell, piece, count]) =>
		sum + (board.pieces[piece]?.seat === seat ? count * (placeOf(board, seat, cell) ?? 0) : 0), 0);
}

/** Whether the board has a cell for a piece: without the doubling cube it has none for the cubes. */
export function hasPlace(board: Board, { name }: Piece): boolean {
	return !isBackgammon(board.game) || !name.startsWith("cube ") || board.cells.some((cell) => cell.name === "cube");
}

function diceOf(board: Board, standing: Standing[]): { cell: number; face: number }[] {
	return standing.flatMap(([cell, piece]) => {
		const face = /^die (\d)$/.exec(board.pieces[piece]?.name ?? "")?.[1];
		return face ? [{ cell, face: Number(face) }] : [];
	});
}

/**
 * Whether a man may be taken off now: all men are on points 1 to 6, and one of the dice that are left is the number of the point, or
 * is larger and no man is behind. `standing` is after the steps, which are pairs of cells. Other steps are always allowed.
 */
export function canBearOff(board: Board, standing: Standing[], seat: number, steps: number[], from: number, to: number): boolean {
	const place = placeOf(board, seat, from);
	if (!isBackgammon(board.game) || place === null || placeOf(board, seat, to) !== OFF)
		return true;
	const places = standing.flatMap(([cell, piece]) => board.pieces[piece]?.seat === seat ? [placeOf(board, seat, cell) ?? OFF] : []);
	const last = Math.max(...places), used = usedDice(board, standing, seat, steps);
	return last <= HOME && diceOf(board, standing).some(({ cell, face }) => !used.has(cell) && (face === place || (face > place && last === place)));
}

/** The cells of the dice that these steps, pairs of cells, have used. */
export function usedDice(board: Board, standing: Standing[], seat: number, steps: number[]): Set<number> {
	const dice = diceOf(board, standing);
	const used = new Set<number>();
	for (let i = 0; i + 1 < steps.length; i += 2) {
		const from = placeOf(board, seat, steps[i] ?? -1), to = placeOf(board, seat, steps[i + 1] ?? -1);
		if (from === null || to === null)
			continue;
		/* Only men that are taken off may use a larger die. */
		const [die] = dice.filter(({ cell, face }) => !used.has(cell) && (face === from - to || (to === OFF && face > from)))
			.sort((a, b) => a.face - b.face);
		if (die)
			used.add(die.cell);
	}
	return used;
}

export interface CubeAndMatch {
	cube: number | null; // its value; null: the game has no cube
	length: number; // of the match; 0: a money game
	score: [number, number];
	crawford: boolean;
	phase: string; // the roll, "-", "roll", "double", "beaver" or "won"
}

/** The parts of a position text that describe the cube and the match. */
export function cubeAndMatch(position: string): CubeAndMatch {
	const cube = / cube (\d+) /.exec(position)?.[1];
	const match = / match (\d+) (\d+) (\d+)( crawford)?$/.exec(position);
	return {
		cube: cube ? Number(cube) : null, length: Number(match?.[1] ?? 0), score: [Number(match?.[2] ?? 0), Number(match?.[3] ?? 0)],
		crawford: match?.[4] !== undefined, phase: position.split(" ")[3] ?? "-",
	};
}
