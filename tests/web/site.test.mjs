// site.test.mjs - the page as a static folder somewhere below a web server's root, without a server of its own.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { board, cell, choose, openTab, PATIENCE, place, root, until, withBrowser } from "./support.mjs";

const site = process.env.QUEVEDO_SITE ?? join(root, "build/site");
const BASE = "/school/games/";
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml",
	".wasm": "application/wasm" };
const CUT_OFF = /A ServiceWorker intercepted the request/; // Firefox says so when the next page cuts off a load; missing files are seen by the server

/** A web server as schools have them: files below BASE, nothing else. missing: what was requested besides. */
async function serveFolder(missing) {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url, "http://any");
		const file = join(site, pathname === BASE ? "index.html" : pathname.slice(BASE.length));
		if (!pathname.startsWith(BASE) || !existsSync(file) || !statSync(file).isFile()) {
			missing.push(`${request.method} ${request.url}`);
			response.writeHead(404).end();
		} else
			response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
	});
	await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
	return server;
}

test("the folder has what index.html and the list of the engine's files name", () => {
	const html = readFileSync(join(site, "index.html"), "utf8");
	assert.match(html, /<meta name="quevedo-site" content="static">/);
	assert.match(html, /script-src 'self' 'wasm-unsafe-eval';/);
	for (const [, path] of html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)) {
		assert.match(path, /^[a-z]/, "a path that works in any folder");
		assert.ok(existsSync(join(site, path)), path);
	}
	const { core, plain, data, sizes } = JSON.parse(readFileSync(join(site, "engine/manifest.json"), "utf8"));
	assert.deepEqual(Object.keys(sizes).sort(), [core, plain, ...Object.values(data)].sort());
	for (const [path, size] of Object.entries(sizes))
		assert.equal(statSync(join(site, path)).size, size, path);
	for (const { name, board, book } of JSON.parse(readFileSync(join(site, "data/games.json"), "utf8"))) {
		assert.equal(existsSync(join(site, `data/boards/${name}.json`)), board, `the board of ${name}`);
		assert.equal(existsSync(join(site, `data/openings/${name}.json`)), book, `the openings of ${name}`);
	}
});

/** A page of the site, which requests nothing but the files of the folder and reports no errors. */
async function onSite(visit) {
	const missing = [], faults = [];
	const server = await serveFolder(missing);
	try {
		await withBrowser(async (browser) => {
			const home = `http://127.0.0.1:${server.address().port}${BASE}`;
			const page = await browser.newPage(place());
			page.setDefaultTimeout(PATIENCE);
			page.on("request", (request) => /^http/.test(request.url()) && !request.url().startsWith(home) && missing.push(request.url()));
			page.on("websocket", (socket) => missing.push(socket.url()));
			page.on("pageerror", (error) => CUT_OFF.test(error.stack) || faults.push(error.stack));
			page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
			await visit(page, home);
			assert.deepEqual(missing, []);
			assert.deepEqual(faults, []);
		});
	} finally {
		server.close();
	}
}

test("views have addresses in any folder", () => onSite(async (page, home) => {
	await page.goto(home);
	const help = page.getByRole("contentinfo").getByRole("link", { name: "Help" });
	assert.equal(await help.evaluate((link) => link.href), `${home}#/help`);
	await help.click();
	await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
	assert.equal(page.url(), `${home}#/help`);
	await page.reload();
	await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
	await page.getByRole("link", { name: "Skip to content" }).press("Enter");
	assert.equal(await page.evaluate(() => document.activeElement.id), "main");
	assert.equal(page.url(), `${home}#/help`);
	await page.getByRole("link", { name: "Settings" }).click();
	await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
	await page.goBack();
	await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
	await page.goto(`${home}#/`);
	await page.goto(`${home}#/help/`);
	await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
	await page.goto(`${home}#/nowhere`);
	await until("the view of an unknown address", () => page.getByRole("heading", { name: "Page not found" }).isVisible());
	await page.getByRole("link", { name: "All games", exact: true }).waitFor(); // what to do next
}));

test("no view requests anything but the files of the folder", () => onSite(async (page, home) => {
	/* The settings of a page with a server may be those of the same host. */
	await page.addInitScript(() => location.protocol === "http:" && (localStorage["quevedo.settings"] = JSON.stringify({ engine: "server", thoughts: true })));
	const views = ["", "settings", "help", "my-games", "lobby", "watch", "watch/any", "play/none", "play/local-none", "games/none",
		"games/chess", "games/gomoku", "games/starchess", "edit?game=chess", "analyse?game=gomoku:size=19", "train?game=chess",
		"study", "study/none"];
	for (const view of views) {
		await page.goto("about:blank"); // each view without what another one has loaded
		await page.goto(`${home}#/${view}`);
		await page.locator("main h1, main [role=grid]").first().waitFor();
		await until(`${view} to be loaded`, async () => await page.getByText("Loading…").count() === 0);
	}
	await page.goto(`${home}#/play/none`);
	await page.getByText("There is no game at this address.").waitFor();
}));

test("games and analysis work without a server", () => onSite(async (page, home) => {
	const seen = (text) => page.getByText(text).first().waitFor();
	const played = async (count) => until(`${count} moves`, async () => await page.locator(".moves button.move, .moves .move").count() >= count);
	await page.goto(`${home}#/games/connect4`);
	assert.equal(await page.getByRole("radio", { name: /^A friend|^Anyone/ }).count(), 0, "there is nobody else");
	await page.getByRole("button", { name: "Start the game" }).click();
	await board(page).waitFor();
	for (let turn = 1; turn <= 3; turn++) {
		await seen("Your turn (red).");
		await board(page).getByRole("gridcell", { name: /can be played/ }).first().click();
		await played(2 * turn);
	}
	await seen("Your turn (red).");
	const before = await page.locator(".moves").textContent();
	await page.getByRole("button", { name: "Undo" }).click();
	const moves = await until("one move less", async () => {
		const now = await page.locator(".moves").textContent();
		return now !== before && /Your turn/.test(await page.locator(".status").textContent()) && now;
	});
	await page.reload();
	await board(page).waitFor();
	assert.equal(await page.locator(".moves").textContent(), moves);
	await page.getByRole("button", { name: "Hint" }).click();
	await seen(/^Hint: \d/);
	await page.getByRole("button", { name: "Resign" }).click();
	await page.getByRole("button", { name: "Yes, resign" }).click();
	await page.getByRole("button", { name: "Rematch" }).first().click();
	await until("the next game", async () => await page.locator(".moves button").count() < 12 && /turn|thinking/i.test(await page.locator(".status").textContent()));

	/* The explorer counts the games of this browser. */
	await page.goto(`${home}#/analyse?game=connect4`);
	await page.getByRole("tab", { name: "Explorer" }).click();
	assert.equal(await page.getByRole("radio", { name: "Server's games" }).count(), 0);
	await choose(page, { name: "My games" });
	await seen("1 game continued from here");

	await page.goto(`${home}#/games/backgammon`);
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/#\/play\//);
	await board(page).waitFor();
	await page.goto(`${home}#/analyse?game=noughts`);
	await openTab(page, "Moves"); // a phone shows the engine there
	await seen(/Depth \d+/);
	await until("the values", async () => await board(page).getByRole("gridcell", { name: /draws/ }).count() === 9);
	await cell(page, "5").click();
	await until("the values after a move", async () => await board(page).getByRole("gridcell", { name: /draws/ }).count() === 4);
}));

test("a study is kept by the browser, and a link holds all of it", () => onSite(async (page, home) => {
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await page.goto(`${home}#/study`);
	await page.getByRole("button", { name: "New study" }).click();
	await page.getByRole("textbox", { name: "Title" }).fill("Corners");
	await page.getByRole("combobox", { name: "Game" }).selectOption("reversi");
	await page.getByRole("button", { name: "Create" }).click();
	await board(page).getByRole("gridcell", { name: /^d3.*can be played/ }).click();
	await page.getByRole("textbox", { name: "Comment on this position" }).fill("Perpendicular or not?");
	await page.getByRole("button", { name: "Share link" }).click();
	await page.getByText("Link copied.").waitFor();
	const link = await page.evaluate(() => navigator.clipboard.readText());
	assert.ok(link.startsWith(`${home}#/study/shared#`), link);
	await page.goto("about:blank");
	await page.goto(link);
	await page.getByRole("heading", { name: "Corners" }).waitFor();
	const moves = page.getByRole("group", { name: "Moves and variations" });
	await moves.getByRole("button", { name: "d3" }).click();
	await page.locator(".study-comment p:not(.unseen), .movetree .remark").filter({ hasText: "Perpendicular or not?" }).waitFor();
	assert.equal(await page.getByRole("textbox", { name: "Comment on this position" }).count(), 0);
	await page.goto(`${home}#/study`);
	await page.getByRole("link", { name: "Corners" }).click();
	await moves.getByRole("button", { name: "d3" }).click();
	assert.equal(await page.getByRole("textbox", { name: "Comment on this position" }).inputValue(), "Perpendicular or not?");
}));
