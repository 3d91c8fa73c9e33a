// lasting.test.mjs - the server is killed in mid-game and comes back: the page heals by itself, the game is where it was.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { acceptance, cell, enter, inStep, mouse, until } from "./support.mjs";

acceptance("lasting", [], [
	["a kill in mid-game, and nothing is lost", async (world) => {
		const [ann, bob] = [await world.player(), await world.player()];
		const { page, id } = await ann.play({ game: "connect4", seats: ["human", "open"], clock: "10m" });
		await bob.ask("POST", `/api/v1/plays/${id}/actions`, { action: "join", name: "Bob" });
		const other = await bob.tab(`/play/${id}`);
		const pages = [page, other];
		const move = async () => {
			const { view, line } = await world.server.get(`/api/v1/plays/${id}`);
			await enter(world, pages[view.seat - 1], mouse, view, view.moves[3]);
			for (const one of pages)
				await inStep(world, one, id, (play) => play.line.length > line.length);
		};
		for (let i = 0; i < 3; i++)
			await move();
		const before = await world.server.get(`/api/v1/plays/${id}`);

		world.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to/);
		await world.server.kill();
		for (const one of pages)
			await one.getByText("Connection lost").waitFor();
		await world.server.start();
		for (const one of pages)
			await one.getByText("Connection lost").waitFor({ state: "hidden" });
		const after = await world.server.get(`/api/v1/plays/${id}`);
		assert.deepEqual(after.line.map(({ move: name }) => name), before.line.map(({ move: name }) => name));
		assert.equal(after.view.position, before.view.position);
		// The clock that runs begins again where the last move left it, so it may even have a little more.
		assert.ok(after.clocks.left.every((left, i) => Math.abs(left - before.clocks.left[i]) < 60000),
			`${after.clocks.left} after ${before.clocks.left}`);
		for (let i = 0; i < 2; i++)
			await move();
	}],
	["the response to a move is lost while the server restarts: it is sent again, and played once", async (world) => {
		const { page, id } = await (await world.player()).play({ game: "connect4", seats: ["human", "human"] });
		const { view } = await world.server.get(`/api/v1/plays/${id}`);
		const sent = [];
		world.allow(/ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to|503/);
		await page.route(/\/moves$/, async (route) => {
			sent.push(route.request().postData());
			if (sent.length > 1)
				return route.continue();
			await route.fetch(); // it arrives
			await world.server.end();
			await route.abort();
			await world.server.start();
		});
		await enter(world, page, mouse, view, view.moves[3]);
		await until("it to be sent again", () => sent.length > 1);
		await inStep(world, page, id, (play) => play.line.length === 1);
		await page.getByText("Connection lost").waitFor({ state: "hidden" });
		assert.deepEqual(new Set(sent), new Set([JSON.stringify({ move: view.moves[3].move, ply: 0 })]));
		assert.equal(await page.locator(".toast.bad").count(), 0);
	}],
	["rolls that do not arrive while the server restarts: they are sent again, and the page asks for no more", async (world) => {
		const { page, id } = await (await world.player()).play({ game: "race", seats: ["human", "human"], dice: "server" });
		await page.getByRole("checkbox", { name: "Roll automatically" }).uncheck();
		/* The first roll may have come before the box was free: then there is a move to make first. */
		const { view } = await inStep(world, page, id);
		if (view.seat !== 0)
			await enter(world, page, mouse, view, view.moves[0]);
		const { line, dice: { commit } } = await inStep(world, page, id, (play) => play.dice.commit);
		await page.locator(".promise").getByText(commit.slice(0, 16)).waitFor({ state: "attached" });
		const sent = [];
		world.allow(/ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to|503/);
		await page.route(/\/actions$/, async (route) => {
			sent.push(route.request().postData());
			if (sent.length > 1)
				return route.continue();
			await world.server.end();
			await route.abort();
			await world.server.start();
		});
		await page.getByRole("button", { name: "Roll", exact: true }).click();
		const rolled = await inStep(world, page, id, (play) => play.line.length > line.length);
		assert.equal(rolled.dice.last.commit, commit);
		assert.equal(new Set(sent).size, 1, "each time with the same seed");
		assert.equal(await page.locator(".toast.bad").count(), 0);
	}],
	["a game of which a line is damaged says so, where it is opened and where it is listed", async (world) => {
		world.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to/);
		const ann = await world.player();
		const { page, id } = await ann.play({ game: "connect4", seats: ["human", "human"] });
		for (let i = 0; i < 3; i++) {
			const { view } = await world.server.get(`/api/v1/plays/${id}`);
			await ann.ask("POST", `/api/v1/plays/${id}/moves`, { move: view.moves[3].move });
		}
		world.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket connection to/);
		await world.server.end();
		const sql = `import sqlite3; d = sqlite3.connect("${world.server.data}/quevedo.db"); d.execute("UPDATE event SET line = '{' WHERE play = ? AND number = 4", ("${id}",)); d.commit()`;
		assert.equal(spawnSync("python3", ["-c", sql]).status, 0);
		await world.server.start();
		await page.goto(`${world.server.url}/play/${id}`);
		await page.getByRole("alert").getByText("can't be read").waitFor();
		await page.goto(`${world.server.url}/my-games`);
		await page.locator(".turn.damaged").getByText("Damaged").first().waitFor();
	}],
	["a study is saved although the server was away, and its own lost save is no conflict", async (world) => {
		const ann = await world.player();
		const record = '{"quevedo":1,"game":"chess","position":"start","seats":["human","human"]}\n{"move":"e2e4","seat":1}\n';
		const { body: { id } } = await ann.ask("POST", "/api/v1/studies", { title: "Openings", chapters: [{ name: "One", record }] });
		const page = await ann.tab(`/study/${id}`);
		const comment = page.getByRole("textbox", { name: "Comment on this position" }), state = page.locator(".save-state");
		world.allow(/ERR_|WebSocket connection to|status of (409|503)/);
		let sent = 0;
		await page.route(new RegExp(`/studies/${id}$`), async (route) => {
			if (route.request().method() !== "POST" || ++sent > 1)
				return route.continue();
			await route.fetch(); // it is saved
			await world.server.kill();
			await route.abort();
		});
		await comment.fill("First.");
		await until("it to be here only", async () => await state.innerText() === "Saved in this browser only");
		await comment.fill("Second.");
		await world.server.start();
		await until("the save", async () => await state.innerText() === "Saved");
		const { version, chapters } = await world.server.get(`/api/v1/studies/${id}`);
		assert.match(chapters[0].record, /Second\./);
		assert.equal(version, 3, "each text is saved once");
		assert.equal(await page.getByText("was also changed").count(), 0);
	}],
	["a new study whose response is lost is created once, and has what was written since", async (world) => {
		const ann = await world.player();
		const page = await ann.tab("/study");
		const comment = page.getByRole("textbox", { name: "Comment on this position" }), state = page.locator(".save-state");
		const statuses = [];
		world.allow(/ERR_/);
		await page.route(/\/api\/v1\/studies$/, async (route) => {
			if (route.request().method() !== "POST")
				return route.continue();
			const response = await route.fetch();
			statuses.push(response.status());
			await (statuses.length < 3 ? route.abort() : route.fulfill({ response }));
		});
		await page.getByRole("button", { name: "New study" }).click();
		await page.getByRole("textbox", { name: "Title" }).fill("Lost");
		await page.getByRole("button", { name: "Create" }).click();
		await comment.fill("Written later.");
		await until("the save", async () => statuses.length >= 3 && await state.innerText() === "Saved");
		assert.deepEqual(statuses, [201, 200, 200]);
		const { body: { studies } } = await ann.ask("GET", "/api/v1/studies");
		assert.deepEqual(studies.map(({ title }) => title), ["Lost"]);
		assert.match((await world.server.get(`/api/v1/studies/${studies[0].id}`)).chapters[0].record, /Written later\./);
		assert.equal(await page.getByText("was also changed").count(), 0);
	}],
]);

/** In a page: pauses are short from now on; messages stay as long as before. */
function hurry() {
	const later = setTimeout;
	globalThis.setTimeout = (work, ms, ...more) => later(work, ms > 100 && ms <= 4000 ? ms / 40 : ms, ...more);
}

acceptance("a lost database", [], [
	["a move that cannot be stored: the page says that it is being saved, then that it was not made", async (world) => {
		const { page, id } = await world.play({ game: "connect4", seats: ["human", "human"] });
		const { view } = await world.server.get(`/api/v1/plays/${id}`);
		world.allow(/503/);
		for (const file of readdirSync(world.server.data).filter((name) => name.startsWith("quevedo.db")))
			rmSync(join(world.server.data, file));
		await enter(world, page, mouse, view, view.moves[3]);
		const status = page.getByRole("status");
		await status.getByText("Saving your move…").waitFor();
		await page.evaluate(hurry);
		await status.getByText("The server cannot store games now. Your move was not made; try again.").waitFor();
		assert.equal(await page.getByText("Saving your move…").count(), 0);
		await cell(page, "column 4 row 1").and(page.getByRole("gridcell", { name: /can be played/ })).waitFor();
		await page.goto(`${world.server.url}/games/noughts`);
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.getByText("This could not be stored; try again.").waitFor();
	}],
]);
