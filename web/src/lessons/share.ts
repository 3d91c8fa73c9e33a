// share.ts - a lesson as a link: its text, compressed, after the "#" of the address, so that no server sees it.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { MOST_TEXT } from "./parse";

const MOST_LINK = 4 * MOST_TEXT + 1000; // characters; the longest lesson fits, even if nothing in it can be compressed

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

/** The part of the link after "#". */
export async function packLesson(text: string): Promise<string> {
	const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), MOST_LINK);
	return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of a lesson from a link. Throws an Error for the reader. */
export async function unpackLesson(packed: string): Promise<string> {
	if (!packed)
		throw new Error(t("lessons.linkEmpty"));
	if (packed.length > MOST_LINK)
		throw new Error(t("lessons.linkTooLong"));
	try {
		const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
		return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), 4 * MOST_TEXT));
	} catch {
		throw new Error(t("lessons.linkDamaged"));
	}
}
