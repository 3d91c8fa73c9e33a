// landing.test.mjs - the first page: few requests, few bytes before its first board, and room for a class behind one address.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { acceptance, board, keepsAll, until } from "./support.mjs";

const MOST_REQUESTS = 12;
const MOST_BYTES = 120000; // before the first board, compressed
const WEIGHED = ["chess", "connect4", "starchess"];

/** In a page: notes when its first board is drawn, and what a socket brings until then; that is not compressed. */
function noteFirstBoard() {
	globalThis.streamed = 0;
	globalThis.WebSocket = class extends WebSocket {
		constructor(...args) {
			super(...args);
			this.addEventListener("message", ({ data }) => globalThis.streamed += globalThis.firstBoard ? 0 : data.length);
		}
	};
	new MutationObserver((_, observer) => {
		if (!document.querySelector(".live-picture svg, [role=grid]"))
			return;
		globalThis.firstBoard = performance.now();
		observer.disconnect();
	}).observe(document, { childList: true, subtree: true });
}

/** In a page: what it has requested, each with its size in bytes and whether it was before the first board. */
function requested() {
	return ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map(({ name, startTime, transferSize }) =>
		({ path: new URL(name).pathname, size: transferSize, early: startTime < globalThis.firstBoard }));
}

/** A new visitor's first page shows a board after few bytes, and requests the engine only then. */
async function weigh(world, player, path) {
	const page = await player.tab();
	await page.addInitScript(noteFirstBoard);
	await page.goto(world.server.url + path);
	await until("the first board", () => page.evaluate(() => globalThis.firstBoard));
	const bytes = await page.evaluate(() => globalThis.streamed);
	const isEngine = (file) => file.path.startsWith("/engine/");
	const files = await until("the engine", async () => {
		const all = await page.evaluate(requested);
		return all.some(isEngine) && all;
	});
	const early = files.filter((file) => file.early);
	assert.ok(early.length > 4 && early.every(({ size }) => size > 0), `nothing is cached: ${JSON.stringify(early)}`);
	assert.deepEqual(early.filter(isEngine), [], "the engine comes after the first board");
	const sum = early.reduce((total, { size }) => total + size, bytes);
	console.log(`# ${path}: ${sum} bytes, ${early.length} requests`);
	assert.ok(sum <= MOST_BYTES, `${path}: ${sum} bytes: ${bytes} streamed, ${JSON.stringify(early)}`);
}

/** Counts the requests that reach the server, whoever sends them: it answers one on each connection. */
async function counter(server) {
	const requests = [];
	const proxy = createServer((client) => {
		const to = connect(server.port, "127.0.0.1");
		client.once("data", (bytes) => requests.push(String(bytes).split("\r\n", 1)[0]));
		for (const [one, other] of [[client, to], [to, client]]) {
			one.pipe(other);
			one.on("error", () => other.destroy());
		}
	});
	await new Promise((ready) => proxy.listen(0, "127.0.0.1", ready));
	proxy.unref();
	return { requests, url: `http://127.0.0.1:${proxy.address().port}` };
}

acceptance("the first page", ["--per-address", "1"], [
	["shows every game after few requests", async (world) => {
		const { requests, url } = await counter(world.server);
		const player = await world.player({ reducedMotion: "no-preference", serviceWorkers: "allow" });
		const page = await player.tab();
		await page.goto(url);
		const games = await world.server.get("/api/v1/games");
		await until("a picture of each game", async () => await page.locator(".cards .live-picture").count() === games.length - 1); // the tree diagram is part of the laboratory
		const drawing = () => page.locator(".cards .live-picture svg").first().innerHTML();
		const before = await drawing();
		await until("the pictures to move", async () => await drawing() !== before);
		await page.waitForTimeout(8000);
		assert.ok(requests.length <= MOST_REQUESTS, `${requests.length} requests: ${requests.join(", ")}`);
		/* Later the engine and its data follow quietly. */
		await keepsAll(page);
		const fetched = requests.filter((line) => line.includes("/engine/")).map((line) => line.split(" ")[1]);
		assert.equal(new Set(fetched).size, fetched.length, `each file once: ${fetched}`);
	}],
	["a first board needs few bytes", async (world) => {
		const games = await world.server.get("/api/v1/games");
		await weigh(world, await world.player(), "/");
		await weigh(world, await world.player(), "/analyse?game=chess&moves=e2e4,e7e5,g1f3");
		for (const name of WEIGHED) {
			await weigh(world, await world.player(), `/games/${name}`);
			const player = await world.player();
			const others = Array.from({ length: games.find((game) => game.name === name).seats - 1 }, () => "level:1");
			const { status, body } = await player.ask("POST", "/api/v1/plays", { game: name, seats: ["human", ...others] });
			assert.equal(status, 201, JSON.stringify(body));
			await weigh(world, player, `/play/${body.id}`);
		}
	}],
	["six visitors behind one address start games at once", async (world) => {
		const players = await Promise.all(Array.from({ length: 6 }, () => world.player({ serviceWorkers: "allow" })));
		const refused = [];
		await Promise.all(players.map(async (player) => {
			player.context.on("response", (answer) => answer.status() === 429 && refused.push(answer.url()));
			const page = await player.tab("/");
			await page.locator(".live-picture svg").first().waitFor();
			await page.getByRole("button", { name: "Play Noughts and crosses now" }).click();
			await board(page).waitFor();
		}));
		assert.deepEqual(refused, [], "nobody has to wait");
	}],
]);
