// opponents.test.mjs - the choice of a computer: ladders and perfect play, in the form, in mid-game, and from the analysis board.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptance, board, cell, choose, control, countIs, enter, focused, inStep, mouse, openTab, quevedo, tabTo, until } from "./support.mjs";

const tables = mkdtempSync(join(tmpdir(), "quevedo-tables-"));
process.on("exit", () => rmSync(tables, { recursive: true, force: true }));
/* Both sides fly, and both have a line to close. */
const FLYING = "WW......W......B.....B.B W 0 0 0";

const group = (page, name) => page.getByRole("group", { name, exact: true });
const seats = async (world, id) => (await world.server.get(`/api/v1/plays/${id}`)).seats;

async function started(page) {
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	return page.url().split("/play/")[1];
}

/** Arrow keys among the radio buttons of a group. */
async function arrowTo(page, fieldset, wanted) {
	await tabTo(page, fieldset, (now) => now.role === "radio" && now.fieldset === fieldset);
	for (let i = 0; i < 12 && (await focused(page)).name !== wanted; i++)
		await page.keyboard.press("ArrowRight");
	await until(`the focus on ${wanted}`, async () => (await focused(page)).name === wanted);
}

acceptance("opponents", () => {
	const made = spawnSync(quevedo, ["tables", "build", "morris", "--data", tables, "--up-to", "3-3", "--counters"], { encoding: "utf8", timeout: 120000 });
	assert.equal(made.status, 0, made.stderr);
	return ["--tables", tables];
}, [
	["levels have names and their strength, and a newcomer gets an easy one", async (world) => {
		const page = await world.visit("/games/connect4");
		await until("the third of ten", () => group(page, "Level").getByRole("radio", { name: /^Novice/ }).isChecked());
		await group(page, "Level").getByText(/^beats Beginner 1 in about \d of 10 games/).waitFor();
		await group(page, "Level").getByText("Master", { exact: true }).click();
		const id = await started(page);
		assert.deepEqual((await seats(world, id))[1].name, "Master");
	}],
	["a level of another ladder, by mouse", async (world) => {
		const page = await world.visit("/games/reversi");
		await page.getByText("Classic opponents", { exact: true }).click();
		await group(page, "Engine").getByText("Lurgee", { exact: true }).click();
		await until("six levels", async () => await group(page, "Level").getByRole("radio").count() === 6);
		await group(page, "Level").getByText("6", { exact: true }).click();
		const id = await started(page);
		assert.equal((await seats(world, id))[1].spec, "level:6,ladder=lurgee");
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[0]);
		await page.getByText(/^Lurgee level 6 \(white\) played /).first().waitFor();
		await (await control(page, "New")).click();
		await until("the same choice", () => group(page, "Engine").getByRole("radio", { name: /^Lurgee Michael/ }).isChecked());
		assert.ok(await group(page, "Level").getByRole("radio", { name: "6" }).isChecked());
	}],
	["perfect play, by keyboard, and no level is asked for then", async (world) => {
		const page = await world.visit("/games/noughts");
		await page.getByRole("button", { name: "Start the game" }).waitFor();
		await arrowTo(page, "Engine", "Perfect");
		await until("no level", async () => await group(page, "Level").count() === 0);
		await tabTo(page, "the start", ({ role, name }) => role === "submit" && name === "Start the game");
		await page.keyboard.press("Enter");
		await page.waitForURL(/\/play\//);
		await board(page).waitFor();
		const id = page.url().split("/play/")[1];
		assert.equal((await seats(world, id))[1].spec, "perfect");
		await cell(page, "5").click();
		const { line } = await inStep(world, page, id, (play) => play.line.length === 2);
		assert.match(line[1].move, /^[1379]$/, "only a corner holds the draw");
	}],
	["each of two computers is chosen by itself", async (world) => {
		const page = await world.visit("/games/connect4");
		await choose(page, { name: /^Watch two computers/ });
		await group(page, "Engine (Red)").getByText("Classic opponents").click();
		await group(page, "Engine (Red)").getByText("Lurgee 2.2", { exact: true }).click();
		await group(page, "Level (Red)").getByText("1", { exact: true }).click();
		await group(page, "Level (Yellow)").getByText("Beginner 2", { exact: true }).click();
		const id = await started(page);
		assert.deepEqual((await seats(world, id)).map(({ spec, name }) => [spec, name]),
			[["level:1,ladder=lurgee22", "Lurgee 2.2 level 1"], ["level:2", "Beginner 2"]]);
		await page.getByText("Lurgee 2.2 level 1").first().waitFor();
		await inStep(world, page, id, ({ line }) => line.length >= 2);
	}],
	["the ladder is changed in mid-game, and a hint still comes", async (world) => {
		const { page, id } = await world.play({ game: "connect4", seats: ["human", "level:1"] });
		const who = page.getByRole("combobox", { name: "Who plays Yellow" });
		await who.selectOption({ label: "Lurgee level 2" });
		await until("the level", async () => (await seats(world, id))[1].spec === "level:2,ladder=lurgee");
		await page.reload();
		await board(page).waitFor();
		assert.equal(await who.locator("option:checked").textContent(), "Lurgee level 2");
		await page.getByRole("button", { name: "Hint", exact: true }).click();
		await page.getByText(/^Hint: /).first().waitFor();
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[3]);
		await inStep(world, page, id, ({ line }) => line.length === 2);
		await who.selectOption({ label: "Beginner 2" });
		await until("the level", async () => (await seats(world, id))[1].spec === "level:2");
	}],
	["what the server refuses is said, and the choice stays as it was", async (world) => {
		world.allow(/400/);
		const page = await world.visit("/games/morris");
		await group(page, "Engine").getByText("Perfect").click();
		await page.getByRole("checkbox", { name: /three men/ }).uncheck();
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.getByRole("alert").getByText("no endgame tables for morris:flying=0").waitFor();
		await page.getByRole("checkbox", { name: /three men/ }).check();
		await started(page);
	}],
	["a game whose levels are the only other choice shows its classic opponent alone", async (world) => {
		const page = await world.visit("/games/race");
		await group(page, "Level").waitFor();
		await countIs(group(page, "Engine").getByRole("radio", { includeHidden: true }), 1);
	}],
	["values of morris by tables, on the board of a play and in the analysis", async (world) => {
		const player = await world.player();
		const { page } = await player.play({ game: "morris", seats: ["human", "human"], position: FLYING });
		await (await control(page, "Values")).click();
		const { body } = await player.ask("POST", "/api/v1/values", { game: "morris", position: FLYING });
		assert.ok(body.exact, JSON.stringify(body));
		/* A mill on g7 wins at once: the value is on the man, then on the point, then on each man that it may take. */
		const says = (name, value) => board(page).getByRole("gridcell", { name: new RegExp(`^${name}, .*${value}`) }).waitFor();
		const best = (start) => body.values.filter(({ move }) => move.startsWith(start)).map(({ in: plies }) => plies).sort((a, b) => b - a)[0];
		await says("e5", "wins in 1");
		await says("a7", `loses in ${Math.ceil(best("a7") / 2)} move`);
		await cell(page, "e5").click();
		await says("g7", "wins in 1");
		const reach = body.values.find(({ move }) => move === "e5-d5");
		await says("d5", `loses in ${Math.ceil(reach.in / 2)} move`);
		/* The rest by dragging: the man stays where it was put until it is said what it takes. */
		await cell(page, "e5").click();
		await cell(page, "e5").dragTo(cell(page, "g7"));
		await says("g1", "wins in 1");
		await says("g7", "white man");
		await says("e5", "empty");
		await board(page).getByText("Take a black man").waitFor();
		await cell(page, "g1").click();
		await page.getByText("White won").first().waitFor();
		const other = await player.tab(`/analyse?game=morris&position=${encodeURIComponent(FLYING)}`);
		await board(other).waitFor();
		await openTab(other, "Actions");
		await other.getByRole("combobox", { name: "Computer level" }).selectOption({ label: "Perfect" });
		await other.getByRole("button", { name: "Play from here" }).click();
		await other.waitForURL(/\/play\//);
		assert.equal((await seats(world, other.url().split("/play/")[1]))[1].spec, "perfect");
	}],
]);
