// upload.ts - copies finished games of this browser to the server, if the player agrees.
// SPDX-License-Identifier: MIT
import { post, RequestError } from "../api";
import { localHost, localId } from "../play/local";
import { storedGames, type StoredGame } from "../store/games";
import type { Created, NewPlay, Play } from "../types";

const PAUSE_MS = 2500; // the server accepts 30 new games a minute from one address
const TRIES = 30; // at one game, while the server is busy

/** Those that the server does not have yet, the oldest first. */
export function uploadable(games: StoredGame[]): StoredGame[] {
	return games.filter(({ result, uploaded }) => result !== null && !uploaded).reverse();
}

/** The request that makes a copy: the same players, and nobody finds it in the lobby. */
export function uploadRequest(play: Pick<Play, "game" | "seats">, record: string): NewPlay {
	const seats = play.seats.map(({ kind, spec }) => kind === "computer" && spec ? spec : "human");
	return { game: play.game, seats, record, private: true };
}

function isBusy(error: unknown): boolean {
	return error instanceof RequestError && (error.status === 429 || error.status === 503);
}

async function create(request: NewPlay): Promise<Created> {
	for (let tries = 1; ; tries++)
		try {
			return await post<Created>("/api/v1/plays", request);
		} catch (error) {
			if (!isBusy(error) || tries >= TRIES)
				throw error;
			await new Promise((next) => setTimeout(next, PAUSE_MS));
		}
}

/** One after another. onDone: the number of those that are done. */
export async function uploadGames(games: StoredGame[], onDone: (count: number) => void): Promise<void> {
	for (const [i, game] of games.entries()) {
		const id = localId(game.id);
		const [play, record] = [await localHost.get(id), await localHost.record(id, "record")];
		const { id: uploaded } = await create(uploadRequest(play, record));
		await storedGames.setUploaded(game.id, uploaded);
		onDone(i + 1);
	}
}
