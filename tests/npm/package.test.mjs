// package.test.mjs - the npm package in a project of its own: what it contains, its README, its functions, its types.
// SPDX-License-Identifier: MIT
//
// QUEVEDO_NPM: the package's folder (default: build/npm); QUEVEDO_MODULES: a folder with typescript and playwright-core; CHROMIUM: the
// browser. Tests that need what is missing are left out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.env.QUEVEDO_NPM ?? resolve(here, "../../build/npm");
const { games, position, Position, QuevedoError, stop } = await import(pathToFileURL(join(folder, "index.js")));

const modules = process.env.QUEVEDO_MODULES ?? "";
const tsc = join(modules, "typescript/bin/tsc");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

// A project that has the package installed.
const project = mkdtempSync(join(tmpdir(), "quevedo-npm-"));
mkdirSync(join(project, "node_modules"));
symlinkSync(folder, join(project, "node_modules/quevedo"));
writeFileSync(join(project, "package.json"), '{"type":"module"}');
after(() => rmSync(project, { recursive: true }));

const run = (command, ...words) => spawnSync(command, words, { cwd: project, encoding: "utf8", timeout: 120000 });

test("npm packs all files that it needs", () => {
	const packed = run("npm", "pack", "--dry-run", "--json", folder);
	assert.equal(packed.status, 0, packed.stderr);
	const [{ name, files }] = JSON.parse(packed.stdout);
	const paths = files.map(({ path }) => path);
	assert.equal(name, "quevedo");
	for (const path of ["README.md", "LICENSE", "index.js", "index.d.ts", "worker.js", "host.mjs", "quevedo.wasm", "quevedo-plain.wasm", "data/chess.bin"])
		assert.ok(paths.includes(path), path);
	assert.ok(!paths.some((path) => path.includes("test")));
});

test("the example of the README runs", () => {
	const [, example] = /```js\n([^`]*)```/.exec(readFileSync(join(folder, "README.md"), "utf8"));
	assert.ok(example.trim().split("\n").length <= 11, "ten lines and a blank one");
	writeFileSync(join(project, "example.js"), example);
	const done = run(process.execPath, "example.js");
	assert.equal(done.status, 0, done.stderr);
	assert.match(done.stdout, /\bchess\b/);
	assert.match(done.stdout, /29 legal moves/);
	assert.match(done.stdout, /value: 'draw'.* 3024 /s);
});

test("a time replaces the depth that no spec names", async () => {
	// Noughts ends long before half a minute, but not within six plies; the analysis of connect-four is left once it is deeper.
	const noughts = await position("noughts");
	assert.equal((await noughts.best({ player: "alphabeta" })).depth, 6);
	assert.equal((await noughts.best({ player: "alphabeta:depth=3", time: 30000 })).depth, 3);
	assert.equal((await noughts.best({ player: "alphabeta", time: 30000 })).depth, 9);
	for (const [player, game, own] of [["alphabeta", "connect4", 6], ["mtdf", "connect4", 6], ["selective", "minichess", 6], ["maxn", "connect4", 4]]) {
		let depth = 0;
		for await (const found of (await position(game)).analyse({ player, time: 30000 })) {
			depth = found.depth;
			if (depth > own) break;
		}
		assert.ok(depth > own, player);
	}
});

test("every game: positions, moves, searches, counts", async () => {
	for (const { name, seats, chance, ladders, exact } of await games()) {
		const start = await position(name);
		assert.ok(start instanceof Position && !start.over && start.result === null, name);
		assert.ok(start.moves.length > 0 && start.show().length > 0, name);
		// In star chess an order is listed once for all numbers of ships.
		if (name !== "starchess") assert.equal(await start.perft(1), start.moves.length, name);
		const next = await start.play(start.moves[0]);
		assert.deepEqual(next.history, [start.moves[0]]);
		assert.notEqual(next.position, start.position);
		const there = await position(name, { position: next.position });
		assert.deepEqual(there.moves, next.moves, name);
		let at = next;
		while (at.seat === 0) at = await at.play(at.moves[0]);
		const { spec } = ladders[0].levels[0];
		const [one, two] = [await at.best({ player: spec, seed: 5 }), await at.best({ player: spec, seed: 5 })];
		assert.ok(at.moves.includes(one.move) && one.move === two.move, name);
		const { terms } = await at.evaluate().catch((error) => (assert.ok(error instanceof QuevedoError), { terms: [] }));
		assert.ok(Array.isArray(terms));
		const player = `${chance ? "expectimax" : seats === 2 ? "negascout" : "maxn"}:depth=1`;
		assert.ok(at.moves.includes((await at.trace({ player, nodes: 10 })).move), name);
		if (exact) assert.match((await at.solve({ nodes: 100 })).value, /^(win|draw|loss|unknown)$/);
	}
});

test("a game to its end", async () => {
	const end = await position("noughts", { moves: ["1", "2", "4", "3", "7"] });
	assert.ok(end.over);
	assert.equal(end.result, "win 1");
	assert.deepEqual(end.moves, []);
	assert.deepEqual(await (await position("noughts", { moves: ["1", "2", "4", "3"] })).solve({ distance: true }).then(({ value, move }) => [value, move]), ["win", "7"]);
});

test("an analysis comes in steps, and can be left", async () => {
	const chess = await position("chess");
	const depths = [];
	for await (const { depth, lines, done } of chess.analyse({ player: "negascout:depth=4", lines: 2 })) {
		depths.push(depth);
		assert.ok(chess.moves.includes(lines[0].move));
		if (done) assert.equal(lines.length, 2);
	}
	assert.ok(depths.includes(1) && depths.at(-1) === 4, String(depths));
	for await (const { depth } of chess.analyse({ player: "negascout:depth=90", time: 30000 }))
		if (depth >= 3) break;
	assert.equal(await chess.perft(2), 400, "the next request works");
	const search = chess.best({ player: "negascout:depth=90" });
	setTimeout(stop, 100);
	await assert.rejects(search, { name: "QuevedoError", message: "stopped" });
	assert.equal(await chess.perft(1), 20);
});

test("to leave an analysis does not stop other requests", async () => {
	const chess = await position("chess");
	const steps = chess.analyse({ player: "negascout:depth=90", time: 30000 });
	const first = await steps.next();
	assert.equal(first.done, false);
	const others = Promise.all([chess.perft(2), chess.best({ player: "negascout:nodes=1000,book=none" })]);
	await steps.return();
	const [count, { move }] = await others;
	assert.equal(count, 400);
	assert.ok(chess.moves.includes(move));
});

test("data that was missing is looked for again", async () => {
	const { createEngine } = await import(pathToFileURL(join(folder, "host.mjs")));
	let files = 0;
	const data = new Uint8Array(readFileSync(join(folder, "data/noughts.bin")));
	const engine = await createEngine(await WebAssembly.compile(readFileSync(join(folder, "quevedo.wasm"))), () => (files++ < 9 ? null : data));
	await assert.rejects(engine.ask("positions", { game: "noughts" }), /data: noughts is not loaded/);
	while (files < 9) await engine.prepare("noughts");
	assert.equal((await engine.ask("positions", { game: "noughts" })).moves.length, 9);
	const cut = await createEngine(await WebAssembly.compile(readFileSync(join(folder, "quevedo.wasm"))), () => data.subarray(1));
	await assert.rejects(cut.ask("positions", { game: "noughts" }), /another version/);
});

test("what cannot be sent is refused", async () => {
	const noughts = await position("noughts");
	await assert.rejects(noughts.best({ seed: 1n }), TypeError);
	await assert.rejects(noughts.best({ player: () => 1, seed: -1 }), QuevedoError);
	await assert.rejects(noughts.perft(101), QuevedoError);
	await assert.rejects(position("chess", { position: "nonsense" }), QuevedoError);
});

test("errors have the engine's message", async () => {
	await assert.rejects(position("chess", { moves: ["e2e5"] }), (error) =>
		error instanceof QuevedoError && error.status === 409 && /e2e5/.test(error.message));
	await assert.rejects(position("nothing"), /no such game/);
	await assert.rejects((await position("noughts")).best({ player: "nobody" }), QuevedoError);
});

test("the types fit", { skip: !existsSync(tsc) && "typescript is missing" }, () => {
	writeFileSync(join(project, "types.ts"), `
		import { games, position, stop, QuevedoError, type Analysis, type Line, type Position } from "quevedo";
		const start: Position = await position("chess", { moves: ["e2e4"] });
		const best: Line = await start.best({ player: "level:1", seed: 1, time: 100, book: true });
		const after: Position = await start.play(best.move);
		for await (const found of after.analyse({ lines: 2 })) { const one: Analysis = found; one.lines[0]?.pv; }
		const count: number = await after.perft(2) + (await games()).length;
		const value: "win" | "draw" | "loss" | "unknown" = (await after.solve({ nodes: 1 })).value;
		const term: string | undefined = (await after.evaluate()).terms[0]?.name;
		const tree: number = (await after.trace({ player: "negascout:depth=1" })).children.length;
		stop();
		export const all = [count, value, term, tree, new QuevedoError("x").message];
		// @ts-expect-error a move is a text
		void after.play(1);
	`);
	const checked = run(process.execPath, tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022",
		"--types", "", "types.ts");
	assert.equal(checked.status, 0, checked.stdout);
});

test("it runs in a browser", { skip: !(existsSync(join(modules, "playwright-core")) && existsSync(chromium)) && "no browser" }, async () => {
	const types = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };
	const server = createServer(({ url }, response) => {
		const path = join(folder, url);
		if (url === "/") response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>quevedo</title>");
		else if (!existsSync(path)) response.writeHead(404).end();
		else response.writeHead(200, { "Content-Type": types[url.split(".").pop()] ?? "application/octet-stream" }).end(readFileSync(path));
	});
	await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
	const browser = await createRequire(join(modules, "any.js"))("playwright-core").chromium.launch({ executablePath: chromium });
	try {
		const page = await browser.newPage();
		await page.goto(`http://127.0.0.1:${server.address().port}/`);
		const [count, move, error] = await page.evaluate(async () => {
			const { position } = await import("/index.js");
			const start = await position("connect4");
			const refused = await position("chess", { moves: ["e2e5"] }).catch(({ name }) => name);
			return [await start.perft(3), (await start.best({ player: "negascout:nodes=5000,book=none" })).move, refused];
		});
		assert.equal(count, 343);
		assert.equal(move, (await (await position("connect4")).best({ player: "negascout:nodes=5000,book=none" })).move);
		assert.equal(error, "QuevedoError");
	} finally {
		await browser.close();
		server.close();
	}
});
