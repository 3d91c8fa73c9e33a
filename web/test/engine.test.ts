// engine.test.ts - unit tests of the page's engines: which one is chosen, the worker's messages, and the pool of workers.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { RequestError } from "../src/api";
import { createBrowserEngine, DataFailure, EngineFailure, gameOf, type WorkerPort } from "../src/engine/browser";
import { chooseAfter, chooseEngine, type Situation } from "../src/engine/choose";
import { serveEngine, type FromWorker, type ToWorker } from "../src/engine/protocol";
import { canThinkHere, canThinkInNew } from "../src/play/ownengine";
import type { Play, Seat } from "../src/types";

// ---- The choice ----

const usual: Situation = { core: "ready", preferred: "browser", builtIn: true, hasData: true, hasServer: true };

test("the browser's engine is the default, once it is loaded", () => {
	assert.equal(chooseEngine(usual), "browser");
	for (const core of ["none", "idle", "loading", "failed"] as const)
		assert.equal(chooseEngine({ ...usual, core }), "server");
	assert.equal(chooseEngine({ ...usual, hasData: false }), "server");
});

test("the server's engine serves plug-ins, games that count, strong analysis, and who prefers it", () => {
	for (const change of [{ builtIn: false }, { counts: true }, { strong: true }, { preferred: "server" as const }])
		assert.equal(chooseEngine({ ...usual, ...change }), "server");
});

test("without a server there is the browser's engine alone", () => {
	const site = { ...usual, hasServer: false };
	assert.equal(chooseEngine({ ...site, preferred: "server", strong: true, counts: true, hasData: false }), "browser");
	assert.equal(chooseEngine({ ...site, core: "idle" }), "loading");
	assert.equal(chooseEngine({ ...site, core: "loading" }), "loading");
	assert.equal(chooseEngine({ ...site, core: "failed" }), "none");
	assert.equal(chooseEngine({ ...site, core: "none" }), "none");
	assert.equal(chooseEngine({ ...site, builtIn: false }), "none");
});

test("after a failure the other engine serves, if it can", () => {
	const here = { core: "ready", hasServer: true } as const;
	for (const error of [new EngineFailure("x"), new DataFailure("x"), new RequestError(404, "not_found", "x"), new RequestError(503, "busy", "x")]) {
		assert.equal(chooseAfter(error, "browser", here), "server");
		assert.equal(chooseAfter(error, "browser", { ...here, hasServer: false }), null);
	}
	assert.equal(chooseAfter(new RequestError(409, "conflict", "x"), "browser", here), null);
	assert.equal(chooseAfter(new TypeError("x"), "browser", here), null);
	const offline = new RequestError(0, "offline", "x");
	assert.equal(chooseAfter(offline, "server", here), "browser");
	assert.equal(chooseAfter(offline, "server", { ...here, core: "none" }), null);
	assert.equal(chooseAfter(new RequestError(503, "busy", "x"), "server", here), null);
});

test("your engine thinks for computers only where nothing depends on it", () => {
	const seat = (kind: Seat["kind"], spec: string | null, you = false): Seat =>
		({ seat: 1, kind, name: "", spec, you, connected: true });
	const play = {
		seats: [seat("person", null, true), seat("computer", "level:2")], owner: true, clocks: null, dice: null, result: null,
		view: { over: false, seat: 2 },
	} as unknown as Play;
	assert.equal(canThinkHere(play), true);
	assert.equal(canThinkHere({ ...play, seats: [seat("computer", "level:1"), seat("computer", "level:2")] }), true);
	assert.equal(canThinkHere({ ...play, owner: false, seats: [seat("computer", "level:1"), seat("computer", "level:2")] }), false);
	assert.equal(canThinkHere({ ...play, clocks: { terms: "5m", left: [1, 1], running: 1 } }), false);
	assert.equal(canThinkHere({ ...play, dice: { mode: "server", commit: null, last: null } }), false);
	assert.equal(canThinkHere({ ...play, dice: { mode: "typed", commit: null, last: null } }), true);
	assert.equal(canThinkHere({ ...play, result: "win 1" }), false);
	for (const other of [seat("person", null), seat("computer", "learn"), seat("person", null, true)])
		assert.equal(canThinkHere({ ...play, seats: [seat("person", null, true), other] }), false);

	assert.equal(canThinkInNew({ game: "chess", seats: ["human", "level:2"] }), true);
	assert.equal(canThinkInNew({ game: "backgammon", seats: ["human", "level:2"], dice: "typed" }), true);
	for (const change of [{ seats: ["human", "open"] }, { seats: ["human", "learn"] }, { clock: "5m" }, { dice: "server" as const }, { record: "x" }])
		assert.equal(canThinkInNew({ game: "chess", seats: ["human", "level:2"], ...change }), false);
});

test("the game of a request", () => {
	assert.equal(gameOf("positions", { game: "connect4:width=8", moves: [] }), "connect4");
	assert.equal(gameOf("boards?game=chess", undefined), "chess");
	assert.equal(gameOf("games", undefined), "");
	assert.equal(gameOf("records", { record: "" }), "");
});

// ---- The worker's side ----

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** An engine that repeats what it is asked. */
function fakeCreate(log: string[]) {
	return async (_module: WebAssembly.Module, loadData: (game: string) => Uint8Array | null | Promise<Uint8Array | null>) => ({
		prepare: async (game: string) => void log.push(`prepare ${game} ${(await loadData(game))?.length ?? "none"}`),
		run(request: string, body?: unknown, onMessage?: (text: string) => void) {
			if (request === "trap")
				throw new Error("unreachable");
			log.push(`run ${request} ${String(body)}`);
			onMessage?.('"soon"');
			return { status: request === "bad" ? 409 : 200, text: '"done"' };
		},
		ask: async () => null,
	});
}

test("a worker loads the data of a game, and sends messages and the end", async () => {
	const log: string[] = [], sent: FromWorker[] = [];
	const receive = serveEngine(fakeCreate(log), (message) => sent.push(message));
	receive({ type: "open", module: {} as WebAssembly.Module });
	receive({ type: "data", game: "chess", bytes: new Uint8Array(3) });
	receive({ type: "run", id: 1, request: "analysis", game: "chess", body: "{}" });
	receive({ type: "run", id: 2, request: "bad", game: "noughts", body: "{}" });
	await settled();
	assert.deepEqual(log, ["prepare chess 3", "run analysis {}", "prepare noughts none", "run bad {}"]);
	assert.deepEqual(sent, [
		{ type: "message", id: 1, text: '"soon"' }, { type: "done", id: 1, status: 200, text: '"done"' },
		{ type: "message", id: 2, text: '"soon"' }, { type: "done", id: 2, status: 409, text: '"done"' },
	]);
});

test("a worker reports an engine that has failed, and one that cannot be opened", async () => {
	const sent: FromWorker[] = [];
	const receive = serveEngine(fakeCreate([]), (message) => sent.push(message));
	receive({ type: "open", module: {} as WebAssembly.Module });
	receive({ type: "run", id: 1, request: "trap", game: "", body: "" });
	const other = serveEngine(async () => {
		throw new Error("the engine has not enough memory");
	}, (message) => sent.push(message));
	other({ type: "open", module: {} as WebAssembly.Module });
	other({ type: "run", id: 1, request: "games", game: "", body: "" });
	await settled();
	assert.deepEqual(sent, [{ type: "broken", why: "unreachable" }, { type: "broken", why: "the engine has not enough memory" }]);
});

// ---- The pool ----

class FakeWorker implements WorkerPort {
	received: ToWorker[] = [];
	ended = false;
	onmessage: WorkerPort["onmessage"] = null;
	onerror: WorkerPort["onerror"] = null;
	postMessage(message: ToWorker): void {
		this.received.push(message);
	}
	terminate(): void {
		this.ended = true;
	}
	send(data: FromWorker): void {
		this.onmessage?.({ data });
	}
	/** Answers its last request. */
	finish(value: unknown, status = 200): void {
		const id = Math.max(...this.received.map((message) => message.type === "run" ? message.id : 0));
		this.send({ type: "done", id, status, text: JSON.stringify(value) });
	}
	get requests(): string[] {
		return this.received.flatMap((message) => message.type === "run" ? [message.request] : []);
	}
}

function pool(data: (game: string) => Promise<Uint8Array | null> = async () => null) {
	const workers: FakeWorker[] = [];
	const spawn = () => {
		const worker = new FakeWorker();
		workers.push(worker);
		return worker;
	};
	return { workers, engine: createBrowserEngine({ spawn, module: {} as WebAssembly.Module, data, most: 4 }) };
}

test("one worker serves one request after another, with the data of a game sent once", async () => {
	const { workers, engine } = pool(async (game) => game === "chess" ? new Uint8Array(2) : null);
	const first = engine.request("positions", { game: "chess" });
	await settled();
	workers[0]?.finish({ a: 1 });
	assert.deepEqual(await first, { a: 1 });
	const second = engine.request("evaluation", { game: "chess:x=1" });
	await settled();
	workers[0]?.finish({ error: { code: "conflict", message: "game: over" } }, 409);
	await assert.rejects(second, (error: RequestError) => error.status === 409 && error.message === "Over.");
	assert.equal(workers.length, 1);
	assert.deepEqual(workers[0]?.received.map(({ type }) => type), ["open", "data", "run", "run"]);
});

test("a stream passes its messages on; to stop it ends its worker and not the others", async () => {
	const { workers, engine } = pool();
	const seen: unknown[] = [];
	const stop = engine.stream("analysis", {}, { message: (body) => void seen.push(body) });
	const quick = engine.request("positions", {});
	await settled();
	assert.deepEqual(workers.map(({ requests }) => requests), [["analysis"], ["positions"]]);
	workers[0]?.send({ type: "message", id: 1, text: "1" });
	stop();
	assert.equal(workers[0]?.ended, true);
	workers[1]?.finish(7);
	assert.equal(await quick, 7);
	assert.deepEqual(seen, [1]);
	stop(); // a second time does no harm
	assert.equal(workers[1]?.ended, false);
});

test("more requests than workers wait for their turn", async () => {
	const { workers, engine } = pool();
	const all = [1, 2, 3, 4, 5, 6].map((number) => engine.request<number>(`r${number}`, {}));
	const stop = engine.stream("never", {}, { message: () => assert.fail() });
	await settled();
	assert.equal(workers.length, 4);
	stop();
	for (let i = 0; i < 4; i++)
		workers[i]?.finish(i + 1);
	await settled();
	workers.filter(({ ended }) => !ended).forEach((worker) => worker.requests.length === 2 && worker.finish(0));
	assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 0, 0]);
	assert.equal(workers.flatMap(({ requests }) => requests).includes("never"), false);
	assert.ok(workers.filter(({ ended }) => !ended).length <= 2, "few idle workers are kept");
});

test("an engine that fails, a worker that ends and data that is missing are failures of the engine", async () => {
	const { workers, engine } = pool(async (game) => {
		if (game === "chess")
			throw new Error("status 404");
		return null;
	});
	const broken = engine.request("positions", {});
	await settled();
	workers[0]?.send({ type: "broken", why: "out of memory" });
	await assert.rejects(broken, (error) => error instanceof EngineFailure && /out of memory/.test(error.message));
	const ended = engine.request("positions", {});
	await settled();
	workers[1]?.onerror?.({});
	await assert.rejects(ended, EngineFailure);
	await assert.rejects(engine.request("positions", { game: "chess" }), /status 404/);
	const next = engine.request("positions", { game: "noughts" });
	await settled();
	workers[workers.length - 1]?.finish("fine");
	assert.equal(await next, "fine");
	assert.deepEqual(workers.map((worker) => worker.ended), [true, true, true, false]);
});

test("data that cannot be loaded is no fault of the engine", async () => {
	let online = false;
	const { engine, workers } = pool(async () => {
		if (!online)
			throw new Error("status 503");
		return new Uint8Array(1);
	});
	await assert.rejects(engine.request("positions", { game: "chess" }), DataFailure);
	online = true;
	const next = engine.request("positions", { game: "chess" });
	await settled();
	workers[workers.length - 1]?.finish("fine");
	assert.equal(await next, "fine");
});

test("to stop searches again and again leaves no worker behind", async () => {
	const { workers, engine } = pool();
	for (let i = 0; i < 50; i++) {
		const stop = engine.stream("analysis", {}, { message: () => {} });
		if (i % 2)
			await settled();
		stop();
	}
	await settled();
	assert.equal(workers.filter(({ ended }) => !ended).length, 0);
});

test("an engine that is given up ends its workers, after their requests", async () => {
	const { workers, engine } = pool();
	const [idle, busy] = [engine.request("positions", {}), engine.request("evaluation", {})];
	await settled();
	workers[0]?.finish(1);
	assert.equal(await idle, 1);
	engine.retire();
	assert.deepEqual(workers.map(({ ended }) => ended), [true, false]);
	workers[1]?.finish(2);
	assert.equal(await busy, 2);
	assert.deepEqual(workers.map(({ ended }) => ended), [true, true]);
});
