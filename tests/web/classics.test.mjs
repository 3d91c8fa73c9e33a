// classics.test.mjs - the classic opponents: each is chosen in the form and plays; and the history section.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, dealer, enter, inStep, mouse, playOut, until } from "./support.mjs";

const group = (page, name) => page.getByRole("group", { name, exact: true });

/** Chooses a classic opponent in the form of the game. */
async function chosen(world, game, title) {
	const page = await (await world.player()).tab(`/games/${game}`);
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

/** Enters moves until the computer has replied to so many, or the game is over. */
async function exchange(world, page, id, times) {
	const deal = dealer(3);
	for (let i = 0; i < times; i++) {
		const play = await inStep(world, page, id, ({ result, view, seats }) => result || (view.seat && seats[view.seat - 1].kind === "person"));
		if (play.result)
			return play;
		await enter(world, page, mouse, play.view, play.view.moves[deal(play.view.moves.length)]);
	}
	return inStep(world, page, id, ({ result, view, seats }) => result || (view.seat && seats[view.seat - 1].kind === "person"));
}

acceptance("classics", [], [
	["noughts and crosses of 1983, to the end", async (world) => {
		const page = await chosen(world, "noughts", "John White's noughts and crosses");
		await page.getByText("John White printed this program in chapter 7").waitFor();
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
		for (const [game, title] of [["connect4", "One ply in the style of 1983"], ["noughts3d", "One ply in the style of 1983"]]) {
			const page = await chosen(world, game, title);
			const { id, seats } = await started(world, page);
			assert.equal(seats[1].spec, "book");
			await exchange(world, page, id, 2);
		}
		const page = await chosen(world, "race", "John White's Race!");
		const { id } = await started(world, page);
		await group(page, "Dice").getByRole("button", { name: "Roll" }).or(page.getByText(/rolled/)).first().waitFor();
		await until("a move of the program", async () => {
			const { line, view, dice } = await world.server.get(`/api/v1/plays/${id}`);
			const roll = group(page, "Dice").getByRole("button", { name: "Roll" });
			if (view.seat === 0 && dice.commit && await roll.isEnabled().catch(() => false))
				await roll.click();
			else if (view.seat === 1)
				await enter(world, page, mouse, view, view.moves[0]).catch(() => null);
			return line.some(({ seat }) => seat === 2);
		});
	}],
	["the automaton of 1912 gets king and rook, and the visitor the lone king", async (world) => {
		const page = await chosen(world, "chess", "The automaton of 1912");
		assert.ok(await group(page, "Your side").getByRole("radio", { name: "Black" }).isChecked());
		const { id, seats } = await started(world, page);
		assert.deepEqual([seats[0].spec, seats[1].kind], ["machine", "person"]);
		const { line, start } = await exchange(world, page, id, 3);
		assert.equal(start, "4K3/R7/8/8/4k3/8/8/8 w - - 0 1");
		assert.equal(line[0].move, "a7a6", "the rook comes down by the second rule");
		assert.ok(line.length >= 7);
	}],
	["the student's minichess player and the levels of Lurgee", async (world) => {
		let page = await chosen(world, "minichess", "The student's player of 2017");
		let { id, seats } = await started(world, page);
		assert.equal(seats[1].spec, "seed:time=1s");
		await exchange(world, page, id, 1);
		for (const game of ["reversi", "connect4", "morris"]) {
			page = await chosen(world, game, "Lurgee (release)");
			await group(page, "Level").getByText("1", { exact: true }).click();
			({ id, seats } = await started(world, page));
			assert.equal(seats[1].spec, "level:1,ladder=lurgee22");
			await exchange(world, page, id, 1);
		}
	}],
	["the history names the authors", async (world) => {
		const page = await chosen(world, "reversi", "Lurgee (documents)");
		await group(page, "Engine").getByRole("link", { name: "History" }).click();
		await page.getByRole("heading", { name: "History" }).waitFor();
		for (const who of ["Leonardo Torres y Quevedo", "John White", "Christoph Nahr", "Michael Patricios", "Rudd Johnson"])
			await page.locator("dt").getByText(who).waitFor();
	}],
]);
