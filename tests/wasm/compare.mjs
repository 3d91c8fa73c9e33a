// compare.mjs - the engine for browsers gives the same responses as native code, byte for byte: in Node, and in Chromium.
// SPDX-License-Identifier: MIT
// usage: node compare.mjs ENGINE_LINES FOLDER [MODULES]
//
// FOLDER: with libquevedo.wasm, plain/ and data/. MODULES: a folder with playwright-core; then Chromium runs the requests, too, in a
// worker and under the server's content security policy. CHROMIUM: the browser (default: /usr/bin/chromium).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createEngine } from "../../web/engine/host.mjs";
import { comparable, repeatableBytes, makeRequests, runRequests } from "./requests.mjs";

const [lines, folder, modules] = process.argv.slice(2);
const loadData = (game) => {
	const path = `${folder}/data/${game}.bin`;
	return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
};
const open = async (file) => createEngine(await WebAssembly.compile(readFileSync(`${folder}/${file}`)), loadData, repeatableBytes());

const requests = await makeRequests(await open("libquevedo.wasm"));
const input = requests.map(([r, b]) => `${r}${b ? `\t${typeof b === "string" ? b : JSON.stringify(b)}` : ""}\n`).join("");
const run = spawnSync(lines, { input, maxBuffer: 1 << 28 });
if (run.status !== 0) throw new Error(`${lines} has ended with ${run.status ?? run.signal}: ${run.stderr}`);
const native = run.stdout.toString().split("\n").slice(0, -1);
let wrong = 0;

function compare(where, responses) {
	const count = Math.max(native.length, responses.length);
	for (let i = 0; i < count; i++)
		if (comparable(native[i] ?? "") !== comparable(responses[i] ?? "") && wrong++ < 10)
			console.error(`response ${i}\n  ${where}: ${responses[i]?.slice(0, 600)}\n  native: ${native[i]?.slice(0, 600)}`);
	console.log(`${where}: ${requests.length} requests, ${responses.length} responses`);
}

const engine = await open("libquevedo.wasm");
if (`200 ${engine.run("games").text}` !== native[0]) {
	console.error("games: differs before the data is loaded");
	wrong++;
}
if (engine.run("positions", { game: "chess" }).status !== 409) {
	console.error("positions: the data of chess is missing, but not reported");
	wrong++;
}
compare("Node", await runRequests(engine, requests));
compare("Node without vectors", await runRequests(await open("plain/libquevedo.wasm"), requests));
if (modules && existsSync(modules)) {
	const { inChromium } = await import("./browser.mjs");
	compare("Chromium", await inChromium(folder, modules, requests));
}
console.log(`${wrong} differ`);
process.exit(wrong ? 1 : 0);
