// marks.test.ts - unit tests of the marks on boards: their contrast to every board in every theme, and what they mean.
// SPDX-License-Identifier: MIT
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EDGES, fullRows, meaningOf, openRows } from "../src/board/marks";
import { inSpace } from "../src/board/space";
import { PALETTES, SETS, THEMES } from "../src/board/themes";
import type { Board, Cell, Piece, View } from "../src/types";

const css = readFileSync(join(process.env["QUEVEDO_PAGE"] ?? "src", "css/tokens.css"), "utf8");
const [light = "", dark = ""] = css.split(':root[data-theme="dark"]');

/** The colour of a token; the dark scheme has those of the light one that it does not change. */
function token(name: string, isDark: boolean): string {
	const found = [...isDark ? [dark] : [], light].map((text) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)?.[1]).find(Boolean);
	assert.ok(found, `--${name}`);
	return found;
}

const channels = (colour: string) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (colour: string) => channels(colour).map(linear).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i]!, 0);

function contrast(one: string, other: string): number {
	const [a, b] = [luminance(one), luminance(other)];
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The difference of two colours as people see it (CIE 1976); 2 is just visible. */
function difference(one: string, other: string): number {
	const lab = (colour: string) => {
		const [r = 0, g = 0, b = 0] = channels(colour).map(linear);
		const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
		const [x, y, z] = [f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), f(0.2126 * r + 0.7152 * g + 0.0722 * b), f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)];
		return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
	};
	const [a, b] = [lab(one), lab(other)];
	return Math.hypot(...a.map((value, i) => value - b[i]!));
}

const TONES = ["tone-light", "tone-dark", "tone-felt", "tone-wood", "tone-frame", "tone-hole", "tone-tray", "tone-none", "road"] as const;
const SCREEN = "#000000"; // the look of 1983

/** What a mark can be drawn on: every colour of cells and grounds, in the standard theme of both schemes and in each other theme. */
const boards: [where: string, colour: string][] = [
	...[false, true].flatMap((isDark) => TONES.map((tone): [string, string] => [`${tone}, ${isDark ? "dark" : "light"}`, token(tone, isDark)])),
	...Object.entries(PALETTES).flatMap(([name, { colours }]) => TONES.map((tone): [string, string] => [`${tone}, ${name}`, colours[tone]])),
	["1983", SCREEN],
];

/** The lines of each mark, in the colours of both schemes, which are the same. */
const marks: Record<string, string[]> = {
	...Object.fromEntries(Object.entries(EDGES).map(([kind, edges]) => [kind, edges.map((edge) => token(`mark-${edge === "core" ? kind : edge}`, true))])),
	legal: [token("mark-legal", true), token("mark-light", true)],
	...Object.fromEntries(["mark-hint", "mark-line", "mark-theory", "drawn-1", "drawn-2", "drawn-3", "drawn-4"]
		.map((name) => [name, [token(name, true), token("mark-light", true), token("mark-dark", true)]])),
};

test("each mark has a contrast of 3:1 to every board in every theme", () => {
	for (const [mark, lines] of Object.entries(marks))
		for (const [where, colour] of boards) {
			const best = Math.max(...lines.map((line) => contrast(line, colour)));
			assert.ok(best >= 3, `${mark} on ${where}: ${best.toFixed(2)}`);
		}
});

test("marks of different meanings have different colours", () => {
	const cores = ["legal", "last", "selected", "hover", "must", "check", "won", "hint", "line", "theory"].map((name) => [name, token(`mark-${name}`, true)] as const);
	for (const [i, [name, colour]] of cores.entries())
		for (const [other, second] of cores.slice(i + 1))
			assert.ok(difference(colour, second) > 25, `${name} and ${other}: ${difference(colour, second).toFixed(1)}`);
});

test("drawings have the hues of their names in PGN files", () => {
	const hue = (colour: string) => {
		const [r = 0, g = 0, b = 0] = channels(colour);
		return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180 / Math.PI + 360) % 360;
	};
	for (const [i, wanted] of [0, 120, 50, 210].entries()) {
		const off = Math.abs(hue(token(`drawn-${i + 1}`, true)) - wanted) % 360;
		assert.ok(Math.min(off, 360 - off) < 15, `${"RGYB"[i]}: ${off}`);
	}
	assert.ok(difference(token("drawn-4", true), token("mark-hint", true)) > 25, "the engine's arrow is another blue");
});

test("lines and labels of every theme are readable", () => {
	for (const [name, { colours }] of Object.entries(PALETTES))
		for (const [ink, ground] of [["tone-wood-ink", "tone-wood"], ["tone-frame-ink", "tone-frame"], ["on-light-ink", "tone-light"], ["tone-none-ink", "tone-none"]] as const)
			assert.ok(contrast(colours[ink], colours[ground]) >= 4.5, `${name}: ${ink}`);
	assert.ok(THEMES.length >= 4 && SETS.length >= 2);
});

const cell = (name: string, row = 0, column = 0): Cell =>
	({ name, x: 0, y: 0, width: 100, height: 100, slant: 0, row, column, group: 0, shape: "rectangle", tone: "light" });
const piece = (name: string, seat: number): Piece => ({ name, body: `M0 0Z ${name}`, detail: "M0 0Z", paint: seat === 1 ? "light" : "dark", seat, most: 1 });
const board = (pieces: Piece[], cells = [cell("a1")]): Board =>
	({ game: "any", title: "Any", width: 100, height: 100, ground: "wood", turnable: false, lines: [], labels: [], cells, pieces });

test("a king in check is not a king that must capture, and marks at the end are of the winner", () => {
	const chess = board([piece("white king", 1), piece("white pawn", 1)]), draughts = board([piece("white king", 1), piece("white man", 1)]);
	const view = (over: boolean): Pick<View, "standing" | "over"> => ({ standing: [[0, 0, 1]], over });
	assert.equal(meaningOf(chess, view(false), 0), "check");
	assert.equal(meaningOf(chess, view(true), 0), "check");
	assert.equal(meaningOf(draughts, view(false), 0), "must");
	assert.equal(meaningOf(draughts, view(true), 0), "won");
});

test("a piece set keeps what tells the pieces of a side apart", () => {
	const draughts = board([{ ...piece("white man", 1), body: "M0 0Z" }, { ...piece("white king", 1), body: "M0 0Z", detail: "M1 1Z" }, piece("black man", 2)]);
	for (const { draw } of SETS) {
		const [man, king] = draw(draughts).pieces;
		assert.notDeepEqual([man?.body, man?.detail], [king?.body, king?.detail]);
	}
	const kinds = ["pawn", "knight", "bishop", "rook", "queen", "king"].map((kind) => piece(`white ${kind}`, 1));
	const modern = SETS.find(({ name }) => name === "modern")!.draw(board(kinds));
	assert.equal(new Set(modern.pieces.map(({ body }) => body)).size, 6);
	assert.ok(modern.pieces.every(({ body }, i) => body !== kinds[i]?.body), "they are drawn differently");
});

test("the stack in space has the 76 lines of the cube, and draws through a full one", () => {
	const cells = Array.from({ length: 64 }, (_, i) => cell(`${"abcd"[i & 3]}${1 + (i >> 2 & 3)}${"ABCD"[i >> 4]}`));
	const stack = inSpace(board([piece("cross", 1), piece("nought", 2)], cells), 20);
	assert.equal(stack.rows?.length, 76);
	assert.equal(new Set(stack.cells.map(({ x, y }) => `${x} ${y}`)).size, 64, "no cell is hidden behind another");
	assert.equal(new Set(stack.cells.map(({ row, column }) => `${row} ${column}`)).size, 64);
	for (const angle of [0, 45, 133, 270])
		for (const { x, y } of inSpace(stack, angle).cells)
			assert.ok(x > 0 && y > 0 && x < stack.width && y < stack.height);
	const standing: View["standing"] = [[0, 0, 1], [21, 0, 1], [42, 0, 1], [63, 0, 1], [1, 1, 1]];
	const last = { touches: [63] } as View["last"];
	assert.deepEqual(fullRows(stack, { standing, last }), [[0, 21, 42, 63]]);
	assert.deepEqual(fullRows(stack, { standing: standing.slice(1), last }), []);
	assert.equal(openRows(stack, { standing: [], seat: 1 }, 0).length, 7);
	assert.equal(openRows(stack, { standing: [[1, 1, 1]], seat: 1 }, 0).length, 6);
});
