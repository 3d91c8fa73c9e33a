// chess.test.mjs - chess on the page: castling by clicks, a promotion with its choice, check and mate, notation and PGN.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { acceptance, board, cell, control, countIs, focused, inStep, until } from "./support.mjs";

const two = { game: "chess", seats: ["human", "human"] };

/** Waits until the position's text is this, and the page shows it. */
function at(world, page, id, position) {
	return inStep(world, page, id, (play) => play.view.position === position);
}

acceptance("chess", [], [
	["castling is the king's move", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ ...two, position: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" });
		await cell(page, "e1").click();
		await cell(page, "g1").click();
		await at(world, page, id, "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
		await cell(page, "e8").dragTo(cell(page, "c8"));
		await at(world, page, id, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
	}],
	["Chess960: a start is drawn, another can be chosen, and the king castles by taking its rook", async (world) => {
		const player = await world.player();
		const page = await player.tab("/games/chess");
		await page.getByText("Pass and play").click();
		const number = page.getByLabel("Which of the 960 start positions");
		await countIs(number, 0);
		await page.getByRole("combobox", { name: "Format" }).selectOption("Chess960");
		assert.match(await number.inputValue(), /^\d{1,3}$/);
		await number.fill("100");
		await page.getByRole("button", { name: "Start the game" }).click();
		await board(page).waitFor();
		const id = new URL(page.url()).pathname.split("/").pop();
		for (const [touches, position] of [
			[["f1", "g3"], "qbbnrnkr/pppppppp/8/8/8/6N1/PPPPPPPP/QBBNR1KR b KQkq - 1 1"],
			[["a7", "a6"], "qbbnrnkr/1ppppppp/p7/8/8/6N1/PPPPPPPP/QBBNR1KR w KQkq - 0 2"],
			[["g1", "h1"], "qbbnrnkr/1ppppppp/p7/8/8/6N1/PPPPPPPP/QBBNRRK1 b kq - 1 2"],
		]) {
			for (const name of touches)
				await cell(page, name).click();
			await at(world, page, id, position);
		}
	}],
	["a promotion asks for the piece, by mouse and by keys", async (world) => {
		const player = await world.player();
		const before = "1r4k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1";
		const { page, id } = await player.play({ ...two, position: before });
		const choice = page.getByRole("dialog");
		const pieces = choice.getByRole("group", { name: "Pieces to choose from" }).getByRole("button");
		await cell(page, "a7").dragTo(cell(page, "b8"));
		await choice.waitFor();
		assert.deepEqual(await pieces.evaluateAll((list) => list.map((one) => one.getAttribute("aria-label"))),
			["white queen, axb8=Q#", "white rook, axb8=R#", "white bishop, axb8=B", "white knight, axb8=N"]);
		await countIs(pieces.locator("svg path.body"), 4);
		/* Escape takes it back: the pawn stands where it stood, and can be moved again. */
		await page.keyboard.press("Escape");
		await choice.waitFor({ state: "detached" });
		await at(world, page, id, before);
		await cell(page, "a7").focus();
		await page.keyboard.press("Enter");
		await cell(page, "b8").focus();
		await page.keyboard.press("Enter");
		await choice.waitFor();
		await until("the focus on the queen", async () => (await focused(page)).name === "white queen, axb8=Q#");
		await page.keyboard.press("ArrowRight");
		await until("the focus on the rook", async () => (await focused(page)).name === "white rook, axb8=R#");
		await page.keyboard.press("Enter");
		const play = await at(world, page, id, "1R4k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
		assert.equal(play.result, "win 1");
		assert.match(await board(page).getByRole("gridcell", { name: /^g8, / }).getAttribute("aria-label"), /black king.*in check/);
	}],
	["B1: moves are typed one after the other: the field keeps the focus, and no letter is a shortcut", async (world) => {
		world.allow(/status of 409/);
		const { page, id } = await world.play({ game: "chess", seats: ["human", "level:1"] });
		const field = page.getByLabel("Type a move");
		const enter = async (move) => {
			await page.keyboard.type(move);
			await page.keyboard.press("Enter");
		};
		const played = (plies) => inStep(world, page, id, ({ line, view }) => line.length === plies && view.seat === 1);
		/* Nothing that is said above the buttons moves them. */
		const top = () => page.locator(".controls").evaluate((one) => Math.round(one.getBoundingClientRect().top + scrollY));
		const first = await top();
		await field.click();
		await enter("e4");
		await page.keyboard.type("Nf3"); // at once: the computer is thinking, or has just moved
		const { view } = await played(2);
		assert.equal(await field.inputValue(), "Nf3");
		assert.ok(view.moves.some(({ short }) => short === "Nf3"));
		await page.keyboard.press("Enter");
		const third = (await played(4)).view.moves[0].short;
		await enter("Qh9");
		await page.locator(".toast.bad").waitFor();
		await until("the refused move to come back", async () => await field.inputValue() === "Qh9");
		/* One message at a time: the next one replaces it, and it can be closed. */
		await page.keyboard.press("Enter");
		await until("the refused move to come back", async () => await field.inputValue() === "Qh9");
		await countIs(page.locator(".toast"), 1);
		await page.getByRole("status").getByRole("button", { name: "Dismiss" }).click();
		assert.equal(await page.locator(".toast").count(), 0);
		assert.equal(await top(), first);
		await field.focus();
		await page.keyboard.press("ControlOrMeta+a");
		await enter(third);
		await played(6);
		assert.equal(await field.inputValue(), "");
		assert.equal((await focused(page)).name, "Type a move");
		assert.equal(await page.getByRole("button", { name: "Flip" }).getAttribute("aria-pressed"), "false");
	}],
	["moves are written as people do, and PGN goes out and comes in", async (world) => {
		const player = await world.player({ acceptDownloads: true });
		const { page, id } = await player.play({ ...two, moves: ["e2e4", "e7e5", "g1f3"] });
		const written = (where) => where.getByRole("group", { name: "Moves and variations" });
		await page.getByText(/played Nf3\.$/).waitFor();
		assert.equal(await written(page).textContent(), "1.e4e52.Nf3");
		await page.getByLabel("Type a move").fill("Nc6");
		await page.keyboard.press("Enter");
		await until("the answer", async () => /^1\.e4e52\.Nf3Nc6[\d.]+ s$/.test(await written(page).textContent()));
		const waiting = page.waitForEvent("download");
		await (await control(page, "Export")).click();
		await page.getByRole("button", { name: "Download: PGN" }).click();
		const download = await waiting;
		assert.equal(download.suggestedFilename(), `chess-${id}.pgn`);
		assert.match(readFileSync(await download.path(), "utf8"), /^\[Event [^]*\n1\. e4 [^]*2\. Nf3 [^]*Nc6/);

		/* What is wrong is told with its move; without tags too. */
		world.allow(/status of 400/);
		const home = await player.tab("/games/chess");
		const bring = home.getByRole("region", { name: "Import a game" });
		await bring.getByRole("textbox", { name: "Record" }).fill("1. e4 e5\n2. Ke3 *");
		await bring.getByRole("button", { name: "Analyse" }).click();
		await until("the reason", async () => /Move 2: Ke3 /.test(await bring.getByRole("alert").textContent()));
		const file = { name: "game.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(
			'[White "Ana"]\n[Result "*"]\n\n1. d4 *\n\n[White "Bruno"]\n[Result "1-0"]\n\n1. e4 e5 (1... c5 {sharp} 2. Nf3) 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n') };
		await bring.locator("input[type=file]").setInputFiles(file);
		await until("the file", async () => /Qxf7#/.test(await bring.getByRole("textbox", { name: "Record" }).inputValue()));
		await bring.getByRole("combobox", { name: "Choose one of 2 games" }).selectOption({ label: "2. Bruno, 1-0" });
		await bring.getByRole("button", { name: "Analyse" }).click();
		await board(home).waitFor();
		await until("the game", async () => {
			assert.equal(await written(home).textContent(), "1.e4e51…c5sharp2.Nf32.Bc4Nc63.Qh5Nf64.Qxf7#");
			return true;
		});
		/* By a link only the moves come: the server says how they are written. */
		await home.goto(`${world.server.url}/analyse?game=chess&moves=d2d4,d7d5,c2c4`);
		await until("the names", async () => await written(home).textContent() === "1.d4d52.c4");
		await home.getByText(/Scores, in pawns, from White's point of view/).waitFor();
	}],
	["the editor has a switch for each castling right", async (world) => {
		const player = await world.player();
		const page = await player.tab("/edit?game=chess");
		const text = page.getByRole("textbox", { name: "Position as text" });
		const rights = (wanted) => until(`the rights ${wanted}`, async () => (await text.inputValue()).split(" ")[2] === wanted);
		const box = (name) => page.getByRole("checkbox", { name, exact: true });
		await rights("KQkq");
		await box("White O-O").uncheck();
		await rights("Qkq");
		/* It stays off while pieces change, and has no switch while the rook is away. */
		await page.getByRole("radio", { name: "Eraser" }).check({ force: true });
		await cell(page, "a8").click();
		await rights("Qk");
		assert.equal(await box("Black O-O-O").count(), 0);
		await box("White O-O").check();
		await rights("KQk");
		await page.getByRole("combobox", { name: "Game" }).selectOption({ label: "Minichess" });
		await page.getByText("Legal position").waitFor();
		assert.equal(await page.getByRole("group", { name: "Castling" }).count(), 0);
	}],
]);
