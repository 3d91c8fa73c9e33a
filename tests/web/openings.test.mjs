// openings.test.mjs - the book of openings on the page: names and moves on the analysis board, and a game from an opening.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, enter, inStep, mouse, until } from "./support.mjs";

const panel = (page) => page.getByRole("region", { name: "Opening" });
const moves = (page) => panel(page).getByRole("list", { name: "Moves of the book" }).getByRole("button");

async function says(page, name, first) {
	await until(`${name}, ${first}`, async () => {
		assert.equal(await panel(page).locator(".book-name").textContent(), name);
		assert.match(await moves(page).first().textContent(), first);
		return true;
	});
}

acceptance("openings", [], [
	["names and moves of the book, however the board is turned", async (world) => {
		const player = await world.player();
		const page = await player.tab("/analyse?game=reversi&moves=d3");
		await board(page).waitFor();
		await says(page, "", /^c556 %Perpendicular$/);
		assert.equal(await moves(page).count(), 3);
		await moves(page).first().click();
		await says(page, "Perpendicular", /^f667 %towards Tiger$/);
		const { body: view } = await player.ask("POST", "/api/v1/positions", { game: "reversi", moves: ["d3", "c5"] });
		const outside = view.moves.find(({ move }) => !["f6", "d6", "e6"].includes(move));
		await enter(world, page, mouse, view, outside);
		await panel(page).getByText("Not in the book.").waitFor();
		assert.equal(await panel(page).locator(".book-name").textContent(), "Perpendicular");
		await page.keyboard.press(",");
		await page.keyboard.press(",");
		await says(page, "", /^c556 %Perpendicular$/);
		/* A game without a book has no such panel. */
		await page.getByRole("combobox", { name: "Game" }).selectOption("race");
		await until("the panel to go", async () => await panel(page).count() === 0);
	}],
	["a game that begins with an opening", async (world) => {
		const player = await world.player();
		const page = await player.tab("/games/reversi");
		await page.getByText("Two at one screen").click();
		await page.getByText("An opening", { exact: true }).click();
		await page.getByRole("combobox", { name: "Opening" }).selectOption({ label: "Tiger (f5 d6 c3 d3 c4)" });
		await page.getByRole("button", { name: "Start the game" }).click();
		await board(page).waitFor();
		const id = new URL(page.url()).pathname.split("/").pop();
		const play = await inStep(world, page, id);
		assert.deepEqual(play.line.map(({ move }) => move), ["f5", "d6", "c3", "d3", "c4"]);
		await page.getByText("Opening: Tiger").waitFor();
		await enter(world, page, mouse, play.view, play.view.moves[0]);
		await inStep(world, page, id, ({ line }) => line.length === 6);
	}],
	["no opening is offered where there is no book", async (world) => {
		const player = await world.player();
		const page = await player.tab("/games/hexapawn");
		await page.getByRole("button", { name: "Start the game" }).waitFor();
		assert.equal(await page.getByText("An opening", { exact: true }).count(), 0);
	}],
]);
