// plugin.test.mjs - games that only plug-ins bring get a board and are played by mouse; the page knows nothing of them.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { acceptance, board, choose, dealer, mouse, playOut, quevedo } from "./support.mjs";

acceptance("a plug-in", () => ["breakthrough", "kalah"].flatMap((name) => ["--plugin", join(dirname(quevedo), `examples/${name}.so`)]), [
	["breakthrough is in the gallery and is played to its end", async (world) => {
		const player = await world.player();
		const { title } = (await player.get("/api/v1/games")).find(({ name }) => name === "breakthrough");
		const page = await player.tab("/");
		await page.getByRole("link", { name: `Rules and options for ${title}`, exact: true }).click();
		await choose(page, { name: /^Pass and play/ });
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.waitForURL(/\/play\//);
		await board(page).waitFor();
		const play = await playOut(world, page, page.url().split("/play/")[1], mouse, dealer(3));
		assert.match(play.result, /^win [12]$/);
		const picture = await fetch(`${world.server.url}/api/v1/pictures?game=breakthrough`);
		assert.equal(picture.headers.get("content-type"), "image/png");
	}],
	["a plug-in names its seats; the ring of a hint leaves the number of seeds visible", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "kalah", position: "0 0 0 12 0 0 6 1 0 1 2 1 1 24 1", seats: ["human", "human"] });
		await page.getByText("South to move.").waitFor();
		await page.getByRole("button", { name: "Hint", exact: true }).click();
		await page.locator(".board .arrow.ring + g .count", { hasText: "12" }).waitFor();
		const { status } = await player.ask("POST", `/api/v1/plays/${id}/actions`, { action: "resign", seat: 1 });
		assert.equal(status, 200);
		await page.getByRole("heading", { name: "North won by resignation" }).waitFor();
	}],
]);
