// ask.ts - requests to the engine that choose.ts chooses. If one fails, the other takes over.
// SPDX-License-Identifier: MIT
import { RequestError } from "../api";
import { t } from "../messages";
import { settings } from "../store/settings";
import { DataFailure, EngineFailure, gameOf } from "./browser";
import { chooseAfter, chooseEngine, type Choice } from "./choose";
import { address, coreState, failed, hasData, loadCore, loadedCore } from "./core";
import type { Engine, Listener, Messages, MoveQuestion, Responses } from "./engine";
import { serverEngine } from "./server";

export interface Terms {
	strong?: boolean; // as in Situation
	counts?: boolean;
	needs?: "perfect"; // what the engine must have for the game: the server may have more tables
}

const FAILURES_MOST = 2; // then the browser's engine is given up
let failures = 0;

/** The engine for a game at this moment; "": a request about none. */
export function engineFor(game: string, { needs, ...terms }: Terms = {}): Choice {
	const { games } = loadedCore() ?? { games: null };
	const name = game.split(":", 1)[0] ?? "";
	const here = games?.get(name);
	const builtIn = !name || !games || Boolean(here && (!needs || here[needs]));
	const preferred = settings.get().engine;
	return chooseEngine({
		core: coreState.get(), preferred, builtIn, hasData: preferred === "server" || hasData(name), hasServer: !STATIC_SITE, ...terms,
	});
}

async function openEngine(choice: Choice): Promise<Engine> {
	if (choice === "server")
		return serverEngine;
	if (choice === "none")
		throw new RequestError(0, "engine", t("engine.notLoaded"));
	try {
		return (await loadCore()).engine;
	} catch (error) {
		throw new RequestError(0, "engine", error instanceof TypeError ? t("engine.offline") : t("engine.notLoaded"));
	}
}

/** The same as chooseAfter. An engine that fails again and again is given up. */
function otherEngine(error: unknown, choice: Choice): Choice | null {
	if (error instanceof EngineFailure) {
		console.warn(error.message);
		if (!(error instanceof DataFailure) && ++failures >= FAILURES_MOST)
			failed(error);
	}
	return chooseAfter(error, choice, { core: coreState.get(), hasServer: !STATIC_SITE });
}

async function send<T>(request: string, body: unknown, choice: Choice): Promise<T> {
	try {
		return await (await openEngine(choice)).request<T>(request, body);
	} catch (error) {
		const other = otherEngine(error, choice);
		if (!other)
			throw error;
		return (await openEngine(other)).request<T>(request, body);
	}
}

/** The game whose start position is requested and nothing else; "": another request. */
function startOf(route: string, body: object): string {
	const { game, position = "start", moves = [], ...more } = body as { game?: string; position?: string; moves?: string[] };
	return route === "positions" && game && position === "start" && !moves.length && !Object.keys(more).length ? game : "";
}

/** A request with one response. */
export async function ask<R extends keyof Responses>(route: R, body: object, terms?: Terms): Promise<Responses[R]> {
	const started = startOf(route, body);
	if (started && hasFile(started))
		try {
			return await fromFile<Responses[R]>(route, started);
		} catch {
			// The engine has it, too.
		}
	return send<Responses[R]>(route, body, engineFor(gameOf(route, body), terms));
}

/** Whether only the server has the tables of a game. */
async function lacksTables(game: string): Promise<boolean> {
	const here = loadedCore()?.games.get(game);
	const there = STATIC_SITE ? undefined : (await askOnce("games").catch(() => [])).find(({ name }) => name === game);
	return Boolean(there?.perfect && here && !here.perfect);
}

/** A request with messages. Returns a function that stops it. */
export function listen<R extends keyof Messages>(route: R, body: object, listener: Listener<Messages[R]>, terms?: Terms): () => void {
	let stop: () => void = () => {};
	let stopped = false;
	const begin = async (choice: Choice) => {
		const engine = await openEngine(choice);
		if (stopped)
			return;
		stop = engine.stream<Messages[R]>(route, body, {
			...listener,
			error: (error) => {
				const other = otherEngine(error, choice);
				if (other)
					begin(other).catch(listener.error);
				else
					listener.error?.(error);
			},
		});
	};
	const game = gameOf(route, body);
	const start = async () => begin(engineFor(game, route === "values" && await lacksTables(game) ? { strong: true } : terms));
	start().catch((error: RequestError) => stopped || listener.error?.(error));
	return () => {
		stopped = true;
		stop();
	};
}

/** The move of a computer, by the engine in this browser, which must be loaded. */
export function chooseMove(question: MoveQuestion, listener: Listener<Messages["move"]>): () => void {
	const { engine } = loadedCore() ?? {};
	if (!engine)
		throw new Error("the engine is not loaded");
	return engine.stream<Messages["move"]>("move", question, {
		...listener,
		error: (error) => {
			otherEngine(error, "browser");
			listener.error?.(error);
		},
	});
}

// ---- What does not change while the page is open ----

type LastingRoute = "games" | "gallery" | "history" | "boards" | "openings";

const kept = new Map<string, Promise<unknown>>();

/** The static site has files for what its first board needs, since the core is not loaded then; none for games with options. */
function hasFile(game: string): boolean {
	return STATIC_SITE && !loadedCore() && !game.includes(":");
}

async function fromFile<T>(route: string, game: string): Promise<T> {
	const file = game ? `data/${route}/${encodeURIComponent(game)}.json` : `data/${route}.json`;
	const response = await fetch(address(file));
	if (!response.ok)
		throw new Error(`${file}: status ${response.status}`);
	return await response.json() as T;
}

const COPY = "quevedo gallery"; // a cache of its own, with one entry

/** A copy of the gallery, so that the games show without a network before the service worker has kept them all. */
async function fetchGalleryOrCopy<T>(): Promise<T> {
	const copies = "caches" in globalThis ? caches.open(COPY).catch(() => null) : null;
	try {
		const gallery = await serverEngine.request<T>("gallery", undefined); // the browser opens the cache meanwhile
		void copies?.then((cache) => cache?.put(address("gallery.json"), new Response(JSON.stringify(gallery)))).catch(() => {});
		return gallery;
	} catch {
		const copy = await (await copies)?.match(address("gallery.json"));
		return copy ? await copy.json() as T : send<T>("gallery", undefined, "server");
	}
}

/** The server has it ready, and browsers cache it. */
async function fetchNow<T>(route: string, game: string): Promise<T> {
	const request = game ? `${route}?game=${encodeURIComponent(game)}` : route;
	if (!STATIC_SITE)
		return route === "gallery" ? fetchGalleryOrCopy<T>() : send<T>(request, undefined, "server");
	if (hasFile(game))
		try {
			return await fromFile<T>(route, game);
		} catch {
			// The engine has it, too.
		}
	return send<T>(request, undefined, engineFor(game));
}

/** A response that came as part of another one. */
export function keepResponse<R extends LastingRoute>(route: R, game: string, response: Responses[R]): void {
	const key = `${route} ${game}`;
	if (!kept.has(key))
		kept.set(key, Promise.resolve(response));
}

/** The response, if it was requested before. Sends no request. */
export async function responseOf<R extends LastingRoute>(route: R, game = ""): Promise<Responses[R] | null> {
	return await (kept.get(`${route} ${game}`) as Promise<Responses[R]> | undefined) ?? null;
}

/** Data about the games, or about one. Sends only one request. */
export function askOnce<R extends LastingRoute>(route: R, game = ""): Promise<Responses[R]> {
	const key = `${route} ${game}`;
	const old = kept.get(key);
	if (old)
		return old as Promise<Responses[R]>;
	const response = fetchNow<Responses[R]>(route, game);
	kept.set(key, response);
	response.catch(() => kept.delete(key));
	return response;
}
