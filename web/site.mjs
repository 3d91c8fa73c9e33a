// site.mjs - builds the page as a static folder that needs no server: node web/site.mjs OUTDIR ENGINE
// SPDX-License-Identifier: MIT
//
// ENGINE: the folder with the engine for browsers (tools/wasm.cmake). OUTDIR is replaced. Besides the page it gets responses of the
// engine as files, so that the page shows boards before it has loaded the engine: data/games.json, data/gallery.json, data/history.json, and for each game
// data/boards/GAME.json, data/openings/GAME.json, if it has them, and data/positions/GAME.json, its start.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine } from "./engine/host.mjs";

const [outdir, folder] = process.argv.slice(2).map((path) => resolve(path));
if (!folder) {
	console.error("usage: node web/site.mjs OUTDIR ENGINE");
	process.exit(2);
}
rmSync(outdir, { recursive: true, force: true });
const build = join(dirname(fileURLToPath(import.meta.url)), "build.mjs");
const { status } = spawnSync(process.execPath, [build, outdir, `--engine=${folder}`, "--static"], { stdio: "inherit" });
if (status !== 0)
	process.exit(1);

const dataOf = (game) => join(folder, "data", `${game}.bin`);
const engine = await createEngine(await WebAssembly.compile(readFileSync(join(folder, "libquevedo.wasm"))),
	(game) => (existsSync(dataOf(game)) ? new Uint8Array(readFileSync(dataOf(game))) : null));

function write(request, path, body) {
	const { status, text } = engine.run(request, body);
	if (status !== 200)
		return; // the game has no board or no book
	mkdirSync(dirname(join(outdir, path)), { recursive: true });
	writeFileSync(join(outdir, path), text);
}

write("games", "data/games.json");
write("history", "data/history.json");
for (const { name } of JSON.parse(engine.run("games").text)) {
	await engine.prepare(name);
	write(`boards?game=${name}`, `data/boards/${name}.json`);
	write(`openings?game=${name}`, `data/openings/${name}.json`);
	write("positions", `data/positions/${name}.json`, { game: name });
}
write("gallery", "data/gallery.json"); // needs data
