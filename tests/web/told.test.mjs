// told.test.mjs - what the page tells of moves: before a roll, in a review with dice, by arrows, and while the server is away.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, inStep, until } from "./support.mjs";

acceptance("moves are told", [], [
	["after your roll the move of the computer is still marked and told", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "backgammon", seats: ["level:1", "human"], dice: "server" });
		/* Until you roll after a move of the computer. */
		const seen = await until("your roll after a move", async () => {
			const play = await player.get(`/api/v1/plays/${id}`), { line, view } = play;
			const roll = page.getByRole("button", { name: "Roll", exact: true });
			if (line.at(-1)?.seat === 0 && line.at(-2)?.seat === 1 && view.seat === 2)
				return play;
			if (await roll.count())
				await roll.click({ timeout: 1000 }).catch(() => {});
			else if (view.seat === 2)
				await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: view.moves[0].move });
			return null;
		});
		await page.getByText(/\(white\) played .*\. You rolled \d-\d\./).first().waitFor();
		assert.ok(seen.view.last.touches.length > 0);
		await page.locator(".ring.last, .mark.last, [class*=last]").first().waitFor();
	}],
	["the review of a game with dice has a row for each turn, and asks for no dice", async (world) => {
		const moves = ["roll 31", "8/5 6/5", "roll 54", "13/9 13/8"];
		const page = await world.visit(`/review?game=backgammon&moves=${encodeURIComponent(moves.join(","))}`);
		const rows = page.locator(".review-moves li");
		await rows.first().waitFor();
		assert.equal(await rows.count(), 1);
		assert.match((await rows.first().innerText()).replace(/\s+/g, " "), /^1 3-1 8\/5 6\/5.* 5-4 13\/9 13\/8/);
		await page.getByRole("button", { name: "Go to the end" }).click();
		await page.getByText(/^White rolls\.$/).first().waitFor();
		assert.equal(await page.getByText("Roll your dice").count(), 0);
	}],
	["a game of four players is not reviewed", async (world) => {
		world.allow(/409/);
		const page = await world.visit("/review?game=starchess&moves=end");
		await page.getByText("Games of more than two players are not reviewed.").waitFor();
	}],
	["the arrow of the best move lies on top", async (world) => {
		const page = await world.visit("/analyse?game=chess&moves=e4,e5,Nf3,Nc6");
		await page.getByRole("combobox", { name: /lines/i }).first().selectOption("3").catch(() => {});
		const arrows = page.locator(".over > .arrow");
		await until("arrows", async () => await arrows.count() > 1);
		assert.match(await arrows.last().getAttribute("class"), /hint/);
	}],
	["without its server a move shows at once, the computer of this browser answers, and both are stored later", async (world) => {
		world.allow(/ERR_|Failed to load|NetworkError|can’t establish/);
		const player = await world.player();
		const { page, id } = await player.play({ game: "noughts", seats: ["human", "level:1"], engine: "browser" });
		await until("the engine of the browser", async () => (await player.get(`/api/v1/plays/${id}`)).engine === "browser");
		await cell(page, "1").click();
		await inStep(world, page, id, (play) => play.line.length === 2);
		const free = (await player.get(`/api/v1/plays/${id}`)).view.moves[0].move;
		await page.route("**/api/v1/plays/**", (route) => route.abort("connectionrefused"));
		await cell(page, free).click();
		const occupied = () => board(page).locator("[role=gridcell]").evaluateAll((all) => all.filter((one) => /cross|nought/i.test(one.getAttribute("aria-label") ?? "")).length);
		await until("both moves", async () => await occupied() === 4);
		await page.unroute("**/api/v1/plays/**");
		const { line } = await until("the server to have them", async () => {
			const play = await player.get(`/api/v1/plays/${id}`);
			return play.line.length >= 4 && play;
		});
		assert.equal(line[2].move, free);
	}],
]);
