// index.js - the package quevedo: positions of strategy games, and an engine for them in a worker.
// SPDX-License-Identifier: MIT
//
// All games share one worker, which starts with the first request and does not keep a program running. It runs one request after another.
// A search blocks its worker, so stopping one ends the worker, and the next request starts another.

/** What the engine refuses, with its message. */
export class QuevedoError extends Error {
	constructor(message, status) {
		super(message);
		this.name = "QuevedoError";
		this.status = status;
	}
}

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

async function newWorker() {
	if (!isNode) return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
	const name = "node:worker_threads"; // a name that bundlers for browsers do not follow
	const { Worker: NodeWorker } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
	const worker = new NodeWorker(new URL("./worker.js", import.meta.url));
	worker.on("message", (data) => worker.onmessage?.({ data }));
	worker.on("error", (error) => worker.onerror?.(error));
	worker.unref();
	return worker;
}

let current = null; // {worker: a promise, waiting}

function engine() {
	if (current) return current;
	const waiting = new Map(); // request number -> {request, body, message, resolve, reject}
	const mine = { waiting, worker: null };
	mine.worker = newWorker().then((worker) => {
		worker.onmessage = ({ data: { number, message, value, error } }) => {
			const request = waiting.get(number);
			if (!request) return;
			if (message) return void request.message(message);
			waiting.delete(number);
			if (waiting.size === 0) worker.unref?.();
			if (error?.broken) replace(mine);
			if (error) request.reject(new QuevedoError(error.message, error.status));
			else request.resolve(value);
		};
		worker.onerror = (error) => end(mine, new Error(`quevedo: the worker has failed: ${error.message}`));
		return worker;
	});
	mine.worker.catch((error) => end(mine, error));
	return (current = mine);
}

function discard(old) {
	if (current === old) current = null;
	old.waiting.clear();
	old.worker.then((worker) => worker.terminate(), () => {});
}

// Ends a worker; what waits for it fails.
function end(old, error) {
	const failed = [...old.waiting.values()];
	discard(old);
	for (const { reject } of failed) reject(error);
}

// Ends a worker; what waits for it begins again in another one.
function replace(old) {
	const waiting = [...old.waiting];
	discard(old);
	for (const [number, request] of waiting) post(number, request);
}

let numbers = 0;

function post(number, waiting) {
	const to = engine();
	to.waiting.set(number, waiting);
	to.worker.then((worker) => {
		if (!to.waiting.has(number)) return; // it was stopped meanwhile
		worker.ref?.();
		worker.postMessage({ number, request: waiting.request, body: waiting.body });
	}, () => {});
}

async function send(request, body, message = () => {}, number = ++numbers) {
	const text = body && JSON.stringify(body);
	return new Promise((resolve, reject) => post(number, { request, body: text, message, resolve, reject }));
}

// Ends a request that nobody waits for any more. The others go on.
function abandon(number) {
	if (!current?.waiting.delete(number)) return;
	replace(current);
}

/** Ends the searches that run. What waits for them fails. */
export function stop() {
	if (current) end(current, new QuevedoError("stopped", 0));
}

/** The built-in games, with their rules, options and levels. */
export function games() {
	return send("games");
}

/** A position of a game: {position, moves} set it up; without them, it is the start. */
export async function position(game, { position: start, moves = [] } = {}) {
	const at = { game, position: start, moves: [...moves] };
	return new Position(at, await send("positions", at));
}

export class Position {
	#at; // what requests send
	#view;

	constructor(at, view) {
		this.#at = at;
		this.#view = view;
		this.game = view.game;
		this.position = view.position;
		this.seat = view.seat;
		this.moves = view.moves.map(({ move }) => move);
		this.over = view.over;
		this.result = view.result;
		this.points = view.points;
		this.history = at.moves;
		Object.freeze(this);
	}

	/** A drawing, for a terminal. */
	show() {
		return this.#view.text ?? this.position;
	}

	/** The position after these moves; chance's "moves" are rolls. */
	play(...moves) {
		return position(this.#at.game, { position: this.#at.position, moves: [...this.#at.moves, ...moves] });
	}

	/** The move of a player: {player, seed, time, book}. */
	async best(options = {}) {
		const { move, thoughts } = await send("move", { ...this.#at, ...options });
		return { ...thoughts.line, move };
	}

	/** Results of a search as it finds them, best lines first: {player, lines, time}. To leave the loop stops it. */
	async *analyse(options = {}) {
		const found = [];
		let wake;
		let failure = null;
		let ended = false;
		const say = () => wake?.();
		const number = ++numbers;
		send("analysis", { ...this.#at, ...options }, (message) => (found.push(message), say()), number)
			.then((last) => found.push(last), (error) => (failure = error)).finally(() => ((ended = true), say()));
		try {
			while (!ended || found.length) {
				if (found.length) yield found.shift();
				else await new Promise((next) => (wake = next));
			}
			if (failure) throw failure;
		} finally {
			if (!ended) abandon(number);
		}
	}

	/** The value with perfect play: {distance, nodes, time}. */
	solve(options = {}) {
		return send("solve", { ...this.#at, ...options });
	}

	/** The terms of the evaluation. */
	evaluate() {
		return send("evaluation", this.#at);
	}

	/** The tree that a search visits: {player, nodes, plies}. */
	trace(options) {
		return send("trace", { ...this.#at, ...options });
	}

	/** How many sequences of that many moves there are. */
	async perft(depth) {
		return (await send("perft", { ...this.#at, depth })).nodes;
	}
}
