// methods.test.mjs - the other methods of the laboratory, by mouse and by keyboard: what they show is what the program computes.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { acceptance, cell, countIs, noViolations, PHONE, quevedo, tabTo, until } from "./support.mjs";

async function open(world, name, options = {}) {
	const page = await (await world.player(options)).tab("/lab");
	await page.getByRole("button", { name: "Other methods" }).click();
	await page.getByRole("button", { name, exact: true }).click();
	return page;
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page) => page.locator(".lab section.card").getByRole("combobox").first();
const text = (page) => page.locator(".lab section.card").innerText();
const shows = (page, pattern) => until(`${pattern}`, async () => pattern.exec(await text(page)));

/** axe finds nothing, and nothing is wider than a phone. */
async function sound(page, where) {
	await noViolations(page, where);
	await page.setViewportSize(PHONE);
	assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, `${where} on a phone`);
}

acceptance("other methods", [], [
	["waves reach the start of hexapawn where the solver says, and lead back to the end", async (world) => {
		const solved = JSON.parse(spawnSync(quevedo, ["solve", "hexapawn", "--json"], { encoding: "utf8" }).stdout);
		assert.equal(solved.value, "loss");
		const page = await open(world, "Solving backwards");
		await shows(page, /Wave 0: 1,330 lost .* 1,330 of 2,280 positions are solved/);
		await button(page, "Last step").click();
		await shows(page, /Wave 6: 4 lost for the side to move, in 6 plies. 2,280 of 2,280 positions are solved, the other 0 are draws/);
		await shows(page, /Wave 6 reaches the start: with best play, the player who begins loses in 6 plies/);
		/* Each move leads to the wave before, down to the end. */
		for (let left = 6; left > 0; left--) {
			await shows(page, new RegExp(`The side to move ${left % 2 ? "wins" : "loses"} in ${left} (ply|plies): wave ${left}`));
			await page.getByRole("button", { name: /^Follow the wave: / }).click();
		}
		await shows(page, /The game is over after 6 plies/);
		await sound(page, "the waves");
	}],
	["no wave reaches the start of noughts and crosses: by keyboard", async (world) => {
		const page = await open(world, "Solving backwards");
		await field(page).selectOption("Noughts and crosses");
		await shows(page, /No wave reaches the start: with best play the game is a draw/);
		await tabTo(page, "the buttons", ({ role, name }) => role === "button" && name === "Play");
		for (const key of [".", ".", ","])
			await page.keyboard.press(key);
		await shows(page, /Wave 1: 321 won for the side to move, in 1 ply. 456 of 765/);
		await page.keyboard.press("k");
		await shows(page, /Wave 5: 18 won .* 614 of 765 positions are solved, the other 151 are draws/);
	}],
	["matchboxes lose beads, and the learner stops losing", async (world) => {
		const page = await open(world, "Matchboxes");
		const found = async () => {
			const [, won, drawn, lost, late, gone] = await shows(page, /In all: (\d+) won, (\d+) drawn, (\d+) lost; of the last 20, (\d+) lost. (\d+) beads? (?:is|are) gone/);
			return { won: +won, drawn: +drawn, lost: +lost, late: +late, gone: +gone };
		};
		assert.deepEqual(await found(), { won: 0, drawn: 0, lost: 0, late: 0, gone: 0 });
		await page.locator(".lab-boxes > li").first().waitFor();
		await page.keyboard.press(".");
		await button(page, "One step").click();
		await shows(page, /Game 2: the learner loses. The bead \S+ leaves box \d+/);
		assert.equal((await found()).gone, await page.locator(".lab-beads .gone").count());
		await page.getByRole("list", { name: "Moves of this game" }).getByRole("listitem").first().waitFor();
		await button(page, "Last step").click();
		const end = await found();
		assert.equal(end.won + end.drawn + end.lost, 100);
		assert.equal(end.late, 0, "it still loses");
		assert.ok(end.gone >= end.lost);
		await sound(page, "the matchboxes");
	}],
	["weights are learned while the curve grows: a pause changes nothing", async (world) => {
		const page = await open(world, "Learning weights");
		await field(page).selectOption("200");
		const points = page.locator(".lab-curve circle");
		const weights = () => page.locator(".lab-weights tbody td:nth-child(2)").allInnerTexts();
		await button(page, "Play").click();
		await until("a part of the curve", async () => await points.count() > 3);
		await button(page, "Pause").click();
		const part = await points.count();
		assert.ok(part < 26, "it grows point by point");
		await page.keyboard.press("k");
		await shows(page, /200 of 200 games/);
		await countIs(points, 26);
		const whole = await weights();
		await page.getByRole("img", { name: "Race! board of this game" }).waitFor();
		await sound(page, "the weights");
		/* Again, without a pause. */
		await page.keyboard.press("k");
		await shows(page, /[1-9]\d* of 200 games/);
		await shows(page, /200 of 200 games/);
		assert.deepEqual(await weights(), whole);
	}],
	["the machine of 1912 names its rule and mates", async (world) => {
		const page = await open(world, "The machine of 1912");
		await shows(page, /Rule 2 decides: Ra4/);
		await countIs(page.locator(".lab-rules li"), 6);
		await cell(page, "a3").click();
		await cell(page, "b3").click();
		await shows(page, /The machine moves the white pieces\. Press One step/);
		await button(page, "One step").click();
		await shows(page, /Rule 2 moved Ra4\. Black's turn/);
		await sound(page, "the machine");
		/* A key that comes before the next move is known does nothing. */
		await until("the mate", async () => {
			await page.keyboard.press(".");
			return /Checkmate/.test(await text(page));
		});
		await shows(page, /Checkmate after \d+ moves of the machine/);
	}],
	["the predictor draws requests, masks and predicted turns on the map", async (world) => {
		const page = await open(world, "Star Chess");
		await shows(page, /Requests of Red[\s\S]*3 of 7 masks lead to different turns; 15 turns predicted/);
		await countIs(page.locator(".lab-requests g"), 3);
		assert.equal(await page.locator(".lab-requests .masked").count(), 0);
		await page.getByRole("button", { name: /^Red: without A2, B1/ }).click();
		await countIs(page.locator(".lab-requests .masked"), 2);
		await shows(page, /Red: .*A1 to B2|Red: .*B2/);
		/* A turn that follows, by keyboard: the map shows it. */
		await tabTo(page, "a turn of Yellow", ({ role, name }) => role === "button" && /^Yellow: all requests/.test(name), "Shift+Tab");
		await page.keyboard.press("Enter");
		await page.getByRole("grid", { name: "Star Chess map before the turn of Yellow" }).waitFor();
		await page.keyboard.press(".");
		await shows(page, /Turns played: 1[\s\S]*Requests of Yellow/);
		await sound(page, "the predictor");
	}],
]);
