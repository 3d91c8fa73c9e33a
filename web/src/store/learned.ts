// learned.ts - what the learners of the visitor's games remember, stored in this browser if possible.
// SPDX-License-Identifier: MIT
//
// The text is a learner's file: a first line with the game, then a position, a tab and a losing move in each line.

const prefix = "quevedo.learned.";
const session = new Map<string, string>(); // if the storage is forbidden

/** What the learner of the game (with its options) remembers; "": nothing. */
export function learnedOf(game: string): string {
	try {
		return localStorage.getItem(prefix + game) ?? session.get(game) ?? "";
	} catch {
		return session.get(game) ?? "";
	}
}

export function keepLearned(game: string, text: string): void {
	session.set(game, text);
	try {
		if (text)
			localStorage.setItem(prefix + game, text);
		else
			localStorage.removeItem(prefix + game);
	} catch {
		// Then it lasts until the page is closed.
	}
}

const MOST = 32768; // bytes that the server accepts

/** A stored text with the moves that a game has added to its own: before and after it learned. */
export function addLearned(stored: string, before: string, after: string): string {
	const known = new Set([...stored.split("\n"), ...before.split("\n")]);
	const added = after.split("\n").slice(1).filter((line) => !known.has(line)).map((line) => `${line}\n`).join("");
	const text = (stored || after.slice(0, after.indexOf("\n") + 1)) + added;
	return text.length > MOST ? stored : text;
}

/** The losing moves, the oldest first. */
export function learnedMoves(text: string): { position: string; move: string }[] {
	return text.split("\n").slice(1).filter((line) => line.includes("\t")).map((line) => {
		const [position = "", move = ""] = line.split("\t");
		return { position, move };
	});
}
