// ratings.ts - your rating against the levels of a game: pure functions.
// SPDX-License-Identifier: MIT
//
// The first level has FIRST points, and each further level as many more as its measured score against the level before is worth.
// So the numbers compare you with the levels of this game, and with nothing else.
import { rate, type Rating } from "../rating";
import type { resultOf } from "../pages/levelfacts";
import { baseName } from "../pages/parts";
import type { Game, Level } from "../types";
import type { PlayedGame } from "./entries";

const FIRST = 1000;
const USUAL = 0.7; // the score of a level against the one before, where it was not measured
const LEAST = 0.51, MOST = 0.99; // the levels stay in order, and a score without losses says no more than this
const SURE = 30; // the deviation of a level

/** The points of each level of the game's own ladder, the first one first. measured: the results of levels against each other. */
export function levelRatings(game: Pick<Game, "name" | "ladders">, measured: typeof resultOf): number[] {
	let points = FIRST;
	return (game.ladders[0]?.levels ?? []).map((_, i) => {
		const result = measured(game, i);
		const score = result ? Math.min(MOST, Math.max(LEAST, (result.wins + result.draws / 2) / result.games)) : USUAL;
		if (i)
			points += 400 * Math.log10(score / (1 - score));
		return points;
	});
}

export interface RatedGame {
	level: Level;
	score: number; // 1, 0.5, 0
	ended: number;
	after: Rating;
}

const SCORES: Record<string, number> = { won: 1, draw: 0.5, lost: 0 };

/** Your rating after each rated game against a level of the game's own ladder, the first one first. points: of the levels. */
export function ratingCourse(games: PlayedGame[], game: Game, points: number[]): RatedGame[] {
	const levels = game.ladders[0]?.levels ?? [];
	let now: Rating = { rating: FIRST, deviation: 350, volatility: 0.06 };
	const course: RatedGame[] = [];
	const own = games.filter((one) => baseName(one.game) === game.name).sort((a, b) => a.ended - b.ended);
	for (const { players, outcome, ended, rated } of own) {
		const [computer] = players.filter(({ you }) => !you);
		const at = levels.findIndex(({ spec }) => spec === computer?.spec), score = SCORES[outcome];
		if (!rated || players.length !== 2 || at < 0 || score === undefined)
			continue;
		now = rate(now, [{ rating: points[at]!, deviation: SURE, score }]);
		course.push({ level: levels[at]!, score, ended, after: now });
	}
	return course;
}

/** The strongest level that you beat more often than not; null: none. */
export function levelBeaten(rating: number, game: Pick<Game, "ladders">, points: number[]): Level | null {
	return game.ladders[0]?.levels.filter((_, i) => points[i]! <= rating).pop() ?? null;
}
