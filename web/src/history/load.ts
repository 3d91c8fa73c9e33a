// load.ts - loads, deletes and exports finished games, wherever they are.
// SPDX-License-Identifier: MIT
import { get, post, RequestError } from "../api";
import { reviewOf } from "../end/review";
import { hostOf } from "../play/host";
import { forgetPlay } from "../play/local";
import { storedGames, type StoredGame } from "../store/games";
import type { FinishedGame, FinishedGames } from "../types";
import { allGames, type PlayedGame } from "./entries";

const AT_ONCE = 100; // games of one response, or deletions of one request
const GAMES_MOST = 2000; // of the server; the page does not show older ones
const TRIES = 60, PAUSE_MS = 1000; // while the server is busy

export interface History {
	games: PlayedGame[]; // finished, latest first
	stored: StoredGame[]; // all of this browser
	cut: boolean; // the server has more than are loaded
	failed: boolean; // the server could not be asked
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++)
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof RequestError && error.status === 429) || tries >= TRIES)
				throw error;
			await new Promise((next) => setTimeout(next, PAUSE_MS));
		}
}

async function serverGames(): Promise<{ games: FinishedGame[]; cut: boolean }> {
	const games: FinishedGame[] = [];
	for (;;) {
		const next = await patiently(() => get<FinishedGames>(`/api/v1/me/games?first=${games.length}&most=${AT_ONCE}`));
		games.push(...next.games);
		if (!next.games.length || games.length >= Math.min(next.total, GAMES_MOST))
			return { games, cut: next.more || next.total > games.length };
	}
}

export async function loadHistory(): Promise<History> {
	const stored = await storedGames.list();
	let server = { games: [] as FinishedGame[], cut: false }, failed = false;
	if (!STATIC_SITE)
		await serverGames().then((found) => (server = found), () => (failed = true));
	return { games: allGames(server.games, stored), stored, cut: server.cut, failed };
}

/** Deletes games from your list, and from this browser. */
export async function deleteGames(games: PlayedGame[]): Promise<void> {
	for (const { stored } of games)
		if (stored)
			await forgetPlay(stored);
	const ids = games.filter(({ onServer }) => onServer).map(({ id }) => id);
	for (let i = 0; i < ids.length; i += AT_ONCE)
		await patiently(() => post("/api/v1/me/games", { delete: ids.slice(i, i + AT_ONCE) }));
}

/** The records of all games, one after another. onDone: how many are done. */
export async function recordsOf(games: PlayedGame[], format: "record" | "pgn", signal: AbortSignal, onDone: (count: number) => void): Promise<string> {
	const records: string[] = [];
	for (const { id } of games) {
		signal.throwIfAborted();
		onDone(records.length);
		records.push((await patiently(() => hostOf(id).record(id, format))).trimEnd());
	}
	return `${records.join(format === "pgn" ? "\n\n" : "\n")}\n`;
}

export async function reviewGame({ id }: Pick<PlayedGame, "id">): Promise<void> {
	reviewOf(await hostOf(id).get(id));
}
