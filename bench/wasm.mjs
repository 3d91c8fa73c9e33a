// wasm.mjs - the speed of the engine for browsers against native code: the table of docs/results/performance.md.
// SPDX-License-Identifier: MIT
// usage: node bench/wasm.mjs ENGINE_LINES FOLDER      as tests/wasm/compare.mjs; best of three runs, processor time
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createEngine } from "../web/engine/host.mjs";

const [lines, folder, data = `${folder}/data`] = process.argv.slice(2);
const loadData = (game) => (existsSync(`${data}/${game}.bin`) ? new Uint8Array(readFileSync(`${data}/${game}.bin`)) : null);
const engine = await createEngine(await WebAssembly.compile(readFileSync(`${folder}/libquevedo.wasm`)), loadData);
const searches = [
	["connect4", "negascout:nodes=6000000,book=none"],
	["reversi", "negascout:nodes=3000000,book=none"],
	["chess", "selective:quiet=1,eval=net,nodes=600000,book=none"],
	["chess", "negascout:nodes=1000000,book=none"],
	["draughts", "negascout:nodes=2000000,book=none"],
	["gomoku", "negascout:nodes=500000,book=none"],
	["connect4", "mcts:playouts=50000"],
];

// Seconds of processor time of a native run, and its last line.
function native(body) {
	const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%U"; time "$0" | tail -n 1', lines], { input: `move\t${JSON.stringify(body)}\n` });
	return { seconds: Number(run.stderr.toString()), text: run.stdout.toString().trim() };
}

console.log("| game | player | native nodes/s | wasm nodes/s | ratio |\n|---|---|--:|--:|--:|");
for (const [game, player] of searches) {
	const body = { game, player };
	const best = { native: Infinity, wasm: Infinity };
	await engine.prepare(game);
	let answer;
	for (let i = 0; i < 3; i++) {
		const start = process.cpuUsage();
		answer = engine.run("move", body);
		const used = process.cpuUsage(start);
		best.wasm = Math.min(best.wasm, (used.user + used.system) / 1e6);
		const other = native(body);
		best.native = Math.min(best.native, other.seconds);
		if (other.text !== `${answer.status} ${answer.text}`) throw new Error(`${game} ${player}: the responses differ`);
	}
	const { nodes } = JSON.parse(answer.text).thoughts.line;
	const rate = (seconds) => `${(nodes / seconds / 1e6).toFixed(2)} M`;
	console.log(`| ${game} | \`${player}\` | ${rate(best.native)} | ${rate(best.wasm)} | ${(best.native / best.wasm).toFixed(2)} |`);
}
