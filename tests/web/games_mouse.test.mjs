// games_mouse.test.mjs - games of each kind, to their end, by mouse, started from the form, against level 1.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, choose, dealer, isFull, mouse, playOut } from "./support.mjs";

/* Some that last long begin where the end is near: what comes before is more of the same. `full`: with QUEVEDO_FULL only. */
const games = [
	{ game: "noughts" },
	{ game: "noughts3d", full: true },
	{ game: "hexapawn", full: true },
	{ game: "connect4" },
	{ game: "reversi", position: "--O-----XXO--O----OXOO-OOOXOXOOX-XOOOOX---XOOXX---OXX-X---O-X-X- X" },
	{ game: "race", position: "0,18,18,18 15,18,18,18 1 6" },
	{ game: "morris", position: ".WWW.BBBB.....B...BBW.WW W 2 2 0", named: "morris:quiet=4" },
	{ game: "draughts", position: "B:W6,7,14,15:BK2" }, // a jump in a circle: five clicks for one move
	{ game: "minichess", position: "36 W/kqbnr/ppppp/...../...../PPPPP/RNBQK" },
].filter(({ full }) => isFull || !full);

/** From the gallery to a game against level 1, all by clicks. Gives the play's id. */
async function start(page, title, later) {
	await page.getByRole("link", { name: `Rules and options for ${title}`, exact: true }).click();
	const { y } = await page.getByRole("button", { name: "Start the game" }).boundingBox();
	assert.ok(y < page.viewportSize().height, "the button is in sight");
	if (later)
		await page.goto(`${page.url()}?${later}`);
	await choose(page, { name: /^Computer/ });
	await page.getByRole("group", { name: "Level" }).locator("label").first().click();
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	return page.url().split("/play/")[1];
}

acceptance("games by mouse", [], games.map(({ game, named = game, position }, i) => [game, async (world) => {
	const player = await world.player();
	const page = await player.tab("/");
	const { title } = (await player.get("/api/v1/games")).find(({ name }) => name === game);
	const id = await start(page, title, position && new URLSearchParams({ game: named, position }));
	const auto = page.getByRole("checkbox", { name: "Roll automatically" });
	if (await auto.count())
		await auto.uncheck();
	const { cells } = await world.boardOf(game);
	const tree = await board(page).ariaSnapshot();
	assert.equal(tree.match(/gridcell "/g).length, cells.length, "each cell is in the tree that screen readers read");
	const play = await playOut(world, page, id, mouse, dealer(17 + i));
	assert.match(play.result, /^(draw|win [12])$/);
	await page.getByText(play.result === "draw" ? /^Draw/ : play.result === "win 1" ? /^You won/ : /^You lost/).first().waitFor();
	await page.getByRole("button", { name: "Rematch" }).first().waitFor();
}]));
