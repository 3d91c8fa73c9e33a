// gif.ts - writes animated GIFs: one colour table, LZW, and of each frame only what has changed.
// SPDX-License-Identifier: MIT
//
// The format: "Graphics Interchange Format, version 89a" (CompuServe, 1990).
import { nearestColours, type Colour } from "./colours";

const CODES = 4096; // the largest LZW table
const SLOTS = 8192; // of the hash table for it
const BITS = 8; // of a colour
export const CLEAR = 255; // the transparent colour: what was there before stays

/** A list of bytes that grows. */
function byteList(): { add(...values: number[]): void; addAll(values: Uint8Array): void; done(): Uint8Array<ArrayBuffer>; size(): number } {
	let bytes = new Uint8Array(1 << 16), size = 0;
	const reserve = (more: number) => {
		if (size + more <= bytes.length)
			return;
		const larger = new Uint8Array(Math.max(2 * bytes.length, size + more));
		larger.set(bytes);
		bytes = larger;
	};
	return {
		add(...values) {
			reserve(values.length);
			for (const value of values)
				bytes[size++] = value;
		},
		addAll(values) {
			reserve(values.length);
			bytes.set(values, size);
			size += values.length;
		},
		done: () => bytes.slice(0, size),
		size: () => size,
	};
}

/** Packs codes of changing widths into blocks of at most 255 bytes. */
function codeWriter(out: ReturnType<typeof byteList>): { put(code: number, bits: number): void; end(): void } {
	const block = new Uint8Array(255);
	let filled = 0, waiting = 0, bits = 0;
	const flush = () => {
		out.add(filled);
		out.addAll(block.subarray(0, filled));
		filled = 0;
	};
	const byte = (value: number) => {
		block[filled++] = value;
		if (filled === 255)
			flush();
	};
	return {
		put(code, width) {
			waiting |= code << bits;
			for (bits += width; bits >= 8; bits -= 8, waiting >>>= 8)
				byte(waiting & 255);
		},
		end() {
			if (bits)
				byte(waiting & 255);
			if (filled)
				flush();
			out.add(0);
		},
	};
}

/** LZW as in GIF: the table is emptied when it is full. */
export function compress(pixels: Uint8Array, out: ReturnType<typeof byteList>): void {
	const clear = 1 << BITS, end = clear + 1;
	const keys = new Int32Array(SLOTS), codes = new Uint16Array(SLOTS);
	const writer = codeWriter(out);
	let next = end + 1, width = BITS + 1;
	const restart = () => {
		writer.put(clear, width);
		keys.fill(-1);
		next = end + 1;
		width = BITS + 1;
	};
	out.add(BITS);
	restart();
	let prefix = pixels[0] ?? 0;
	for (let i = 1; i < pixels.length; i++) {
		const pixel = pixels[i]!, key = prefix << BITS | pixel;
		let slot = (key * 2654435761 >>> 19) & (SLOTS - 1);
		while (keys[slot]! >= 0 && keys[slot] !== key)
			slot = (slot + 1) & (SLOTS - 1);
		if (keys[slot] === key) {
			prefix = codes[slot]!;
			continue;
		}
		writer.put(prefix, width);
		prefix = pixel;
		if (next === CODES) {
			restart();
			continue;
		}
		keys[slot] = key;
		codes[slot] = next;
		if (next++ === 1 << width)
			width++;
	}
	writer.put(prefix, width);
	/* The decoder may have made its table wider by now. */
	if (next === 1 << width && width < 12)
		width++;
	writer.put(end, width);
	writer.end();
}

interface Box {
	left: number;
	top: number;
	width: number;
	height: number;
}

/** The smallest rectangle with all changes. No change: one pixel. */
function changedBox(before: Uint8Array | null, now: Uint8Array, width: number, height: number): Box {
	if (!before)
		return { left: 0, top: 0, width, height };
	let left = width, right = -1, top = height, bottom = -1;
	for (let y = 0, i = 0; y < height; y++)
		for (let x = 0; x < width; x++, i++)
			if (now[i] !== before[i]) {
				left = Math.min(left, x);
				right = Math.max(right, x);
				top = Math.min(top, y);
				bottom = y;
			}
	return right < 0 ? { left: 0, top: 0, width: 1, height: 1 } : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

export interface GifWriter {
	/** rgba: width * height * 4 bytes without transparency. seconds: how long it is shown. */
	add(rgba: Uint8ClampedArray, seconds: number): void;
	end(): Uint8Array<ArrayBuffer>;
	size(): number; // bytes so far
}

/** colours: at most 255. The animation repeats forever. */
export function gifWriter(width: number, height: number, colours: Colour[]): GifWriter {
	const out = byteList(), indexOf = nearestColours(colours);
	const short = (value: number) => out.add(value & 255, value >> 8 & 255);
	const text = (letters: string) => out.add(...[...letters].map((letter) => letter.charCodeAt(0)));
	let before: Uint8Array | null = null;
	text("GIF89a");
	short(width);
	short(height);
	out.add(0xf7, 0, 0); // a table of 256 colours
	for (let i = 0; i < 256; i++)
		out.add(...(colours[i] ?? [0, 0, 0]));
	out.add(0x21, 0xff, 11);
	text("NETSCAPE2.0");
	out.add(3, 1, 0, 0, 0);
	return {
		add(rgba, seconds) {
			const now = new Uint8Array(width * height);
			for (let i = 0; i < now.length; i++)
				now[i] = indexOf(rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!);
			const box = changedBox(before, now, width, height);
			const part = new Uint8Array(box.width * box.height);
			for (let y = 0, at = 0; y < box.height; y++)
				for (let x = 0, i = (box.top + y) * width + box.left; x < box.width; x++, i++, at++)
					part[at] = before && before[i] === now[i] ? CLEAR : now[i]!;
			out.add(0x21, 0xf9, 4, before ? 5 : 4); // the picture stays for the next frame; 1: with a transparent colour
			short(Math.round(100 * seconds));
			out.add(CLEAR, 0, 0x2c);
			for (const value of [box.left, box.top, box.width, box.height])
				short(value);
			out.add(0);
			compress(part, out);
			before = now;
		},
		end() {
			out.add(0x3b);
			return out.done();
		},
		size: out.size,
	};
}
