// sha256.ts - SHA-256, for verifying the dice. crypto.subtle is not available on plain http.
// SPDX-License-Identifier: MIT

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractions(count: number, root: (n: number) => number): Uint32Array {
	const found: number[] = [];
	for (let n = 2; found.length < count; n++) {
		let prime = true;
		for (let d = 2; d * d <= n; d++)
			prime &&= n % d !== 0;
		if (prime)
			found.push((root(n) % 1) * 2 ** 32);
	}
	return Uint32Array.from(found);
}

const K = fractions(64, Math.cbrt);
const START = fractions(8, Math.sqrt);

function rotate(x: number, by: number): number {
	return (x >>> by) | (x << (32 - by));
}

function padded(bytes: Uint8Array): DataView {
	const size = Math.ceil((bytes.length + 9) / 64) * 64;
	const block = new Uint8Array(size);
	block.set(bytes);
	block[bytes.length] = 0x80;
	const view = new DataView(block.buffer);
	view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
	view.setUint32(size - 4, bytes.length << 3);
	return view;
}

function schedule(data: DataView, at: number): Uint32Array {
	const w = new Uint32Array(64);
	for (let i = 0; i < 16; i++)
		w[i] = data.getUint32(at + 4 * i);
	for (let i = 16; i < 64; i++) {
		const a = w[i - 15]!, b = w[i - 2]!;
		const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
		const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
		w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
	}
	return w;
}

function round(state: Uint32Array, w: Uint32Array): void {
	let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
	for (let i = 0; i < 64; i++) {
		const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!;
		const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
	}
	[a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = state[i]! + x));
}

export function sha256(bytes: Uint8Array): Uint8Array {
	const state = START.slice();
	const data = padded(bytes);
	for (let at = 0; at < data.byteLength; at += 64)
		round(state, schedule(data, at));
	const out = new DataView(new ArrayBuffer(32));
	state.forEach((word, i) => out.setUint32(4 * i, word));
	return new Uint8Array(out.buffer);
}
