// front.test.mjs - what a visitor meets first: the first page, previews of links, the Star Chess room, name and editor fields.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { inflateSync } from "node:zlib";
import { acceptance, board, cell, countIs, DESK, onPhone, PHONE, quevedo, until } from "./support.mjs";

/** In a page: the sum of all shifts of its layout. */
function noteShifts() {
	globalThis.shifts = [];
	new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });
}

async function shiftOf(page) {
	return page.evaluate(() => globalThis.shifts.reduce((sum, value) => sum + value, 0));
}

/** Presses Tab until the focus is on it; how often. */
async function tabsTo(page, button) {
	for (let count = 1; count < 60; count++) {
		await page.keyboard.press("Tab");
		if (await button.evaluate((one) => one === document.activeElement))
			return count;
	}
	throw new Error("Tab does not lead there");
}

/** A PNG file of our own: the filter of all rows is "up". */
function readPng(bytes) {
	assert.deepEqual([...bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
	const chunks = new Map();
	for (let at = 8; at < bytes.length;) {
		const size = bytes.readUInt32BE(at);
		chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + size));
		at += 12 + size;
	}
	const head = chunks.get("IHDR");
	const width = head.readUInt32BE(0), height = head.readUInt32BE(4), row = 3 * width;
	const data = inflateSync(chunks.get("IDAT"));
	assert.equal(data.length, (row + 1) * height);
	const pixels = Buffer.alloc(row * height);
	for (let y = 0; y < height; y++) {
		assert.equal(data[y * (row + 1)], 2);
		for (let i = 0; i < row; i++)
			pixels[y * row + i] = data[y * (row + 1) + 1 + i] + (y ? pixels[(y - 1) * row + i] : 0);
	}
	return { width, height, colour: (x, y) => `#${pixels.toString("hex", y * row + 3 * x, y * row + 3 * x + 3)}` };
}

const LIGHT = "#f2dfc0", DARK = "#bb8d62", BACK = "#26221f";

/** The tags of a preview, unescaped. */
function tagsOf(html) {
	const plain = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
	return Object.fromEntries([...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)].map(([, name, text]) => [name, plain(text)]));
}

async function previewOf(world, path, status = 200) {
	const answer = await fetch(world.server.url + path);
	assert.equal(answer.status, status, path);
	const html = await answer.text();
	return { html, tags: tagsOf(html) };
}

async function pictureOf(world, path) {
	const { tags } = await previewOf(world, path);
	assert.ok(tags["og:image"].startsWith(`${world.server.url}/api/v1/pictures?`), tags["og:image"]);
	const answer = await fetch(tags["og:image"]);
	assert.equal(answer.status, 200, tags["og:image"]);
	assert.equal(answer.headers.get("content-type"), "image/png");
	assert.match(answer.headers.get("cache-control"), /^public, max-age=\d+$/);
	assert.equal(answer.headers.get("set-cookie"), null, "what anybody may keep has no cookie");
	return readPng(Buffer.from(await answer.arrayBuffer()));
}

const settled = (page) => page.locator(".cards .live-picture svg").first().waitFor();

acceptance("what a visitor meets first", [], [
	["the first page shows the best games first, and nothing on it moves", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(noteShifts);
		const { body: { id } } = await player.ask("POST", "/api/v1/plays", { game: "reversi", seats: ["human", "level:1"] });
		await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: "d3" });
		const page = await player.tab();
		for (const size of [DESK, PHONE]) {
			await page.setViewportSize(size);
			await page.goto(`${world.server.url}/`);
			await settled(page);
			await page.getByRole("link", { name: /^Continue: Reversi/ }).waitFor();
			const names = await page.locator(".cards h3").allTextContents();
			assert.deepEqual(names.slice(0, 3), ["Chess", "Reversi", "Connect-four"].map((name) => names.find((one) => one.startsWith(name))));
			assert.ok(!names.some((name) => /diagram/i.test(name)), "the tree diagram is no game");
			assert.ok(await page.locator(".brand span").isVisible(), "the name is in sight");
			assert.match(await page.locator(".hero").textContent(), /Torres Quevedo.*1912.*El Ajedrecista/s);
			await page.getByRole("link", { name: /^Laboratory/ }).waitFor();
			await page.waitForTimeout(300);
			assert.ok(await shiftOf(page) < 0.01, `${size.width} wide: ${await shiftOf(page)}`);
		}
	}],
	["Play now is a few Tabs away and starts an easy game of chess, then the last game", async (world) => {
		const page = await world.visit("/");
		await settled(page);
		const now = page.getByRole("button", { name: "Play now" });
		assert.ok(await tabsTo(page, now) <= 15);
		await page.keyboard.press("Enter");
		await board(page).waitFor();
		assert.match(await page.getByRole("region", { name: "Chess" }).first().textContent(), /Chess/);
		await until("the styles of what is opened later", () => page.evaluate(() => document.styleSheets.length >= 2));
		await page.goto(`${world.server.url}/`);
		await page.getByRole("button", { name: "Play Noughts and crosses now" }).click();
		await board(page).waitFor();
		await cell(page, "1").click();
		await until("the move", async () => /cross/i.test(await cell(page, "1").getAttribute("aria-label")));
		await page.goto(`${world.server.url}/`);
		await page.getByText("Noughts and crosses, as last time").waitFor();
		await countIs(page.locator(".running li"), 1, "a game is listed from your first move on: not the one of chess");
	}],
	["B2: the facts about a game stand side by side on its card, clear of its edges", async (world) => {
		const page = await world.visit("/");
		await settled(page);
		const cards = await page.locator(".cards:not(.small-cards) article").evaluateAll((list) => list.map((card) => ({
			box: card.getBoundingClientRect().toJSON(),
			facts: [...card.querySelectorAll(".facts span")].map((fact) => fact.getBoundingClientRect().toJSON()),
		})));
		assert.equal(cards.length, 6);
		for (const { box, facts } of onPhone ? [] : cards) { // a phone has no room for them
			assert.ok(facts.length >= 2);
			assert.equal(facts[0].top, facts[1].top);
			assert.ok(facts[0].right < facts[1].left, JSON.stringify(facts));
			for (const { left, right } of facts)
				assert.ok(left >= box.left + 8 && right <= box.right - 8, JSON.stringify({ box, left, right }));
		}
		/* B3: the picture of Star Chess is its map. */
		const map = page.locator(".cards article", { hasText: "Star Chess" }).locator(".starmap");
		await countIs(map.locator(".globe"), 16);
		assert.ok(await map.locator(".ship").count() >= 4);
		await page.goto(`${world.server.url}/games/starchess`);
		await page.locator(".rules .starmap .globe").first().waitFor();
		/* B11: no word of the tables is broken. */
		await page.locator(".rule-table").first().waitFor();
		const broken = await page.locator(".rule-table").evaluateAll((tables) => tables.flatMap((table) => {
			const words = [], walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
			for (let text = walker.nextNode(); text; text = walker.nextNode())
				for (const { 0: word, index } of text.textContent.matchAll(/[^\s-]+/g)) {
					const range = document.createRange();
					range.setStart(text, index);
					range.setEnd(text, index + word.length);
					if (range.getClientRects().length > 1)
						words.push(word);
				}
			return words;
		}));
		assert.deepEqual(broken, []);
	}],
	["B13: a new account's name is in the field; B14: clearing the board changes the text", async (world) => {
		const page = await world.visit("/settings");
		const name = page.getByLabel("Name that other players see");
		await until("a guest", async () => /^Guest/.test(await name.inputValue()));
		await page.getByLabel("Account name").fill("Leonarda");
		await page.getByLabel(/^Password/).fill("ajedrecista");
		await page.getByRole("button", { name: "Create account" }).click();
		await until("the new name", async () => await name.inputValue() === "Leonarda");
		world.allow(/400 \(Bad Request\).*positions/); // a board without kings
		await page.goto(`${world.server.url}/edit?game=chess`);
		const text = page.getByLabel("Position as text");
		await until("the start position", async () => /^rnbqkbnr/.test(await text.inputValue()));
		await page.getByRole("button", { name: "Clear board" }).click();
		await until("the empty board", async () => await text.inputValue() === "8/8/8/8/8/8/8/8 w - - 0 1");
		await page.getByRole("button", { name: "Start position" }).click();
		await until("the start position again", async () => /^rnbqkbnr/.test(await text.inputValue()));
	}],
	["B18: the Star Chess map stays where it is, whatever the scores and panels", async (world) => {
		const position = "SC1 turn=3 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:900:900 A2=B0 A3=B0 A4=T2:1000:0/2:9:9 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 " +
			"D1=T4:1000:0/4:9:9 D2=B0 D3=B0 D4=T3:1000:0/3:9:9";
		const seats = ["human", "human", "human", "human"];
		const { page } = await world.play({ game: "starchess", seats });
		const top = async (page) => (await page.locator(".starmap").boundingBox()).y;
		const height = await page.locator(".four-seats").evaluate((one) => one.offsetHeight);
		await page.getByText(/Start with your home world A1/).waitFor();
		await page.getByRole("gridcell", { name: /^A1, / }).click();
		await page.getByText(/^you have 0 materials/).waitFor();
		await world.play({ game: "starchess", seats, position });
		assert.match(await page.locator(".score").first().textContent(), /\d{3}/);
		assert.equal(await page.locator(".four-seats").evaluate((one) => one.offsetHeight), height, "three digits take no more room");
		/* The hint is on the map, which stays in sight. */
		await page.getByRole("button", { name: "Hint" }).click();
		await page.locator(".happened", { hasText: /^Hint: / }).waitFor();
		await page.locator(".starmap .flight").first().waitFor();
		for (const size of [DESK, { width: 390, height: 844 }]) {
			await page.setViewportSize(size);
			await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
			const y = await top(page), box = await page.locator(".starmap").boundingBox();
			assert.ok(y >= -1 && y + box.height <= size.height, `${size.width} wide: from ${y}, ${box.height} high`);
		}
		await page.getByRole("tab", { name: "Resources" }).press("ArrowRight");
		await page.getByRole("tab", { name: "History", selected: true }).waitFor();
		await page.getByText("Score history").first().waitFor();
	}],
	["links have previews with a picture of the position", async (world) => {
		const { tags, html } = await previewOf(world, "/");
		assert.equal(tags["og:title"], "Quevedo");
		assert.equal(tags["og:url"], `${world.server.url}/`);
		assert.equal(tags["twitter:card"], "summary_large_image");
		assert.match(html, /<\/head>/);
		const { width, height, colour } = await pictureOf(world, "/analyse?game=chess");
		assert.deepEqual([width, height], [1200, 630]);
		assert.equal(colour(20, 300), BACK);
		assert.equal(colour(355, 350), LIGHT, "a4");
		assert.equal(colour(425, 350), DARK, "b4");
		assert.match((await previewOf(world, "/games/chess")).tags["og:title"], /^Chess/);
		const moved = await pictureOf(world, "/analyse?game=chess&position=8%2F8%2F8%2F8%2F8%2F8%2FP7%2FK6k%20w%20-%20-%200%201&moves=a2a4");
		assert.equal(moved.colour(355, 80), LIGHT, "a8 is empty");
		assert.equal(moved.colour(355, 350), colour(355, 490), "the pawn of a2 is on a4");
	}],
	["a preview shows what the game may show, and escapes names", async (world) => {
		const player = await world.player();
		const name = "\"><script>'&";
		await player.ask("POST", "/api/v1/me", { name });
		const make = async (more) => (await player.ask("POST", "/api/v1/plays", { game: "chess", seats: ["human", "level:1"], moves: ["e2e4", "e7e5"], name, ...more })).body.id;
		const open = await previewOf(world, `/play/${await make({ private: false })}`);
		assert.ok(open.tags["og:title"].startsWith(`Chess: ${name} against `), open.tags["og:title"]);
		assert.ok(!open.html.includes("<script>'"), "nothing of it is a tag");
		assert.match(open.tags["og:image"], /position=rnbqkbnr/);
		const closed = await previewOf(world, `/play/${await make({ private: true })}`);
		assert.equal(closed.tags["og:title"], "A game of Chess · Quevedo");
		assert.doesNotMatch(closed.tags["og:image"], /position|moves/);
		assert.equal((await previewOf(world, "/play/none", 404)).tags["og:title"], "No such game · Quevedo");
		assert.equal((await fetch(`${world.server.url}/api/v1/pictures?game=diagram`)).status, 400);
		assert.equal((await fetch(`${world.server.url}/api/v1/pictures`)).status, 400);
		assert.equal((await fetch(`${world.server.url}/api/v1/pictures?game=chess&moves=e2e5`)).status, 409);
	}],
	["why a game cannot begin is in view, however long the form", async (world) => {
		const page = await (await world.player()).tab("/games/chess");
		world.allow(/status of 429/);
		await page.route(/\/api\/v1\/plays$/, (route) => route.fulfill({ status: 429, json: { error: { code: "too_many", message: "quota: try again tomorrow" } } }));
		await page.getByRole("button", { name: "Start the game" }).click();
		const { y, height } = await page.getByText("Try again tomorrow.").boundingBox();
		assert.ok(y >= 0 && y + height <= page.viewportSize().height, `${y} ${height}`);
	}],
	["the program writes the same pictures", async () => {
		const { stdout } = spawnSync(quevedo, ["show", "reversi", "--format", "png"], { maxBuffer: 1 << 24 });
		const { width, height, colour } = readPng(stdout);
		assert.equal(Math.max(width, height), 960);
		assert.equal(colour(200, 200), "#23865a");
	}],
]);
