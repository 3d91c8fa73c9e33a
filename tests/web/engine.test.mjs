// engine.test.mjs - the engine in the browser: levels play there, with the moves of the program for the same seed; "move now"; fallbacks.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { acceptance, board, choose, enter, inStep, mouse, notInFirefox, PATIENCE, quevedo, until } from "./support.mjs";

/* What the server's engine would be asked for. */
const THINKING = /\/api\/v1\/(analysis|values|evaluation|luck|explanations)|"action":"(engine|move_now)"/;
/* The page takes its seeds from here: seed N is the N-th. */
const SEEDS = () => {
	let seed = 0;
	const usual = crypto.getRandomValues.bind(crypto);
	crypto.getRandomValues = (list) => list instanceof Uint32Array && list.length === 2 ? (list.set([0, ++seed]), list) : usual(list);
};

/** In a page: notes that it has read the data of a game, which it loads after the engine. */
function noteData() {
	const load = globalThis.fetch;
	globalThis.fetch = async (...words) => {
		const answer = await load(...words);
		if (!/\.bin$/.test(answer.url))
			return answer;
		const read = answer.arrayBuffer.bind(answer);
		answer.arrayBuffer = async () => {
			const bytes = await read();
			setTimeout(() => (globalThis.hasData = true)); // once it has been taken
			return bytes;
		};
		return answer;
	};
}

/** A tab that notes what it sends, once its engine and the data of its game are loaded. */
async function ready(world, player, path) {
	const page = await player.tab();
	await page.addInitScript(noteData);
	const sent = [];
	page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
	page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
	await page.goto(world.server.url + path);
	await board(page).or(page.getByRole("button", { name: "Start the game" })).first().waitFor();
	await until("the data", () => page.evaluate(() => globalThis.hasData));
	return { page, sent };
}

async function start(page, level) {
	await page.getByRole("group", { name: "Level", exact: true }).locator("label").nth(level - 1).click();
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	return page.url().split("/play/")[1];
}

function best(game, moves, level, seed) {
	const run = spawnSync(quevedo, ["best", game, "--moves", moves.join(", "), "--player", `level:${level}`, "--seed", String(seed), "--hash", "32", "--json"],
		{ encoding: "utf8" });
	assert.equal(run.status, 0, run.stderr);
	return JSON.parse(run.stdout).move;
}

acceptance("the engine in the browser", [], [
	...[["connect4", 4, 4], ["chess", 6, 3], ["reversi", 5, 3]].map(([game, level, turns]) =>
		[`${game}: a level's moves are found in the browser, and are those of the program`, async (world) => {
			const player = await world.player();
			await player.context.addInitScript(SEEDS);
			const { page, sent } = await ready(world, player, `/games/${game}`);
			const id = await start(page, level);
			for (let turn = 1; turn <= turns; turn++) {
				const play = await inStep(world, page, id, ({ line }) => line.length === 2 * turn - 2);
				assert.equal(play.engine, "browser");
				await enter(world, page, mouse, play.view, play.view.moves[turn]);
				const { line } = await inStep(world, page, id, (now) => now.line.length === 2 * turn);
				const moves = line.map(({ move }) => move);
				assert.equal(moves.at(-1), best(game, moves.slice(0, -1), level, turn), `after ${moves.slice(0, -1)}`);
			}
			assert.deepEqual(sent.filter((text) => THINKING.test(text)), []);
		}]),
	["hints, values and analysis come from the browser", async (world) => {
		const { page, sent } = await ready(world, await world.player(), "/analyse?game=connect4");
		await page.getByText(/Depth \d+/).waitFor();
		await until("values", async () => await board(page).getByRole("gridcell", { name: /wins in|draws|loses in/ }).count() > 0);
		sent.splice(0);
		await page.reload();
		await page.getByText(/Depth \d+/).waitFor();
		await page.getByRole("checkbox", { name: "Server engine" }).check();
		await until("a request to the server", () => sent.some((text) => /api\/v1\/analysis/.test(text)));
		await page.getByText(/Depth \d+/).waitFor();
	}, notInFirefox("read the messages of WebSockets")],
	["the computer moves now, with the best move so far, and goes on with a new worker", async (world) => {
		const player = await world.player();
		const { page, sent } = await ready(world, player, "/games/chess");
		const made = await page.evaluate(async () => (await fetch("/api/v1/plays", {
			method: "POST", headers: { "content-type": "application/json" },
			body: JSON.stringify({ game: "chess", seats: ["human", "alphabeta:depth=60,time=10s"], engine: "browser" }),
		})).json());
		await page.goto(`${world.server.url}/play/${made.id}`);
		/* Twice in time; a busy machine may be late for the ten seconds. */
		for (let turn = 0, soon = 0; soon < 2; turn++) {
			const { view } = await inStep(world, page, made.id, ({ line }) => line.length === 2 * turn);
			await enter(world, page, mouse, view, view.moves[turn % view.moves.length]);
			const told = await page.getByRole("button", { name: "Move now" }).click({ timeout: PATIENCE / 2 }).then(() => true, () => false);
			const { line } = await inStep(world, page, made.id, (play) => play.line.length === 2 * turn + 2);
			soon += told && line.at(-1).seconds < 8;
			assert.ok(soon === 2 || turn < 5, `it took ${line.at(-1).seconds} s`);
		}
		assert.deepEqual(sent.filter((text) => THINKING.test(text)), []);
	}],
	["the server thinks if the settings say so, and if the engine cannot be loaded", async (world) => {
		const player = await world.player();
		const page = await player.tab("/settings");
		await choose(page, { name: "On the server" });
		let loads = 0;
		page.on("request", (request) => loads += /\/engine\//.test(request.url()) ? 1 : 0);
		await page.goto(`${world.server.url}/games/noughts`);
		let id = await start(page, 2);
		let { view, engine } = await inStep(world, page, id);
		assert.equal(engine, "server");
		await enter(world, page, mouse, view, view.moves[0]);
		await inStep(world, page, id, ({ line }) => line.length === 2);
		assert.equal(loads, 0);

		world.allow(/engine\/quevedo/);
		const other = await (await world.player()).tab();
		await other.route(/\/engine\//, (route) => route.abort());
		await other.goto(`${world.server.url}/games/noughts`);
		await until("the failure", () => other.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/engine\//.test(name))));
		id = await start(other, 2);
		({ view } = await inStep(world, other, id));
		await enter(world, other, mouse, view, view.moves[0]);
		assert.equal((await inStep(world, other, id, ({ line }) => line.length === 2)).engine, "server");
	}],
	["a play for a browser that has no engine any more goes on by the server", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(() => delete globalThis.WebAssembly);
		const { page, id } = await player.play({ game: "noughts", seats: ["human", "level:2"], engine: "browser" });
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[0]);
		assert.equal((await inStep(world, page, id, ({ line }) => line.length === 2)).engine, "server");
	}],
	["dice of the server and clocks keep the engine of the server", async (world) => {
		world.allow(/status of 409/); // the server may roll before the page does
		const player = await world.player();
		await ready(world, player, "/games/noughts");
		for (const request of [{ game: "backgammon", seats: ["human", "level:1"], dice: "server" }, { game: "noughts", seats: ["level:1", "human"], clock: "5m" }]) {
			const { page, id } = await player.play(request);
			await page.waitForTimeout(500);
			assert.equal((await player.get(`/api/v1/plays/${id}`)).engine, "server");
		}
	}],
]);
