// lab.test.mjs - the laboratory: a search step by step, by mouse and by keyboard alone; its text tree, board, chart and diagrams.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, axeSource, board, cell, PHONE, tabTo, until } from "./support.mjs";

const PLAIN = "iterate=0,sort=0,killers=0,history=0,tt=0,quiet=0";

function link(game, players, more = {}) {
	const query = new URLSearchParams({ game, ...more });
	for (const player of players)
		query.append("player", player);
	return `/lab?${query}`;
}

const step = (page) => page.getByRole("slider", { name: "Step of the search" });
/** "7 nodes, 4 evaluations, 1 cut-offs" */
const counters = (page, name) => page.getByRole("region", { name }).locator(".lab-counters > div")
	.evaluateAll((all) => all.map((one) => `${one.querySelector("dd").textContent} ${one.querySelector("dt").textContent}`).join(", "));
const node = (page) => page.getByRole("region", { name: "Node" });
const row = (page, name) => page.getByRole("treeitem", { name });

async function noViolations(page, where) {
	await page.evaluate(axeSource());
	const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
	assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), [], where);
}

acceptance("the laboratory", [], [
	["two searches race, and the words tell why a branch was cut", async (world) => {
		const page = await (await world.player()).tab("/lab");
		const minimax = "Minimax, depth 2", alphabeta = "Alpha-beta, plain, depth 2";
		await page.getByRole("region", { name: alphabeta }).locator("canvas").waitFor();
		assert.equal(await step(page).getAttribute("aria-valuetext"), "step 1 of 17");
		await page.getByRole("button", { name: "Next cut-off" }).click();
		await until("the counters", async () => await counters(page, alphabeta) === "7 nodes, 4 evaluations, 1 cut-offs");
		await page.getByRole("button", { name: "Text", exact: true }).click();
		await page.getByRole("tree", { name: alphabeta }).getByRole("treeitem", { name: /^B: value at most −3, window −1 … ∞, cut-off/ }).click();
		await until("the words", async () => /Player 1 already has -1 elsewhere/.test(await node(page).innerText()));
		await page.getByRole("button", { name: "Last step" }).click();
		await page.getByText("The same answer: C with value 0.").waitFor();
		assert.equal(await counters(page, minimax), "12 nodes, 9 evaluations, 0 cut-offs");
		assert.equal(await counters(page, alphabeta), "10 nodes, 7 evaluations, 1 cut-offs");
		await noViolations(page, "the text trees");
	}],
	["a node shows its position, a square its branch", async (world) => {
		const page = await (await world.player()).tab(link("noughts", [`alphabeta:depth=2,${PLAIN}`], { at: "end" }));
		await board(page).waitFor();
		await cell(page, "5").click();
		await until("the branch", async () => /Start\s*›?\s*5/.test(await page.getByRole("navigation", { name: "Path to the node" }).innerText()));
		await until("its position", async () => /cross/.test(await cell(page, "5").getAttribute("aria-label")));
		/* The picture: the arrow keys go to the first reply, a leaf. */
		const picture = page.locator(".lab-picture canvas");
		await picture.focus();
		await page.keyboard.press("ArrowDown");
		await node(page).getByText("evaluated", { exact: true }).waitFor();
		await node(page).getByRole("button", { name: "Show", exact: true }).click();
		await node(page).getByRole("columnheader", { name: "Weight" }).or(node(page).getByText("It has no terms")).first().waitFor();
		await page.keyboard.press("Tab");
		await noViolations(page, "the picture");
		/* The picture is not empty, and zooms. */
		const shot = () => picture.evaluate((canvas) => canvas.toDataURL());
		const before = await shot();
		await page.getByRole("button", { name: "Zoom in" }).click();
		await until("the zoom", async () => await shot() !== before);
	}],
	["the keyboard alone can do everything", async (world) => {
		const page = await (await world.player({ viewport: PHONE })).tab(link("diagram", ["minimax:depth=2"], { position: "A(3,5) B(2,9)" }));
		await step(page).waitFor();
		const press = async (key, times = 1) => {
			for (let i = 0; i < times; i++)
				await page.keyboard.press(key);
		};
		await press(".", 3);
		assert.equal(await step(page).getAttribute("aria-valuetext"), "step 4 of 10");
		await press(",");
		await tabTo(page, "the text view", ({ role, name }) => role === "button" && name === "Text");
		await press("Enter");
		await press("k");
		await until("the end", async () => await step(page).getAttribute("aria-valuetext") === "step 10 of 10");
		await tabTo(page, "the tree", ({ role }) => role === "treeitem");
		await press("Home");
		await press("ArrowDown");
		const focused = () => page.evaluate(() => document.activeElement.textContent);
		await until("A", async () => /A: value 3/.test(await focused()));
		await press("ArrowRight", 2);
		await until("A1", async () => /A1: value 3/.test(await focused()));
		assert.match(await node(page).innerText(), /A1/);
		await press("ArrowLeft", 2);
		assert.equal(await row(page, /A: value 3/).getAttribute("aria-expanded"), "false");
		/* Another game, by the form. */
		await tabTo(page, "the setup", ({ name }) => /^Choose the game/.test(name), "Shift+Tab");
		await press("Enter");
		await tabTo(page, "the game", ({ name }) => name.startsWith("Game"));
		await page.keyboard.type("Hexapawn");
		await press("Enter");
		await page.getByRole("region", { name: "Alpha-beta, plain, depth 4" }).waitFor();
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out on a phone");
	}],
	["a growing tree, the diagrams and the chart", async (world) => {
		const player = await world.player();
		const page = await player.tab(link("connect4", ["mcts:playouts=60"], { at: "end" }));
		await until("the playouts", async () => /^60 playouts, \d+ nodes$/.test(await counters(page, "Monte Carlo tree search")));
		await node(page).getByText("UCB term").waitFor();
		await page.getByRole("button", { name: "The book's diagrams" }).click();
		await page.getByRole("button", { name: "Check all" }).click();
		await page.getByText("17 of 17 claims confirmed.").waitFor();
		await noViolations(page, "the diagrams");
		await page.getByRole("button", { name: "Bench" }).click();
		await page.goto(world.server.url + link("noughts", ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`]));
		await page.getByRole("button", { name: "Measure it" }).click();
		await page.getByRole("combobox", { name: "Up to depth" }).selectOption("4");
		await page.getByRole("button", { name: "Measure", exact: true }).click();
		const table = page.getByRole("region", { name: "The numbers of the chart" });
		await until("the chart", async () => /\n4\t3,024\t110\t3,024\t[\d,]+$/.test(await table.innerText()));
		const saved = page.waitForEvent("download");
		await page.getByRole("button", { name: "CSV" }).click();
		assert.equal((await saved).suggestedFilename(), "noughts-nodes.csv");
		await noViolations(page, "the chart");
	}],
	["without the engine it says so", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(() => delete globalThis.WebAssembly);
		const page = await player.tab("/lab");
		await page.getByText("The laboratory needs WebAssembly, which this browser does not have.").waitFor();
	}],
]);
