// gif.test.ts - unit tests of the GIF writer, with a decoder of their own.
// SPDX-License-Identifier: MIT
import { test } from "node:test";
import assert from "node:assert/strict";
import { chooseColours, type Colour } from "../src/end/colours";
import { gifWriter } from "../src/end/gif";

interface Frame {
	delay: number;
	pixels: string[]; // of the whole picture, "r,g,b"
	box: number[];
}

/** Plain LZW: a table of sequences. */
function expand(data: number[], least: number): number[] {
	const clear = 1 << least, end = clear + 1, out: number[] = [];
	let table: number[][] = [], width = least + 1, at = 0, last: number[] | null = null;
	const read = () => {
		let code = 0;
		for (let bit = 0; bit < width; bit++, at++)
			code |= (data[at >> 3]! >> (at & 7) & 1) << bit;
		return code;
	};
	for (;;) {
		assert.ok(at + width <= 8 * data.length, "the data ends without its end code");
		const code = read();
		if (code === end)
			return out;
		if (code === clear) {
			table = Array.from({ length: end + 1 }, (_, i) => [i]);
			width = least + 1;
			last = null;
			continue;
		}
		assert.ok(code < table.length || (code === table.length && last), `code ${code} of ${table.length}`);
		const now = table[code] ?? [...last!, last![0]!];
		out.push(...now);
		if (last && table.length < 4096)
			table.push([...last, now[0]!]);
		if (table.length === 1 << width && width < 12)
			width++;
		last = now;
	}
}

function decode(bytes: Uint8Array): { width: number; height: number; loops: boolean; frames: Frame[] } {
	let at = 0;
	const byte = () => bytes[at++] ?? assert.fail("the file is too short");
	const short = () => byte() + 256 * byte();
	const text = (length: number) => Array.from({ length }, () => String.fromCharCode(byte())).join("");
	const blocks = () => {
		const data: number[] = [];
		for (let size = byte(); size; size = byte())
			for (let i = 0; i < size; i++)
				data.push(byte());
		return data;
	};
	assert.equal(text(6), "GIF89a");
	const width = short(), height = short(), flags = byte();
	at += 2;
	assert.ok(flags & 0x80);
	const colours = Array.from({ length: 2 << (flags & 7) }, () => `${byte()},${byte()},${byte()}`);
	const canvas = new Array<string>(width * height).fill("");
	const frames: Frame[] = [];
	let loops = false, delay = 0, clear = -1;
	for (let kind = byte(); kind !== 0x3b; kind = byte()) {
		if (kind === 0x21) {
			const label = byte();
			if (label === 0xf9) {
				byte();
				const how = byte();
				assert.equal(how >> 2 & 7, 1, "the picture stays");
				delay = short();
				clear = how & 1 ? byte() : (byte(), -1);
				byte();
			} else {
				byte();
				loops ||= text(11) === "NETSCAPE2.0";
				blocks();
			}
			continue;
		}
		assert.equal(kind, 0x2c);
		const box = [short(), short(), short(), short()];
		assert.equal(byte(), 0);
		const least = byte(), pixels = expand(blocks(), least);
		assert.equal(pixels.length, box[2]! * box[3]!);
		pixels.forEach((pixel, i) => {
			if (pixel !== clear)
				canvas[(box[1]! + Math.floor(i / box[2]!)) * width + box[0]! + i % box[2]!] = colours[pixel]!;
		});
		frames.push({ delay, pixels: [...canvas], box });
	}
	assert.equal(at, bytes.length);
	return { width, height, loops, frames };
}

function picture(width: number, height: number, colourAt: (x: number, y: number) => Colour): Uint8ClampedArray {
	const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++)
			rgba.set(colourAt(x, y), 4 * (y * width + x));
	return rgba;
}

test("frames come back, and only what has changed is written", () => {
	const board = (x: number, y: number): Colour => (x >> 2) + (y >> 2) & 1 ? [200, 150, 100] : [250, 240, 210];
	const first = picture(32, 24, board);
	const second = picture(32, 24, (x, y) => x >= 8 && x < 12 && y >= 4 && y < 8 ? [20, 20, 20] : board(x, y));
	const colours = chooseColours([first, second], 255);
	assert.equal(colours.length, 3);
	const gif = gifWriter(32, 24, colours);
	gif.add(first, 0.8);
	gif.add(second, 0.8);
	gif.add(second, 3);
	const { width, height, loops, frames } = decode(gif.end());
	assert.deepEqual([width, height, loops, frames.length], [32, 24, true, 3]);
	assert.deepEqual(frames.map(({ delay }) => delay), [80, 80, 300]);
	assert.deepEqual(frames[1]!.box, [8, 4, 4, 4]);
	assert.deepEqual(frames[2]!.box, [0, 0, 1, 1]);
	for (const [i, rgba] of [first, second, second].entries())
		assert.deepEqual(frames[i]!.pixels, Array.from({ length: 32 * 24 }, (_, at) => `${[...rgba.slice(4 * at, 4 * at + 3)]}`));
});

test("a noisy picture fills the table of codes again and again", () => {
	let seed = 1;
	const random = () => (seed = seed * 1103515245 + 12345 & 0x7fffffff) >> 16;
	const colours = Array.from({ length: 200 }, (_, i): Colour => [8 * (i & 31), 8 * (i >> 5), 128]);
	const noise = picture(160, 120, () => colours[random() % 200]!);
	const gif = gifWriter(160, 120, colours);
	gif.add(noise, 1);
	const [frame] = decode(gif.end()).frames;
	assert.deepEqual(frame!.pixels, Array.from({ length: 160 * 120 }, (_, at) => `${[...noise.slice(4 * at, 4 * at + 3)]}`));
});

test("pictures of every small size end at the right code width", () => {
	for (let size = 1; size < 700; size += 3) {
		const row = picture(size, 1, (x) => [(x * x) % 256 & 0xf8, x & 0xf8, 0]);
		const gif = gifWriter(size, 1, chooseColours([row], 255));
		gif.add(row, 1);
		assert.equal(decode(gif.end()).frames[0]!.pixels.length, size);
	}
});

test("more colours than fit are brought together, and areas keep theirs", () => {
	const smooth = picture(128, 128, (x, y) => y < 64 ? [63, 143, 99] : [2 * x, 2 * y, 255 - x - y / 2]);
	const colours = chooseColours([smooth], 255);
	assert.ok(colours.length <= 255 && colours.length > 200);
	const gif = gifWriter(128, 128, colours);
	gif.add(smooth, 1);
	const { pixels } = decode(gif.end()).frames[0]!;
	assert.equal(pixels[10], "63,143,99");
	const error = pixels.reduce((sum, text, at) => sum + text.split(",").reduce((more, value, c) => more + Math.abs(Number(value) - smooth[4 * at + c]!), 0), 0);
	assert.ok(error / pixels.length < 20, `mean error ${error / pixels.length}`);
});
