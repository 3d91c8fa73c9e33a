// seed.ts - the random part of a roll that its player adds.
// SPDX-License-Identifier: MIT

/** The player's seed: 24 hex digits that the server could not have known. */
export function newSeed(): string {
	return hex(crypto.getRandomValues(new Uint8Array(12)));
}

export function hex(bytes: Uint8Array): string {
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
