// games_mouse.test.mjs - whole games of each kind by mouse, started from the form, against level 1.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, dealer, mouse, playOut } from "./support.mjs";

const games = ["noughts", "noughts3d", "hexapawn", "connect4", "reversi", "race", "morris", "minichess"];

/** From the gallery to a game against level 1, all by clicks. Gives the play's id. */
async function start(page, game, title) {
	await page.getByRole("link", { name: `Rules and options of ${title}`, exact: true }).click();
	await page.getByRole("radio", { name: /^The computer/ }).check();
	await page.getByRole("group", { name: "Level" }).getByText("1", { exact: true }).click();
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	return page.url().split("/play/")[1];
}

acceptance("games by mouse", [], games.map((game, i) => [game, async (world) => {
	const player = await world.player();
	const page = await player.tab("/");
	const { title } = (await player.get("/api/v1/games")).find(({ name }) => name === game);
	const id = await start(page, game, title);
	const auto = page.getByRole("checkbox", { name: "by itself" });
	if (await auto.count())
		await auto.uncheck();
	const { cells } = await world.boardOf(game);
	const tree = await board(page).ariaSnapshot();
	assert.equal(tree.match(/gridcell "/g).length, cells.length, "each cell is in the tree that screen readers read");
	const play = await playOut(world, page, id, mouse, dealer(17 + i));
	assert.match(play.result, /^(draw|win [12])$/);
	await page.getByText(play.result === "draw" ? /^A draw( by .*)?\.$/ : play.result === "win 1" ? "You win!" : / wins\.$/).first().waitFor();
	await page.getByRole("button", { name: "Rematch" }).waitFor();
}]));
