// pack.ts - texts in links: compressed, after the "#" of the address, so that no server sees them.
// SPDX-License-Identifier: MIT

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
	const reader = new Blob([bytes as BufferSource]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>).getReader();
	const parts: Uint8Array[] = [];
	let size = 0;
	for (let next = await reader.read(); !next.done; next = await reader.read()) {
		size += next.value.length;
		if (size > most) {
			await reader.cancel();
			throw new Error("too large");
		}
		parts.push(next.value);
	}
	const whole = new Uint8Array(size);
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** most: bytes of the compressed text. */
export async function packText(text: string, most: number): Promise<string> {
	const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), most);
	let letters = "";
	for (const byte of packed)
		letters += String.fromCharCode(byte);
	return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** most: bytes of the text. */
export async function unpackText(packed: string, most: number): Promise<string> {
	const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
	return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), most));
}
