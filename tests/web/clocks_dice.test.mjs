// clocks_dice.test.mjs - clocks that run and fall; dice that the server promises and proves, and real ones that are typed.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { acceptance, enter, inStep, mouse, until } from "./support.mjs";

acceptance("clocks and dice", [], [
	["the clock of who is to move runs, and the flag falls", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "connect4", seats: ["human", "human"], clock: "4+0" });
		const first = page.getByRole("timer", { name: "Red's clock" }), second = page.getByRole("timer", { name: "Yellow's clock" });
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[0]);
		await inStep(world, page, id, ({ line }) => line.length === 1);
		const left = Number(await second.textContent());
		await until("the clock to run", async () => Number(await second.textContent()) < left);
		assert.ok(Number(await first.textContent()) > 0);
		await page.getByText(/ on time/).first().waitFor();
		const play = await world.server.get(`/api/v1/plays/${id}`);
		assert.equal(play.reason, "time");
		assert.equal(play.result, "win 1");
	}],
	["the server promises its dice before the throw and proves them after", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"], dice: "server" });
		await page.getByRole("checkbox", { name: "Roll automatically" }).uncheck();
		/* The first throw may have come before the box was free: then there is a move to make first. */
		const { view } = await inStep(world, page, id);
		if (view.seat !== 0)
			await enter(world, page, mouse, view, view.moves[0]);
		await page.getByText("Commitment before the roll").waitFor();
		const { dice: { commit } } = await until("a promise", async () => {
			const play = await world.server.get(`/api/v1/plays/${id}`);
			return play.dice.commit ? play : null;
		});
		await page.getByText(commit.slice(0, 16)).waitFor();
		await page.getByRole("button", { name: "Roll", exact: true }).click();
		const { dice: { last } } = await inStep(world, page, id, (play) => play.dice.last?.commit === commit);
		assert.equal(last.commit, commit);
		assert.equal(createHash("sha256").update(Buffer.from(last.secret, "hex")).digest("hex"), commit, "the promise was broken");
		assert.ok(last.seed.length > 0, "the player's own seed is mixed in");
		await page.getByText(`✓ ${last.move}: verified fair`).click();
		await page.getByText(last.secret).waitFor();
	}],
	["dice are thrown by themselves if one likes", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"] });
		await inStep(world, page, id, (play) => play.dice.last !== null);
		await page.getByText(/verified fair/).waitFor();
	}],
	["real dice are typed", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"], dice: "typed" });
		await page.getByText("Roll your dice and enter the result.").first().waitFor();
		const { view } = await inStep(world, page, id);
		assert.equal(view.seat, 0);
		const thrown = view.moves[view.moves.length - 1];
		await enter(world, page, mouse, view, thrown);
		const play = await inStep(world, page, id, ({ line }) => line.length === 1);
		assert.equal(play.line[0].move, thrown.move);
		assert.equal(play.line[0].seat, 0);
	}],
]);
