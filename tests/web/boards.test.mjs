// boards.test.mjs - what is drawn on boards: marks, themes and sets, your own arrows, the stack in space, the rack, the road, promotions.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, countIs, isFull, noViolations, tap, until } from "./support.mjs";

const two = (game, more) => ({ game, seats: ["human", "human"], ...more });

/** The colour of a custom property, as getComputedStyle writes colours. */
const token = (page, name) => page.evaluate((token) => {
	const probe = document.createElement("i");
	probe.style.color = `var(${token})`;
	document.body.append(probe);
	const { color } = getComputedStyle(probe);
	probe.remove();
	return color;
}, name);
const style = (page, where, property) => page.locator(`.board-frame ${where}`).first().evaluate((one, name) => getComputedStyle(one)[name], property);

async function middle(page, name) {
	const { x, y, width, height } = await cell(page, name).locator(".face").boundingBox();
	return [x + width / 2, y + height / 2];
}

async function drag(page, from, to, button = "right") {
	await page.mouse.move(...from);
	await page.mouse.down({ button });
	await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
	await page.mouse.move(...to);
	await page.mouse.up({ button });
}

const said = (page, text) => page.getByText(text).waitFor({ state: "attached" });

/** B8: the king in check is red, and nothing else is. */
async function showsMarks(world) {
	const { page } = await world.play(two("chess", { position: "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" }));
	await cell(page, "d1").click();
	await page.locator(".ring-mark.selected").waitFor();
	assert.equal(await style(page, ".ring-mark.selected .core", "stroke"), await token(page, "--mark-selected"));
	assert.equal(await style(page, ".target", "fill"), await token(page, "--mark-legal"));
	assert.equal(await style(page, ".target", "stroke"), await token(page, "--mark-light"));
	await page.mouse.move(...await middle(page, "g4"));
	assert.equal(await style(page, ".ring-mark.hover .core", "stroke"), await token(page, "--mark-hover"));
	/* A piece in your hand is above the dots, and the square below it is marked. */
	await page.mouse.move(...await middle(page, "d1"));
	await page.mouse.down();
	await page.mouse.move(...await middle(page, "f3"));
	await page.mouse.move(...await middle(page, "h5"));
	await page.locator(".aimed[data-cell]").waitFor();
	assert.ok(await page.locator(".board-frame .dragged").evaluate((piece) =>
		piece.closest("svg").querySelector(".target").compareDocumentPosition(piece) & Node.DOCUMENT_POSITION_FOLLOWING));
	await page.mouse.up();
	await board(page).getByRole("gridcell", { name: /^e8, black king, in check/ }).waitFor();
	assert.equal(await style(page, ".ring-mark.check .core", "stroke"), await token(page, "--mark-check"));
	assert.equal(await token(page, "--mark-check"), "rgb(229, 40, 28)");
	await countIs(page.locator(".ring-mark.check"), 1);
	assert.equal(await style(page, ".ring-mark.last .core", "stroke"), await token(page, "--mark-last"));
	assert.equal(await style(page, ".ring-mark.last .dark", "stroke"), await token(page, "--mark-dark"));

	/* Your own arrows and circles: drawn, drawn again to remove them, cleared by a click. */
	const arrows = page.locator(".board-frame .arrow[class*=drawn]");
	const [g7, g6, a3] = [await middle(page, "g7"), await middle(page, "g6"), await middle(page, "a3")];
	await drag(page, g7, g6);
	await said(page, "Drew a red arrow from g7 to g6.");
	await page.keyboard.down("Shift");
	await drag(page, a3, a3);
	await page.keyboard.up("Shift");
	await said(page, "Drew a green circle on a3.");
	await countIs(arrows, 2);
	await drag(page, g7, g6);
	await said(page, "Removed the red arrow from g7 to g6.");
	await until("one circle", async () => await arrows.count() === 1);
	await cell(page, "a6").click();
	await until("nothing drawn", async () => await arrows.count() === 0);
	await cell(page, "b2").focus();
	await page.keyboard.press("s");
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("s");
	await said(page, "Drew a red arrow from b2 to b3.");
	await page.keyboard.press("Escape");
	await until("nothing drawn", async () => await arrows.count() === 0);
}

async function promotesAtTheSquare(world) {
	const { page } = await world.play(two("chess", { position: "8/6Pk/8/8/8/8/8/K7 w - - 0 1" }));
	await cell(page, "g7").click();
	await cell(page, "g8").click();
	const choice = page.getByRole("dialog", { name: "Which piece?" }), queen = choice.getByRole("button", { name: /white queen/ });
	await queen.waitFor();
	const square = await cell(page, "g8").locator(".face").boundingBox(), box = await queen.boundingBox();
	assert.ok(Math.abs(box.x - square.x) < 3 && Math.abs(box.y - square.y) < 3, JSON.stringify({ square, box }));
	await countIs(choice.locator("path.body"), 4);
	await choice.getByRole("button", { name: /white knight/ }).click();
	await board(page).getByRole("gridcell", { name: /^g8, white knight/ }).waitFor();
}

async function playsInSpace(world) {
	const player = await world.player({ viewport: { width: 390, height: 844 }, hasTouch: true });
	const squares = Array.from({ length: 64 }, (_, i) => ([0, 21, 42].includes(i) ? "x" : [1, 2, 16].includes(i) ? "o" : ".")).join("");
	const { page } = await player.play(two("noughts3d", { position: `${squares} x` }));
	const face = (name) => cell(page, name).locator(".face").getAttribute("d");
	const first = await face("a1A");
	await page.getByRole("button", { name: "Turn right" }).click();
	await until("a turn", async () => await face("a1A") !== first);
	await page.getByRole("button", { name: "Turn left" }).click();
	await until("the turn back", async () => await face("a1A") === first);
	await cell(page, "d4D").focus();
	await page.keyboard.press("Shift+ArrowRight");
	await until("a turn by key", async () => await face("a1A") !== first);
	const turned = await face("a1A"), from = await middle(page, "b2C");
	await drag(page, from, [from[0] + 80, from[1]], "left");
	await until("a turn by dragging", async () => await face("a1A") !== turned);
	await countIs(page.locator(".board-frame .piece"), 6, "a turn is no move");
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	await page.mouse.move(...await middle(page, "d4D"));
	await page.locator(".row-line.open").waitFor();
	await tap(cell(page, "d4D"));
	await page.locator(".row-line.won").waitFor();
	await countIs(page.locator(".ring-mark.won"), 4);
	if (isFull)
		await noViolations(page, "a line in space");
}

/** Connect-four, morris and Race!. */
async function drawsEachGame(world) {
	const { page } = await world.play(two("connect4"));
	await page.mouse.move(...await middle(page, "column 3 row 5"));
	await page.locator(".ghost .waiting-disc").waitFor();
	await cell(page, "column 3 row 5").click();
	await board(page).getByRole("gridcell", { name: /^column 3 row 1, red disc/ }).waitFor();
	assert.ok(await page.evaluate(() => {
		const [disc, front] = [document.querySelector(".board-frame .piece"), document.querySelector(".board-frame .front")];
		return Boolean(disc.compareDocumentPosition(front) & Node.DOCUMENT_POSITION_FOLLOWING);
	}), "discs are behind the rack");
	await world.play(two("morris", { moves: ["a1", "g1", "a4", "g4"] }));
	await cell(page, "a7").click();
	await cell(page, "g1").click();
	await page.locator(".row-line.won").waitFor({ state: "attached" }); // an upright line has no width
	await board(page).getByRole("gridcell", { name: /^a4, white man, in a full row/ }).waitFor();
	assert.match((await page.locator(".ring-mark.last path").evaluateAll((all) => all.map((one) => one.getAttribute("d")))).join(), /A/, "marks of men are round");
	await world.play(two("race", { position: "0,0,3,18 0,5,5,17 1 4" }));
	const men = (kind) => page.locator(`.board-frame .paint-${kind} .body`).count();
	assert.deepEqual([await men("blue"), await men("red")], [4, 4]);
	await countIs(page.locator(".board-frame .road"), 1);
	assert.equal((await page.locator(".board-frame .ways").getAttribute("d")).match(/M/g).length, 18, "an arrow to each place");
}

/** A theme for all games, another one for one game, and a piece set; they stay. */
async function choosesLooks(world) {
	const page = await world.visit("/settings");
	const game = page.getByRole("combobox", { name: "Game" });
	const choose = (group, name) => page.getByRole("group", { name: group }).getByText(name, { exact: true }).click();
	await choose("Board theme", "Ocean");
	await choose("Pieces", "Modern");
	await game.selectOption("reversi");
	await choose("Board theme", "Night");
	for (const name of isFull ? ["noughts3d", "gomoku", "backgammon", "chess", "morris"] : ["noughts3d"]) {
		await game.selectOption(name);
		await until(`the boards of ${name}`, async () => await page.locator(".look-choices .board").count() >= 9);
		assert.ok(await page.getByRole("group", { name: "Board theme" }).getByRole("radio").count() >= 4);
		assert.ok(await page.getByRole("group", { name: "Pieces" }).getByRole("radio").count() >= 2);
	}
	await game.selectOption("starchess");
	await until("the maps", async () => await page.locator(".look-choices .starmap").count() >= 9);
	await choose("Pieces", "Shaded");
	const lookOf = async (path) => {
		await page.goto(world.server.url + path);
		await board(page).waitFor();
		return board(page).evaluate((one) => [getComputedStyle(one).getPropertyValue("--tone-felt"), one.querySelector(".pieces g[class*=paint]").getAttribute("class")]);
	};
	await page.goto(`${world.server.url}/analyse?game=starchess`);
	await page.locator(".starmap.set-shaded").waitFor();
	assert.equal(await page.locator(".starmap").evaluate((one) => getComputedStyle(one).getPropertyValue("--space")), "#0b2236");
	assert.deepEqual(await lookOf("/analyse?game=chess"), ["#2f749f", "paint-light set-modern"]);
	assert.deepEqual(await lookOf("/analyse?game=reversi"), ["#33475e", "paint-light set-modern"]);
}

acceptance("boards", [], [
	["marks in their colours, check in red, your own arrows", showsMarks],
	["a promotion is chosen at its square", promotesAtTheSquare],
	["3D noughts and crosses on a phone: the stack turns, is played on, and shows its line", playsInSpace],
	["a disc behind the rack, a mill, a road with men", drawsEachGame],
	["themes and piece sets for each game", choosesLooks],
]);
