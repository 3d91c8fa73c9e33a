// openings.test.mjs - the book of openings on the page: names and moves on the analysis board, and a game from an opening.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, choose, countIs, enter, focused, inStep, mouse, openTab, until } from "./support.mjs";

const panel = (page) => page.getByRole("region", { name: "Opening", exact: true });
const moves = (page) => panel(page).getByRole("list", { name: "Book moves" }).getByRole("button");

async function says(page, name, first) {
	await until(`${name}, ${first}`, async () => {
		assert.equal(await panel(page).locator(".book-name").textContent(), name);
		assert.match(await moves(page).first().textContent(), first);
		return true;
	});
}

// ---- The trainer ----

const lesson = (page, name) => page.getByRole("region", { name, exact: true });

/** What the lesson says, once it does. */
function told(page, name, words) {
	return until(`${words}`, async () => words.test(await lesson(page, name).textContent()));
}

/** The trainer has answered. */
function yourMove(page) {
	return page.getByText("Your move.", { exact: true }).waitFor();
}

/** Two clicks of a move as the server writes it: e2e4. */
async function chessMove(page, move) {
	await cell(page, move.slice(0, 2)).click();
	await cell(page, move.slice(2, 4)).click();
}

acceptance("openings", [], [
	["names and moves of the book, however the board is turned", async (world) => {
		const player = await world.player();
		const page = await player.tab("/analyse?game=reversi&moves=d3");
		await board(page).waitFor();
		await openTab(page, "Explorer");
		await says(page, "", /^c556%Perpendicular$/);
		await countIs(moves(page), 3);
		await moves(page).first().click();
		await says(page, "Perpendicular", /^f667%towards Tiger$/);
		const { body: view } = await player.ask("POST", "/api/v1/positions", { game: "reversi", moves: ["d3", "c5"] });
		const outside = view.moves.find(({ move }) => !["f6", "d6", "e6"].includes(move));
		await enter(world, page, mouse, view, outside);
		await panel(page).getByText("The game has left the book.").waitFor();
		assert.equal(await panel(page).locator(".book-name").textContent(), "Perpendicular");
		await page.getByText("Opening: Perpendicular").waitFor();
		await page.keyboard.press(",");
		await page.keyboard.press(",");
		await says(page, "", /^c556%Perpendicular$/);
		/* A game without a book has no such panel. */
		await page.getByRole("combobox", { name: "Game" }).selectOption("race");
		await until("the panel to go", async () => await panel(page).count() === 0);
		/* At the end of a game the opening is still named. */
		await page.goto(`${world.server.url}/analyse?game=chess&moves=e2e4,e7e5,g1f3,b8c6,f1c4,c6d4,f3e5,d8g5,e5f7,g5g2,h1f1,g2e4,c4e2,d4f3`);
		await page.getByText("Black wins.").first().waitFor();
		await page.getByText("Opening: Italian Game").waitFor();
	}],
	["the explorer counts the server's games and mine, and leads to them", async (world) => {
		const [player, other] = [await world.player(), await world.player()];
		const finish = async (who, seats, moves, more = {}) => {
			const { body } = await who.ask("POST", "/api/v1/plays", { game: "chess", seats, moves, private: false, ...more });
			await who.ask("POST", `/api/v1/plays/${body.id}/actions`, { action: "resign" });
			return body.id;
		};
		await finish(player, ["human", "level:4"], ["d2d4", "d7d5"]); // in all of mine it is my turn: no computer moves on
		const latest = await finish(player, ["level:2", "human"], ["c2c4", "d7d5", "d2d4"]); // a transposition
		await finish(other, ["level:3", "human"], ["e2e4"]);
		await finish(other, ["human", "level:4"], ["d2d4"], { private: true });
		const page = await player.tab("/analyse?game=chess&moves=d2d4,d7d5,c2c4");
		await openTab(page, "Explorer");
		const rows = page.getByRole("region", { name: "Opening explorer" }).locator("tbody tr");
		const table = (source, wanted) => until(`${source}: ${wanted}`, async () => {
			await choose(page, { name: source });
			assert.deepEqual(await rows.evaluateAll((list) => list.map((row) => [row.querySelector("button").textContent, row.cells[1].textContent, row.cells[3].textContent])), wanted);
			return true;
		});
		/* Nobody moved on from here. */
		await choose(page, { name: "Server's games" });
		await page.getByText("No finished game continued from this position.").waitFor();
		await page.getByRole("button", { name: "Go to the start" }).click();
		await table("Server's games", [["c4", "1", "level 2"], ["d4", "1", "people"], ["e4", "1", "level 3"]]);
		await page.getByRole("img", { name: "White wins 100%" }).first().waitFor();
		await table("My games", [["c4", "1", "level 2"], ["d4", "1", "people"]]);
		await rows.first().getByRole("button", { name: "c4" }).click();
		await table("My games", [["d5", "1", "people"]]);
		await page.getByRole("listitem").filter({ hasText: "1–0" }).getByRole("link").first().click();
		await page.waitForURL(new RegExp(`/review/${latest}$`));
	}],
	["a game that begins with an opening", async (world) => {
		const player = await world.player();
		const page = await player.tab("/games/reversi");
		await page.getByText("Pass and play").click();
		await choose(page, { name: "Opening", exact: true });
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
		assert.equal(await page.getByRole("radio", { name: "Opening", exact: true }).count(), 0);
	}],
	["a line is learned: hints, mistakes, a change of line, its end, and a game from there", async (world) => {
		const player = await world.player();
		const page = await player.tab("/games/chess");
		await page.getByRole("link", { name: "Opening trainer" }).click();
		await page.getByRole("combobox", { name: "Opening" }).selectOption({ label: "Ruy Lopez - Closed" });
		await lesson(page, "Ruy Lopez - Closed").waitFor();
		assert.match(page.url(), /\/train\?game=chess&line=3&side=1$/);
		await board(page).waitFor();
		await yourMove(page);
		await chessMove(page, "e2e4");
		await told(page, "Ruy Lopez - Closed", /2 of 16 moves.*e4 is correct\./);
		await yourMove(page);
		/* By keys alone: h is a hint, and the move is made on the board. */
		await page.keyboard.press("h");
		await told(page, "Ruy Lopez - Closed", /The line continues with Nf3\./);
		await chessMove(page, "a2a3");
		await told(page, "Ruy Lopez - Closed", /a3 is not in the book\. The line plays Nf3 here\./);
		assert.equal(await cell(page, "a2").getAttribute("aria-label"), "a2, white pawn, can be played");
		await cell(page, "g1").focus();
		await page.keyboard.press("Enter");
		await cell(page, "f3").focus();
		await page.keyboard.press("Enter");
		await told(page, "Ruy Lopez - Closed", /4 of 16 moves/);
		/* A move of another line is offered as such. */
		await yourMove(page);
		await chessMove(page, "f1c4");
		await told(page, "Ruy Lopez - Closed", /The line plays Bb5 here\. Bc4 is in other lines:/);
		/* The most frequent lines have buttons, the others are in a select by opening. */
		await countIs(lesson(page, "Ruy Lopez - Closed").locator(".lesson").getByRole("button", { name: /^Switch to / }), 6);
		assert.ok(await page.getByRole("combobox", { name: "Switch to another line" }).first().locator("optgroup[label='Two Knights'] > option").count() > 1);
		await page.getByRole("button", { name: "Switch to Giuoco Piano", exact: true }).first().click();
		await told(page, "Giuoco Piano", /6 of 16 moves.*Switched to Giuoco Piano\./);
		await until("the focus on the board", async () => (await focused(page)).role === "gridcell");
		const { lines } = await player.get("/api/v1/openings?game=chess");
		await yourMove(page);
		const { moves: line } = lines.find(({ name }) => name === "Giuoco Piano");
		for (let ply = 6; ply < line.length; ply += 2) {
			await page.getByLabel("Type a move").fill(line[ply]);
			await page.keyboard.press("Enter");
			await told(page, "Giuoco Piano", new RegExp(`${ply + 2} of 16 moves`));
			if (ply + 2 < line.length)
				await yourMove(page);
		}
		await told(page, "Giuoco Piano", /Giuoco Piano ends here: 8 moves, 2 mistakes, 1 hint\./);
		await page.getByRole("button", { name: "Play from here" }).click();
		await page.waitForURL(/\/play\//);
		const play = await world.server.get(`/api/v1/plays/${page.url().split("/play/")[1]}`);
		assert.deepEqual(play.line.slice(0, 16).map(({ move }) => move), line);
		assert.deepEqual(play.seats.map(({ kind }) => kind), ["person", "computer"]);
	}],
	["the trainer knows lines that are turned, other lines here, and either side", async (world) => {
		const player = await world.player();
		const { lines } = await player.get("/api/v1/openings?game=reversi");
		const tiger = 1 + lines.findIndex(({ name }) => name === "Tiger");
		const page = await player.tab(`/train?game=reversi&line=${tiger}&side=1`);
		await board(page).waitFor();
		await yourMove(page);
		/* The line begins with f5, which is d3 when the board is turned. */
		await cell(page, "d3").click();
		await told(page, "Tiger", /2 of 5 moves.*d3 is correct\./);
		await yourMove(page);
		assert.match(await cell(page, "c5").getAttribute("aria-label"), /white disc/);
		await lesson(page, "Tiger").getByText(/other lines? reach(es)? this position/).click();
		assert.ok(await lesson(page, "Tiger").getByRole("button", { name: /^Switch to / }).count() > 1);
		await choose(page, { name: "White" });
		await told(page, "Tiger", /1 of 5 moves/);
		/* A book without lines is trained as a whole. */
		await page.getByRole("combobox", { name: "Game" }).selectOption("minichess");
		await lesson(page, "Whole book").waitFor();
		await countIs(page.getByRole("combobox", { name: "Opening" }).getByRole("option"), 1);
		await yourMove(page);
		await page.getByRole("button", { name: "Hint" }).click();
		await told(page, "Whole book", /The book continues with /);
	}],
]);
