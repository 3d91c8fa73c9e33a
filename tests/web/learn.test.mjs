// learn.test.mjs - the first steps: a whole game by mouse and one by keyboard, Star Chess with its panels, pictures, and a plug-in.
// SPDX-License-Identifier: MIT
//
// web/test/learn.test.ts plays every step of every game on the engine; here people do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { acceptance, cell, countIs, focused, isFull, keyboard, mouse, noViolations, PHONE, quevedo, root, tabTo, until } from "./support.mjs";

/** The test's own reading: the values of a key, in their order. */
function valuesOf(game, key) {
	const text = readFileSync(join(root, `web/learn/${game}.txt`), "utf8");
	return [...text.matchAll(new RegExp(`^${key}: (.*)$`, "gm"))].map(([, value]) => value);
}

async function enterCells(world, page, hands, game, names) {
	const layout = await world.boardOf(game);
	for (const name of names)
		await hands.cell(page, layout, layout.cells.findIndex((one) => one.name === name));
}

const reply = (page, kind) => page.locator(`.learn-reply.${kind}`);

acceptance("learn to play", () => ["--plugin", join(dirname(quevedo), "examples/breakthrough.so")], [
	["teaches a whole game by mouse, with hints and a first game", async (world) => {
		const page = await world.visit("/learn");
		await page.getByRole("link", { name: "Hexapawn" }).click();
		const titles = valuesOf("hexapawn", "step"), kind = valuesOf("hexapawn", "right");
		const moves = [["a1", "a2"], ["a1", "b2"], ["b1", "b2"], ["c1", "b2"], ["a2", "a3"], ["a1", "a2"]];
		assert.equal(moves.length, titles.length);
		for (const [i, move] of moves.entries()) {
			await page.getByRole("heading", { level: 2, name: titles[i], exact: true }).waitFor();
			if (i === 1) { // legal, but no capture: it is taken back
				await enterCells(world, page, mouse, "hexapawn", ["a1", "a2"]);
				await reply(page, "wrong").getByText("Not this one.").waitFor();
				await until("the pawn to go back", async () => await cell(page, "a1").count() && (await cell(page, "a1").getAttribute("aria-label")).includes("white pawn"));
				await noViolations(page, "a step with a hint");
			}
			if (i === 2) { // the pawn on a1 is blocked
				await enterCells(world, page, mouse, "hexapawn", ["a1"]);
				await reply(page, "illegal").getByText("stands right in front").waitFor();
			}
			await enterCells(world, page, mouse, "hexapawn", move);
			assert.equal(await reply(page, "right").textContent(), `Right! ${kind[i]}`);
			await page.getByRole("button", { name: i === moves.length - 1 ? "Finish" : "Next" }).click();
		}
		await page.getByRole("heading", { name: "You know how to play Hexapawn!" }).waitFor();
		await page.getByRole("link", { name: "Learn another game" }).click();
		await page.reload();
		await page.getByText("You know 1 of 14 games.").waitFor();
		await page.locator(".learn-card", { hasText: "Hexapawn" }).getByText("You know this game").waitFor();
		if (isFull)
			await noViolations(page, "the list");
		await page.goto(`${world.server.url}/learn/hexapawn?step=6`);
		await page.getByRole("button", { name: "Skip" }).click();
		await page.getByRole("button", { name: "Play your first game" }).click();
		await page.waitForURL(/\/play\//);
		await page.getByRole("grid").waitFor();
	}],
	["teaches a whole game by keyboard, on a small screen", async (world) => {
		const page = await (await world.player({ viewport: PHONE, colorScheme: "dark" })).tab("/learn/noughts");
		const moves = ["5", "3", "7", "9", "8", "4", "7", "9"], titles = valuesOf("noughts", "step"), hands = keyboard({ toBoard: "Tab" }); // the heading is before the board
		assert.equal(moves.length, titles.length);
		for (const [i, move] of moves.entries()) {
			await page.getByRole("heading", { level: 2, name: titles[i], exact: true }).waitFor();
			await page.getByRole("grid").waitFor();
			if (i) { // from the heading, which gets the focus a moment later, Tab leads to the board
				await until("the focus on the heading", async () => (await focused(page)).name === titles[i]);
				await tabTo(page, "the board", ({ role }) => role === "gridcell");
			}
			await enterCells(world, page, hands, "noughts", [move]);
			await reply(page, "right").waitFor();
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, titles[i]);
			await until("the focus on the next step", async () => /^(Next|Finish)$/.test((await focused(page)).name));
			await page.keyboard.press("Enter");
		}
		await page.getByRole("heading", { name: /^You know how to play/ }).waitFor();
		await until("the focus on the heading", () => page.evaluate(() => document.activeElement.tagName === "H2"));
		await noViolations(page, "the finish on a small screen");
	}],
	["builds a first empire with the map and its panels", async (world) => {
		const page = await world.visit("/learn/starchess");
		await page.getByRole("gridcell", { name: /^A1/ }).click();
		await page.getByRole("button", { name: "B1", exact: true }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
		await reply(page, "right").waitFor();
		if (isFull)
			await noViolations(page, "the map");
		await page.getByRole("button", { name: "Next" }).click();
		await page.getByRole("button", { name: "End turn" }).click();
		await reply(page, "right").waitFor();
		await page.getByText("Turn 2. You have 0 materials and 600 credits.").waitFor(); // after the others' turns
	}],
	["shows pictures beside the written rules", async (world) => {
		const page = await (await world.player({ viewport: { width: 1280, height: 4000 } })).tab("/games/chess");
		const captions = valuesOf("chess", "picture");
		await until("all pictures", async () => await page.locator(".rule-pictures figure .board.picture:not(.rule-over)").count() === captions.length);
		assert.deepEqual(await page.locator(".rule-pictures figcaption").allTextContents(), captions);
		await countIs(page.locator(".rule-pictures figure").first().locator(".target"), 12, "where the rook can go");
		await page.getByRole("link", { name: "Learn to play" }).click();
		await page.getByRole("heading", { level: 2, name: "Pawns march" }).waitFor();
	}],
	["lets people try a game of a plug-in", async (world) => {
		const page = await world.visit("/learn/breakthrough");
		await page.getByRole("heading", { name: "Try some moves" }).waitFor();
		await enterCells(world, page, mouse, "breakthrough", ["a2", "a3"]);
		await until("the pawn on a3", async () => !(await cell(page, "a3").getAttribute("aria-label")).includes("empty"));
		await page.getByRole("button", { name: "Take back" }).click();
		await until("the pawn to go back", async () => (await cell(page, "a3").getAttribute("aria-label")).includes("empty"));
	}],
]);
