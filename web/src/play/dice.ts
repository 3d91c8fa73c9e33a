// dice.ts - verifies a dice roll in the browser. docs/api.md describes the method.
// SPDX-License-Identifier: MIT
import type { Dice, Move } from "../types";
import { hex } from "./seed";
import { sha256 } from "./sha256";

export type Proof = "proven" | "wrong";

function fromHex(text: string): Uint8Array {
	return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * Checks that the roll follows from the commitment and the seed. `promised` is the commitment that the
 * server showed before the roll, if this page saw it.
 */
export function prove(last: NonNullable<Dice["last"]>, play: string, promised: string | null): Proof {
	const secret = fromHex(last.secret);
	if (hex(sha256(secret)) !== last.commit || (promised !== null && promised !== last.commit))
		return "wrong";
	return numberOf(secret, last.seed, play, last.ply, last.weights) === last.number ? "proven" : "wrong";
}

/** The outcome that a number stands for: each takes as many numbers as it weighs, in the order of the rules. */
export function outcomeOf(moves: Move[], number: number): string | null {
	let left = number;
	for (const { move, weight = 1 } of moves) {
		if (left < weight)
			return move;
		left -= weight;
	}
	return null;
}

/** The first 8 bytes of SHA-256(secret seed play ply), modulo weights; hashed again in the biased tail. */
function numberOf(secret: Uint8Array, seed: string, play: string, ply: number, weights: number): number {
	const all = 1n << 64n, sum = BigInt(Math.max(1, weights));
	const text = new TextEncoder().encode(seed + play + String(ply));
	for (let retry = 0; retry < 256; retry++) {
		const hash = sha256(Uint8Array.from([...secret, ...text, ...(retry ? [retry] : [])]));
		const number = new DataView(hash.buffer).getBigUint64(0);
		if (number < all - (all % sum))
			return Number(number % sum);
	}
	return -1;
}
