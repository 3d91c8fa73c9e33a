// opponents.ts - the computer opponents of a game, by player spec: pure functions.
// SPDX-License-Identifier: MIT
import type { Game, Ladder, Level } from "../types";

export const PERFECT = "perfect";
export const PERFECT_HELP = "always plays the best move; where solving takes too long, it plays like the strongest level";

/** The ladder of a level; null: the game has no such level. */
export function ladderOf(game: Game, spec: string): Ladder | null {
	return game.ladders.find(({ levels }) => levels.some((level) => level.spec === spec)) ?? null;
}

/** The label of a ladder; the game's own ladder is the first one. */
export function ladderTitle(game: Game, ladder: Ladder): string {
	return ladder === game.ladders[0] ? "Levels" : ladder.title;
}

/** The default level of a ladder. */
export function middleLevel({ levels }: Ladder): string {
	return levels[Math.ceil(levels.length / 2) - 1]?.spec ?? "";
}

/** The default opponent: the preferred one, if the game has it; "": the game has no computer opponents. */
export function firstOpponent(game: Game, preferred?: string): string {
	const own = game.ladders[0];
	if (preferred && opponentsOf(game).some(({ spec }) => spec === preferred))
		return preferred;
	return own ? middleLevel(own) : game.perfect ? PERFECT : "";
}

/** All computer opponents of a game, in display order. */
export function opponentsOf(game: Game): Level[] {
	const all = game.ladders.flatMap(({ levels }) => levels);
	return game.perfect ? [...all, { spec: PERFECT, name: PERFECT, player: PERFECT }] : all;
}
