// opponents.ts - the computers that a game offers, by what a seat asks for: pure functions.
// SPDX-License-Identifier: MIT
import type { Game, Ladder, Level } from "../types";

export const PERFECT = "perfect";
export const PERFECT_HELP = "always plays the best move; where solving takes too long, it plays like the strongest level";

/** The ladder that a level stands on; null: it is none of this game's levels. */
export function ladderOf(game: Game, spec: string): Ladder | null {
	return game.ladders.find(({ levels }) => levels.some((level) => level.spec === spec)) ?? null;
}

/** What a ladder is called in lists: the game's own comes first. */
export function ladderTitle(game: Game, ladder: Ladder): string {
	return ladder === game.ladders[0] ? "Levels" : ladder.title;
}

/** Where one begins who has not chosen. */
export function middleLevel({ levels }: Ladder): string {
	return levels[Math.ceil(levels.length / 2) - 1]?.spec ?? "";
}

/** The first choice in this game: the one that is liked, if it is offered; "": it has no computers. */
export function firstOpponent(game: Game, liked?: string): string {
	const own = game.ladders[0];
	if (liked && opponentsOf(game).some(({ spec }) => spec === liked))
		return liked;
	return own ? middleLevel(own) : game.perfect ? PERFECT : "";
}

/** Everything that can be asked for, in its order. */
export function opponentsOf(game: Game): Level[] {
	const all = game.ladders.flatMap(({ levels }) => levels);
	return game.perfect ? [...all, { spec: PERFECT, name: PERFECT, player: PERFECT }] : all;
}
