// live.test.mjs - a game against the computer while it thinks, on the server.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, inStep, PATIENCE, until } from "./support.mjs";

const SLOW = "alphabeta:depth=60,time=10s";

/** A game of chess against a player that would think for ten seconds, after your first move. */
async function slowGame(world, options) {
	const player = await (await world.player(options)).useServerEngine();
	const { page, id } = await player.play({ game: "chess", seats: ["human", SLOW] });
	await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: "e2e4" });
	return { player, page, id };
}

/** The computer has moved. */
const answered = ({ line, view }) => line.length > 1 && view.seat === 1;

/**
 * Tells the computer in this way to move. It may think for ten seconds and no longer: where that was too short for the page, once more
 * after another move of yours.
 */
async function hurry(world, { player, page, id }, tell) {
	const wanted = (one) => one.url().endsWith("/actions") && one.status() === 200;
	for (let tries = 1; ; tries++)
		try {
			return await Promise.all([page.waitForResponse(wanted, { timeout: PATIENCE / 2 }), tell()]);
		} catch (error) {
			if (tries === 5)
				throw error;
			world.allow(/409/);
			const { view } = await inStep(world, page, id, answered);
			await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: view.moves[0].move });
		}
}

/** Writes down the frequencies of the notes that the page plays. */
function listen() {
	window.notes = [];
	const gain = { value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} };
	const node = (more) => ({ connect: (next) => next, start() {}, stop() {}, ...more });
	window.AudioContext = class {
		currentTime = 0;
		sampleRate = 8000;
		state = "running";
		destination = {};
		createBuffer = (_, length) => ({ getChannelData: () => new Float32Array(length) });
		createBufferSource = () => node({});
		createBiquadFilter = () => node({ frequency: {}, Q: {} });
		createGain = () => node({ gain });
		createOscillator = () => node({ frequency: { set value(hz) { window.notes.push(hz); } } });
	};
}

acceptance("live", [], [
	["Move now: by the button, then by the key", async (world) => {
		const game = await slowGame(world), { player, page, id } = game;
		const button = page.getByRole("button", { name: "Move now" });
		await hurry(world, game, () => button.click({ timeout: PATIENCE / 2 }));
		const { view, line } = await inStep(world, page, id, answered);
		await until("the button to go", async () => await button.count() === 0);
		await until("the focus on the board", () => page.evaluate(() => document.activeElement.getAttribute("role") === "gridcell"));
		await page.keyboard.press("n"); // nobody thinks: nothing happens
		await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: view.moves[0].move });
		await hurry(world, game, async () => {
			await button.waitFor({ timeout: PATIENCE / 2 });
			await page.keyboard.press("n");
		});
		await inStep(world, page, id, (play) => play.line.length > line.length && answered(play));
	}],
	["who watches has no such button, and is refused", async (world) => {
		const { player, id } = await slowGame(world);
		const other = await world.player();
		const page = await other.tab(`/play/${id}`);
		await page.getByText("You are watching this game.").waitFor();
		const { status } = await other.ask("POST", `/api/v1/plays/${id}/actions`, { action: "move_now" });
		assert.equal(status, 403);
		assert.equal(await page.getByRole("button", { name: "Move now" }).count(), 0);
		await player.ask("POST", `/api/v1/plays/${id}/actions`, { action: "resign" });
	}],
	["the computer's thoughts: off at first, then live, then those of its last move", async (world) => {
		const game = await slowGame(world), { page, id } = game;
		const panel = page.getByRole("region", { name: "Computer's thoughts" });
		assert.equal(await panel.locator(".best-line").count(), 0);
		await panel.getByRole("button", { name: "Show" }).click();
		await hurry(world, game, async () => {
			await panel.getByText(/is thinking\. It has looked \d+ pl(y|ies) ahead, at \S+ positions…/).waitFor({ timeout: PATIENCE / 2 });
			await page.keyboard.press("n");
		});
		const { line } = await inStep(world, page, id, answered), { short } = line.at(-1);
		await panel.getByText(new RegExp(`played ${short}\\. It looked \\d+ pl(y|ies) ahead, `)).waitFor();
		assert.ok((await panel.locator(".best-line span").textContent()).startsWith(short));
		await page.reload(); // the setting lasts, and the server still has the thoughts
		await panel.getByText(`played ${short}. It looked `).waitFor();
		await panel.getByRole("button", { name: "Hide" }).click();
		await until("the line to go", async () => await panel.locator(".best-line").count() === 0);
	}],
	["games between people have no such panel", async (world) => {
		const player = await world.player();
		const { page } = await player.play({ game: "chess", seats: ["human", "open"] });
		assert.equal(await page.getByText("Computer's thoughts").count(), 0);
	}],
	["a refused move has a sound of its own", async (world) => {
		const player = await world.player();
		await player.context.addInitScript(listen);
		const { page } = await player.play({ game: "chess", seats: ["human", "human"] });
		world.allow(/409/);
		const field = page.getByRole("combobox", { name: "Type a move" });
		await field.fill("e4");
		await field.press("Enter");
		await page.getByText("Black to move.").first().waitFor();
		assert.deepEqual(await page.evaluate(() => window.notes), []);
		await field.fill("e4");
		await field.press("Enter");
		await until("the sound", () => page.evaluate(() => window.notes.length === 2));
		const [first, second] = await page.evaluate(() => window.notes);
		assert.ok(second < first, "it does not fall");
	}],
	["the hint is played by its button, and by the key", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "noughts", seats: ["human", "level:1"] });
		const hinted = async () => /Hint: (\d)/.exec(await page.locator(".happened").textContent())[1];
		await page.keyboard.press("h");
		await page.getByRole("button", { name: "Play it" }).waitFor();
		const first = await hinted();
		await page.getByRole("button", { name: "Play it" }).click();
		const { line } = await inStep(world, page, id, (play) => play.line.length === 2);
		assert.equal(line[0].move, first);
		assert.equal(await page.getByRole("button", { name: "Play it" }).count(), 0);
		await page.keyboard.press("y"); // no hint is shown
		await page.keyboard.press("h");
		await page.getByRole("button", { name: "Play it" }).waitFor();
		const second = await hinted();
		await page.keyboard.press("y");
		const later = await inStep(world, page, id, (play) => play.line.length >= 4);
		assert.equal(later.line[2].move, second);
	}],
]);
