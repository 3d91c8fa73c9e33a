// reconnect.ts - how long to wait before the next attempt, and requests that may be sent again.
// SPDX-License-Identifier: MIT
import { RequestError } from "./api";

const FIRST_MS = 250;
const MOST_MS = 10000;
const AGAIN_MS = 30000; // no attempt begins later: a database may need that long to recover
const AGAIN_MOST_MS = 4000; // between two of them, since a clock may be running

/**
 * The pause after that many failures in a row: about a quarter of a second at first, because another server may be
 * there already, then longer. It is spread at random, so that all visitors of a server that ends do not come at the
 * same moment.
 */
export function pauseBefore(failures: number, random = Math.random()): number {
	return Math.min(MOST_MS, FIRST_MS * 2 ** failures) * (0.5 + random);
}

/** The request may not have arrived, or the server is about to restart. */
export function mayPass(error: unknown): boolean {
	return error instanceof RequestError && (error.status === 0 || (error.status >= 502 && error.status <= 504));
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request until there is a response to it, for some time. It must have the same effect once or twice. */
export async function sendAgain<T>(send: () => Promise<T>, pause = wait): Promise<T> {
	let waited = 0;
	for (let failures = 0; ; failures++)
		try {
			return await send();
		} catch (error) {
			const next = Math.min(AGAIN_MOST_MS, pauseBefore(failures));
			waited += next;
			if (!mayPass(error) || waited > AGAIN_MS)
				throw error;
			await pause(next);
		}
}
