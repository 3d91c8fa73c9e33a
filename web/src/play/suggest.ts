// suggest.ts - suggests another level after a few games: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { StoredGame } from "../store/games";
import type { Game, Level } from "../types";

export type Outcome = "won" | "lost" | "draw";

/** Your result against a level of the game's own ladder. */
export interface LevelResult {
	level: string; // the level's name
	outcome: Outcome;
}

export interface Suggestion {
	from: Level; // the level of the last games
	to: Level;
	text: string;
}

const STREAK = 3;

/** The next level after three wins in a row against one level, the one before after three losses; null: none. results: oldest first. */
export function suggestLevel(game: Game, results: readonly LevelResult[]): Suggestion | null {
	const levels = game.ladders[0]?.levels ?? [], last = results.slice(-STREAK), first = last[0];
	if (last.length < STREAK || !first || first.outcome === "draw" ||
		last.some(({ level, outcome }) => level !== first.level || outcome !== first.outcome))
		return null;
	const at = levels.findIndex(({ name }) => name === first.level);
	const from = levels[at], to = levels[first.outcome === "won" ? at + 1 : at - 1];
	if (!from || !to)
		return null;
	return { from, to, text: first.outcome === "won" ? t("play.wonThree", { level: to.name }) : t("play.lostThree", { level: to.name }) };
}

/** The results of finished games of one person against computers of one level. stored: newest first; returned: oldest first. */
export function levelResults(game: Game, stored: readonly Pick<StoredGame, "game" | "result" | "seats">[]): LevelResult[] {
	const results: LevelResult[] = [];
	for (const { game: named, result, seats } of stored) {
		const person = seats.findIndex(({ kind }) => kind === "person"), others = seats.filter((_, i) => i !== person);
		const level = others[0]?.name;
		if (named.split(":", 1)[0] !== game.name || person < 0 || level === undefined || others.some(({ kind, name }) => kind !== "computer" || name !== level))
			continue;
		if (result === "draw" || result?.startsWith("win "))
			results.push({ level, outcome: result === "draw" ? "draw" : result === `win ${person + 1}` ? "won" : "lost" });
	}
	return results.reverse();
}
