// core.ts - loads the engine for browsers, after the page has shown its first board.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import { settings } from "../store/settings";
import { createStore, useStore } from "../store/store";
import type { Game } from "../types";
import { createBrowserEngine, type BrowserEngine, type WorkerPort } from "./browser";
import type { CoreState } from "./choose";

/* A module with one function that makes a vector: (func (result v128) i32.const 0 i8x16.splat). */
const VECTORS = [
	0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
];

export const coreState = createStore<CoreState>(ENGINE_FILES && typeof WebAssembly === "object" && typeof Worker === "function" ? "idle" : "none");

/** Of a file in the page's folder, which may lie under any path on a static site; this script is in assets/. */
export function address(file: string): string {
	return new URL(`../${file}`, import.meta.url).href;
}

async function bytesOf(file: string): Promise<Uint8Array> {
	const response = await fetch(address(file));
	if (!response.ok)
		throw new Error(`${file}: status ${response.status}`);
	return new Uint8Array(await response.arrayBuffer());
}

const data = new Map<string, Promise<Uint8Array>>();

const AGAIN_MS = 10000; // after a failure, until data is requested again

/** The games whose data has come. */
export const loadedData = createStore<ReadonlySet<string>>(new Set());

/** Kept here, since workers come and go. */
function dataOf(game: string): Promise<Uint8Array | null> {
	const file = ENGINE_FILES?.data[game];
	if (!file)
		return Promise.resolve(null);
	const old = data.get(game);
	if (old)
		return old;
	const coming = bytesOf(file);
	data.set(game, coming);
	coming.then(() => loadedData.set(new Set([...loadedData.get(), game])), () => setTimeout(() => data.delete(game), AGAIN_MS));
	return coming;
}

/** Whether the engine can begin with a game at once. If not, it can soon. */
export function hasData(game: string): boolean {
	if (!ENGINE_FILES?.data[game] || loadedData.get().has(game))
		return true;
	if (loaded)
		void dataOf(game).catch(() => {});
	return false;
}

/** Lets the engine have the data of a game before it is needed. */
export function useEngineData(game: string): void {
	const state = useStore(coreState);
	useEffect(() => {
		if (state === "ready")
			hasData(game.split(":", 1)[0] ?? "");
	}, [game, state]);
}

const MOST_WORKERS = 4; // more requests wait

export interface Core {
	engine: BrowserEngine;
	plays: BrowserEngine; // one worker, which holds the plays of this browser
	lab: BrowserEngine; // one worker, which keeps the logs of the last searches
	games: Map<string, Game>; // the built-in ones, as this engine knows them
}

/** The engine that this browser can run. */
export function coreFile({ core, plain }: NonNullable<typeof ENGINE_FILES>): string {
	return WebAssembly.validate(new Uint8Array(VECTORS)) ? core : plain;
}

async function load(files: NonNullable<typeof ENGINE_FILES>): Promise<Core> {
	const module = await WebAssembly.compile(await bytesOf(coreFile(files)) as BufferSource);
	const spawn = () => new Worker(address(ENGINE_WORKER), { type: "module" }) as WorkerPort;
	const engine = createBrowserEngine({ spawn, module, data: dataOf, most: MOST_WORKERS });
	const plays = createBrowserEngine({ spawn, module, data: dataOf, most: 1 });
	const lab = createBrowserEngine({ spawn, module, data: dataOf, most: 1 });
	const games = await engine.request<Game[]>("games", undefined);
	return { engine, plays, lab, games: new Map(games.map((game) => [game.name, game])) };
}

let loading: Promise<Core> | null = null;
let loaded: Core | null = null;

/** Loads it, or waits until it is loaded. After a failure it tries again. */
export function loadCore(): Promise<Core> {
	if (!ENGINE_FILES)
		return Promise.reject(new Error("there is no engine for browsers"));
	if (!loading) {
		coreState.set("loading");
		loading = load(ENGINE_FILES);
		loading.then((core) => {
			loaded = core;
			coreState.set("ready");
		}, (error) => failed(error));
	}
	return loading;
}

/** null: not loaded yet. */
export function loadedCore(): Core | null {
	return loaded;
}

/** The engine in the browser cannot be used. */
export function failed(why: unknown): void {
	console.warn("The engine in this browser cannot be used.", why);
	loaded?.engine.retire();
	loaded?.plays.retire();
	loaded?.lab.retire();
	loading = loaded = null;
	coreState.set("failed");
}

let isShown = false;
let first: () => void;
/** The first board is on the screen, and the browser has nothing better to do. */
export const afterFirstBoard = new Promise<void>((done) => { first = done; });

/** The first board is on the screen: loads the core as soon as the browser has nothing better to do. */
export function boardShown(): void {
	if (isShown)
		return;
	isShown = true;
	const begin = () => {
		first();
		if (coreState.get() === "idle" && (STATIC_SITE || settings.get().engine === "browser"))
			void loadCore().catch(() => {});
	};
	if ("requestIdleCallback" in window)
		requestIdleCallback(begin, { timeout: 2000 });
	else
		setTimeout(begin, 200);
}

/* The choice can change while the page is open. */
settings.subscribe(() => {
	if (isShown && coreState.get() === "idle" && settings.get().engine === "browser")
		void loadCore().catch(() => {});
});
