// offline_games.test.mjs - without a network: whole games against the computer, reviewed and found again; the laboratory.
// SPDX-License-Identifier: MIT
//
// QUEVEDO_GAMES: the games, separated by commas, or "all"; default: a few short ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { acceptance, dealer, keepsAll, PATIENCE, quevedo, until } from "./support.mjs";

const MOST_PLIES = 3000;
const chosen = process.env.QUEVEDO_GAMES ?? "noughts,hexapawn,diagram";
/* Games that would take too long, with the options that end them sooner. */
const SHORTER = { starchess: "starchess:limit=12" };

/** All games of the program, or those that were chosen. */
function namesOfGames() {
	if (chosen !== "all")
		return chosen.split(",");
	const { status, stdout } = spawnSync(quevedo, ["games"], { encoding: "utf8" });
	assert.equal(status, 0);
	return stdout.trimEnd().split("\n").map((line) => line.split(" ", 1)[0]);
}

/** In a page: all games that the browser keeps. */
async function all() {
	const finished = (request) => new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
	const database = await finished(indexedDB.open("quevedo"));
	const games = await finished(database.transaction("games").objectStore("games").getAll());
	database.close();
	return games;
}

async function stored(page, id) {
	return (await page.evaluate(all)).find((game) => `local-${game.id}` === id);
}

function movesOf({ lines }) {
	return lines.map((line) => JSON.parse(line).move).filter((move) => move !== undefined);
}

/** The position that the browser's game has, by the server's rules. */
async function viewOf(world, game) {
	const answer = await fetch(`${world.server.url}/api/v1/positions`, {
		method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ game: game.game, moves: movesOf(game) }),
	});
	assert.equal(answer.status, 200, `${game.game}: ${await answer.clone().text()}`);
	return answer.json();
}

/** In Star Chess random orders undo each other: a faction that ends its turns comes to an end, too. */
function choose(view, deal) {
	return (view.moves.find(({ move }) => move === "end") ?? view.moves[deal(view.moves.length)]).move;
}

async function playToEnd(world, page, id, deal) {
	for (let ply = 0; ply < MOST_PLIES; ply++) {
		const game = await stored(page, id);
		const view = game.result === null ? await viewOf(world, game) : null;
		if (!view)
			return game;
		const count = movesOf(game).length;
		if (view.seat !== 0 && game.seats[view.seat - 1].kind === "person") {
			const field = page.getByLabel("Type a move");
			await until("your turn", () => page.getByRole("button", { name: "Play", exact: true }).getAttribute("aria-disabled").then((off) => off !== "true"));
			await field.fill(choose(view, deal));
			await field.press("Enter");
		}
		await until(`a move after ${movesOf(game).join(",")}`, async () => {
			const now = await stored(page, id);
			return movesOf(now).length > count || now.result !== null;
		});
	}
	throw new Error("the game does not end");
}

/** Against level 1: from the first page, or with options from the game's own page. */
async function begin(world, page, { name, title, levels }) {
	const shorter = SHORTER[name];
	const own = shorter || !levels || name === "diagram"; // from its own page
	await page.addInitScript((game) => {
		const stored = JSON.parse(localStorage["quevedo.settings"] ?? "{}");
		localStorage["quevedo.settings"] = JSON.stringify({ ...stored, computers: { [game]: "level:1" } });
	}, name);
	await page.goto(`${world.server.url}/${own ? `games/${name}${shorter ? `?game=${encodeURIComponent(shorter)}` : ""}` : ""}`);
	await page.getByRole("button", { name: own ? "Start the game" : `Play ${title} now` }).click();
}

async function wholeGame(world, page, game) {
	await begin(world, page, game);
	await page.waitForURL(/\/play\/local-/);
	const id = page.url().split("/").pop();
	await page.locator("section.play").waitFor();
	const ended = await playToEnd(world, page, id, dealer(game.name.length));
	const status = page.locator(".status.over");
	await status.waitFor();
	const words = await status.textContent();
	await page.reload();
	await status.waitFor();
	assert.equal(await status.textContent(), words, "the same end after a reload");
	assert.equal(ended.game, SHORTER[game.name] ?? game.name);
	return ended;
}

/** The list has the game, and its review shows its moves. */
async function review(world, page, { title, seats, chance }, count) {
	await page.goto(`${world.server.url}/my-games`);
	await page.getByRole("region", { name: "Finished" }).locator(`[aria-label^="Review: ${title} against "]`).click();
	await page.waitForURL(/\/review\//);
	await page.getByRole("heading", { name: "Accuracy", level: 2 }).waitFor();
	const moves = await page.locator(".review-moves").getByRole("button").count();
	assert.ok(chance ? moves > 0 : moves === count, `${moves} of ${count} moves`); // a roll is not reviewed
	if (seats === 2 && !chance)
		await page.getByRole("slider", { name: "Evaluation over the game" }).waitFor();
}

/** After the login the page offers to copy the games to the server, once. */
async function upload(world, page, entries, count) {
	await page.goto(`${world.server.url}/settings`);
	await page.getByLabel("Account name").fill("traveller");
	await page.getByLabel(/^Password/).fill("a long password");
	await page.getByRole("button", { name: "Create account" }).click();
	const offer = page.getByRole("group", { name: "Upload games" });
	await offer.getByRole("button", { name: "Upload" }).click();
	await page.getByText("Your games are on the server.").waitFor({ timeout: 10 * PATIENCE });
	await until("the offer to leave", async () => await offer.count() === 0);
	await page.goto(`${world.server.url}/my-games`);
	const links = entries.locator('a[href^="/play/"]:not([href^="/play/local-"])');
	await until("links to the copies", async () => await links.count() === count);
	for (const link of await links.all()) {
		const copy = await world.server.get(`/api/v1${(await link.getAttribute("href")).replace("/play/", "/plays/")}`);
		const local = (await page.evaluate(all)).find(({ uploaded }) => uploaded === copy.id);
		assert.deepEqual({ result: copy.result, moves: copy.line.map(({ move }) => move) }, { result: local.result, moves: movesOf(local) });
	}
	assert.equal(await offer.count(), 0);
}

acceptance("games without a network", [], [
	["are played to the end, kept and reviewed", async (world) => {
		world.allow(/ERR_INTERNET_DISCONNECTED|can’t establish a connection|operation is insecure|A ServiceWorker intercepted/); // a blank page has no storage, and the next page cuts off loads
		const games = await world.server.get("/api/v1/games");
		const wanted = namesOfGames().map((name) => games.find((game) => game.name === name) ?? assert.fail(`the page has no ${name}`));
		const player = await world.player({ serviceWorkers: "allow" });
		const page = await player.tab("/");
		await keepsAll(page);
		await player.context.setOffline(true);
		/* The laboratory was never shown before. */
		await page.goto(`${world.server.url}/lab`);
		await page.getByRole("region", { name: "Alpha-beta, plain, depth 3" }).locator("canvas").waitFor();
		for (const game of wanted) {
			const began = Date.now();
			const kept = await wholeGame(world, page, game);
			await review(world, page, game, movesOf(kept).length);
			console.log(`# ${game.name}: ${movesOf(kept).length} plies, ${kept.result}, ${Math.round((Date.now() - began) / 1000)} s`);
			world.noFaults();
		}
		await page.goto(`${world.server.url}/my-games`);
		const entries = page.getByRole("region", { name: "Finished" }).getByRole("listitem");
		await until("all games", async () => await entries.count() === wanted.length);
		await player.context.setOffline(false);
		await upload(world, page, entries, wanted.length);
	}],
]);
