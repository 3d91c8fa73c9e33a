// explore.ts - which moves were played in a position, and how those games ended: pure functions.
// SPDX-License-Identifier: MIT
import type { BookPosition, CourseStep, Explored, ExploredMove } from "../types";

export const PLIES = 40; // of a game that count, as in the server's index

/** Counters that only grow: positions that differ in nothing else are the same. */
const COUNTERS: Record<string, RegExp> = { chess: / \d+ \d+$/, morris: / \d+$/, draughts: /:H\d+$/ };

/** What makes a position the same, whatever moves led to it. */
export function positionKey(game: string, position: string): string {
	const counters = COUNTERS[game.split(":", 1)[0] ?? ""];
	return counters ? position.replace(counters, "") : position;
}

/** A finished game: the position before each of its first moves, as keys. */
export interface ReplayedGame {
	visits: { key: string; move: string; seat: number }[];
	result: string | null; // "win N" or "draw"
	levels: (number | null)[]; // of the seats; null: a person
}

/** course: the first moves of a game from `start`. A position counts where the game reached it first. */
export function visitsOf(game: string, start: string, course: CourseStep[]): ReplayedGame["visits"] {
	const seen = new Set<string>();
	return course.slice(0, PLIES).flatMap(({ move, seat }, i) => {
		const key = positionKey(game, i ? course[i - 1]?.position ?? "" : start);
		if (seen.has(key))
			return [];
		seen.add(key);
		return [{ key, move, seat }];
	});
}

/** The moves of these games in a position, as the server counts them. seats: of the game. */
export function countMoves(games: ReplayedGame[], key: string, seats: number): ExploredMove[] {
	const found = new Map<string, ExploredMove & { levels: number[] }>();
	for (const { visits, result, levels } of games) {
		const visit = visits.find((one) => one.key === key), winner = Number(/^win (\d+)$/.exec(result ?? "")?.[1] ?? 0);
		if (!visit || (!winner && result !== "draw"))
			continue;
		const move = found.get(visit.move) ?? { move: visit.move, games: 0, wins: Array<number>(seats).fill(0), draws: 0, people: 0, level: null, levels: [] };
		const level = visit.seat > 0 ? levels[visit.seat - 1] ?? null : 0;
		found.set(visit.move, move);
		move.games++;
		move.draws += Number(!winner);
		if (winner)
			move.wins[winner - 1] = (move.wins[winner - 1] ?? 0) + 1;
		move.people += Number(level === null);
		if (level)
			move.levels.push(level);
	}
	return [...found.values()].map(({ levels, ...move }) => ({ ...move, level: levels.length ? levels.reduce((sum, one) => sum + one, 0) / levels.length : null }));
}

/** Counts of the same position from two places. Averages of levels are weighted by the games of computers. */
export function addMoves(one: ExploredMove[], other: ExploredMove[]): ExploredMove[] {
	const sum = new Map(one.map((move) => [move.move, move]));
	for (const move of other) {
		const before = sum.get(move.move);
		sum.set(move.move, before ? added(before, move) : move);
	}
	return [...sum.values()];
}

function added(a: ExploredMove, b: ExploredMove): ExploredMove {
	const weight = (move: ExploredMove) => move.level === null ? 0 : Math.max(1, move.games - move.people);
	const both = weight(a) + weight(b);
	return {
		...a, ...b, games: a.games + b.games, wins: a.wins.map((wins, i) => wins + (b.wins[i] ?? 0)), draws: a.draws + b.draws, people: a.people + b.people,
		level: both ? ((a.level ?? 0) * weight(a) + (b.level ?? 0) * weight(b)) / both : null,
	};
}

/** The most played first. */
export function sortedMoves(moves: ExploredMove[]): ExploredMove[] {
	return [...moves].sort((a, b) => b.games - a.games || (a.move < b.move ? -1 : 1));
}

export function countGames({ moves }: Pick<Explored, "moves">): number {
	return moves.reduce((sum, { games }) => sum + games, 0);
}

/** The name of the opening that a move leads to. */
export function openingOf(book: BookPosition | null, move: string): string {
	const found = book?.moves.find((one) => one.move === move || one.alike.includes(move));
	return found?.name ?? found?.towards ?? "";
}

export interface Segment {
	of: "first" | "draws" | "second" | "other";
	percent: number; // not rounded
}

/** The parts of the bar of a move; those without games are left out. */
export function segmentsOf({ wins, draws, games }: Pick<ExploredMove, "wins" | "draws" | "games">): Segment[] {
	const counts: [Segment["of"], number][] = [["first", wins[0] ?? 0], ["draws", draws], ["second", wins[1] ?? 0], ["other", wins.slice(2).reduce((sum, one) => sum + one, 0)]];
	return counts.filter(([, count]) => count > 0).map(([of, count]) => ({ of, percent: 100 * count / games }));
}

/** "1–0", "½–½"; of more than two players, the number of the winner. */
export function resultMark(result: string | null): string {
	const winner = /^win (\d+)$/.exec(result ?? "")?.[1];
	return result === "draw" ? "½–½" : winner === "1" ? "1–0" : winner === "2" ? "0–1" : winner ?? "*";
}
