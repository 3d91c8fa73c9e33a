// review.test.mjs - the review of a game: accuracy, curve, sentences, and practice with its mistakes; the evaluation bar shows material.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, isFull, noViolations, until } from "./support.mjs";

/* Red misses a win and lets Yellow win; both by columns. */
const CONNECT4 = ["4", "1", "4", "1", "4", "1", "7", "1"];

function says(page, text) {
	return until(String(text), async () => text.test(await page.locator(".practice-text").innerText()));
}

acceptance("reviews", [], [
	["a game of connect-four is exact, and its mistakes can be practised", async (world) => {
		const page = await world.visit(`/review?game=connect4&moves=${CONNECT4.join(",")}`);
		await page.getByRole("heading", { name: "Accuracy", level: 2 }).waitFor();
		const table = page.getByRole("table");
		assert.match(await table.innerText(), /Red\s+Yellow\s+Accuracy\s+\d+%\s+\d+%\s+Inaccuracies\s+\d+\s+\d+/);
		const moves = page.locator(".review-moves").getByRole("button");
		assert.equal(await moves.count(), CONNECT4.length);
		await moves.nth(6).click();
		await page.getByText("This misses four in a row in one move and lets Yellow force four in a row in one move.").first().waitFor();
		assert.match(await page.locator(".here").innerText(), /7\?\? Blunder\..*Better was 4\./);
		await page.getByRole("slider", { name: "Evaluation over the game" }).press("ArrowRight");
		await until("the last move", async () => /Yellow has won/.test(await page.locator(".here").innerText()));
		await noViolations(page, "the review");
		await page.getByRole("button", { name: "Learn from Red's mistakes" }).click();
		await says(page, /^4\. 7 was a blunder\. Find a better move\.$/);
		await cell(page, "column 7 row 1").click();
		await says(page, /^7 is the move of the game\. Try another one\.$/);
		await cell(page, "column 2 row 1").click();
		await says(page, /^2 isn't the best move here\. This misses four in a row in one move/);
		/* The board goes back by itself. */
		await until("the next try", async () => !/red/.test(await cell(page, "column 2 row 1").getAttribute("aria-label")));
		await cell(page, "column 4 row 1").click();
		await page.getByRole("button", { name: "Finish" }).waitFor();
		await page.getByRole("button", { name: "Finish" }).click();
		/* Back in the game, at the mistake. */
		await until("the mistake", async () => /7\?\? Blunder/.test(await page.locator(".here").innerText()));
		assert.ok(await page.getByRole("button", { name: "Next move" }).isEnabled());
		await page.getByRole("button", { name: "Learn from Red's mistakes" }).click();
		await page.getByRole("button", { name: "Show the best move" }).click();
		await says(page, /^The best move was 4\./);
		if (isFull)
			await noViolations(page, "practice");
		await page.getByRole("button", { name: "Finish" }).click();
		await page.getByRole("heading", { name: "Accuracy", level: 2 }).waitFor();
		/* What it found becomes the comments of a chapter. */
		await page.getByRole("button", { name: "Add to a study" }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
		await page.getByRole("heading", { name: "My study" }).waitFor();
		await page.getByRole("img", { name: "blunder" }).first().waitFor();
		await page.getByText("This misses four in a row in one move").first().waitFor();
		/* A link to it, as at the end of a game. */
		await world.visit(`/review?game=connect4&moves=${CONNECT4.join(",")}&player=Ana&player=Ben&learn=1`);
		await says(page, /^4\. 7 was a blunder\. Find a better move\.$/);
		/* Upright, the board stays in sight while you tap in the list of moves. */
		await page.setViewportSize({ width: 390, height: 844 });
		await page.getByRole("button", { name: "Stop" }).click();
		await page.locator(".review-moves").getByRole("button").nth(2).click();
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		const still = await board(page).boundingBox();
		assert.ok(await page.evaluate(() => scrollY) > 300 && still.y >= 0 && still.height > 250 && still.y + still.height < 450, JSON.stringify(still));
		await page.getByRole("button", { name: "Learn from Red's mistakes" }).click();
		/* On a phone on its side the question is beside the board. */
		await page.setViewportSize({ width: 844, height: 390 });
		await until("the question beside the board", async () => {
			const question = await page.locator(".practice").boundingBox(), shown = await board(page).boundingBox();
			assert.ok(question.y + question.height <= 390 && shown.y + shown.height <= 390 && shown.height > 270, JSON.stringify([question, shown]));
			return true;
		});
	}],
	["an address without a game says so, and shows ways out", async (world) => {
		world.allow(/404/);
		const page = await world.visit("/review/zzz");
		await page.getByRole("heading", { name: "Game not found" }).waitFor();
		await page.getByRole("main").getByRole("link", { name: "Your games" }).waitFor();
		await page.goto(`${world.server.url}/analyse?game=zzz`);
		await page.getByRole("button", { name: "Analyse chess" }).waitFor();
		/* A mate is counted in moves, for White and by ear. */
		await page.goto(`${world.server.url}/analyse?game=chess&position=${encodeURIComponent("7k/R7/8/8/8/8/8/1R5K w - - 0 1")}`);
		await page.getByRole("meter", { name: "Evaluation for White" }).and(page.locator("[aria-valuetext^='White mates in 1,']")).waitFor();
		assert.equal(await page.locator(".eval-bar span").innerText(), "#1");
	}],
	["a queen, a knight and a pawn show on the evaluation bar", async (world) => {
		const bar = async (position) => {
			const response = await fetch(`${world.server.url}/api/v1/analysis`, {
				method: "POST", headers: { "Content-Type": "application/json" },
				body: JSON.stringify({ game: "chess", position, time: 30000, player: "alphabeta:depth=2,eval=material" }),
			});
			const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
			assert.deepEqual(lines[0].unit, { name: "pawns", one: 100 });
			return lines[lines.length - 1].share;
		};
		const rest = "pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
		assert.ok(await bar(`rnb1kbnr/${rest}`) >= 0.9, "a queen");
		const knight = await bar(`r1bqkbnr/${rest}`), pawn = await bar("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
		assert.ok(knight >= 0.75 && knight <= 0.8, `a knight: ${knight}`);
		assert.ok(pawn >= 0.58 && pawn <= 0.6, `a pawn: ${pawn}`);
	}],
]);
