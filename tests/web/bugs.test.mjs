// bugs.test.mjs - mistakes of the play page that were found once, by their numbers, and what was added with their mending.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, control, countIs, focused, inStep, noViolations, notOnPhone, onPhone, PHONE, until } from "./support.mjs";

const STARTS = { engine: "browser" };

/** Two people at a table, each in a browser, and one who watches. */
async function people(world, game) {
	const [ann, bob, eve] = [await world.player(), await world.player(), await world.player()];
	const { page, id } = await ann.play({ game, seats: ["human", "open"], private: true });
	await bob.ask("POST", `/api/v1/plays/${id}/actions`, { action: "join" });
	const [second, third] = [await bob.tab(`/play/${id}`), await eve.tab(`/play/${id}`)];
	for (const one of [second, third])
		await board(one).waitFor();
	await page.getByText("Your turn").first().waitFor();
	return { id, pages: [page, second, third] };
}

/** The controls of a game, none of which is coloured (B21). */
async function plainControls(page) {
	const controls = page.getByRole("group", { name: "Game controls" });
	await countIs(controls.locator(":scope > .control"), 6);
	assert.equal(await controls.locator("[aria-pressed=true]").count(), 0);
	return controls;
}

acceptance("bugs", [], [
	["B7, B16: who offered learns that it was declined; nobody gets the engine's help; a premove is played, cancelled, dropped", async (world) => {
		const { id, pages: [first, second, third] } = await people(world, "connect4");
		for (const page of [first, third])
			for (const name of ["Analyse", "Hint", "Values"]) {
				const button = await control(page, name);
				assert.ok(await button.isDisabled(), `${name} helps during a game between people`);
				await page.keyboard.press("Escape");
			}
		/* B21 for the spectator, whose board does not turn: zen mode instead. */
		await plainControls(third);
		await third.getByRole("button", { name: "Zen mode" }).click();
		await third.getByRole("button", { name: "Leave zen mode" }).click();
		await (await control(first, "Draw")).click();
		await first.getByRole("button", { name: "Yes, offer a draw" }).click();
		await second.getByRole("button", { name: "Decline" }).click();
		await first.getByText("Your draw offer was declined.").waitFor();
		assert.equal(await second.getByText("Your draw offer").count(), 0);
		/* One's own withdrawal is no refusal. */
		await (await control(first, "Draw")).click();
		await first.getByRole("button", { name: "Yes, offer a draw" }).click();
		await first.getByText("Your draw offer was declined.").waitFor({ state: "detached" });
		await first.getByRole("button", { name: "Withdraw" }).click();
		await first.getByText("You offered a draw.").waitFor({ state: "detached" });
		assert.equal(await first.getByText("Your draw offer was declined.").count(), 0);

		/* Bob enters his move before Ann's, thinks better of it, and enters another one. */
		await cell(second, "column 7 row 1").click();
		await second.getByText("Your next move: column 7 row 1.").waitFor();
		assert.match(await cell(second, "column 7 row 1").getAttribute("aria-label"), /premove/);
		await second.keyboard.press("Escape");
		await second.getByText("Your next move").waitFor({ state: "detached" });
		await cell(second, "column 3 row 1").click();
		await second.getByText("Your next move: column 3 row 1.").waitFor();
		await cell(second, "column 1 row 1").dispatchEvent("pointerdown", { pointerType: "touch" }); // a finger has no such key
		await second.getByText("Your next move").waitFor({ state: "detached" });
		await cell(second, "column 3 row 1").click();
		await cell(second, "column 4 row 1").click();
		await second.getByText("Your next move: column 4 row 1.").waitFor();
		await cell(first, "column 1 row 1").click();
		await inStep(world, second, id, ({ line }) => line.map(({ move }) => move).join() === "1,4");
	}],
	["B9, B20, B21: a hint stands still, no button of the six is coloured, and a menu has the others", async (world) => {
		const { page } = await world.play({ game: "reversi", seats: ["human", "human"], moves: ["d3", "c3"], ...STARTS });
		await (await control(page, "Hint")).click();
		await page.getByText(/^Hint: /).first().waitFor();
		await page.evaluate(() => {
			window.hints = [];
			new MutationObserver(() => window.hints.push(document.querySelector(".happened")?.textContent))
				.observe(document.querySelector(".happened"), { childList: true, subtree: true, characterData: true });
		});
		await page.waitForTimeout(1000); // longer than the search
		assert.deepEqual(await page.evaluate(() => window.hints), []);
		await (await control(page, "Hint")).click();

		const controls = await plainControls(page);
		const icons = await page.locator(".move-field .glyph path").evaluateAll((all) => all.map((one) => one.getAttribute("d")));
		assert.equal(new Set(icons).size, 2);
		assert.ok(icons.every((path) => path.endsWith("M17 9a4.500 4.500 0 0 1 0 6M19.500 6.500a8 8 0 0 1 0 11")), "both icons have the waves of a sound");

		/* The menu by keyboard. */
		const more = controls.getByRole("button", { name: "More", exact: true });
		await more.focus();
		await page.keyboard.press("Enter");
		await until("the first item", async () => (await focused(page)).role.startsWith("menuitem"));
		await noViolations(page, "the menu");
		await page.keyboard.press("s");
		await page.keyboard.press("End");
		await until("the focus on New", async () => (await focused(page)).name === "New");
		await page.keyboard.press("Escape");
		await until("the focus on More", async () => (await focused(page)).name === "More");
		assert.equal(await page.getByRole("menu").count(), 0);
	}],
	["B10: values are not offered at the start of reversi, and not ticked in the analysis", async (world) => {
		const { page } = await world.play({ game: "reversi", seats: ["human", "human"] });
		const values = await control(page, "Values");
		assert.ok(await values.isDisabled());
		assert.equal(await values.getAttribute("title"), "Exact values need a board with at least 44 pieces.");
		const asked = [];
		page.on("request", (request) => asked.push(request.url()));
		await page.goto(`${world.server.url}/analyse?game=chess`);
		const tick = page.getByRole("checkbox", { name: "Exact values" });
		await tick.waitFor();
		assert.ok(!await tick.isChecked());
		await tick.check();
		await page.getByText("Too complex to solve exactly here.").waitFor();
		assert.ok(!asked.some((url) => url.endsWith("/values")));
	}],
	["B12, B17: a forced pass is played by itself; the board turns to the player to move", async (world) => {
		const player = await world.player({ settings: { autopass: true, faceMover: true } });
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"], dice: "typed" });
		await page.getByRole("button", { name: "roll 3", exact: true }).click();
		await inStep(world, page, id, ({ line }) => line[1]?.move === "pass");
		await page.getByText(/had no legal move and passed\.$/).waitFor();
		await player.play({ game: "chess", seats: ["human", "human"], moves: ["e2e4", "e7e5", "d1h5", "b8c6", "h5f7"] }, page);
		await page.getByText("Check! Black to move.").waitFor();
		await page.getByText("White played Qxf7+.").waitFor();
		const above = async (a, b) => (await cell(page, a).boundingBox()).y < (await cell(page, b).boundingBox()).y;
		assert.ok(await above("a1", "a8"), "Black sits below");
		await cell(page, "e8").click();
		await cell(page, "f7").click();
		await until("the board to turn", () => above("a8", "a1"));
		/* What was captured, and the times of the moves. */
		if (!onPhone) // which has no room for them
			await page.getByRole("img", { name: "captured: white queen" }).waitFor();
		await page.getByText("+8", { exact: true }).waitFor();
		/* Also on a phone, where they take no room from the board. */
		const desktop = page.viewportSize();
		await page.setViewportSize(PHONE);
		const heights = await page.locator(".table .seat").evaluateAll((all) => all.map((one) => one.offsetHeight));
		assert.ok(heights.length === 2 && heights[0] === heights[1] && heights[0] <= 40, String(heights));
		await page.getByRole("img", { name: "captured: white queen" }).waitFor();
		await page.setViewportSize(desktop);
		const rounds = page.locator(".movetree .round");
		assert.match(await rounds.last().textContent(), /^3\.Qxf7\+Kxf7[\d.]+ s$/);
		await countIs(rounds, 3);
	}],
	["zen mode shows the board and the status alone; a weak level takes its time; the volume is set", async (world) => {
		const player = await world.player({ settings: { instant: false }, viewport: PHONE });
		const { page, id } = await player.play({ game: "noughts", seats: ["human", "level:1"], ...STARTS });
		await page.keyboard.press("z");
		await page.getByRole("group", { name: "Game controls" }).waitFor({ state: "hidden" });
		assert.ok(await board(page).isVisible() && await page.locator(".status").isVisible());
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it fits a phone");
		await page.getByRole("button", { name: "Leave zen mode" }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("group", { name: "Game controls" }).waitFor();
		await cell(page, "5").click();
		await inStep(world, page, id, ({ line }) => line.length === 2);
		await page.goto(`${world.server.url}/settings`);
		const volume = page.getByRole("slider", { name: "Volume" });
		await volume.fill("0");
		assert.ok(!await page.getByRole("checkbox", { name: "Sound", exact: true }).isChecked());
		await volume.fill("40");
		assert.ok(await page.getByRole("checkbox", { name: "Sound", exact: true }).isChecked());
	}],
	["the focus of a board is shown after keys that move it, not after any key", async (world) => {
		const { page } = await world.play({ game: "chess", seats: ["human", "human"] });
		const ring = page.locator(".board .focus-ring");
		await cell(page, "e2").click();
		await page.keyboard.press("z");
		await page.getByRole("button", { name: "Leave zen mode" }).waitFor();
		assert.equal(await ring.evaluateAll((all) => all.filter((one) => getComputedStyle(one).display !== "none").length), 0);
		await page.keyboard.press("z");
		await cell(page, "e2").focus();
		await page.keyboard.press("ArrowUp");
		await until("the ring", () => ring.evaluateAll((all) => all.some((one) => getComputedStyle(one).display !== "none")));
	}, notOnPhone("which has no keys")],
	["a draw and a resignation are confirmed beside the board, and a menu says why a switch cannot be used", async (world) => {
		const { page, id } = await world.play({ game: "chess", seats: ["human", "level:1"], clock: "5m" });
		await (await control(page, "Resign")).click();
		const question = page.getByRole("group", { name: "Resign this game?" });
		await question.waitFor();
		assert.equal(await page.getByRole("dialog").count(), 0);
		assert.ok(await focused(page).then(({ name }) => name === "Yes, resign"));
		await page.keyboard.press("Escape");
		await question.waitFor({ state: "detached" });
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).result, null);
		await control(page, "Values");
		await page.getByRole("menuitemcheckbox", { name: /^Values/ }).getByText("Exact values need a board with at most 7 pieces.").waitFor();
		await noViolations(page, "the menu");
		await page.keyboard.press("Escape");
	}],
	["Star Chess tells what all factions did, keeps its advice, and shows no reach without a selection", async (world) => {
		const { page, id } = await world.play({ game: "starchess:seed=3", seats: ["human", "level:1", "level:1", "level:1"] });
		const sector = (name) => page.locator(`.starmap [role=gridcell][aria-label^="${name},"]`), guide = page.locator(".guide");
		await guide.getByText("What to do").waitFor();
		await sector("A1").click();
		await page.getByRole("button", { name: "B2", exact: true }).waitFor();
		assert.equal(await guide.count(), 1);
		await sector("B2").click();
		await page.getByRole("dialog").locator("button[type=submit]").click();
		await until("the order", async () => (await world.server.get(`/api/v1/plays/${id}`)).line.length === 1);
		await page.getByRole("button", { name: /^End turn/ }).click();
		await until("the next turn", async () => /turn 2/i.test(await page.locator("h1").innerText()) && await page.getByRole("button", { name: /^End turn/ }).count() === 1);
		await page.mouse.move(2, 2);
		await until("no reach", async () => await page.locator(".starmap .reached").count() === 0);
		const news = page.getByRole("list", { name: "Since your turn" });
		assert.deepEqual(await news.locator("li").evaluateAll((all) => all.map((one) => one.textContent.split(":")[0])), ["Yellow", "Green", "Blue"]);
		await noViolations(page, "the map");
	}],
	["the tools of the board editor are above the fold", async (world) => {
		const page = await world.visit("/edit?game=chess");
		const last = page.locator(".palette .tool").last();
		await last.waitFor();
		await until("the tools", async () => {
			const { y, height } = await last.boundingBox();
			return y + height <= page.viewportSize().height;
		});
	}, notOnPhone("where the page is longer")],
]);
