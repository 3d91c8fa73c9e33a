// watch.test.mjs - matches from their journals: a finished one to click through, and one that goes on.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptance, board, checkBoard, countIs, enter, mouse, quevedo, until } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "quevedo-matches-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const command = (game, name, games, players) => ["match", game, "--games", String(games), "--journal", join(folder, name),
	...players.flatMap((player) => ["--player", player])];

acceptance("matches", () => {
	const made = spawnSync(quevedo, command("connect4", "finished", 8, ["one=level:1", "two=level:2"]), { encoding: "utf8", timeout: 120000 });
	assert.equal(made.status, 0, made.stderr);
	return ["--matches", folder];
}, [
	["a finished match: standings, Elo, each game with a scratch board", async (world) => {
		const player = await world.player();
		const page = await player.tab("/watch");
		await page.getByRole("link", { name: "Watch finished" }).click();
		await page.getByText("8 of 8 games").waitFor();
		const { standings } = await player.get("/api/v1/matches/finished");
		for (const one of standings)
			await page.getByRole("row", { name: new RegExp(`^${one.name} ${one.games} `) }).waitFor();
		await page.getByRole("img", { name: /Elo/ }).waitFor();
		const games = page.getByRole("list", { name: "Games, newest first" }).getByRole("button");
		await countIs(games, 8);
		await games.nth(7).click();
		await page.getByRole("heading", { name: /^Game 1:/ }).waitFor();
		const { start, moves } = await player.get("/api/v1/matches/finished/games/1");
		const at = async (line) => (await player.ask("POST", "/api/v1/positions", { game: "connect4", position: start, moves: line })).body;
		await page.getByRole("button", { name: "Go to the start" }).click();
		await page.getByRole("button", { name: "Next move" }).click();
		const view = await at([moves[0].move]);
		await until("the first move", () => checkBoard(world, page, view));
		const own = view.moves.find(({ move }) => move !== moves[1].move);
		await enter(world, page, mouse, view, own);
		await page.getByText("Your variation.").waitFor();
		const scratch = await at([moves[0].move, own.move]);
		await until("my own line", () => checkBoard(world, page, scratch));
		await page.getByRole("button", { name: "Back to the game" }).click();
		await until("the game", () => checkBoard(world, page, view));
	}],
	["a match that goes on is seen live", async (world) => {
		const referee = spawn(quevedo, [...command("connect4", "running", 1000, ["a=alphabeta:time=20ms", "b=negascout:time=20ms"])], { stdio: "ignore" });
		const gone = new Promise((done) => referee.once("exit", done));
		try {
			const player = await world.player();
			await until("the journal", async () => (await player.get("/api/v1/matches")).some(({ name, running }) => name === "running" && running));
			const page = await player.tab("/watch/running");
			await board(page).waitFor();
			await page.getByText("live", { exact: true }).waitFor();
			const finished = async () => Number(/^(\d+) of/.exec(await page.getByText(/of 1,000 games/).textContent())[1]);
			const before = await finished();
			await until("more games", async () => await finished() > before, 60000);
		} finally {
			referee.kill("SIGKILL");
			await gone;
		}
	}],
]);
