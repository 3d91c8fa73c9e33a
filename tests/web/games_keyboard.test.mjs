// games_keyboard.test.mjs - games of each kind, to their end, by keyboard alone: no pointer is used after the page is there.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, dealer, focused, inStep, isFull, keyboard, playOut, tabTo, until } from "./support.mjs";

/*
 * Who plays in each: the second seat sees a turned board where the game has one; a screen for two has its own turn-taking.
 * Those that last long begin where the end is near: what comes before is more of the same. `full`: with QUEVEDO_FULL only.
 */
const games = [
	{ game: "noughts", who: "screen" },
	{ game: "noughts3d", who: "first" },
	{ game: "hexapawn", who: "second" },
	{ game: "connect4", who: "first", full: true },
	{ game: "reversi", who: "first", full: true, position: "-XXXXX---OOOOX--XOOXOOOO-OXOOOO-OOXOOX--OOX-OOOOOXXXXXX-X----XXX X" },
	{ game: "race", who: "first", position: "17,18,18,18 16,18,18,18 1 -" },
	{ game: "morris", who: "screen", named: "morris:quiet=4", position: ".WWW.BBBB.....B...BBW.WW W 2 2 0" },
].filter(({ full }) => isFull || !full);

const SIDES = { cross: "X", nought: "O" }; // sides that are not called as their pieces

async function radio(page, group, wanted) {
	await tabTo(page, group, (now) => now.role === "radio" && now.fieldset === group);
	/* Names may come later than the buttons. */
	await until(`the arrows to find ${wanted} in ${group}`, async () => {
		const found = wanted.test((await focused(page)).name);
		if (!found)
			await page.keyboard.press("ArrowRight");
		return found;
	});
}

/** The form of a game by keyboard. Gives the play's id. */
async function start(page, who, side) {
	await page.getByRole("button", { name: "Start the game" }).waitFor();
	await radio(page, "Opponent", who === "screen" ? /^Pass and play/ : /^Computer/);
	if (who !== "screen") {
		await radio(page, "Level", /^Beginner/);
		await radio(page, "Your side", new RegExp(`^${side}`, "i"));
	}
	await tabTo(page, "the start", ({ role, name }) => role === "submit" && name === "Start the game");
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	return page.url().split("/play/")[1];
}

acceptance("games by keyboard", [], games.map(({ game, who, named = game, position = "start" }, i) => [game, async (world) => {
	const player = await world.player();
	const page = await player.tab(`/games/${game}?${new URLSearchParams({ game: named, position })}`);
	const { turnable, pieces } = await world.boardOf(game);
	const [side] = pieces.find(({ seat }) => seat === (who === "second" ? 2 : 1)).name.split(" ");
	const id = await start(page, who, SIDES[side] ?? side);
	if (game === "race") {
		await tabTo(page, "the box of throws", ({ role, name }) => role === "checkbox" && name === "Roll automatically");
		await page.keyboard.press("Space");
	}
	const play = await playOut(world, page, id, keyboard({ turned: who === "second" && turnable }), dealer(5 + i));
	assert.match(play.result, /^(draw|win [12])$/);
	await inStep(world, page, id);
	await tabTo(page, "the rematch", ({ role, name }) => role === "button" && name === "Rematch");
}]));
