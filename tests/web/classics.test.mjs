// classics.test.mjs - the classic opponents: each is chosen in the form and plays; and the history section.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, choose, dealer, enter, inStep, mouse, playOut, until } from "./support.mjs";

const group = (page, name) => page.getByRole("group", { name, exact: true });

/** Chooses a classic opponent in the form of the game, on this page or a new one. */
async function chosen(world, game, title, page = null) {
	page ??= await (await world.player()).tab();
	await page.goto(`${world.server.url}/games/${game}`);
	await page.getByRole("button", { name: "Start the game" }).waitFor();
	await group(page, "Engine").getByText("Classic opponents", { exact: true }).click();
	await group(page, "Engine").getByText(title, { exact: true }).click();
	return page;
}

/** Starts the game and gives it: {page, id, seats}. */
async function started(world, page) {
	await page.getByRole("button", { name: "Start the game" }).click();
	await page.waitForURL(/\/play\//);
	await board(page).waitFor();
	const id = page.url().split("/play/")[1];
	return { id, seats: (await world.server.get(`/api/v1/plays/${id}`)).seats };
}

/** Enters moves (and rolls, if they are typed) until the game is over, or a computer has made so many moves. */
async function exchange(world, page, id, times) {
	const deal = dealer(3);
	for (let ply = 0; ply < 40; ply++) {
		const play = await inStep(world, page, id, ({ result, view, seats }) => result || view.seat === 0 || seats[view.seat - 1].kind === "person");
		const replies = play.line.filter(({ seat }) => seat && play.seats[seat - 1].kind === "computer").length;
		if (play.result || replies >= times)
			return play;
		const { moves } = play.view;
		await enter(world, page, mouse, play.view, moves[play.view.seat === 0 ? 0 : deal(moves.length)]);
		await until("the move to be taken", async () => (await world.server.get(`/api/v1/plays/${id}`)).version > play.version);
	}
	throw new Error("the computer does not move");
}

acceptance("classics", [], [
	["noughts and crosses of 1983, with its author in the history, to the end", async (world) => {
		const page = await chosen(world, "noughts", "John White's noughts and crosses");
		await page.getByText("John White printed this program in chapter 7").waitFor();
		await group(page, "Engine").getByRole("link", { name: "History" }).click();
		await page.getByRole("heading", { name: "History" }).waitFor();
		for (const who of ["Leonardo Torres y Quevedo", "John White", "Christoph Nahr", "Michael Patricios", "Rudd Johnson"])
			await page.locator("dt").getByText(who).waitFor();
		await chosen(world, "noughts", "John White's noughts and crosses", page);
		const { id, seats } = await started(world, page);
		assert.deepEqual([seats[1].spec, seats[1].name], ["book", "John White's noughts and crosses"]);
		const { result } = await playOut(world, page, id, mouse, dealer(1));
		assert.notEqual(result, "win 1", "it never loses");
	}],
	["hexapawn of 1983, to the end", async (world) => {
		const page = await chosen(world, "hexapawn", "John White's hexapawn");
		const { id } = await started(world, page);
		await playOut(world, page, id, mouse, dealer(2));
	}],
	["the other programs after the 1983 book", async (world) => {
		let page = null;
		for (const game of ["connect4", "noughts3d"]) {
			page = await chosen(world, game, "One ply in the style of 1983", page);
			const { id, seats } = await started(world, page);
			assert.equal(seats[1].spec, "book");
			await exchange(world, page, id, 1);
		}
		await chosen(world, "race", "John White's Race!", page);
		await page.getByRole("combobox", { name: "Dice" }).selectOption("typed");
		const { id } = await started(world, page);
		await exchange(world, page, id, 1);
	}],
	["the automaton of 1912 gets king and rook, and the visitor the lone king", async (world) => {
		const page = await chosen(world, "chess", "The automaton of 1912");
		assert.ok(await group(page, "Your side").getByRole("radio", { name: "Black" }).isChecked());
		const { id, seats } = await started(world, page);
		assert.deepEqual([seats[0].spec, seats[1].kind], ["machine", "person"]);
		const { line, start } = await exchange(world, page, id, 3);
		assert.equal(start, "4K3/R7/8/8/4k3/8/8/8 w - - 0 1");
		assert.equal(line[0].move, "a7a6", "the rook comes down by the second rule");
		assert.ok(line.length >= 5);
	}],
	["the student's minichess player, and a level of Lurgee (others are played in opponents.test.mjs)", async (world) => {
		const page = await chosen(world, "minichess", "The student's player of 2017");
		let { id, seats } = await started(world, page);
		assert.equal(seats[1].spec, "seed:time=1s");
		await exchange(world, page, id, 1);
		await chosen(world, "morris", "Lurgee 2.2", page);
		await group(page, "Level").getByText("1", { exact: true }).click();
		({ id, seats } = await started(world, page));
		assert.equal(seats[1].spec, "level:1,ladder=lurgee22");
		await exchange(world, page, id, 1);
	}],
	["the learner remembers how it lost, in the next game too, until it has to forget", async (world) => {
		/* Whatever it plays, the visitor has two threats and wins at once. */
		const page = await world.visit(`/games/noughts?position=${encodeURIComponent("x.x.o.x.o o")}`);
		await group(page, "Engine").getByText("Classic opponents", { exact: true }).click();
		await group(page, "Engine").getByText("The learner", { exact: true }).click();
		await group(page, "Memory").getByText("It remembers no losing moves yet.").waitFor();
		const { id, seats } = await started(world, page);
		assert.equal(seats[1].spec, "learn");
		const memory = page.getByRole("region", { name: "Memory of the learner" });
		const { view } = await inStep(world, page, id, ({ line }) => line.length === 1);
		await enter(world, page, mouse, view, view.moves.find(({ move }) => move === "2" || move === "4"));
		await memory.getByText("It remembers 1 losing move.").waitFor();
		await page.getByRole("button", { name: "Rematch" }).first().click();
		await page.waitForURL((url) => !url.pathname.endsWith(id));
		await memory.getByText("It remembers 1 losing move.").waitFor();
		await page.goto(`${world.server.url}/games/noughts`);
		await group(page, "Memory").getByText("It remembers 1 losing move.").waitFor();
		await started(world, page);
		await memory.getByText("It remembers 1 losing move.").waitFor();
		await memory.getByRole("button", { name: "Forget everything" }).click();
		await memory.getByText("It remembers no losing moves yet.").waitFor();
		await page.goto(`${world.server.url}/games/noughts`);
		await group(page, "Memory").getByText("It remembers no losing moves yet.").waitFor();
	}],
	["Star Chess players have settings of their own", async (world) => {
		const page = await world.visit("/games/starchess");
		await choose(page, { name: /^Custom choose/ });
		const players = group(page, "Players");
		await players.getByRole("combobox", { name: "Yellow" }).selectOption({ label: "The mask predictor" });
		await players.getByRole("combobox", { name: "Green" }).selectOption({ label: "The mask predictor" });
		await group(page, "The mask predictor (Yellow)").getByRole("combobox").selectOption("0");
		await group(page, "The mask predictor (Green)").getByRole("combobox").selectOption("1");
		await group(page, "The mask predictor (Green)").getByRole("checkbox", { name: /^The other factions/ }).check();
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.waitForURL(/\/play\//);
		const id = page.url().split("/play/")[1];
		const { seats } = await until("the game", () => world.server.get(`/api/v1/plays/${id}`));
		assert.deepEqual(seats.slice(0, 3).map(({ spec }) => spec), [null, "mask:turns=0", "mask:turns=1,all-masks=1"]);
		await page.getByRole("button", { name: /^End turn/ }).click();
		await until("their turns", async () => (await world.server.get(`/api/v1/plays/${id}`)).view.turn === 1 &&
			(await world.server.get(`/api/v1/plays/${id}`)).line.some(({ seat }) => seat === 4));
	}],
]);
