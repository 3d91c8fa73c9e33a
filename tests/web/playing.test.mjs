// playing.test.mjs - what one can do in a game against the computer, one step for each.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { acceptance, board, control, countIs, enter, focused, inStep, mouse, quevedo, until } from "./support.mjs";

const mine = (play) => play.seats[play.view.seat - 1]?.kind === "person";

/** Plays so many moves of mine; the computer answers each. */
async function moves(world, page, id, count) {
	for (let i = 0; i < count; i++) {
		const { view, line } = await inStep(world, page, id, mine);
		await enter(world, page, mouse, view, view.moves[0]);
		await inStep(world, page, id, (play) => play.line.length > line.length && mine(play));
	}
	return inStep(world, page, id, mine);
}

async function reversi(world, seats = ["human", "level:1"]) {
	const { player } = await world.regular();
	return { player, ...await world.play({ game: "reversi", seats }) };
}

acceptance("playing", [], [
	["undo and redo, as far as one likes", async (world) => {
		const { page, id } = await reversi(world);
		const late = await moves(world, page, id, 3);
		for (const left of [4, 2, 0]) {
			await (await control(page, "Undo")).click();
			await inStep(world, page, id, (play) => play.line.length === left);
		}
		assert.ok(await (await control(page, "Undo")).isDisabled());
		for (const done of [2, 4, 6]) {
			await (await control(page, "Redo")).click();
			await inStep(world, page, id, (play) => play.line.length === done);
		}
		assert.ok(await (await control(page, "Redo")).isDisabled());
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).view.position, late.view.position);
	}],
	["a hint: an arrow on the board and its line in words", async (world) => {
		const { page, id } = await reversi(world);
		await (await control(page, "Hint")).click();
		const words = await page.getByText(/^Hint: /).first().textContent();
		const { view } = await world.server.get(`/api/v1/plays/${id}`);
		const [, move] = /^Hint: (\S+?)[ ,]/.exec(`${words} `);
		assert.ok(view.moves.some((one) => one.move === move), `${words} is no legal move`);
		assert.match(words, /\(from the book: Perpendicular\), then \S+/);
		await until("the arrow", () => board(page).locator(".arrow.hint").count());
		await (await control(page, "Hint")).click();
		await until("the arrow to go", async () => await board(page).locator(".arrow.hint").count() === 0);
	}],
	["the level is changed and the seats are swapped in mid-game", async (world) => {
		const { page, id } = await reversi(world);
		await moves(world, page, id, 1);
		await page.getByRole("combobox", { name: "Who plays White" }).selectOption({ label: "Beginner 3" });
		await until("the level", async () => (await world.server.get(`/api/v1/plays/${id}`)).seats[1].spec === "level:3");
		await (await control(page, "Swap")).click();
		const play = await inStep(world, page, id, ({ seats, view }) => seats[0].spec === "level:3" && seats[1].kind === "person" && view.seat === 2);
		assert.equal(play.line.length, 3);
	}],
	["exact values stand on the moves of a solved game", async (world) => {
		const { player } = await world.regular();
		const { page, id } = await world.play({ game: "noughts", seats: ["human", "human"] });
		const { line } = await moves(world, page, id, 2);
		const played = line.map(({ move }) => move);
		await (await control(page, "Values")).click();
		const { view } = await world.server.get(`/api/v1/plays/${id}`);
		const { body } = await player.ask("POST", "/api/v1/values", { game: "noughts", moves: played });
		assert.equal(body.values.length, view.moves.length);
		const words = { win: "wins", loss: "loses", draw: "draw" };
		for (const { move, value } of body.values)
			await board(page).getByRole("gridcell", { name: new RegExp(`^${move}, .*${words[value]}`) }).waitFor();
	}],
	["the link to the position opens in another browser", async (world) => {
		const { page, id } = await reversi(world);
		const { view } = await moves(world, page, id, 1);
		await (await control(page, "Share")).click();
		const link = await page.getByRole("textbox", { name: "Link to this position" }).inputValue();
		const other = await (await world.player()).tab();
		await other.goto(link);
		await board(other).waitFor();
		const at = new URL(link).searchParams.get("position");
		assert.equal(at, view.position);
		await until("the same board", async () => {
			const cells = (one) => board(one).getByRole("gridcell").evaluateAll((list) =>
				list.map((cell) => cell.getAttribute("aria-label").split(", ").slice(0, 2).join(", ")));
			assert.deepEqual(await cells(other), await cells(page));
			return true;
		});
	}],
	["the record is exported, read by the program, and imported again", async (world) => {
		const { player, page, id } = await reversi(world);
		const { view, line } = await moves(world, page, id, 2);
		const waiting = page.waitForEvent("download");
		await (await control(page, "Export")).click();
		await page.waitForFunction(() => document.activeElement?.closest(".export"));
		await page.getByRole("button", { name: "Download: Quevedo file" }).click();
		const download = await waiting;
		const path = await download.path();
		const text = readFileSync(path, "utf8");
		const read = spawnSync(quevedo, ["play", "noughts"], { input: `load ${path}\nedit\nquit\n`, encoding: "utf8", timeout: 60000 });
		assert.equal(read.status, 0, read.stderr);
		assert.ok(read.stdout.includes(view.position), read.stdout);
		const home = await player.tab("/games/reversi");
		await home.getByRole("textbox", { name: "Record" }).fill(text);
		await home.getByRole("button", { name: "Continue playing" }).click();
		await home.waitForURL(/\/play\//);
		const again = await world.server.get(`/api/v1/plays/${home.url().split("/play/")[1]}`);
		assert.equal(again.view.position, view.position);
		assert.deepEqual(again.line.map(({ move }) => move), line.map(({ move }) => move));
	}],
	["sound goes off and stays off", async (world) => {
		const { page } = await reversi(world);
		const isOn = async () => (await control(page, "Sound")).getAttribute("aria-checked");
		assert.equal(await isOn(), "true");
		await (await control(page, "Sound")).click();
		assert.equal(await isOn(), "false");
		await page.reload();
		await board(page).waitFor();
		assert.equal(await isOn(), "false");
	}],
	["a reload in mid-game changes nothing", async (world) => {
		const { page, id } = await reversi(world);
		const { view } = await moves(world, page, id, 2);
		await page.reload();
		await board(page).waitFor();
		const play = await inStep(world, page, id);
		assert.equal(play.view.position, view.position);
		await moves(world, page, id, 1);
	}],
	["the moves are walked, and one goes back to the game; what is taken back is grey, and gone with another move", async (world) => {
		const { page, id } = await reversi(world, ["human", "human"]);
		await moves(world, page, id, 3);
		await page.getByRole("button", { name: "Previous move" }).click();
		await page.getByRole("button", { name: "Back to the game" }).waitFor();
		await page.getByRole("button", { name: "Go to the start" }).click();
		await page.getByRole("button", { name: "Back to the game" }).click();
		await inStep(world, page, id);
		await (await control(page, "Undo")).click();
		const before = await inStep(world, page, id, ({ redo }) => redo === 1);
		const list = page.getByRole("group", { name: "Moves and variations" });
		await countIs(list.locator(".move"), 3);
		await countIs(list.locator(".move.undone"), 1);
		await enter(world, page, mouse, before.view, before.view.moves[1]);
		const after = await inStep(world, page, id, ({ line }) => line.length === 3);
		assert.equal(after.tree.filter(({ parent }) => parent === before.cursor).length, 2);
		await until("the move taken back to be gone", async () => await list.locator(".move.undone").count() === 0);
		await countIs(list.locator(".move"), 3);
	}],
	["levels play each other while one watches", async (world) => {
		const { page, id } = await reversi(world, ["level:1", "level:2"]);
		await inStep(world, page, id, ({ line }) => line.length >= 3);
	}],
	["Star Chess: orders by click, drag and key, with a number; each can be taken back", async (world) => {
		const { page, id } = await world.play({ game: "starchess:seed=3", seats: ["human", "level:2", "level:2", "level:2"] });
		const sector = (name) => page.getByRole("gridcell", { name: new RegExp(`^${name}, `) });
		const line = async () => (await world.server.get(`/api/v1/plays/${id}`)).line.map(({ move }) => move);
		const ordered = (...moves) => until(`the orders ${moves}`, async () => (await line()).join() === moves.join());
		const orders = page.getByRole("region", { name: "This turn's orders" });
		await sector("A1").click();
		assert.match(await sector("A2").getAttribute("aria-label"), /within reach of A1/);
		await sector("A2").click();
		await page.getByRole("spinbutton").fill("7");
		await page.getByRole("button", { name: "Move", exact: true }).click();
		await ordered("move A1 A2 7");
		const [from, to] = [await sector("A1").boundingBox(), await sector("B2").boundingBox()];
		await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await page.mouse.down();
		await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
		await page.mouse.up();
		await page.getByRole("button", { name: "Half" }).click();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" }); // it gives the focus back
		await sector("A1").focus();
		/* Each key when the page has drawn what the one before did. */
		await page.keyboard.press("Escape");
		await until("nothing within reach", async () => !/within reach/.test(await sector("B1").getAttribute("aria-label")));
		await page.keyboard.press("Enter");
		await until("B1 within reach", async () => /within reach of A1/.test(await sector("B1").getAttribute("aria-label")));
		await page.keyboard.press("ArrowRight");
		await until("the focus on B1", async () => (await focused(page)).name.startsWith("B1, "));
		await page.keyboard.press("Enter");
		await until("the number to be asked for", () => page.evaluate(() => document.activeElement?.type === "number"));
		await page.keyboard.type("4");
		await page.keyboard.press("Enter");
		await ordered("move A1 A2 7", "move A1 B1 4");
		await orders.getByRole("button", { name: "Take back: Move 7 ships from A1 to A2" }).click();
		await ordered("move A1 B1 4");
		await page.getByRole("button", { name: "Scrap ships" }).click();
		await page.getByRole("button", { name: "Scrap", exact: true }).click();
		await ordered("move A1 B1 4", "scrap A1 1");
		await page.getByRole("button", { name: "Take back all" }).click();
		await ordered();
		const forecast = page.getByRole("row", { name: /^After this turn/ });
		await until("the forecast without orders", async () => /0600$/.test(await forecast.textContent()));
		await orders.getByRole("button", { name: "End turn" }).click();
		const mine = await until("my turn", async () => {
			const play = await world.server.get(`/api/v1/plays/${id}`);
			return play.view.seat === 1 && play.line.length > 1 ? play : null;
		});
		assert.match(mine.view.position, / f1=0,600 /);
		await page.getByRole("tab", { name: "History" }).click();
		await page.getByRole("button", { name: "End of turn" }).first().waitFor();
		await page.getByRole("button", { name: "End of turn" }).first().click();
		await page.getByText(/^Looking back: Yellow, /).waitFor();
		await page.getByRole("button", { name: "Back to the game" }).first().click();
		await page.getByRole("button", { name: "Threats" }).click();
		await page.getByRole("region", { name: "Threats to Red" }).getByText(/A1.*Not threatened/).waitFor();
		assert.match(await page.getByRole("slider", { name: "Score history" }).getAttribute("aria-valuetext"), /^Turn 1, after Blue: Red /);
		await page.getByRole("tab", { name: "Thinking" }).click();
		const requests = page.getByRole("table", { name: /^Requests/ });
		await requests.getByRole("row", { name: /^A2 found a colony 4 20 0/ }).waitFor();
		await page.getByText(/ positions generated and \d+ evaluated, 9 player turns deep/).waitFor();
		await page.getByText(/, chosen$/).waitFor();
	}],
]);
