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

/** The losing moves, the oldest first. */
export function learnedMoves(text: string): { position: string; move: string }[] {
	return text.split("\n").slice(1).filter((line) => line.includes("\t")).map((line) => {
		const [position = "", move = ""] = line.split("\t");
		return { position, move };
	});
}
