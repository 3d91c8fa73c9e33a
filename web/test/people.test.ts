// people.test.ts - unit tests of playing with other people: QR codes, notifications, phrases.
// SPDX-License-Identifier: MIT
import { test } from "node:test";
import assert from "node:assert/strict";
import { hear, heard } from "../src/people/heard";
import { newsOf } from "../src/people/notify";
import { qrCode, type Modules } from "../src/people/qr";
import type { Play, Seat } from "../src/types";

// ---- A reader of QR codes, from the tables of the standard ----

const FORMATS = ["101010000010010", "101000100100101", "101111001111100", "101101101001011", "100010111111001", "100000011001110", "100111110010111", "100101010100000"];
const MASKS = [
	(r: number, c: number) => (r + c) % 2, (r: number) => r % 2, (_: number, c: number) => c % 3, (r: number, c: number) => (r + c) % 3,
	(r: number, c: number) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2, (r: number, c: number) => ((r * c) % 2) + ((r * c) % 3),
	(r: number, c: number) => (((r * c) % 2) + ((r * c) % 3)) % 2, (r: number, c: number) => (((r + c) % 2) + ((r * c) % 3)) % 2,
];
/** By size: the centres of the alignment patterns, the data bytes of each block, and the bytes of their error correction. */
const VERSIONS: Record<number, { centres: number[]; blocks: number[]; check: number }> = {
	21: { centres: [], blocks: [16], check: 10 },
	33: { centres: [6, 26], blocks: [32, 32], check: 18 },
	57: { centres: [6, 28, 50], blocks: [43, 43, 43, 43, 44], check: 26 },
};

function isData(size: number, r: number, c: number): boolean {
	const { centres } = VERSIONS[size]!, last = centres[centres.length - 1] ?? 0;
	if (r === 6 || c === 6 || (r < 9 && c < 9) || (r < 9 && c >= size - 8) || (r >= size - 8 && c < 9))
		return false;
	if (size >= 45 && ((r < 6 && c >= size - 11) || (c < 6 && r >= size - 11)))
		return false;
	return !centres.some((y) => centres.some((x) => !(x === 6 && y === 6) && !(x === 6 && y === last) && !(x === last && y === 6) &&
		Math.abs(r - y) < 3 && Math.abs(c - x) < 3));
}

/** Whether the block is a multiple of the generator: all its syndromes are 0. */
function isSound(block: number[], check: number): boolean {
	const power: number[] = [1];
	for (let i = 1; i < 255; i++)
		power[i] = power[i - 1]! < 128 ? 2 * power[i - 1]! : (2 * power[i - 1]!) ^ 0x11d;
	return Array.from({ length: check }, (_, i) => block.reduce((sum, byte, at) =>
		byte ? sum ^ power[(power.indexOf(byte) + i * (block.length - 1 - at)) % 255]! : sum, 0)).every((sum) => sum === 0);
}

function readCode(code: Modules): string {
	const size = code.length, dark = (r: number, c: number) => code[r]![c] ? 1 : 0;
	const format = [[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]]
		.map(([r, c]) => dark(r!, c!)).join("");
	const mask = FORMATS.indexOf(format), { blocks, check } = VERSIONS[size]!;
	assert.ok(mask >= 0, `format ${format}`);
	const bits: number[] = [];
	let up = true;
	for (let c = size - 1; c > 0; c -= 2, up = !up) {
		if (c === 6)
			c--;
		for (let i = 0; i < size; i++)
			for (const at of [c, c - 1]) {
				const r = up ? size - 1 - i : i;
				if (isData(size, r, at))
					bits.push(dark(r, at) ^ (MASKS[mask]!(r, at) === 0 ? 1 : 0));
			}
	}
	const bytes = Array.from({ length: bits.length >> 3 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(""), 2));
	const parts: number[][] = blocks.map(() => []);
	let next = 0;
	for (let i = 0; i < Math.max(...blocks); i++)
		blocks.forEach((length, b) => i < length && parts[b]!.push(bytes[next++]!));
	const data = parts.flat();
	for (let i = 0; i < check; i++)
		parts.forEach((part) => part.push(bytes[next++]!));
	assert.ok(parts.every((part) => isSound(part, check)), "error correction");
	const text = data.map((byte) => byte.toString(2).padStart(8, "0")).join(""), head = size < 57 ? 12 : 20;
	assert.equal(text.slice(0, 4), "0100", "bytes");
	const length = parseInt(text.slice(4, head), 2);
	return new TextDecoder().decode(Uint8Array.from({ length }, (_, i) => parseInt(text.slice(head + 8 * i, head + 8 * i + 8), 2)));
}

test("an invitation as a QR code is read again", () => {
	const link = "https://quevedo.example/play/v-BgYs-eDpk4Ut8H?x=äöü&m=1";
	for (const text of ["http://a.b/c", link, link.padEnd(200, "z")])
		assert.equal(readCode(qrCode(text)!), text);
	const big = qrCode(link.padEnd(200, "z"))!;
	const version = Array.from({ length: 18 }, (_, i) => big[Math.floor((17 - i) / 3)]![46 + ((17 - i) % 3)] ? 1 : 0).join("");
	assert.equal(version, "001010010011010011");
	assert.equal(qrCode("x".repeat(214)), null);
});

// ---- News and phrases ----

const seat = (number: number, kind: string, you = false): Seat => ({ seat: number, kind, name: "", spec: null, you, connected: true }) as Seat;
const play = (more: Partial<Play>): Play => ({
	id: "a", seats: [seat(1, "person", true), seat(2, "person")], view: { seat: 2, turn: 2, over: false }, offers: [], result: null, dice: null, ...more,
}) as unknown as Play;
const myTurn = { view: { seat: 1, turn: 1, over: false } as Play["view"] };

test("what a player in another tab is told", () => {
	assert.equal(newsOf(play({}), play(myTurn)), "turn");
	assert.equal(newsOf(play(myTurn), play(myTurn)), "");
	assert.equal(newsOf(play({ seats: [seat(1, "person", true), seat(2, "open")] }), play(myTurn)), "joined");
	assert.equal(newsOf(play({}), play({ offers: [{ kind: "draw", seat: 2 }] })), "offer");
	assert.equal(newsOf(play({}), play({ offers: [{ kind: "draw", seat: 1 }] })), "", "your own");
	assert.equal(newsOf(play({}), play({ ...myTurn, seats: [seat(1, "person", true), seat(2, "computer")] })), "", "a computer");
});

test("phrases that come again after a reconnection are heard once", () => {
	for (const number of [5, 6, 5, 6, 9])
		hear("a", { type: "phrase", seat: 1, phrase: "hello", number });
	assert.deepEqual(heard.get().phrases.map(({ number }) => number), [5, 6, 9]);
	hear("b", { type: "phrase", seat: 1, phrase: "hello", number: 1 });
	assert.equal(heard.get().phrases.length, 1);
});
