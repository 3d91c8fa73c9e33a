// puzzles.test.mjs - puzzles: one solved at once, one after an error, today's puzzle, the solution on demand, and the ladder.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptance, countIs, isFull, noViolations, PHONE, root } from "./support.mjs";

/** The test's own reading of a file: the puzzles with their goal and the moves of the main line. */
function puzzlesOf(game) {
	return readFileSync(join(root, `web/puzzles/${game}.txt`), "utf8").split("\n").slice(1).filter((line) => line && !line.startsWith("#"))
		.map((line) => line.split(";").map((part) => part.trim()))
		.map(([goal, , , moves, ...position]) => ({ goal, moves: moves.split(", ").map((turn) => turn.split("|")[0]), position: position.join(";") }));
}

/** As parse.ts computes it. */
function idOf(text) {
	let hash = 0x811c9dc5;
	for (const character of text)
		hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
	return (hash >>> 0).toString(36);
}

async function type(page, move) {
	await page.getByText("Your move.", { exact: true }).waitFor();
	await page.getByLabel("Type a move").fill(move);
	await page.getByLabel("Type a move").press("Enter");
}

const feedback = (page) => page.locator(".task .lesson");

const results = (page) => page.locator(".results dd").allTextContents();

acceptance("puzzles", [], [
	["show today's position of every game", async (world) => {
		const page = await world.visit("/puzzles");
		await page.locator(".puzzle-card .board").nth(12).waitFor();
		await countIs(page.locator(".puzzle-card"), 13);
		await noViolations(page, "/puzzles");
	}],
	["reply by the stored line, tell errors, and rate both", async (world) => {
		const two = puzzlesOf("connect4").find(({ goal }) => goal === "win 3");
		const three = puzzlesOf("connect4").find(({ goal }) => goal === "win 5");
		const page = await world.visit(`/puzzles/connect4?id=${idOf(two.position)}`);
		await page.getByRole("heading", { name: "to move: win in 2 moves." }).waitFor();
		const guess = async () => /estimated rating \d+/.exec(await page.locator(".task").innerText())[0], before = await guess();
		await type(page, two.moves[0]);
		await feedback(page).getByText("is right. Now the next move.").waitFor();
		const reported = page.waitForResponse(/\/attempts$/);
		await type(page, two.moves[2]);
		await feedback(page).getByText("Solved!").waitFor();
		let [rating, solved] = await results(page);
		assert.equal(rating, "?", "one result says too little");
		await page.getByText("Your rating appears after 10 puzzles: 1 of 10 tried.").waitFor();
		assert.equal(solved, "1 of 1");
		await noViolations(page, "a solved puzzle");

		await reported;
		await page.getByText("solved by 1 of 1 player").waitFor(); // with your own attempt
		assert.equal(await guess(), before, "one result says too little of the puzzle, too");
		/* Others see the result in the puzzle's rating. */
		const other = await (await world.player()).tab(`/puzzles/connect4?id=${idOf(two.position)}`);
		await other.getByText("solved by 1 of 1 player").waitFor();
		await other.close();

		/* An error can be put right, but counts. Then the solution is shown. */
		await page.goto(`${world.server.url}/puzzles/connect4?id=${idOf(three.position)}`);
		await page.getByRole("heading", { name: "to move: win in 3 moves." }).waitFor();
		const wrong = [..."1234567"].find((move) => move !== three.moves[0] && three.position[move - 1] === ".");
		assert.equal(await page.getByRole("link", { name: "Analyse" }).count(), 0, "no analysis before the first try");
		await type(page, wrong);
		await feedback(page).getByText(`${wrong} doesn't win in 3 moves. Try again.`).waitFor();
		await page.getByRole("link", { name: "Analyse" }).waitFor();
		[rating, solved] = await results(page);
		assert.equal(rating, "?");
		assert.equal(solved, "1 of 2");
		/* A reload does not make it a new puzzle. */
		await page.reload();
		await feedback(page).getByText("You have tried this puzzle before").waitFor();
		await type(page, wrong);
		await feedback(page).getByText("doesn't win in 3 moves").waitFor();
		assert.equal((await results(page))[1], "1 of 2");
		await page.getByRole("button", { name: "Hint" }).click();
		await feedback(page).getByText("Look at").waitFor();
		await page.getByRole("button", { name: "Show the solution" }).click();
		await feedback(page).getByText(`The solution: ${three.moves.join(", ")}.`).waitFor();
		await page.getByRole("button", { name: "Next puzzle" }).click();
		await page.getByText("Your move.", { exact: true }).waitFor();
		assert.equal((await results(page))[1], "1 of 2", "each puzzle counts once");

		/* The moves have the names that players use. */
		const mate = puzzlesOf("chess").find(({ goal }) => goal === "win 1");
		await page.goto(`${world.server.url}/puzzles/chess/?id=${idOf(mate.position)}`); // a slash at the end does no harm
		await page.getByRole("heading", { name: "to move: mate in one." }).waitFor();
		await page.getByRole("button", { name: "Show the solution" }).click();
		await feedback(page).getByText(/^The solution: ([KQRBN][a-h1-8]?x?|[a-h]x)?[a-h][1-8](=[QRBN])?#\.$/).waitFor();
	}],
	["have a puzzle of the day and a ladder, also on a phone", async (world) => {
		const page = await (await world.player({ viewport: PHONE })).tab("/puzzles/noughts?daily=1");
		await page.getByText("Puzzle of the day").waitFor();
		await page.getByText("Your move.", { exact: true }).waitFor();
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling sideways");
		/* What helps is above the field, and there is nothing to step through yet. */
		const height = async (locator) => (await locator.boundingBox()).y;
		assert.ok(await height(page.getByRole("button", { name: "Hint" })) < await height(page.getByLabel("Type a move")));
		assert.equal(await page.getByRole("button", { name: "Next move" }).count(), 0);
		await page.goto(`${world.server.url}/puzzles/noughts?ladder=1`);
		await page.getByText("Your move.", { exact: true }).waitFor();
		if (isFull)
			await noViolations(page, "the ladder");
		/* The first position is the easiest: one move decides. */
		const first = puzzlesOf("noughts").find(({ moves }) => moves.length === 1);
		await type(page, first.moves[0]);
		await feedback(page).getByText(/^You (won|held the position) against perfect play\.$/).waitFor();
		await page.getByRole("button", { name: "Next position" }).click();
		await page.getByText("Position 2 of 10").waitFor();
		await page.getByText("1 of 10 positions held.").waitFor();
	}],
]);
