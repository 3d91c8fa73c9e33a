// warptrog.test.mjs - Warp Trog: the keys of 1983, the warp button, landings one by one, the counter, captures, the 1983 look.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, control, countIs, inStep, noViolations, until } from "./support.mjs";

const seats = ["human", "human"];
const warpButton = (page) => page.getByRole("button", { name: "Warp", exact: true });
const isOff = async (button) => await button.getAttribute("aria-disabled") === "true";
/** The warp is over: somebody is to move. */
const landed = (plies) => ({ line, view }) => line.length >= plies && view.seat !== 0;

/* The Trog on f6 is the first of all squares, so that it warps again wherever it lands. */
const first = "V....................v.............T 1 5 5";

/** Counts the animations that turn a piece. */
function countWhirls(page) {
	return page.evaluate(() => {
		window.whirls = 0;
		const animate = Element.prototype.animate;
		Element.prototype.animate = function (frames, ...rest) {
			window.whirls += JSON.stringify(frames).includes("rotate");
			return animate.call(this, frames, ...rest);
		};
	});
}

/** Luminance contrast of two colours as the browser writes them. */
function contrast(one, two) {
	const luminance = (colour) => colour.match(/\d+/g).slice(0, 3).map((part) => {
		const share = Number(part) / 255;
		return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}).reduce((sum, share, i) => sum + share * [0.2126, 0.7152, 0.0722][i], 0);
	const [dark, light] = [luminance(one), luminance(two)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

acceptance("Warp Trog", [], [
	["Q hints, Y plays the hint, W warps, and the moves are counted", async (world) => {
		const { page, id } = await world.play({ game: "warptrog", seats });
		await page.getByText("Move 1", { exact: true }).waitFor();
		await page.keyboard.press("Shift+Q");
		await page.getByText(/^Hint: /).first().waitFor(); // it is also announced
		await page.getByRole("button", { name: "Play it" }).waitFor();
		await page.keyboard.press("y");
		await inStep(world, page, id, ({ line }) => line.length === 1);
		await page.keyboard.press("w");
		const play = await inStep(world, page, id, landed(3));
		assert.equal(play.line[1].move, "warp");
		assert.ok(play.line.slice(2).every(({ seat, move }) => seat === 0 && /^land [a-f][1-6]$/.test(move)));
		await page.getByText("Move 2", { exact: true }).waitFor();
		await page.getByText(/^The Trog on [a-f][1-6] (landed on [a-f][1-6]|stayed)\.$/).first().waitFor();
		await page.getByText(/ verified fair$/).first().waitFor();
	}],
	["each landing waits for its turn, if one likes, and without motion if the system asks for less", async (world) => {
		const { page, id } = await (await world.player({ reducedMotion: "reduce" })).play({ game: "warptrog", seats, position: first });
		await countWhirls(page);
		await page.getByRole("checkbox", { name: "Land automatically" }).uncheck();
		await warpButton(page).click();
		await inStep(world, page, id, ({ line }) => line.length === 1);
		await page.getByText("Trog on f6 warps.").first().waitFor();
		assert.ok(await isOff(warpButton(page)));
		await page.getByRole("group", { name: "Landing" }).getByRole("button", { name: "Land", exact: true }).click();
		const { line } = await inStep(world, page, id, (play) => play.line.length === 2);
		await page.getByText(/^The Trog on f6 (landed on|stayed)/).first().waitFor();
		assert.match(line[1].move, /^land /);
		assert.equal(await page.evaluate(() => window.whirls), 0);
	}],
	["a Trog lands in a whirl", async (world) => {
		const { page, id } = await (await world.player({ reducedMotion: "no-preference" })).play({ game: "warptrog", seats, position: first });
		await countWhirls(page);
		await warpButton(page).click();
		const { line } = await inStep(world, page, id, landed(2));
		/* All but the last have moved it; the last may have met its own Valg or itself. */
		const whirls = await page.evaluate(() => window.whirls);
		assert.ok(whirls === line.length - 1 || whirls === line.length - 2, `${whirls} of ${line.length - 1}`);
	}],
	["without warps left the button is off, and W says why", async (world) => {
		const { page } = await world.play({ game: "warptrog", seats, position: "......VVT.VV............vv.tvv...... 1 0 5" });
		await cell(page, "c2").waitFor();
		assert.ok(await isOff(warpButton(page)));
		await page.keyboard.press("w");
		await page.getByText("You have no warps left.").waitFor();
	}],
	["what is captured stands beside who captured it", async (world) => {
		const { page, id } = await world.play({ game: "warptrog", seats, position: "..................T.....t..v........ 1 5 5" });
		await cell(page, "a4").click();
		await cell(page, "a5").click();
		await inStep(world, page, id, ({ line }) => line.length === 1);
		await page.getByRole("group", { name: "Blue" }).getByRole("img", { name: "captured: red Trog" }).waitFor();
		assert.equal(await page.getByRole("group", { name: "Red" }).getByRole("img", { name: /^captured/ }).count(), 0);
	}],
	["the 1983 look: switched in the game and in the settings, read aloud, and well visible", async (world) => {
		const { page } = await world.play({ game: "warptrog", seats });
		await board(page).getByRole("gridcell", { name: /^c2, blue Trog/ }).waitFor();
		await (await control(page, "Board and pieces")).click();
		await page.getByRole("dialog").getByText("1983", { exact: true }).click();
		await page.keyboard.press("Escape");
		await board(page).getByRole("gridcell", { name: /^c2, pink Trog/ }).waitFor();
		await board(page).getByRole("gridcell", { name: /^d5, green Trog/ }).waitFor();
		await board(page).getByRole("gridcell", { name: /^warps 2, 5 green warps/ }).waitFor();
		await page.getByRole("heading", { level: 1 }).waitFor();
		await page.getByText("Pink to move.").first().waitFor();
		const fills = await page.evaluate(() => ["ground", "pieces .paint-screen-pink .body", "pieces .paint-screen-green .body", "pictures", "on-ground"]
			.map((name) => getComputedStyle(document.querySelector(`.board-frame .${name}`)).fill));
		for (const fill of fills.slice(1))
			assert.ok(contrast(fills[0], fill) >= 4.5, `${fill} on ${fills[0]}`);
		await countIs(page.locator(".board-frame .pictures path"), 26, "the empty squares");
		await noViolations(page, "the board of 1983");
		/* It holds for every page, until the settings say otherwise. */
		await page.goto(`${world.server.url}/analyse?game=warptrog`);
		await board(page).getByRole("gridcell", { name: /^c2, pink Trog/ }).waitFor();
		await page.goto(`${world.server.url}/settings`);
		await page.getByRole("combobox", { name: "Game" }).selectOption("warptrog");
		const choice = page.getByRole("group", { name: "Warp Trog board" });
		assert.ok(await choice.getByRole("radio", { name: "1983" }).isChecked());
		await choice.getByText("Standard", { exact: true }).click();
		await page.goto(`${world.server.url}/analyse?game=warptrog`);
		await board(page).getByRole("gridcell", { name: /^c2, blue Trog/ }).waitFor();
	}],
]);
