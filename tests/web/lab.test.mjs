// lab.test.mjs - the laboratory: a search step by step, by mouse and by keyboard alone; its text tree, board, chart and diagrams.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { acceptance, board, cell, DESK, noViolations, notOnPhone, onPhone, PHONE, quevedo, tabTo, until } from "./support.mjs";

const PLAIN = "iterate=0,sort=0,killers=0,history=0,tt=0,quiet=0";

function link(game, players, more = {}) {
	const query = new URLSearchParams({ game, ...more });
	for (const player of players)
		query.append("player", player);
	return `/lab?${query}`;
}

/** At once: the driver of Firefox types what it fills in, key by key. */
const paste = (field, text) => field.evaluate((area, value) => {
	area.value = value;
	area.dispatchEvent(new Event("input", { bubbles: true }));
}, text);

const step = (page) => page.getByRole("slider", { name: "Step of the search" });
/** "6 nodes, 4 leaves evaluated, 1 cut-off" */
const counters = (page, name) => page.getByRole("region", { name }).locator(".lab-counters > div")
	.evaluateAll((all) => all.map((one) => `${one.querySelector("dd").textContent} ${one.querySelector("dt").textContent}`).join(", "));
const node = (page) => page.getByRole("region", { name: "Node" });
const row = (page, name) => page.getByRole("treeitem", { name });

/** The tree that is typed or dragged. */
function editor(page) {
	const text = page.getByRole("textbox", { name: /^Your tree/ });
	const middle = async (one) => {
		const { x, y, width, height } = await one.boundingBox();
		return { x: x + width / 2, y: y + height / 2 };
	};
	return {
		text, box: (name) => page.locator(`[data-name="${name}"]`),
		is: (what) => until(what, async () => await text.inputValue() === what),
		/** meanwhile: before the button goes up. */
		async drag(one, to, aside = 0, below = 0, meanwhile = async () => {}) {
			const from = await middle(one), { x, y } = await middle(to);
			await page.mouse.move(from.x, from.y);
			await page.mouse.down();
			await page.mouse.move(x + aside, y + below, { steps: 5 });
			await meanwhile();
			await page.mouse.up();
		},
	};
}

acceptance("the laboratory", () => ["--plugin", join(dirname(quevedo), "examples/kalah.so")], [
	["games of plug-ins, which the browser's engine does not have, are left out; a link to one says why", async (world) => {
		const page = await world.visit("/lab");
		await page.getByRole("button", { name: "Set up your own" }).click();
		const names = () => page.getByRole("combobox", { name: "Game" }).locator("option").allTextContents();
		await until("the engine's games", async () => (await names()).includes("Chess") && !(await names()).includes("Kalah"));
		await world.visit(link("kalah", ["minimax:depth=2"]));
		await page.getByText("Only the server has games of plug-ins.").first().waitFor();
	}],
	["two searches race, and the words tell why a branch was cut", async (world) => {
		const page = await world.visit("/lab");
		const minimax = "Minimax, depth 2", alphabeta = "Alpha-beta, plain, depth 2";
		/* A ready example; its picture is in sight without scrolling, and it stops at a cut-off that saves something. */
		await page.getByRole("button", { name: "Noughts: what alpha-beta skips", pressed: true }).waitFor();
		await page.getByText("X already has as good a move elsewhere, so the other replies to 7 cannot matter.").waitFor();
		await page.getByText("Plain alpha-beta skips moves that cannot matter. Depth 3:").waitFor();
		await until("the words name sides and squares as the board does", async () => /X plays 7.* a win for O in 1 move/.test(await node(page).innerText()));
		assert.equal(await page.locator(".lab-board .under text").allTextContents().then((texts) => texts.join("")), "123456789");
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("go to the next cut-off").waitFor();
		await page.keyboard.press("Escape");
		if (!onPhone) {
			const { y, height } = await page.locator(".lab-picture canvas").first().boundingBox();
			assert.ok(height >= 250 && y + height <= DESK.height, `the picture ends at ${y + height} pixels`);
		}
		await page.getByRole("button", { name: "A textbook tree" }).click();
		await page.getByRole("region", { name: alphabeta }).locator("canvas").waitFor();
		/* The first look: a cut-off, in one sentence and in words. */
		await page.getByText("Alpha-beta, plain, depth 2 made a cut-off (the red bar): Player 1 already has as good a move elsewhere, so the other replies to B cannot matter.").waitFor();
		assert.equal(await step(page).getAttribute("aria-valuetext"), "step 9 of 17");
		await until("the words of the first look", async () => /Player 1 already has -1 elsewhere/.test(await node(page).innerText()));
		await noViolations(page, "the first look");
		await page.getByRole("button", { name: "First step" }).click();
		assert.equal(await page.getByRole("button", { name: "Watch from the start" }).count(), 0, "the sentence has done its work");
		await page.getByText("Minimax, depth 2 is at the start.").or(page.getByText(`${alphabeta} is at the start.`)).waitFor();
		await page.getByRole("button", { name: "Next cut-off" }).click();
		await until("the counters", async () => await counters(page, alphabeta) === "6 nodes, 4 leaves evaluated, 1 cut-off");
		await page.getByRole("button", { name: "Text", exact: true }).click();
		await page.getByRole("tree", { name: alphabeta }).getByRole("treeitem", { name: /^B: value at most −3, window −1 … ∞, cut-off/ }).click();
		await until("the words", async () => /Player 1 already has -1 elsewhere/.test(await node(page).innerText()));
		await page.getByRole("button", { name: "Last step" }).click();
		await page.getByText("The same answer: C with value 0.").waitFor();
		assert.equal(await counters(page, minimax), "12 nodes, 9 leaves evaluated, 0 cut-offs");
		assert.equal(await counters(page, alphabeta), "10 nodes, 7 leaves evaluated, 1 cut-off");
		await noViolations(page, "the text trees");
	}],
	["a node shows its position, a square its branch", async (world) => {
		const page = await world.visit(link("noughts", [`alphabeta:depth=2,${PLAIN}`], { at: "end" }));
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
		await node(page).getByRole("columnheader", { name: "Difference" }).or(node(page).getByText("Without looking ahead")).first().waitFor();
		await page.keyboard.press("Tab");
		await noViolations(page, "the picture");
		/* The picture is not empty, and zooms. */
		const shot = () => picture.evaluate((canvas) => canvas.toDataURL());
		const before = await shot();
		await page.getByRole("button", { name: "Zoom in" }).click();
		await until("the zoom", async () => await shot() !== before);
	}],
	["a wide tree shows its moves around one line, in the game's notation", async (world) => {
		const page = await world.visit(link("chess", [`alphabeta:depth=3,${PLAIN}`], { position: "r5k1/5ppp/8/8/8/8/1R3PPP/1R4K1 w - - 0 1", at: "end" }));
		await page.getByText("Answer: Rb8+, which wins in 2 moves.").waitFor();
		assert.match(await page.getByRole("combobox", { name: "Branches" }).locator("option:checked").innerText(), /one line/);
		await until("the words", async () => /Rb8\+/.test(await node(page).innerText()));
		await cell(page, "b2").click();
		await cell(page, "b8").click();
		await until("the branch", async () => /Start\s*›?\s*Rb8\+/.test(await page.getByRole("navigation", { name: "Path to the node" }).innerText()));
	}],
	["the keyboard alone can do everything", async (world) => {
		const page = await (await world.player({ viewport: PHONE })).tab(link("diagram", ["minimax:depth=2"], { position: "A(3,5) B(2,9)" }));
		await page.getByRole("button", { name: "First step" }).click();
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
		await tabTo(page, "the tree", ({ role }) => role === "treeitem", "Shift+Tab"); // it stands above the button
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
		await tabTo(page, "the setup", ({ name }) => name === "Set up your own", "Shift+Tab");
		await press("Enter");
		assert.equal(await page.getByRole("textbox", { name: "Player" }).count(), 0, "no spec in the front row");
		await tabTo(page, "the game", ({ name }) => name.startsWith("Game"));
		await page.keyboard.type("Hexapawn");
		await press("Enter");
		await page.getByRole("region", { name: "Alpha-beta, plain, depth 4" }).waitFor();
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out on a phone");
	}],
	["dice are rolled, and every kind of cut-off is a stop", async (world) => {
		const page = await world.visit(link("race", ["expectimax:depth=3,star=1"]));
		const dice = page.getByRole("combobox", { name: "The dice show" });
		await dice.waitFor();
		assert.equal(await dice.inputValue(), "roll 6", "the roll that allows a move");
		await page.getByRole("region", { name: "Expectimax with Star1, depth 3" }).waitFor();
		await dice.focus();
		await dice.selectOption("roll 3");
		await until("the link", () => /moves=roll\+3/.test(page.url()));
		await page.getByRole("region", { name: "Expectimax with Star1, depth 3" }).waitFor();
		assert.equal(await page.evaluate(() => document.activeElement.tagName), "SELECT", "the dice keep the focus");
		/* Blue can bear off or not: some rolls of Red cannot matter any more. */
		await page.goto(world.server.url + link("backgammon", ["expectimax:depth=2,star=1"], { moves: "roll 31" }));
		await page.getByRole("button", { name: "Next cut-off" }).click();
		await node(page).locator(".tag").filter({ hasText: /cut-off/ }).first().waitFor();
		assert.match(await counters(page, "Expectimax with Star1, depth 2"), /nodes, .* leaves evaluated, \d+ cut-offs?, [1-9]\d* pruned otherwise/);
	}],
	["with four players every number has its seat", async (world) => {
		const page = await world.visit(link("starchess", ["maxn:depth=1"], { at: "end" }));
		await page.getByText("Each box: its move, and its value for each player.").waitFor();
		await until("the seats", async () => /Red \(player 1\).*Blue \(player 4\)/s.test(await page.locator(".lab-legend").innerText()));
		assert.deepEqual(await node(page).locator(".lab-numbers .lab-seat").evaluateAll((all) => all.map((one) => `${one.textContent} ${one.title}`)),
			["R Red", "Y Yellow", "G Green", "B Blue", "R Red"]);
		await page.getByRole("button", { name: "Text", exact: true }).click();
		await row(page, /^start: value -?[\d.]+ for Red, .* for Yellow, .* for Green, .* for Blue/).waitFor();
		await noViolations(page, "the seats");
	}],
	["your own tree: dragged, typed and undone", async (world) => {
		const page = await world.visit(link("diagram", ["minimax:depth=2"], { position: "A(3,5) B(2,9)" }));
		await page.setViewportSize({ width: 1280, height: 1000 }); // all of the tree is in sight
		await page.getByRole("button", { name: "Your own tree" }).click();
		const { text, box, is, drag } = editor(page);
		await page.getByText("Alpha-beta evaluates 3 of 4 leaves").waitFor();
		await drag(box("B"), box("A"), -20);
		await is("A(2,9) B(3,5)");
		await page.getByText("Best move: B, worth 3. Alpha-beta evaluates 4 of 4 leaves.").waitFor();
		await drag(page.getByRole("button", { name: "New leaf" }), box("B2"), 20);
		await is("A(2,9) B(3,5,0)");
		await drag(box("B3"), box("A1"), 0, 74);
		await is("A(2(0),9) B(3,5)");
		/* By keyboard: a value, a move out, a new leaf, and all of it undone. */
		await box("A11").click();
		await page.keyboard.type("-4");
		await page.keyboard.press("Enter");
		await is("A(2(-4),9) B(3,5)");
		await page.keyboard.press("Shift+ArrowUp");
		await is("A(2,-4,9) B(3,5)");
		await page.keyboard.press("Shift+ArrowLeft");
		await is("A(-4,2,9) B(3,5)");
		await until("what is announced", async () => /A2 is now A1, below A\./.test(await page.locator("#announcer").innerText()));
		await page.keyboard.press("+");
		await is("A(-4(0),2,9) B(3,5)");
		await page.keyboard.press("Delete");
		await is("A(-4,2,9) B(3,5)");
		await noViolations(page, "the editor");
		for (let i = 0; i < 8; i++)
			await page.keyboard.press("Control+z");
		await is("A(3,5) B(2,9)");
		/* The text is the same tree. */
		await text.fill("A1 B(2,3)");
		await until("the picture", async () => /^B2: value 3/.test(await box("B2").textContent()));
		await text.fill("A1 B(");
		await page.getByRole("alert").waitFor();
		await text.fill("A1 B((2),3)");
		await page.getByRole("button", { name: "Watch it being searched" }).click();
		await page.getByRole("region", { name: "Minimax, depth 3" }).waitFor();
	}, notOnPhone("the tree is wider than a phone: boxes are dragged at a desk")],
	["your own tree: what is typed stays, and only what is meant is changed", async (world) => {
		const page = await world.visit(link("diagram", ["minimax:depth=2"], { position: "A(3,5) B(2,9)" }));
		const open = () => page.getByRole("button", { name: "Your own tree" }).click();
		await open();
		const { text, box, is, drag } = editor(page), value = page.getByRole("spinbutton", { name: /^Value/ }), undo = page.getByRole("button", { name: "Undo" });
		const isChosen = (name) => until(`${name} selected`, async () => await box(name).getAttribute("aria-selected") === "true");
		/* Keys that change nothing take the focus nowhere. */
		await box("A").click();
		await page.keyboard.press("Shift");
		await page.keyboard.press("ArrowLeft");
		await text.focus();
		await page.keyboard.press("Control+End");
		await page.keyboard.type(" C45");
		await page.keyboard.press("Backspace");
		await is("A(3,5) B(2,9) C4");
		/* A value is kept when another box is pressed. */
		await box("A1").click();
		await box("A1").click();
		await page.keyboard.type("6");
		await box("B1").click();
		await is("A(6,5) B(2,9) C4");
		await isChosen("B1");
		await value.focus();
		await page.keyboard.press("Control+a");
		await page.keyboard.type("8");
		await box("C").click();
		await is("A(6,5) B(8,9) C4");
		await isChosen("C");
		/* Enter changes a number; it does not search. */
		await value.focus();
		await page.keyboard.press("Control+a");
		await page.keyboard.type("1");
		await page.keyboard.press("Enter");
		await is("A(6,5) B(8,9) C1");
		await page.getByRole("spinbutton", { name: "Seed" }).press("Enter");
		await until("a random tree", async () => (await text.inputValue()).length > 60);
		await undo.click();
		await is("A(6,5) B(8,9) C1");
		await page.getByRole("button", { name: "Watch a search" }).click();
		await open();
		await is("A(6,5) B(8,9) C1");
		/* Only the Delete button deletes what is dropped on it. Another pointer and Escape drop nothing. */
		const tools = page.locator(".branch-tools button");
		if (onPhone) { // the tree is wider than a phone
			await box("A").click();
			await box("C").click();
			await isChosen("C");
			await tools.last().click();
		} else {
			await drag(box("C"), tools.nth(1));
			await drag(page.getByRole("button", { name: "New leaf" }), box("A"), 0, 0, () => page.keyboard.press("Escape"));
			await drag(box("C"), box("A"), -20, 0, () => box("C").dispatchEvent("pointerup", { pointerId: 77 }));
			await is("A1 B(6,5) C(8,9)");
			await drag(box("A"), tools.last());
		}
		await is("A(6,5) B(8,9)");
		/* A press without a pointer selects, the next one types. */
		await page.evaluate(() => new Promise((done) => setTimeout(done, 0))); // the drag is over
		await box("B2").dispatchEvent("click");
		await isChosen("B2");
		assert.equal(await page.locator(".tree-box input").count(), 0);
		await box("B2").dispatchEvent("click");
		await page.keyboard.type("7");
		await page.keyboard.press("Enter");
		await is("A(6,5) B(8,7)");
		/* All of it is undone, also what is no tree. */
		await paste(text, `A${"(".repeat(20000)}`);
		await page.getByRole("alert").waitFor();
		await until("the first tree", async () => {
			await undo.click();
			return await text.inputValue() === "A(3,5) B(2,9)";
		});
		await page.keyboard.press("Enter");
		assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo", "the button keeps the focus");
		/* Trees by name. */
		await text.fill("3-1 @ B");
		await page.getByText("This position is inside of its tree, at B.").waitFor();
		await text.fill("3-2");
		await box("C333").waitFor();
		await page.getByRole("button", { name: "Watch it being searched" }).click();
		await page.getByRole("region", { name: "Minimax, depth 4" }).waitFor();
	}],
	["a growing tree, the diagrams and the chart", async (world) => {
		const player = await world.player();
		const page = await player.tab(link("connect4", ["mcts:playouts=60"], { at: "end" }));
		await until("the playouts", async () => /^60 playouts, \d+ nodes$/.test(await counters(page, "Monte Carlo tree search")));
		await page.getByText(/It got \d+ of 60 playouts, the most of all moves/).waitFor();
		await page.getByRole("button", { name: "One step back" }).click();
		await node(page).getByText("UCB term").waitFor();
		await page.getByRole("button", { name: "The book's diagrams" }).click();
		await page.getByRole("button", { name: "Check all" }).click();
		await page.getByText("17 of 17 claims confirmed.").waitFor();
		await noViolations(page, "the diagrams");
		await page.goto(world.server.url + link("noughts", ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`]));
		await page.getByRole("button", { name: "Measure it" }).click();
		await page.getByRole("combobox", { name: "Up to depth" }).selectOption("4");
		await page.getByRole("button", { name: "Measure", exact: true }).click();
		const table = page.getByRole("region", { name: "The numbers of the chart" });
		await until("the chart", async () => /\n4\t3,024\t110\t3,024\t[\d,]+$/.test(await table.innerText()));
		assert.match(await page.locator(".lab-plot").innerHTML(), /depth in plies.*positions evaluated, logarithmic/s);
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
