// chess.test.mjs - chess on the page: castling by clicks, a promotion by dragging with its choice, check and mate.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, inStep } from "./support.mjs";

const two = { game: "chess", seats: ["human", "human"] };

/** Waits until the position's text is this, and the page shows it. */
function at(world, page, id, position) {
	return inStep(world, page, id, (play) => play.view.position === position);
}

acceptance("chess", [], [
	["castling is the king's move", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ ...two, position: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" });
		await cell(page, "e1").click();
		await cell(page, "g1").click();
		await at(world, page, id, "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
		await cell(page, "e8").dragTo(cell(page, "c8"));
		await at(world, page, id, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
	}],
	["a promotion asks for the piece", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ ...two, position: "1r4k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1" });
		await cell(page, "a7").dragTo(cell(page, "b8"));
		const choice = page.getByRole("dialog");
		await choice.waitFor();
		assert.equal(await choice.getByRole("button", { name: /a7b8[qrbn]/ }).count(), 4);
		await choice.getByRole("button", { name: /a7b8r/ }).click();
		const play = await at(world, page, id, "1R4k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
		assert.equal(play.result, "win 1");
		assert.match(await board(page).getByRole("gridcell", { name: /^g8, / }).getAttribute("aria-label"), /black king.*marked/);
	}],
]);
