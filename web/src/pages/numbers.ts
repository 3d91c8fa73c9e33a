// numbers.ts - the number of the first move of a game that begins with a position: pure functions.
// SPDX-License-Identifier: MIT

/** Whether the second player moves first, by the text of the position (docs/formats.md). */
const SECOND: Record<string, RegExp> = {
	chess: /^\S+ b /, minichess: /^\d+ B\//, reversi: / O$/, connect4: / o$/, noughts: / o$/, noughts3d: / o$/, hexapawn: / b$/,
	draughts: /^W:/, morris: / B \d+ \d+ \d+$/, gomoku: / o$/,
};

/** Where the position tells the number of the move. */
const NUMBER: Record<string, RegExp> = { chess: / (\d+)$/, minichess: /^(\d+) / };

export interface FirstMove {
	number: number; // from 1
	second: boolean; // the second player makes it: "3…"
}

/** start: "start" or the text of a position. */
export function firstMove(game: string, start: string): FirstMove {
	const name = game.split(":", 1)[0] ?? "", text = start.trim();
	return { number: Math.max(1, Number(NUMBER[name]?.exec(text)?.[1] ?? 1)), second: SECOND[name]?.test(text) ?? false };
}

/** As if the game had begun with move 1 of the first player: what to add to a ply from 1. */
export function pliesBefore({ number, second }: FirstMove): number {
	return 2 * (number - 1) + Number(second);
}
