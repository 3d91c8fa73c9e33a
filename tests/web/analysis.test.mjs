// analysis.test.mjs - the analysis board and the board editor: lines, bar, curve, exact values, links, records, set-ups.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { acceptance, board, cell, checkBoard, countIs, DESK, enter, mouse, openTab, until } from "./support.mjs";

const lines = (page) => page.getByRole("region", { name: "Engine" }).getByRole("listitem");

async function viewOf(player, game, moves, position = "start") {
	const { status, body } = await player.ask("POST", "/api/v1/positions", { game, position, moves });
	assert.equal(status, 200, JSON.stringify(body));
	return body;
}

async function shows(world, page, view) {
	await until("the board", async () => await checkBoard(world, page, view));
}

acceptance("analysis", [], [
	["several lines, the bar, the curve and variations", async (world) => {
		const player = await world.player();
		const page = await player.tab("/analyse?game=reversi");
		await board(page).waitFor();
		await page.getByRole("combobox", { name: "Time" }).selectOption("1");
		await page.getByRole("combobox", { name: "Lines" }).selectOption("4");
		await until("four lines", async () => await lines(page).count() === 4);
		const start = await viewOf(player, "reversi", []);
		const firsts = await lines(page).locator("span").allTextContents();
		const best = firsts.map((text) => text.split(" ")[0]);
		assert.deepEqual([...new Set(best)].sort(), start.moves.map(({ move }) => move).sort());
		const bar = page.getByRole("meter", { name: "Evaluation for Black" });
		await until("the bar", async () => await bar.getAttribute("aria-valuetext") !== "unknown");

		/* A line of moves by mouse, and a variation at its first move. */
		await enter(world, page, mouse, start, start.moves[0]);
		const after = await viewOf(player, "reversi", [start.moves[0].move]);
		await shows(world, page, after);
		await enter(world, page, mouse, after, after.moves[0]);
		await shows(world, page, await viewOf(player, "reversi", [start.moves[0].move, after.moves[0].move]));
		await page.getByRole("button", { name: "Go to the start" }).click();
		await shows(world, page, start);
		await enter(world, page, mouse, start, start.moves[1]);
		await page.getByRole("list", { name: "Variations" }).waitFor();
		await openTab(page, "Graph");
		await page.getByRole("region", { name: "Evaluation graph" }).getByRole("button", { name: "Analyse whole game" }).click();
		const curve = page.getByRole("slider", { name: "Evaluation over the game" });
		await page.getByRole("button", { name: "Go to the start" }).click();
		await until("the curve", async () => {
			await curve.focus();
			await page.keyboard.press("ArrowRight");
			assert.match(await curve.getAttribute("aria-valuetext"), /^1(\.|…) \w+: [+−]?\d+, \d+% for Black/);
			return true;
		});
		assert.deepEqual(await page.getByRole("combobox", { name: "Game" }).getByRole("option", { name: "Tree diagram" }).count(), 0);
		await page.getByRole("link", { name: "Review this game" }).click();
		await page.getByRole("heading", { name: "Accuracy", level: 2 }).waitFor();
	}],
	["links that version 0.1 wrote still show their positions", async (world) => {
		const player = await world.player();
		const links = readFileSync(new URL("../data/v0.1/links.txt", import.meta.url), "utf8")
			.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));
		assert.ok(links.length >= 3);
		for (const [link, position] of links) {
			const page = await player.tab(link);
			const query = new URLSearchParams(link.split("?")[1]);
			const moves = query.get("moves")?.split(",") ?? [];
			const view = await viewOf(player, query.get("game"), moves, query.get("position") ?? "start");
			assert.equal(view.position, position);
			await shows(world, page, view);
			await page.close();
		}
	}],
	["a tab in the background thinks about nothing, and goes on when it is seen again", async (world) => {
		const page = await (await (await world.player()).useServerEngine()).tab("/analyse?game=reversi");
		await page.getByRole("combobox", { name: "Time" }).selectOption("30");
		await until("a line", () => lines(page).count());
		const hide = (hidden) => page.evaluate((now) => {
			Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
			document.dispatchEvent(new Event("visibilitychange"));
		}, hidden);
		const running = async () => (await world.server.get("/api/v1/health")).queue;
		await hide(true);
		await until("rest", async () => await running() === 0);
		assert.ok(await lines(page).count(), "what was found stays");
		await hide(false);
		await until("work", async () => await running() > 0);
	}],
	["exact values, and a shared link in a fresh browser", async (world) => {
		const player = await world.player({ permissions: ["clipboard-read", "clipboard-write"] });
		const page = await player.tab("/analyse?game=connect4&moves=");
		await board(page).waitFor();
		const start = await viewOf(player, "connect4", []);
		await enter(world, page, mouse, start, start.moves[3]);
		const view = await viewOf(player, "connect4", [start.moves[3].move]);
		await shows(world, page, view);
		await page.getByRole("combobox", { name: "Game" }).selectOption("noughts");
		await board(page).getByRole("gridcell", { name: /draws/ }).first().waitFor();
		await countIs(board(page).getByRole("gridcell", { name: /draws/ }), 9);
		await page.goBack();
		await page.goto(`${world.server.url}/analyse?game=connect4&moves=${start.moves[3].move}`);
		await shows(world, page, view);
		await openTab(page, "Actions");
		await page.getByRole("button", { name: "Share link" }).click();
		await page.getByText("Link copied.").waitFor();
		const link = await page.evaluate(() => navigator.clipboard.readText());
		const other = await (await world.player()).tab();
		await other.goto(link);
		await shows(world, other, view);
	}],
	["what the game's theory sees: tags on the board, a table, squares to look at", async (world) => {
		const player = await world.player();
		const position = "......./......./......./..xxxo./..oxoo./..xoxo. x";
		const page = await player.tab(`/analyse?game=connect4&position=${encodeURIComponent(position)}`);
		const theory = page.getByRole("region", { name: "Theory" });
		await openTab(page, "Theory");
		await theory.getByRole("button", { name: "Show" }).click();
		await board(page).getByRole("gridcell", { name: /^column 2 row 3, .*distant odd threats of Red/ }).waitFor();
		assert.deepEqual((await page.locator(".board .tag text").allTextContents()).sort(), ["even", "even", "even", "even", "odd"]);
		await board(page).getByRole("gridcell", { name: /^column 6 row 4, .*even threats of Red, .*even threats of Yellow/ }).waitFor();
		await theory.getByText("The first player has more odd threats").waitFor();

		/* It stays on, and it follows the moves. */
		await page.goto(`${world.server.url}/analyse?game=reversi`);
		await openTab(page, "Theory");
		const mobility = theory.getByRole("button", { name: /^mobility of Black: 4\. On d3, c4, f5, e6\. / });
		/* The pointer's leaving another number, as when the panel moves below it, does not hide the squares of the focused one. */
		const other = theory.getByRole("button", { name: /^mobility of White: / });
		await other.hover();
		await mobility.focus();
		await page.mouse.move(0, 0);
		await until("the squares", async () => await page.locator(".board .looked-at").count() === 4);
		await mobility.blur();
		await until("no squares", async () => await page.locator(".board .looked-at").count() === 0);
		await mobility.click();
		const start = await viewOf(player, "reversi", []);
		await enter(world, page, mouse, start, start.moves[0]);
		await theory.getByRole("button", { name: /^mobility of Black: 3\. / }).waitFor();
		await until("its squares then", async () => await page.locator(".board .looked-at").count() === 3);
		await page.keyboard.press("t");
		await until("nothing", async () => await theory.getByRole("table").count() === 0 && await page.locator(".board .looked-at").count() === 0);

		/* A game that tells nothing has no such panel. */
		await page.getByRole("combobox", { name: "Game" }).selectOption("noughts");
		await until("no theory", async () => await theory.count() === 0);
	}],
	["a record is exported and imported", async (world) => {
		const player = await world.player({ acceptDownloads: true });
		const page = await player.tab("/analyse?game=hexapawn");
		await board(page).waitFor();
		const start = await viewOf(player, "hexapawn", []);
		await shows(world, page, start);
		await enter(world, page, mouse, start, start.moves[0]);
		const view = await viewOf(player, "hexapawn", [start.moves[0].move]);
		await shows(world, page, view);
		await page.getByRole("textbox", { name: "Comment on this position" }).fill("A bold beginning");
		const waiting = page.waitForEvent("download");
		await openTab(page, "Actions");
		await page.getByRole("button", { name: "Export" }).click();
		await page.getByRole("button", { name: "Download: Quevedo file" }).click();
		const text = readFileSync(await (await waiting).path(), "utf8");
		const other = await (await world.player()).tab("/analyse?game=noughts");
		await board(other).waitFor();
		await openTab(other, "Actions");
		await other.getByRole("button", { name: "Import" }).click();
		await other.getByRole("dialog").getByRole("textbox").fill(text);
		await other.getByRole("button", { name: "Open" }).click();
		await openTab(other, "Moves");
		await other.getByText("A bold beginning").first().waitFor();
		const end = other.getByRole("button", { name: "Go to the end" });
		if (await end.isEnabled())
			await end.click();
		await shows(world, other, view);
		/* Nonsense is refused in words. */
		world.allow(/status of 400/);
		await openTab(other, "Actions");
		await other.getByRole("button", { name: "Import" }).click();
		await other.getByRole("dialog").getByRole("textbox").fill("no record at all {");
		await other.getByRole("button", { name: "Open" }).click();
		await other.getByRole("dialog").getByRole("alert").waitFor();
	}],
	["the editor: a good position is played on, a bad one is refused", async (world) => {
		const player = await world.player();
		const page = await player.tab("/edit?game=connect4");
		await page.getByText("Legal position").waitFor();
		const layout = await world.boardOf("connect4");
		const pieces = layout.pieces.map(({ name }) => name);
		const byPlace = (row, column) => layout.cells.find((one) => one.row === row && one.column === column).name;
		const bottom = Math.max(...layout.cells.map(({ row }) => row)), left = Math.min(...layout.cells.map(({ column }) => column));

		/* A disc that floats in the air cannot be. */
		world.allow(/status of 400/);
		await page.getByRole("radio", { name: pieces[0] }).check({ force: true });
		await cell(page, byPlace(bottom - 2, left)).click();
		await page.getByText("Not a legal position").waitFor();
		assert.equal(await page.getByRole("link", { name: "Play from here" }).count(), 0);

		await page.getByRole("button", { name: "Clear board" }).click();
		await page.getByText("Legal position").waitFor();
		await page.getByRole("radio", { name: pieces[0] }).check({ force: true });
		await cell(page, byPlace(bottom, left + 3)).click();
		await page.getByRole("radio", { name: pieces[1] }).check({ force: true });
		await cell(page, byPlace(bottom - 1, left + 3)).click();
		await until("a good position of two discs", async () => await page.getByText("Legal position").count() &&
			await board(page).getByRole("gridcell", { name: /, empty/ }).count() === layout.cells.length - 2);
		const text = await page.getByRole("textbox", { name: "Position as text" }).inputValue();
		await page.getByRole("link", { name: "Play from here" }).click();
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.waitForURL(/\/play\//);
		await board(page).waitFor();
		const play = await world.server.get(`/api/v1/plays/${page.url().split("/play/")[1]}`);
		assert.equal(play.start, text);
		await until("the board", () => checkBoard(world, page, play.view));
	}],
	["the terms of the evaluation, and their squares on the board", async (world) => {
		const player = await world.player();
		const position = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; // Black has one knight
		const page = await player.tab(`/analyse?game=chess&position=${encodeURIComponent(position)}`);
		const panel = page.getByRole("region", { name: "Static evaluation" });
		await openTab(page, "Theory");
		await panel.getByRole("button", { name: "Show" }).click();
		const { body } = await player.ask("POST", "/api/v1/evaluation", { game: "chess", position });
		/* Groups under plain names, in pawns; the largest comes first, its terms are folded. */
		await panel.getByText(`the engine counts +${(body.value / 100).toFixed(2)} pawns. Plus is good for White.`).waitFor();
		const terms = body.terms.filter(({ name }) => /^material/.test(name)), knights = terms.find(({ name }) => name === "material[3]");
		const material = `+${(terms.reduce((sum, { value }) => sum + value, 0) / 100).toFixed(2)}`, groups = panel.locator("summary");
		assert.equal(await groups.first().innerText().then((text) => text.replace(/\s+/g, " ")), `Material ${material}`);
		assert.doesNotMatch(await panel.innerText(), /\[/);
		await groups.first().click();
		await panel.getByRole("row").getByRole("button", { name: "Material", exact: true }).click();
		await panel.getByText(`2 – 1 × ${Math.round(knights.weight * knights.share)}`).waitFor();
		await until("the squares", () => board(page).locator(".looked-at").count());
		/* The same for the first player, whoever is to move. */
		await page.goto(`${world.server.url}/analyse?game=chess&position=${encodeURIComponent(position.replace(" w ", " b "))}`);
		await openTab(page, "Theory");
		await groups.first().getByText(material).waitFor();
		await panel.getByRole("button", { name: "Hide" }).click();
		await until("the squares to go", async () => await board(page).locator(".looked-at").count() === 0);
	}],
	["the largest board, tabs by keys, scores in pawns, whole lines, numbers from the position", async (world) => {
		const player = await world.player({ viewport: DESK });
		const position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
		const page = await player.tab(`/analyse?game=chess&position=${encodeURIComponent(position)}&moves=b8c6,g1f3,g8f6`);
		await until("b15: the numbers", async () => await page.locator(".movetree").textContent() === "3.…Nc64.Nf3Nf6");
		const { y, height } = await board(page).boundingBox();
		assert.ok(height >= 700 && y + height <= 800, `the board is ${height} high at ${y}`);
		await until("pawns", async () => /^[+−]?\d+\.\d\d$/.test(await lines(page).first().locator("strong").textContent()));
		await until("the bar", async () => /^[+−]?\d+\.\d\d, \d+%$/.test(await page.getByRole("meter").getAttribute("aria-valuetext")));
		const open = page.getByRole("button", { name: /^Whole line of / }).first();
		await open.click();
		assert.equal(await open.getAttribute("aria-expanded"), "true");
		const span = lines(page).first().locator("span");
		assert.ok(await span.evaluate((text) => text.scrollWidth <= text.clientWidth), "nothing is cut off");
		await page.getByRole("tab", { name: "Moves" }).focus();
		await page.keyboard.press("ArrowLeft");
		await page.getByRole("region", { name: "Actions" }).waitFor();
		await until("the focus on Actions", () => page.evaluate(() => document.activeElement.textContent === "Actions"));
		await page.keyboard.press("ArrowRight");
		await page.keyboard.press("ArrowRight");
		await page.getByRole("region", { name: "Opening explorer" }).waitFor();
		assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Explorer");
		/* On a phone the board comes first, and the tabs stay in view. */
		await page.setViewportSize({ width: 390, height: 844 });
		await openTab(page, "Moves");
		await lines(page).first().waitFor();
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		assert.ok((await page.getByRole("tablist").boundingBox()).y >= 0);
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
	}],
	["the editor: en passant, the number of the move, and the text of a board without pieces", async (world) => {
		const player = await world.player();
		const page = await player.tab(`/edit?game=chess&position=${encodeURIComponent("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3")}`);
		const text = page.getByRole("textbox", { name: "Position as text" }), fields = async () => (await text.inputValue()).split(" ").slice(1).join(" ");
		const square = page.getByRole("combobox", { name: "En passant" });
		await square.waitFor();
		assert.deepEqual(await square.getByRole("option").allTextContents(), ["Not possible", "d6"]);
		await square.selectOption("d6");
		await until("the square", async () => await fields() === "w KQkq d6 0 3");
		/* A pinned pawn cannot capture: nothing is offered. */
		await text.fill("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 7");
		await text.press("Enter");
		await until("no such square", async () => await fields() === "w - - 0 7" && await square.count() === 0);
		/* The number stays while pieces change. */
		await page.getByRole("radio", { name: "Eraser" }).check({ force: true });
		await cell(page, "d5").click();
		await until("the number", async () => await text.inputValue() === "8/8/8/K3P2r/8/8/8/4k3 w - - 0 7");
		world.allow(/status of 400/);
		await page.getByRole("button", { name: "Clear board" }).click();
		await until("b14: the empty board", async () => await text.inputValue() === "8/8/8/8/8/8/8/8 w - - 0 7");
	}],
]);
