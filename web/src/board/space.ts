// space.ts - boards in several levels (3D noughts and crosses) as a stack in space, seen from any side.
// SPDX-License-Identifier: MIT
import type { Board, Cell } from "../types";

const LEVELS = 4, SIDE = 100;
const WIDE = Math.round(LEVELS * SIDE * Math.SQRT2); // a level, at any angle
const APART = 226; // of two levels of the stack
const MARGIN = 48;
const BELOW = 46; // room for the buttons that turn it

export const FIRST_ANGLE = -28; // degrees: no two cells of a level are behind each other

interface Place {
	column: number;
	row: number;
	level: number;
}

/** "b3C" */
function placeOf({ name }: Cell): Place {
	return { column: name.charCodeAt(0) - 97, row: name.charCodeAt(1) - 49, level: name.charCodeAt(2) - 65 };
}

/** All lines of four through the cube, as cells. */
function linesOf(places: Place[]): number[][] {
	const cells = new Map(places.map(({ column, row, level }, i) => [`${column} ${row} ${level}`, i]));
	const steps = [-1, 0, 1];
	const directions = steps.flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z] as const)))
		.filter(([x, y, z]) => (z || y || x) > 0); // each line in one direction only
	return places.flatMap(({ column, row, level }) => directions.flatMap(([x, y, z]) => {
		const line = [0, 1, 2, 3].flatMap((i) => cells.get(`${column + i * x} ${row + i * y} ${level + i * z}`) ?? []);
		return line.length === LEVELS ? [line] : [];
	}));
}

/**
 * The stack, turned by an angle in degrees. Its size does not depend on the angle. spread: the levels are two by two, and less tilted,
 * because in a low window the cells of the stack are too small for a finger.
 */
export function inSpace(board: Board, angle: number, spread = board.spread ?? false): Board {
	const turn = angle * Math.PI / 180, cos = Math.cos(turn), sin = Math.sin(turn);
	const squash = spread ? 0.75 : 0.44, high = Math.round(WIDE * squash), columns = spread ? 2 : 1, apart = spread ? high : APART;
	const tilt: Cell["tilt"] = [cos, sin * squash, -sin, cos * squash];
	/* A point of a level, in cells from its centre. */
	const point = (x: number, y: number, level: number): [number, number] => [
		Math.round(MARGIN + WIDE * (0.5 + level % columns) + SIDE * (x * cos - y * sin)),
		Math.round((high + MARGIN) / 2 + Math.floor(level / columns) * apart + SIDE * (x * sin + y * cos) * squash),
	];
	const half = LEVELS / 2, ends = [-half, half], levels = [0, 1, 2, 3];
	const places = board.cells.map(placeOf);
	const outline = (level: number, more: number) => [[-1, -1], [1, -1], [1, 1], [-1, 1]]
		.map(([x = 0, y = 0], i) => { const [a, b] = point(x * (half + more), y * (half + more), level); return `${i ? "L" : "M"}${a} ${b}`; }).join("") + "Z";
	const label = (text: string, x: number, y: number, level: number) => { const [a, b] = point(x, y, level); return { text, x: a, y: b }; };
	/* The corner at the left carries the name of the level. */
	const left = (level: number) => ends.flatMap((x) => ends.map((y) => point(x, y, level))).reduce((best, one) => (one[0] < best[0] ? one : best));
	/* The edges in front carry the names of columns and rows. */
	const front = cos >= 0 ? half + 0.32 : -half - 0.32, side = sin >= 0 ? half + 0.32 : -half - 0.32;
	return {
		...board, spins: true, spread, width: columns * WIDE + 2 * MARGIN, height: (LEVELS / columns - 1) * apart + high + MARGIN + (spread ? 0 : BELOW),
		cells: board.cells.map((cell, i) => {
			const { column, row, level } = places[i]!;
			const [x, y] = point(column - half + 0.5, row - half + 0.5, level);
			return { ...cell, x, y, row: level * LEVELS + row, column, tilt };
		}),
		lines: levels.flatMap((level) => [-2, -1, 0, 1, 2].flatMap((i): [number, number, number, number][] => [
			[...point(i, -half, level), ...point(i, half, level)], [...point(-half, i, level), ...point(half, i, level)],
		])),
		labels: levels.flatMap((level) => [
			{ text: "ABCD".charAt(level), x: left(level)[0] - 22, y: left(level)[1] },
			...(level < LEVELS - 1 ? [] : [0, 1, 2, 3].flatMap((i) => [
				label("abcd".charAt(i), i - half + 0.5, front, level), label("1234".charAt(i), side, i - half + 0.5, level),
			])),
		]),
		under: [
			["posts", spread ? "" : ends.flatMap((x) => ends.map((y) => { const [a, b] = point(x, y, 0), [, c] = point(x, y, LEVELS - 1); return `M${a} ${b}V${c}`; })).join("")],
			...levels.map((level): [string, string] => ["plate", outline(level, 0.06)]),
		],
		rows: board.rows ?? linesOf(places),
	};
}
