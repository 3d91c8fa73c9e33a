// study.test.mjs - imports with names, comments, variations and arrows; studies and their links.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, axeSource, besideBoard, board, cell, openTab, until } from "./support.mjs";

const PGN = `[Event "City championship"]
[White "Ana"]
[Black "Bruno"]
[Date "2026.11.17"]
[Result "1-0"]

{A short game.} 1. e4! {[%cal Gd2d4,Re4e5] [%csl Yf7] The best move.} e5 (1... c5 $6 {Sharper.} 2. Nf3) 2. Nf3 1-0

[Event "Second"]
[White "Cleo"]
[Black "Dan"]
[Result "*"]

1. d4 *
`;
const SGF = "(;GM[4]SZ[15]PB[Ann]PW[Rob]C[Go-moku by SGF];B[hh];W[ii]C[Close.])";
const BACKGAMMON = "(;FF[4]GM[6]PW[Ann]PB[Rob];W[21mkxw]C[Slotting.])";
const GGF = "(;GM[Othello]PC[GGS/os]PB[Saio]PW[Zebra]TY[8]RE[+2.000]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//0.01]W[c5/-1.50/2.5];)";

/** Imports a text on the analysis board. */
async function imports(page, text, button = "Open") {
	await openTab(page, "Actions");
	await page.getByRole("button", { name: "Import", exact: true }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByRole("textbox").fill(text);
	await dialog.getByRole("button", { name: button }).click();
}

async function isAccessible(page, what) {
	await page.evaluate(axeSource());
	const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], what);
}

const moves = (page) => page.getByRole("group", { name: "Moves and variations" });
const arrows = (page) => board(page).locator(".arrow[class*=drawn]");

acceptance("study", [], [
	["B15: PGN keeps names, comments, variations and arrows, and becomes a study that its link shows", async (world) => {
		const player = await world.player();
		const page = await player.tab("/analyse?game=chess");
		await board(page).waitFor();
		await imports(page, PGN);
		await page.getByText("Ana", { exact: true }).waitFor();
		const facts = await page.locator(".game-facts").innerText();
		for (const text of ["Bruno", "City championship", "2026.11.17", "White wins"])
			assert.ok(facts.includes(text), `${text} is missing in: ${facts}`);
		await moves(page).getByText("The best move.").waitFor();
		await moves(page).getByRole("img", { name: "good move" }).waitFor();
		await moves(page).getByRole("button", { name: "e4" }).click();
		await until("two arrows and a circle", async () => await arrows(page).count() === 3);

		/* The page loaded again, and its address for somebody else, have it all. */
		const isWhole = async (tab) => {
			await tab.getByText("Ana", { exact: true }).waitFor();
			await moves(tab).getByText("Sharper.").waitFor();
			await until("the drawings", async () => await arrows(tab).count() === 3);
		};
		await page.reload();
		await isWhole(page);
		await until("the address", async () => page.url().includes("#"));
		const guest = await (await world.player()).tab(new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash);
		await isWhole(guest);
		await guest.close();

		/* What is exported has it all again. */
		await openTab(page, "Actions");
		await page.getByRole("button", { name: "Export", exact: true }).click();
		const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download: PGN" }).click()]);
		const pgn = await (await import("node:fs/promises")).readFile(await saved.path(), "utf8");
		for (const text of ['[White "Ana"]', '[Event "City championship"]', "1. e4 $1 {[%cal Gd2d4,Re4e5] [%csl Yf7] The best move.}", "(1... c5 $6 {Sharper.} 2. Nf3)", "1-0\n"])
			assert.ok(pgn.replace(/\s+/g, " ").includes(text.replace(/\s+/g, " ")), `${text} is missing in: ${pgn}`);
		await page.keyboard.press("Escape");

		/* A study with both games of the file, and a comment of one's own. */
		await imports(page, PGN, "All 2 games as a study");
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("textbox", { name: "Title" }).fill("King's pawn");
		await dialog.getByRole("button", { name: "Add", exact: true }).click();
		await page.getByRole("heading", { name: "King's pawn" }).waitFor();
		await page.getByRole("button", { name: "Cleo – Dan" }).click();
		await moves(page).getByRole("button", { name: "d4" }).click();
		await page.getByRole("textbox", { name: "Comment on this position" }).fill("Queen's pawn instead.");
		await page.getByRole("button", { name: "Draw arrows and circles" }).click();
		await cell(page, "d5").click();
		await cell(page, "d5").click();
		await until("a circle", async () => await arrows(page).count() === 1);
		await until("the save", async () => await page.locator(".save-state").innerText() === "Saved");
		/* The address, and the link that is offered first, lead to the first chapter. */
		const address = new URL(page.url());
		assert.equal(address.search, "");
		await page.getByRole("button", { name: "Share link" }).click();
		assert.equal(await page.getByRole("textbox", { name: "Whole study" }).inputValue(), address.href);
		assert.equal(await page.getByRole("textbox", { name: "This chapter: Cleo – Dan" }).inputValue(), `${address.href}?chapter=2`);
		await page.keyboard.press("Escape");
		await isAccessible(page, "a study to edit");
		await besideBoard(page, "a study to edit", [page.getByRole("button", { name: "Next move", exact: true }), page.locator(".save-state")]);
		assert.match(address.pathname, /^\/study\/[\w-]+$/);

		/* Somebody else reads it by its link. */
		const reader = await world.player();
		const other = await reader.tab(address.pathname);
		await other.getByRole("heading", { name: "King's pawn" }).waitFor();
		await moves(other).getByRole("button", { name: "e4" }).click();
		const comment = (text) => other.locator(".study-comment p:not(.unseen), .movetree .remark").filter({ hasText: text }); // below the board of a phone
		await until("the comment, once", async () => await comment("The best move.").count() === 1);
		await until("the arrows", async () => await arrows(other).count() === 3);
		await isAccessible(other, "a study to read");
		await besideBoard(other, "a study to read", [other.getByRole("button", { name: "Next move", exact: true }), comment("The best move.")]);
		assert.equal(await other.getByRole("textbox", { name: "Comment on this position" }).count(), 0);
		await other.getByRole("button", { name: "Next chapter" }).click();
		await moves(other).getByRole("button", { name: "d4" }).first().click();
		await comment("Queen's pawn instead.").waitFor();
		await other.getByRole("button", { name: "Copy to my studies" }).click();
		await other.getByRole("textbox", { name: "Comment on this position" }).waitFor();
		assert.notEqual(new URL(other.url()).pathname, address.pathname);

		/* A reader sees what the author changes, with its markup. */
		const watcher = await (await world.player()).tab(address.pathname);
		await watcher.getByRole("heading", { name: "King's pawn" }).waitFor();
		await moves(watcher).getByRole("button", { name: "e5" }).click(); // a phone shows only the comment on the position on the board
		await page.getByRole("button", { name: "Ana – Bruno" }).click();
		await moves(page).getByRole("button", { name: "e5" }).click();
		await page.getByRole("textbox", { name: "Comment on this position" }).fill("A **solid** reply.");
		await watcher.locator(".remark strong, .study-comment strong").filter({ hasText: /^solid$/ }).first().waitFor();
		await moves(watcher).getByRole("button", { name: "Nf3", exact: true }).first().waitFor(); // and not g1f3
		await other.goto(`${world.server.url}/study`);
		await other.getByRole("link", { name: "King's pawn" }).waitFor();
		await other.getByRole("button", { name: "New study" }).click();
		await until("chess, and not the first game", async () => await other.getByRole("combobox", { name: "Game" }).inputValue() === "chess");
	}],
	["SGF and GGF keep names, comments and results", async (world) => {
		const player = await world.player();
		const page = await player.tab("/analyse?game=gomoku");
		await board(page).waitFor();
		await imports(page, SGF);
		await page.getByText("Ann", { exact: true }).waitFor();
		await moves(page).getByText("Go-moku by SGF").waitFor();
		await moves(page).getByRole("button", { name: "i7" }).waitFor();
		/* A file that is dropped on the page. */
		await page.evaluate((text) => {
			const files = new DataTransfer();
			files.items.add(new File([text], "game.ggf"));
			document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
		}, GGF);
		await page.getByText("Saio", { exact: true }).waitFor();
		await moves(page).getByRole("button", { name: "c5" }).click();
		await page.getByText("Evaluation in the file: -1.50").waitFor();
		/* Backgammon is read by the server. */
		await imports(page, BACKGAMMON);
		await moves(page).getByText("Slotting.").waitFor();
		/* Transcripts and positions. */
		await page.goto(`${world.server.url}/analyse?game=reversi`);
		await imports(page, "f5d6c3");
		await moves(page).getByRole("button", { name: "c3" }).waitFor();
		await page.goto(`${world.server.url}/analyse?game=chess`);
		await imports(page, "8/8/8/4k3/8/8/4K2R/8 w - - 0 1");
		await board(page).getByRole("gridcell", { name: /^h2, white rook/ }).waitFor();
		await imports(page, "1. e4 e5 2. Bc9");
		await page.getByRole("alert").getByText("Move 2: Bc9 isn't a legal move here.").waitFor();
		await page.goto(`${world.server.url}/analyse?game=reversi`);
		await imports(page, "(;GM[2];B[dc]\n;W[aa])");
		await page.getByRole("alert").getByText("Move 1: aa isn't a legal move here.").waitFor();
	}],
]);
