// clocks_dice.test.mjs - clocks that run and fall; dice that the server promises and proves, and real ones that are typed.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { acceptance, enter, inStep, mouse, until } from "./support.mjs";

/* "6-2" of "roll 62" */
const rollName = (move) => move.replace(/^roll (\d)[ ]?(\d?)$/, (_, one, other) => [one, other].filter(Boolean).join("-"));

acceptance("clocks and dice", [], [
	["the clock of who is to move runs, and the flag falls", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "connect4", seats: ["human", "human"], clock: "5m" });
		const first = page.getByRole("timer", { name: "Red's clock" }), second = page.getByRole("timer", { name: "Yellow's clock" });
		const seconds = async (clock) => (await clock.textContent()).split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[0]);
		await inStep(world, page, id, ({ line }) => line.length === 1);
		const left = await seconds(second), stands = await seconds(first);
		const width = (await second.boundingBox()).width;
		await until("the clock to run", async () => await seconds(second) < left);
		assert.equal((await second.boundingBox()).width, width, "its place stays");
		assert.equal(await seconds(first), stands);
		assert.ok(stands > 0);
		/* A clock that waits for somebody to join. */
		const { page: other } = await player.play({ game: "connect4", seats: ["human", "open"], clock: "9+0" });
		const short = other.getByRole("timer", { name: "Red's clock" });
		await until("the mark: colour is not the only one of a short time", () =>
			short.evaluate((one) => getComputedStyle(one, "::before").content === '"!"'));
		/* The flag falls while a page is open; on a slow machine perhaps before, or even before the first move. */
		const lost = await until("a game that has begun in time", async () => {
			const { body } = await player.ask("POST", "/api/v1/plays", { game: "connect4", seats: ["human", "human"], clock: "4+0" });
			return (await player.ask("POST", `/api/v1/plays/${body.id}/moves`, { move: "4" })).status === 200 && body.id;
		});
		const last = await player.tab(`/play/${lost}`);
		await last.getByText(/ on time/).first().waitFor();
		const play = await world.server.get(`/api/v1/plays/${lost}`);
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
		await page.locator(".proof summary").click();
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
		await page.getByText(`✓ ${rollName(last.move)}: verified fair`).waitFor();
		await page.getByText(last.secret).waitFor();
	}],
	["the proof holds in every game with dice: the number follows from secret and seed, and the roll from the number", async (world) => {
		const player = await world.player();
		for (const [game, first] of [["backgammon", null], ["warptrog", "warp"]]) {
			const { page, id } = await player.play({ game, seats: ["human", "human"] });
			if (first)
				await page.getByRole("button", { name: "Warp", exact: true }).click();
			const play = await until("a roll", async () => {
				const now = await world.server.get(`/api/v1/plays/${id}`);
				return now.view.seat !== 0 && now.dice.last && now;
			});
			const { last } = play.dice;
			const secret = Buffer.from(last.secret, "hex");
			assert.equal(createHash("sha256").update(secret).digest("hex"), last.commit);
			const hash = createHash("sha256").update(secret).update(last.seed + id + last.ply).digest();
			assert.equal(Number(hash.readBigUInt64BE(0) % BigInt(last.weights)), last.number);
			const before = await player.ask("POST", "/api/v1/positions", { game, position: play.start, moves: play.line.slice(0, last.ply).map(({ move }) => move) });
			const numbers = before.body.moves.flatMap(({ move, weight = 1 }) => Array(weight).fill(move));
			assert.equal(numbers.length, last.weights);
			assert.equal(numbers[last.number], last.move);
			await page.getByText(`✓ ${rollName(last.move)}: verified fair`).click();
			await page.getByText(`${last.number} (of 0 to ${last.weights - 1}): ${last.move}`).waitFor();
			/* The same for somebody who comes later. */
			const later = await player.tab(`/play/${id}`);
			await later.getByText(`✓ ${rollName(last.move)}: verified fair`).click();
			await later.getByText(`${last.number} (of 0 to ${last.weights - 1}): ${last.move}`).waitFor();
		}
	}],
	["a roll that is not taken can be made by hand", async (world) => {
		world.allow(/429/);
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"], dice: "server" });
		await page.route(/\/actions$/, (route) => route.fulfill({ status: 429, json: { error: { code: "too_many", message: "requests: try again soon" } } }));
		/* The first roll may have come before. */
		const { view } = await inStep(world, page, id);
		if (view.seat !== 0)
			await enter(world, page, mouse, view, view.moves[0]);
		const roll = page.getByRole("button", { name: "Roll", exact: true });
		await roll.waitFor();
		await page.locator(".dice.manual").waitFor(); // with room for the button
		await page.unroute(/\/actions$/);
		await roll.click();
		await inStep(world, page, id, (play) => play.view.seat !== 0);
		await until("the button to go", async () => await roll.count() === 0);
	}],
	["dice are thrown by themselves if one likes", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"] });
		await inStep(world, page, id, (play) => play.dice.last !== null);
		await page.getByText(/verified fair/).waitFor();
	}],
	["luck is shown, and the tutor comments on moves if asked", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "race", seats: ["human", "human"], dice: "typed", position: "0,3,9,12 1,5,6,14 1 -" });
		const luck = page.getByRole("region", { name: "Luck" });
		await luck.getByText("Luck and tutor").click();
		await luck.getByRole("row", { name: /^Blue \+0\.00$/i }).waitFor();
		await luck.getByRole("row", { name: /^Red \+0\.00$/i }).waitFor();
		await luck.getByRole("checkbox").check();
		await luck.getByText("No comment yet.").waitFor();
		const { view } = await inStep(world, page, id);
		await enter(world, page, mouse, view, view.moves[view.moves.length - 1]);
		const rolled = await inStep(world, page, id, ({ line }) => line.length === 1);
		assert.equal(rolled.line[0].roller, 1);
		assert.equal(rolled.luck.seats[0], rolled.line[0].luck);
		await luck.getByText(`${rolled.line[0].luck < 0 ? "−" : "+"}${Math.abs(rolled.line[0].luck).toFixed(2)}`).first().waitFor();
		await enter(world, page, mouse, rolled.view, rolled.view.moves[0]);
		const moved = await inStep(world, page, id, ({ line }) => line.length === 2);
		assert.ok(moved.line[1].loss >= 0);
		await luck.getByText(new RegExp(`^${moved.line[1].move} is (a good move|doubtful|bad|very bad)`)).waitFor();
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
