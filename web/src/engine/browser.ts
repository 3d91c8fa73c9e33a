// browser.ts - the engine in the browser: a few workers, each with an engine of its own.
// SPDX-License-Identifier: MIT
//
// A worker runs one request at a time, and a search can only be stopped by ending its worker. So a search that is stopped costs a
// worker, and a quick request beside a search takes another one.
import { errorOf, RequestError } from "../api";
import { t } from "../messages";
import type { Engine, Listener } from "./engine";
import type { FromWorker, ToWorker } from "./protocol";

/** What a Worker has and the engine needs. */
export interface WorkerPort {
	postMessage(message: ToWorker): void;
	terminate(): void;
	onmessage: ((event: { data: FromWorker }) => void) | null;
	onerror: ((event: { message?: string }) => void) | null;
}

export interface EngineParts {
	spawn(): WorkerPort;
	module: WebAssembly.Module;
	/** The data of a game; null: it needs none. */
	data(game: string): Promise<Uint8Array | null>;
	most: number; // workers; more requests wait
}

const IDLE_MOST = 2; // workers without a request that are kept

export interface BrowserEngine extends Engine {
	/** Ends the workers that have nothing to do, and the others after their requests. */
	retire(): void;
}

/** The engine itself has failed, not the request: another engine may have a response. */
export class EngineFailure extends RequestError {
	constructor(why: string, text = t("engine.failed", { why })) {
		super(0, "engine", text);
	}
}

/** Data could not be loaded, perhaps because there is no connection. The engine can still be used. */
export class DataFailure extends EngineFailure {}

interface Job {
	request: string;
	body: unknown;
	listener: Listener<unknown>;
	slot: Slot | null; // null: it waits
}

interface Slot {
	port: WorkerPort;
	games: Set<string>; // whose data it has
	job: Job | null;
	id: number; // of its last request
}

/** The game that a request is about, without its options; "": none. */
export function gameOf(request: string, body: unknown): string {
	const named = (body as { game?: unknown } | undefined)?.game ?? new URLSearchParams(request.split("?")[1]).get("game");
	return typeof named === "string" ? named.split(":", 1)[0] ?? "" : "";
}

/** The response is a record, not JSON. */
function isText(request: string): boolean {
	return /\/record(\?|$)/.test(request);
}

/** Without a message: its script could not be loaded, or it was ended from outside. */
function endOf(message: string | undefined): EngineFailure {
	const why = message || t("engine.workerEnded");
	return !message && globalThis.navigator?.onLine === false ? new DataFailure(why, t("engine.offline")) : new EngineFailure(why);
}

export function createBrowserEngine(parts: EngineParts): BrowserEngine {
	let idleMost = IDLE_MOST;
	const slots: Slot[] = []; // the last used one comes last
	const waiting: Job[] = [];

	function open(): Slot {
		const slot: Slot = { port: parts.spawn(), games: new Set(), job: null, id: 0 };
		slot.port.onmessage = ({ data }) => receive(slot, data);
		slot.port.onerror = ({ message }) => fail(slot, endOf(message));
		slot.port.postMessage({ type: "open", module: parts.module });
		slots.push(slot);
		return slot;
	}

	function close(slot: Slot): void {
		slot.port.onmessage = slot.port.onerror = null;
		slot.port.terminate();
		slots.splice(slots.indexOf(slot), 1);
	}

	/** Those that were not used for the longest time. */
	function closeIdle(): void {
		const idle = slots.filter(({ job }) => !job);
		idle.slice(0, Math.max(idle.length - idleMost, 0)).forEach(close);
	}

	function fail(slot: Slot, error: EngineFailure): void {
		const { job } = slot;
		if (!slots.includes(slot))
			return;
		close(slot);
		startNext();
		job?.listener.error?.(error);
	}

	function receive(slot: Slot, message: FromWorker): void {
		if (message.type === "broken")
			return fail(slot, new EngineFailure(message.why));
		const { job } = slot;
		if (!job || message.id !== slot.id)
			return;
		if (message.type === "message")
			return job.listener.message(JSON.parse(message.text));
		const missing = message.status === 409 ? /"data: (\S+) is not loaded"/.exec(message.text)?.[1] : undefined;
		if (missing && !slot.games.has(missing))
			return void run(job, slot, missing);
		slot.job = null;
		startNext();
		closeIdle();
		const body: unknown = message.status < 400 && isText(job.request) ? message.text : JSON.parse(message.text);
		if (message.status >= 400)
			return job.listener.error?.(errorOf(message.status, body));
		job.listener.message(body);
		job.listener.end?.();
	}

	function start(job: Job, slot: Slot): void {
		slots.push(...slots.splice(slots.indexOf(slot), 1));
		slot.job = job;
		job.slot = slot;
		void run(job, slot, gameOf(job.request, job.body));
	}

	/** game: whose data the request needs; the engine tells if it needs more. */
	async function run(job: Job, slot: Slot, game: string): Promise<void> {
		try {
			if (game && !slot.games.has(game)) {
				const bytes = await parts.data(game);
				if (slot.job !== job || !slots.includes(slot))
					return; // it was stopped meanwhile
				slot.games.add(game);
				if (bytes)
					slot.port.postMessage({ type: "data", game, bytes });
			}
			const body = job.body === undefined ? "" : JSON.stringify(job.body);
			slot.port.postMessage({ type: "run", id: ++slot.id, request: job.request, game, body });
		} catch (error) {
			/* Without a network, fetch throws a TypeError. */
			if (slot.job === job)
				fail(slot, error instanceof TypeError ? new DataFailure(error.message, t("engine.offline"))
					: new DataFailure(t("engine.noData", { game, why: error instanceof Error ? error.message : String(error) })));
		}
	}

	/** A worker that has the data of the game, else any, the last used one first. */
	function freeSlot(job: Job): Slot | null {
		const idle = slots.filter((slot) => !slot.job).reverse();
		const game = gameOf(job.request, job.body);
		return idle.find((slot) => slot.games.has(game)) ?? idle[0] ?? (slots.length < parts.most ? open() : null);
	}

	function startNext(): void {
		const job = waiting[0], slot = job && freeSlot(job);
		if (!job || !slot)
			return;
		waiting.shift();
		start(job, slot);
		startNext();
	}

	function stop(job: Job): void {
		const at = waiting.indexOf(job);
		if (at >= 0)
			waiting.splice(at, 1);
		if (job.slot?.job !== job || !slots.includes(job.slot))
			return;
		close(job.slot);
		startNext();
	}

	function stream<T>(request: string, body: unknown, listener: Listener<T>): () => void {
		const job: Job = { request, body, listener: listener as Listener<unknown>, slot: null };
		waiting.push(job);
		startNext();
		return () => stop(job);
	}

	return {
		stream,
		retire: () => {
			idleMost = 0;
			closeIdle();
		},
		request: <T>(request: string, body: unknown) => new Promise<T>((resolve, reject) => {
			stream<T>(request, body, { message: resolve, error: reject });
		}),
	};
}
