// qr.ts - a text as a QR code (ISO/IEC 18004): bytes, error correction M, versions 1 to 10: pure functions.
// SPDX-License-Identifier: MIT

const CHECK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]; // error correction bytes of a block, by version
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];

/** true: dark. */
export type Modules = boolean[][];

/** The modules that hold data and error correction. */
function dataBits(version: number): number {
	const marks = version > 1 ? Math.floor(version / 7) + 2 : 0;
	return (16 * version + 128) * version + 64 - (marks ? (25 * marks - 10) * marks - 55 : 0) - (version >= 7 ? 36 : 0);
}

function dataBytes(version: number): number {
	return Math.floor(dataBits(version) / 8) - CHECK[version - 1]! * BLOCKS[version - 1]!;
}

// ---- Error correction: Reed and Solomon, in the field of 256 elements ----

function times(a: number, b: number): number {
	let product = 0;
	for (let i = 7; i >= 0; i--)
		product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> i) & 1) * a);
	return product;
}

function generator(degree: number): number[] {
	const factors: number[] = [...Array<number>(degree - 1).fill(0), 1];
	for (let i = 0, root = 1; i < degree; i++, root = times(root, 2))
		for (let j = 0; j < degree; j++)
			factors[j] = times(factors[j]!, root) ^ (factors[j + 1] ?? 0);
	return factors;
}

function remainder(data: number[], divisor: number[]): number[] {
	const rest = divisor.map(() => 0);
	for (const byte of data) {
		const factor = byte ^ rest.shift()!;
		rest.push(0);
		divisor.forEach((one, i) => (rest[i]! ^= times(one, factor)));
	}
	return rest;
}

/** The bytes of all blocks in turn, then their error correction in turn. */
function withCheck(data: number[], version: number): number[] {
	const count = BLOCKS[version - 1]!, check = CHECK[version - 1]!, divisor = generator(check);
	const short = Math.floor(data.length / count), longs = data.length % count;
	let at = 0;
	const blocks = Array.from({ length: count }, (_, i) => data.slice(at, at += short + (i >= count - longs ? 1 : 0)));
	const checks = blocks.map((block) => remainder(block, divisor));
	const inTurn = (lists: number[][], length: number) =>
		Array.from({ length }, (_, i) => lists.flatMap((list) => i < list.length ? [list[i]!] : [])).flat();
	return [...inTurn(blocks, short + 1), ...inTurn(checks, check)];
}

function encode(bytes: Uint8Array, version: number): number[] {
	const bits: number[] = [];
	const put = (value: number, length: number) => {
		for (let i = length - 1; i >= 0; i--)
			bits.push((value >>> i) & 1);
	};
	put(4, 4);
	put(bytes.length, version < 10 ? 8 : 16);
	bytes.forEach((byte) => put(byte, 8));
	const room = 8 * dataBytes(version);
	put(0, Math.min(4, room - bits.length));
	put(0, (8 - bits.length % 8) % 8);
	for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11)
		put(filler, 8);
	return Array.from({ length: room / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
}

// ---- The picture ----

interface Picture {
	dark: Modules;
	fixed: Modules; // not data
	set(x: number, y: number, dark: boolean): void;
}

function blank(size: number): Picture {
	const empty = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
	const dark = empty(), fixed = empty();
	return {
		dark, fixed,
		set(x, y, value) {
			if (x < 0 || y < 0 || x >= size || y >= size)
				return;
			dark[y]![x] = value;
			fixed[y]![x] = true;
		},
	};
}

/** Rings around a centre, the outermost one light or dark. */
function square({ set }: Picture, x: number, y: number, reach: number, isLight: (ring: number) => boolean): void {
	for (let dy = -reach; dy <= reach; dy++)
		for (let dx = -reach; dx <= reach; dx++)
			set(x + dx, y + dy, !isLight(Math.max(Math.abs(dx), Math.abs(dy))));
}

function markPlaces(version: number): number[] {
	if (version === 1)
		return [];
	const count = Math.floor(version / 7) + 2, step = 2 * Math.ceil((4 * version + 4) / (2 * count - 2));
	return [6, ...Array.from({ length: count - 1 }, (_, i) => 4 * version + 10 - i * step).reverse()];
}

function remainderBits(value: number, length: number, polynomial: number): number {
	let rest = value;
	for (let i = 0; i < length; i++)
		rest = (rest << 1) ^ ((rest >>> (length - 1)) * polynomial);
	return (value << length) | rest;
}

function drawFormat({ set }: Picture, size: number, mask: number): void {
	const bits = remainderBits(mask, 10, 0x537) ^ 0x5412, bit = (i: number) => ((bits >>> i) & 1) === 1;
	for (let i = 0; i < 15; i++) {
		set(i < 8 ? 8 : i === 8 ? 7 : 14 - i, i < 6 ? i : i < 8 ? i + 1 : 8, bit(i));
		set(i < 8 ? size - 1 - i : 8, i < 8 ? 8 : size - 15 + i, bit(i));
	}
	set(8, size - 8, true);
}

function drawFixed(picture: Picture, version: number): void {
	const size = 4 * version + 17, { set } = picture, places = markPlaces(version), last = places.length - 1;
	for (let i = 0; i < size; i++) {
		set(6, i, i % 2 === 0);
		set(i, 6, i % 2 === 0);
	}
	for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
		square(picture, x, y, 4, (ring) => ring === 2 || ring === 4);
	places.forEach((x, i) => places.forEach((y, j) => {
		if (!(i === 0 && (j === 0 || j === last)) && !(i === last && j === 0))
			square(picture, x, y, 2, (ring) => ring === 1);
	}));
	drawFormat(picture, size, 0);
	const bits = remainderBits(version, 12, 0x1f25);
	for (let i = 0; version >= 7 && i < 18; i++) {
		const a = size - 11 + i % 3, b = Math.floor(i / 3), isDark = ((bits >>> i) & 1) === 1;
		set(a, b, isDark);
		set(b, a, isDark);
	}
}

/** In columns of two from the right, up and down in turn. */
function drawData({ dark, fixed }: Picture, bytes: number[]): void {
	const size = dark.length;
	let at = 0;
	for (let right = size - 1; right >= 1; right -= 2) {
		if (right === 6)
			right = 5;
		for (let step = 0; step < size; step++)
			for (let x = right; x > right - 2; x--) {
				const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
				if (!fixed[y]![x] && at < 8 * bytes.length)
					dark[y]![x] = ((bytes[at >>> 3]! >>> (7 - (at++ & 7))) & 1) === 1;
			}
	}
}

const MASKS: ((x: number, y: number) => boolean)[] = [
	(x, y) => (x + y) % 2 === 0, (_, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
	(x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => x * y % 2 + x * y % 3 === 0,
	(x, y) => (x * y % 2 + x * y % 3) % 2 === 0, (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
];

/** How much of it a camera could misread: squares of one colour. */
function uniform(dark: Modules): number {
	let count = 0;
	for (let y = 1; y < dark.length; y++)
		for (let x = 1; x < dark.length; x++)
			count += Number(dark[y]![x] === dark[y - 1]![x] && dark[y]![x] === dark[y]![x - 1] && dark[y]![x] === dark[y - 1]![x - 1]);
	return count;
}

/** null: the text is too long. */
export function qrCode(text: string): Modules | null {
	const bytes = new TextEncoder().encode(text);
	const version = CHECK.findIndex((_, i) => bytes.length + (i < 9 ? 2 : 3) <= dataBytes(i + 1)) + 1;
	if (!version)
		return null;
	const data = withCheck(encode(bytes, version), version);
	const pictures = MASKS.map((mask, number) => {
		const picture = blank(4 * version + 17);
		drawFixed(picture, version);
		drawData(picture, data);
		picture.dark.forEach((row, y) => row.forEach((isDark, x) => {
			if (!picture.fixed[y]![x])
				row[x] = isDark !== mask(x, y);
		}));
		drawFormat(picture, 4 * version + 17, number);
		return picture.dark;
	});
	return pictures.reduce((best, one) => uniform(one) < uniform(best) ? one : best);
}
