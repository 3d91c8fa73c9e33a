// owngames.ts - the finished games of this browser, replayed for the explorer.
// SPDX-License-Identifier: MIT
import { ask } from "../engine/ask";
import { readJournal } from "../journal";
import { fetchPosition } from "../pages/parts";
import { localId } from "../play/local";
import { storedGames, type StoredGame } from "../store/games";
import { movesTo } from "../tree";
import type { FinishedGame, Seat } from "../types";
import { PLIES, visitsOf, type ReplayedGame } from "./explore";

const MOST = 200; // games that are replayed, the latest

export interface OwnGame extends ReplayedGame {
	entry: FinishedGame; // for the list
}

const replayed = new Map<string, Promise<OwnGame | null>>(); // by id and revision

function levelOf(kind: string, spec: string | null | undefined): number | null {
	return kind === "computer" ? Number(/^level:(\d+)/.exec(spec ?? "")?.[1] ?? 0) : null;
}

/** The lines of its record; the others are about the players. */
function recordOf(lines: string[]): string {
	return lines.filter((line) => !line.startsWith('{"play":')).map((line) => `${line}\n`).join("");
}

/** null: it cannot be replayed. */
async function replay({ id, game, title, seats: players, created, updated, result, lines }: StoredGame): Promise<OwnGame | null> {
	try {
		const { tree, reason } = readJournal(recordOf(lines)), { start } = tree;
		const line = movesTo(tree, tree.cursor), moves = line.slice(0, PLIES);
		const seats = players.map(({ kind, name, spec }, i): Seat => ({ seat: i + 1, kind: kind as Seat["kind"], name, spec: spec ?? null, you: kind === "person", connected: false }));
		const [first, { course = [] }] = await Promise.all([fetchPosition(game, start, []), ask("positions", { game, position: start, moves, course: true })]);
		return {
			visits: visitsOf(game, first.position, course), result, levels: seats.map(({ kind, spec }) => levelOf(kind, spec)),
			entry: { id: localId(id), game, title, seats, created, ended: updated / 1000, result, reason, plies: line.length },
		};
	} catch {
		return null;
	}
}

/** uploaded: with those that have a copy on the server. The latest first. */
export async function ownGames(game: string, uploaded: boolean): Promise<OwnGame[]> {
	const games = (await storedGames.list()).filter((one) => one.game === game && one.result !== null && (uploaded || !one.uploaded)).slice(0, MOST);
	const all: OwnGame[] = [];
	for (const one of games) {
		const key = `${one.id} ${one.revision ?? 0}`;
		const found = replayed.get(key) ?? replay(one);
		replayed.set(key, found);
		const done = await found;
		if (done)
			all.push(done);
	}
	return all;
}
