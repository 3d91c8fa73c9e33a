// request.ts - what the laboratory asks the engine in the browser. No server has these requests.
// SPDX-License-Identifier: MIT
import { sentence } from "../api";
import { coreState, loadCore } from "../engine/core";
import { t } from "../messages";
import { baseName } from "../pages/parts";
import type { SearchLog } from "./log";

/** A position and who thinks about it. */
export interface Question {
	game: string;
	position?: string;
	moves?: string[];
	player: string;
	plain?: boolean; // moves as the rules write them (chess: g1f3), not in short notation (Nf3)
}

export const NODES_MOST = 100000; // visits in a log
const STEPS_MOST = 20000; // of a proof

function bodyOf({ game, position, moves, player }: Question): object {
	return { game, position: position || "start", moves: moves ?? [], player };
}

/** Whether this browser can run the engine at all. */
export function hasEngine(): boolean {
	return coreState.get() !== "none";
}

/** Returns a function that stops it. */
function send<T>(worker: "engine" | "lab", request: string, body: object, done: (body: T) => void, failed: (error: string) => void): () => void {
	let stop = () => {}, isStopped = false;
	loadCore().then((core) => {
		const { game } = body as { game?: string };
		if (!isStopped && game && !core.games.has(baseName(game)))
			failed(t("lab.serverOnly"));
		else if (!isStopped)
			stop = core[worker].stream<T>(request, body, { message: done, error: (error) => failed(sentence(error)) });
	}, () => failed(t("engine.notLoaded")));
	return () => {
		isStopped = true;
		stop();
	};
}

/** A search with its log. */
export function requestLog(question: Question, done: (log: SearchLog) => void, failed: (error: string) => void): () => void {
	return send("lab", isProof(question.player) ? "proof" : "trace", logBody(question), done, failed);
}

/** "proof:nodes=N" is the df-pn solver, which is no player. */
export function isProof(player: string): boolean {
	return /^proof(:|$)/.test(player);
}

function logBody(question: Question): object {
	const { player, ...where } = bodyOf(question) as { player: string }, short = !question.plain;
	if (isProof(player))
		return { ...where, short, nodes: Number(/nodes=(\d+)/.exec(player)?.[1] ?? 2000), steps: STEPS_MOST };
	return { ...where, player, short, log: true, nodes: NODES_MOST };
}

/** The counts of a search only. */
export function requestCounts(question: Question, done: (log: SearchLog) => void, failed: (error: string) => void): () => void {
	return send("engine", "trace", { ...bodyOf(question), log: true, nodes: 1 }, done, failed);
}

/** A small search with its log, without words. It leaves the logs of the bench in place. */
export function requestVisits(question: Question, done: (log: SearchLog) => void, failed: (error: string) => void): () => void {
	return send("engine", "trace", { ...bodyOf(question), log: true, nodes: NODES_MOST }, done, failed);
}

/** How many positions there are at a depth. */
export function requestPerft({ game, position, moves }: Omit<Question, "player">, depth: number,
	done: (count: { nodes: number }) => void, failed: (error: string) => void): () => void {
	return send("engine", "perft", { game, position: position || "start", moves: moves ?? [], depth }, done, failed);
}

const ids = new WeakMap<SearchLog, number>(); // of logs that were made again

/** What happens at a visit, in words. The engine keeps few logs, so that an older one is made again: it is the same. */
export async function wordsOf(log: SearchLog, visit: number): Promise<string> {
	const { lab } = await loadCore();
	const ask = async (id: number) => (await lab.request<{ text: string }>("trace/words", { id, visit })).text;
	try {
		return await ask(ids.get(log) ?? log.id ?? 0);
	} catch {
		const { game, position, player } = log;
		const { id } = await lab.request<SearchLog>("trace", logBody({ game, position, player }));
		ids.set(log, id ?? 0);
		return ask(id ?? 0);
	}
}

/** Any other request of the laboratory. */
export async function labRequest<T>(route: "wave" | "wave/map" | "wave/position" | "solve" | "learn" | "boxes" | "td" | "machine" | "mask", body: object): Promise<T> {
	const { lab } = await loadCore();
	return lab.request<T>(route, body);
}
