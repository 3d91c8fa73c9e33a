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

const GAMES = 20; // fewer say too little

/** "won 71 of 100 games against Casual 1, 5 drawn"; null: not measured. index: of the level on the game's own ladder. */
export function strengthOf(game: Pick<Game, "name" | "seats" | "ladders">, index: number,
	data: Record<string, Measured[]> = measured as Record<string, Measured[]>): string | null {
	const levels = game.ladders[0]?.levels ?? [], rows = data[game.name] ?? [];
	const level = levels[index], before = levels[index - 1], row = rows[index];
	const [wins = 0, draws = 0, losses = 0] = row?.result ?? [], games = wins + draws + losses;
	if (!level || !before || games < GAMES || row?.player !== level.player || rows[index - 1]?.player !== before.player)
		return null;
	return t("opponents.strength", { wins, games, draws, opponents: game.seats - 1, level: before.name });
}

/** The rating of a level; null: it has none. */
export function ratingOf(game: Pick<Game, "name" | "ladders">, index: number,
	data: Record<string, Measured[]> = measured as Record<string, Measured[]>): string | null {
	const row = data[game.name]?.[index];
	return row?.elo !== undefined && row.player === game.ladders[0]?.levels[index]?.player ? t("opponents.rating", { elo: row.elo }) : null;
}
