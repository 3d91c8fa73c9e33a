// tabs.test.mjs - one game in two tabs of one browser: no move is lost, one tab thinks, and the player sees no errors.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, enter, heard, inStep, mouse, notInFirefox, until } from "./support.mjs";

const DATA = /\/engine\/[a-z0-9]+-[0-9a-f]+\.bin$/;

/** As over plain HTTP, where browsers have no locks. */
function withoutLocks() {
	Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
}

/** As in a tab that the browser has frozen: it hears nothing of the others. */
function withoutMessages() {
	globalThis.BroadcastChannel = undefined;
}

/** Opens an address with its engine loaded. errors: what the page tells its user. */
async function open(player, path) {
	const page = await player.tab();
	await page.addInitScript(() => {
		globalThis.errors = [];
		const note = () => document.querySelectorAll(".toast.bad").forEach(({ textContent }) => globalThis.errors.push(textContent));
		new MutationObserver(note).observe(document, { childList: true, subtree: true });
	});
	const loaded = page.waitForResponse(DATA);
	await page.goto(player.world.server.url + path);
	await (await loaded).finished();
	return page;
}

async function errorsOf(page) {
	return [...new Set(await page.evaluate(() => globalThis.errors))];
}

/** Moves of computers that the page sends to the server. */
function sentMoves(page) {
	const sent = [];
	page.on("request", (request) => /\/moves$/.test(request.url()) && /"turn"/.test(request.postData()) && sent.push(request));
	return sent;
}

/** A play on the server whose computer thinks in the browser, in two tabs. */
async function serverGame(world, player) {
	const { status, body } = await player.ask("POST", "/api/v1/plays", { game: "noughts", seats: ["human", "level:2"], engine: "browser" });
	assert.equal(status, 201, JSON.stringify(body));
	const pages = [await open(player, `/play/${body.id}`), await open(player, `/play/${body.id}`)];
	for (const page of pages)
		await inStep(world, page, body.id);
	return { id: body.id, pages };
}

async function moveAndReply(world, page, id) {
	const { view, line } = await inStep(world, page, id);
	await enter(world, page, mouse, view, view.moves[0]);
	return inStep(world, page, id, (play) => play.result !== null || play.line.length === line.length + 2);
}

/** A play that this browser keeps: the server cannot be reached when it begins. */
async function localGame(world, player) {
	world.allow(/ERR_FAILED/);
	const page = await open(player, "/games/noughts");
	await page.route(/\/api\/v1\/plays$/, (route) => route.abort());
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\/local-/);
	await board(page).waitFor();
	const path = new URL(page.url()).pathname;
	const other = await open(player, path);
	await board(other).waitFor();
	return { path, pages: [page, other] };
}

/** The game that the browser has stored. */
async function stored(page) {
	const { result, lines } = await page.evaluate(async () => {
		const finished = (request) => new Promise((resolve, reject) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
		const database = await finished(indexedDB.open("quevedo"));
		const [game] = await finished(database.transaction("games").objectStore("games").getAll());
		database.close();
		return game;
	});
	return { result, moves: lines.map((line) => JSON.parse(line).move).filter((move) => move !== undefined) };
}

async function storedMoves(page) {
	return (await stored(page)).moves;
}

/** Both tabs show the position after at least these many moves, which is the stored one, or the end; it is not the computer's turn. */
async function agree(pages, count) {
	await until(`${count} moves in both tabs`, async () => {
		const { result, moves } = await stored(pages[0]);
		assert.ok(result !== null || moves.length >= count && moves.length % 2 === 0, String(moves));
		for (const page of pages) {
			const taken = (await heard(page)).filter(({ words }) => !words.endsWith(", empty")).map(({ words }) => words.split(", ")[0]);
			assert.deepEqual(taken.sort(), [...moves].sort());
		}
		return true;
	});
}

async function freeCells(page) {
	return (await heard(page)).filter(({ words }) => words.endsWith(", empty")).map(({ words }) => words.split(", ")[0]);
}

acceptance("one game in two tabs", [], [
	["only the tab that was used last thinks for a game on the server", async (world) => {
		const { id, pages: [first, second] } = await serverGame(world, await world.player());
		const [early, late] = [sentMoves(first), sentMoves(second)];
		await moveAndReply(world, second, id);
		assert.deepEqual([early.length, late.length], [0, 1]);
		await second.close();
		await moveAndReply(world, first, id);
		assert.deepEqual([early.length, late.length], [1, 1]);
		assert.deepEqual(await errorsOf(first), []);
	}, notInFirefox("read what a page sends")],
	["without locks both think, and the slower one says nothing", async (world) => {
		world.allow(/409/);
		const player = await world.player();
		await player.context.addInitScript(withoutLocks);
		const { id, pages } = await serverGame(world, player);
		const waiting = [], statuses = [];
		for (const page of pages) {
			page.on("response", (response) => /\/moves$/.test(response.url()) && statuses.push(response.status()));
			await page.route(/\/moves$/, async (route) => {
				if (!/"turn"/.test(route.request().postData()))
					return route.continue();
				waiting.push(route); // until both have found a move
				if (waiting.length === 2)
					for (const one of waiting.splice(0))
						await one.continue();
			});
		}
		await moveAndReply(world, pages[0], id);
		await until("three responses", () => statuses.length === 3);
		assert.deepEqual(statuses.sort(), [200, 200, 409]);
		for (const page of pages) {
			await inStep(world, page, id, ({ line }) => line.length === 2);
			assert.deepEqual(await errorsOf(page), []);
		}
	}],
	["a game in the browser is the same in both tabs", async (world) => {
		const { pages } = await localGame(world, await world.player());
		for (const [i, page] of pages.entries()) {
			await cell(page, (await freeCells(page))[0]).click();
			await agree(pages, 2 * i + 2);
		}
		/* Two moves at once: one counts, unless the other one comes after the reply. */
		const [free, other] = await freeCells(pages[0]);
		await Promise.all([cell(pages[0], free).click(), cell(pages[1], other).click()]);
		await agree(pages, 6);
		await pages[1].reload();
		await board(pages[1]).waitFor();
		await agree(pages, 6);
	}],
	["a tab that has missed a move of another one says so and loses nothing", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(withoutLocks);
		await player.context.addInitScript(withoutMessages);
		const { pages: [page, stale] } = await localGame(world, player);
		const [first, second] = await freeCells(stale);
		await cell(page, first).click();
		await until("the reply", async () => (await storedMoves(page)).length === 2);
		const moves = await storedMoves(page);
		const free = [second, ...await freeCells(page)].find((name) => !moves.includes(name));
		await cell(stale, free).click();
		await until("the message", async () => (await errorsOf(stale)).includes("This game was changed in another tab."));
		await agree([page, stale], 2);
		assert.deepEqual(await storedMoves(page), moves);
		assert.deepEqual(await storedMoves(page), moves);
		await cell(stale, free).click();
		await until("the reply", async () => (await storedMoves(page)).length === 4);
		await page.reload();
		await board(page).waitFor();
		await agree([page, stale], 4);
	}],
]);
