// useExplorer.ts - the explorer of a position: games of the server, and those of this browser.
// SPDX-License-Identifier: MIT
import { post } from "../api";
import type { Where } from "../play/useAdvice";
import { useLoad, type Loaded } from "../pages/parts";
import type { Explored } from "../types";
import { addMoves, countGames, countMoves, positionKey } from "./explore";
import { ownGames } from "./owngames";

const RECENT = 8; // games, as the server sends them

export type Whose = "all" | "mine";

function fromServer(whose: Whose, where: Where): Promise<Explored> {
	return post<Explored>("/api/v1/explorer", { ...where, whose });
}

/** Yours on the server and those of this browser. A game that has a copy on the server counts once, unless the server cannot be asked. */
async function yours(where: Where, position: string, seats: number): Promise<Explored> {
	const server = STATIC_SITE ? null : await fromServer("mine", where).catch(() => null);
	const own = await ownGames(where.game, server === null), key = positionKey(where.game, position);
	const moves = addMoves(server?.moves ?? [], countMoves(own, key, seats));
	const here = own.filter(({ visits }) => visits.some((visit) => visit.key === key)).map(({ entry }) => entry);
	const recent = [...server?.recent ?? [], ...here].sort((a, b) => b.ended - a.ended).slice(0, RECENT);
	return { game: where.game, games: countGames({ moves }), complete: server?.complete ?? true, moves, recent };
}

/** whose null: nothing is loaded. position: that of `where`, as text; "" while it is not known. */
export function useExplorer(whose: Whose | null, where: Where, position: string, seats: number): Loaded<{ key: string; explored: Explored }> {
	const key = whose && position ? JSON.stringify([whose, where]) : "";
	return useLoad(key, async () => ({ key, explored: whose === "mine" ? await yours(where, position, seats) : await fromServer("all", where) }));
}
