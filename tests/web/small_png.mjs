// small_png.mjs - a picture of a page with at most 256 colours: a third of the bytes, and hard to tell from the first one.
// SPDX-License-Identifier: MIT
import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;

function chunksOf(bytes) {
	const chunks = [];
	for (let at = 8; at < bytes.length;) {
		const size = bytes.readUInt32BE(at);
		chunks.push({ name: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + size) });
		at += 12 + size;
	}
	return chunks;
}

function checksum(bytes) {
	let crc = -1;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++)
			crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

function chunk(name, data) {
	const out = Buffer.alloc(12 + data.length);
	out.writeUInt32BE(data.length, 0);
	out.write(name, 4, "latin1");
	data.copy(out, 8);
	out.writeUInt32BE(checksum(out.subarray(4, 8 + data.length)), 8 + data.length);
	return out;
}

function paeth(a, b, c) {
	const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
	return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** The pixels of a PNG file with three or four bytes for each. */
function pixelsOf(bytes) {
	const chunks = chunksOf(bytes), { data: head } = chunks[0];
	const width = head.readUInt32BE(0), height = head.readUInt32BE(4), size = head[9] === 6 ? 4 : 3, row = size * width;
	const data = inflateSync(Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map((one) => one.data)));
	const pixels = Buffer.alloc(row * height);
	for (let y = 0; y < height; y++) {
		const filter = data[y * (row + 1)];
		for (let i = 0; i < row; i++) {
			const left = i < size ? 0 : pixels[y * row + i - size], up = y ? pixels[(y - 1) * row + i] : 0;
			const corner = y && i >= size ? pixels[(y - 1) * row + i - size] : 0;
			const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
			pixels[y * row + i] = data[y * (row + 1) + 1 + i] + guess;
		}
	}
	return { width, height, size, pixels };
}

/** The most frequent colours, of which alike ones count as one, and the nearest of them for each kind of colour. */
function paletteOf({ size, pixels }) {
	const kinds = new Map();
	for (let i = 0; i < pixels.length; i += size) {
		const colour = [pixels[i], pixels[i + 1], pixels[i + 2]], key = kindOf(colour);
		const kind = kinds.get(key) ?? { key, count: 0, sum: [0, 0, 0], exact: new Map() };
		kind.count++;
		colour.forEach((value, n) => (kind.sum[n] += value));
		const name = colour.join();
		kind.exact.set(name, (kind.exact.get(name) ?? 0) + 1);
		kinds.set(key, kind);
	}
	for (const kind of kinds.values()) { // a plain area keeps its colour
		const [name, count] = [...kind.exact].sort((a, b) => b[1] - a[1])[0];
		kind.colour = 2 * count > kind.count ? name.split(",").map(Number) : kind.sum.map((sum) => Math.round(sum / kind.count));
	}
	const sorted = [...kinds.values()].sort((a, b) => b.count - a.count || a.key - b.key);
	const colours = sorted.slice(0, COLOURS).map(({ colour }) => colour);
	const distance = (a, b) => a.reduce((sum, value, n) => sum + (value - b[n]) ** 2, 0);
	const nearest = new Map(sorted.map(({ key, colour }) =>
		[key, colours.reduce((best, one, n) => (distance(one, colour) < distance(colours[best], colour) ? n : best), 0)]));
	return { colours, nearest };
}

function kindOf([red, green, blue]) {
	return (red >> 2) << 12 | (green >> 2) << 6 | blue >> 2;
}

export function smallPng(bytes) {
	const picture = pixelsOf(bytes), { width, height, size, pixels } = picture;
	const { colours, nearest } = paletteOf(picture);
	const data = Buffer.alloc((width + 1) * height);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const i = size * (y * width + x);
			data[y * (width + 1) + 1 + x] = nearest.get(kindOf([pixels[i], pixels[i + 1], pixels[i + 2]]));
		}
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 3, 0, 0, 0], 8);
	return Buffer.concat([SIGNATURE, chunk("IHDR", head), chunk("PLTE", Buffer.from(colours.flat())), chunk("IDAT", deflateSync(data, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
