// games.ts - games that this browser keeps itself, without a server: in IndexedDB if possible.
// SPDX-License-Identifier: MIT
import { finished, storedIn } from "./database";

/** The game follows from its lines (docs/formats.md); the other fields are for lists. */
export interface StoredGame {
	id: string;
	game: string; // with its options
	title: string;
	seats: { kind: string; name: string; spec?: string | null }[]; // spec: of a computer
	created: number; // seconds since 1970
	updated: number; // ms since 1970
	result: string | null; // null: in progress
	lines: string[];
	revision?: number; // grows by 1 whenever a tab saves it; missing: 0
	uploaded?: string; // the id of its copy on the server, if there is one
}

/** Whether a person has moved. Until then a game is not listed: looking at a board is no game. */
export function hasBegun({ lines, seats }: Pick<StoredGame, "lines" | "seats">): boolean {
	return seats.every(({ kind }) => kind !== "person") || lines.some((line) => {
		const seat = Number(/^\{"move":.*"seat":(\d+)/.exec(line)?.[1] ?? 0);
		return seats[seat - 1]?.kind === "person";
	});
}

export interface GameStore {
	load(id: string): Promise<StoredGame | null>;
	/** Saves the next revision. False: another tab has saved it first, or deleted the game. A copy on the server is not forgotten. */
	save(game: StoredGame): Promise<boolean>;
	/** uploaded: the id of its copy on the server. */
	setUploaded(id: string, uploaded: string): Promise<void>;
	remove(id: string): Promise<void>;
	/** The newest first. */
	list(): Promise<StoredGame[]>;
}

const stored = storedIn("quevedo", "games");
const session = new Map<string, StoredGame>(); // if the storage is forbidden or full

/** In one transaction, so that no other tab can save in between. */
async function saveNext(games: IDBObjectStore, game: StoredGame): Promise<boolean> {
	const before = await finished<StoredGame | undefined>(games.get(game.id));
	if ((before?.revision ?? 0) + 1 !== game.revision)
		return false;
	await finished(games.put(before?.uploaded ? { uploaded: before.uploaded, ...game } : game));
	return true;
}

export const storedGames: GameStore = {
	load: async (id) => session.get(id) ?? await stored<StoredGame | undefined>("readonly", (games) => games.get(id)) ?? null,
	async save(game) {
		const saved = session.has(game.id) ? null : await stored("readwrite", (games) => saveNext(games, game));
		if (saved === null)
			session.set(game.id, game);
		return saved ?? true;
	},
	async setUploaded(id, uploaded) {
		const kept = session.get(id);
		if (kept)
			session.set(id, { ...kept, uploaded });
		await stored("readwrite", async (games) => {
			const game = await finished<StoredGame | undefined>(games.get(id));
			if (game)
				await finished(games.put({ ...game, uploaded }));
		});
	},
	async remove(id) {
		session.delete(id);
		await stored<undefined>("readwrite", (games) => games.delete(id));
	},
	async list() {
		const all = [...await stored<StoredGame[]>("readonly", (games) => games.getAll()) ?? [], ...session.values()];
		return all.sort((a, b) => b.updated - a.updated);
	},
};
