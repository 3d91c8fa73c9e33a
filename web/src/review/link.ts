// link.ts - the address of the review of a game.
// SPDX-License-Identifier: MIT

/** A game that can be reviewed: a play, or moves from a position. */
export interface Reviewable {
	id?: string; // of a play, here or on the server
	game: string;
	start: string;
	line: { move: string }[];
}

/** The review of a game. One that has an id is loaded by it; else the address holds its moves, separated by commas. */
export function reviewLink({ id, game, start, line }: Reviewable): string {
	if (id)
		return `/review/${encodeURIComponent(id)}`;
	const query = new URLSearchParams({ game });
	if (start !== "start")
		query.set("position", start);
	query.set("moves", line.map(({ move }) => move).join(","));
	return `/review?${query}`;
}
