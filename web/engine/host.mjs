// host.mjs - runs libquevedo.wasm (src/server/wasm/engine.h) in a worker, on a page or in Node.
// SPDX-License-Identifier: MIT
//
// A request blocks its thread until the search ends: on a page, create the engine in a worker. To stop a search, end the worker.

// The few functions of WASI that the C library calls. There are no files.
function wasi(memory) {
	const BAD_DESCRIPTOR = 8;
	const refuse = () => BAD_DESCRIPTOR;
	const names = ["fd_close", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_prestat_get", "fd_prestat_dir_name", "fd_read", "fd_seek",
		"fd_write", "path_filestat_get", "path_open"];
	return {
		...Object.fromEntries(names.map((name) => [name, refuse])),
		sched_yield: () => 0,
		proc_exit: (status) => {
			throw new Error(`the engine has ended with status ${status}`);
		},
		clock_time_get: (id, _precision, out) => {
			const ms = id === 0 ? Date.now() : performance.now();
			new DataView(memory().buffer).setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
			return 0;
		},
	};
}

function fillAtRandom(bytes) {
	if (globalThis.crypto) crypto.getRandomValues(bytes);
	else bytes.forEach((_, i) => (bytes[i] = Math.random() * 256)); // Node 18
}

// module: a WebAssembly.Module. loadData(game): the bytes of GAME.bin, as a Uint8Array or a promise of one; null: there is no such file.
// random(bytes): fills a Uint8Array.
export async function createEngine(module, loadData, random = fillAtRandom) {
	const encoder = new TextEncoder();
	const decoder = new TextDecoder();
	const loaded = new Map(); // game -> promise
	let respond;
	const instance = await WebAssembly.instantiate(module, {
		wasi_snapshot_preview1: wasi(() => instance.exports.memory),
		quevedo: {
			random: (at, size) => random(new Uint8Array(instance.exports.memory.buffer, at, size)),
			respond: (status, at, size, last) =>
				respond(status, decoder.decode(new Uint8Array(instance.exports.memory.buffer, at, size)), last !== 0),
		},
	});
	const c = instance.exports;
	c._initialize();
	if (!c.engine_open()) throw new Error("the engine has not enough memory");

	// Copies bytes into the engine's memory, calls the function with their addresses, and frees them.
	function passing(blocks, call) {
		const at = blocks.map((bytes) => {
			const to = c.engine_alloc(bytes.length || 1);
			if (!to) throw new Error("the engine has not enough memory");
			new Uint8Array(c.memory.buffer, to, bytes.length).set(bytes);
			return to;
		});
		try {
			return call(...at);
		} finally {
			at.forEach((block) => c.engine_free(block));
		}
	}

	const text = (words) => encoder.encode(`${words}\0`);

	async function loadGame(game) {
		const bytes = await loadData(game);
		if (bytes && !passing([text(game), bytes], (name, at) => c.engine_data(name, at, bytes.length)))
			throw new Error(`the data of ${game} belongs to another version of the engine`);
		if (!bytes) loaded.delete(game); // perhaps the next request finds it
	}

	// Resolves when the data of a game, such as "chess" or "connect4:width=8", is in the engine.
	function prepare(rules) {
		const game = rules.split(":")[0];
		if (!loaded.has(game)) {
			const loading = loadGame(game);
			loaded.set(game, loading);
			loading.catch(() => loaded.delete(game)); // the next request tries again
		}
		return loaded.get(game);
	}

	// Runs a request at once: "positions" with a body (a value, or JSON as a string), or "boards?game=chess" without. The data of its
	// game must be in the engine.
	// Returns {status, text}, the last response; onMessage(text) gets the messages before it.
	function run(request, body, onMessage) {
		let answer;
		respond = (status, json, last) => {
			if (last) answer = { status, text: json };
			else onMessage?.(json);
		};
		const sent = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
		passing([text(request), text(sent)], (path, json) => c.engine_request(path, json));
		return answer;
	}

	// The same with the data of its games loaded first, and with values instead of texts; a record stays a text. Throws what the engine
	// refuses.
	async function ask(request, body, onMessage) {
		const pass = onMessage && ((message) => onMessage(JSON.parse(message)));
		for (let tries = 0; ; tries++) {
			const { status, text: response } = run(request, body, pass);
			if (status < 400) return /\/record(\?|$)/.test(request) ? response : JSON.parse(response);
			const { message } = JSON.parse(response).error;
			const missing = /^data: (\S+) is not loaded$/.exec(message)?.[1];
			if (!missing || tries === 4) throw Object.assign(new Error(message), { status });
			await prepare(missing);
		}
	}

	return { ask, prepare, run };
}
