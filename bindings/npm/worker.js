// worker.js - the worker of the package: an engine, and its files.
// SPDX-License-Identifier: MIT
import { createEngine } from "./host.mjs";

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);
const nodeModule = (name) => import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);
const port = isNode ? (await nodeModule("worker_threads")).parentPort : globalThis;

// With their names as literals, bundlers find the files.
const core = new URL("./quevedo.wasm", import.meta.url);
const plain = new URL("./quevedo-plain.wasm", import.meta.url);
const data = new URL("./data/", import.meta.url);

// A function that returns a vector.
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

// The bytes of a file; null: there is none.
async function read(url) {
	if (isNode) {
		const { readFile } = await nodeModule("fs/promises");
		return readFile(url).catch(() => null);
	}
	const response = await fetch(url);
	if (response.ok) return new Uint8Array(await response.arrayBuffer());
	if (response.status === 404) return null;
	throw new Error(`${url}: status ${response.status}`);
}

async function open() {
	const bytes = await read(WebAssembly.validate(VECTORS) ? core : plain);
	if (!bytes) throw new Error("quevedo.wasm was not found");
	return createEngine(await WebAssembly.compile(bytes), (game) => read(new URL(`${game}.bin`, data)));
}

const engine = open();

async function answer({ number, request, body }) {
	try {
		const value = await (await engine).ask(request, body, (message) => port.postMessage({ number, message }));
		port.postMessage({ number, value });
	} catch (error) {
		// After a trap or an overflow of its stack the engine is of no more use.
		const broken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
		port.postMessage({ number, error: { message: error.message, status: error.status ?? 0, broken } });
	}
}

if (isNode) port.on("message", answer);
else port.onmessage = ({ data: request }) => answer(request);
