// levelfacts.ts - how strong a level is, in words, from the measured data: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Game } from "../types";
import measured from "./levels.json";

/** What tools/measure-levels writes for a level. */
export interface Measured {
	player: string; // the full spec; the numbers hold for this player only
	result?: number[]; // wins, draws and losses against the level before
	elo?: number; // chess: on the scale of Stockfish's UCI_Elo
}

export type LevelData = Record<string, Measured[]>;

const GAMES = 20; // fewer say too little

/** The result of a level against the one before; null: not measured. index: of the level on the game's own ladder. */
export function resultOf(game: Pick<Game, "name" | "ladders">, index: number, data: LevelData = measured as LevelData):
	{ wins: number; draws: number; games: number } | null {
	const levels = game.ladders[0]?.levels ?? [], rows = data[game.name] ?? [];
	const [wins = 0, draws = 0, losses = 0] = rows[index]?.result ?? [], games = wins + draws + losses;
	const isCurrent = (i: number) => levels[i] !== undefined && rows[i]?.player === levels[i]?.player;
	return games >= GAMES && isCurrent(index) && isCurrent(index - 1) ? { wins, draws, games } : null;
}

/** "beats Casual 1 in about 7 of 10 games"; null: not measured. */
export function strengthOf(game: Pick<Game, "name" | "seats" | "ladders">, index: number, data?: LevelData): string | null {
	const before = game.ladders[0]?.levels[index - 1], result = resultOf(game, index, data);
	if (!before || !result)
		return null;
	const inTen = (n: number) => Math.round(10 * n / result.games), wins = inTen(result.wins);
	const draws = Math.min(inTen(result.draws), 10 - wins); // both may be rounded up
	return t("opponents.strength", { wins: result.wins === result.games ? "all" : String(wins), draws, opponents: game.seats - 1, seats: game.seats, level: before.name });
}

/** The same as exact counts. */
export function countsOf(game: Pick<Game, "name" | "ladders">, index: number, data?: LevelData): string | null {
	const before = game.ladders[0]?.levels[index - 1], result = resultOf(game, index, data);
	return before && result ? t("opponents.counts", { wins: result.wins, draws: result.draws, losses: result.games - result.wins - result.draws, level: before.name }) : null;
}

/** The rating of a level; null: it has none. */
export function ratingOf(game: Pick<Game, "name" | "ladders">, index: number,
	data: LevelData = measured as LevelData): string | null {
	const row = data[game.name]?.[index];
	return row?.elo !== undefined && row.player === game.ladders[0]?.levels[index]?.player ? t("opponents.rating", { elo: row.elo }) : null;
}
