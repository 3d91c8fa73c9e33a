// backgammon.test.mjs - backgammon: turns step by step, dice, the bar, Black's side, the cube, and a whole game.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, axeSource, cell, countIs, dealer, enter, inStep, mouse, tap, until } from "./support.mjs";

const START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5";
const seats = ["human", "human"];
const label = (page, name) => cell(page, name).getAttribute("aria-label");
const shows = (page, name, text) => until(`${name}: ${text}`, async () => (await label(page, name)).replace(/^point /, "").startsWith(`${name}, ${text}`));

async function click(page, ...names) {
	for (const name of names)
		await cell(page, name).click();
}

acceptance("Backgammon", [], [
	["a turn step by step: the man moves, its die is dimmed, a blot goes to the bar, steps are taken back", async (world) => {
		const { page, id } = await world.play({ game: "backgammon", seats, position: "24:2,13:5,8:3,6:5 24:2,18:1,13:4,8:3,6:5 1 65" });
		await click(page, "13");
		await countIs(page.locator(".target.taken"), 1, "the blot on 7 can be hit");
		await click(page, "7");
		await shows(page, "7", "white man");
		await shows(page, "13", "4 white men");
		await shows(page, "Black's bar", "black man");
		await countIs(page.locator(".piece.used"), 1);
		assert.equal(await page.locator(".target.taken").count(), 0, "men that can move next have no ring");
		await page.keyboard.press("Backspace");
		await shows(page, "13", "5 white men");
		await shows(page, "7", "black man");
		await click(page, "13", "7", "8");
		await page.getByRole("button", { name: "Undo all" }).click();
		await shows(page, "7", "black man");
		await click(page, "8", "3", "13", "7"); // in the other order
		const { line } = await inStep(world, page, id, (play) => play.line.length >= 1);
		assert.equal(line[0].move, "13/7* 8/3");
	}],
	["both steps of a man at once, by clicks and by dragging", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "backgammon", seats, position: `${START} 1 53` });
		await click(page, "13", "5");
		assert.equal((await inStep(world, page, id, (play) => play.line.length >= 1)).line[0].move, "13/5");
		const other = await player.play({ game: "backgammon", seats, position: `${START} 1 31` });
		await cell(other.page, "8").dragTo(cell(other.page, "5"));
		await shows(other.page, "5", "white man");
		await cell(other.page, "6").dragTo(cell(other.page, "5"));
		assert.equal((await inStep(world, other.page, other.id, (play) => play.line.length >= 1)).line[0].move, "8/5 6/5");
	}],
	["Black sits at his own side and counts from there", async (world) => {
		const { page, id } = await world.play({ game: "backgammon", seats: ["level:1", "human"], position: `${START} 2 31` });
		await shows(page, "24", "2 black men");
		await click(page, "8", "5", "6", "5");
		const play = await until("the move", async () => {
			const now = await world.server.get(`/api/v1/plays/${id}`);
			return now.line.length && now;
		});
		assert.equal(play.line[0].move, "8/5 6/5");
	}],
	["the cube: roll or double, take or drop, and the points at the end", async (world) => {
		const { page, id } = await world.play({ game: "backgammon:match=3", seats, position: `${START} 1 - cube 1 - match 3 0 1` });
		await page.getByText("White: Roll, or double to 2?").first().waitFor();
		await page.getByText("167 pips · 1 of 3").waitFor();
		await page.evaluate(axeSource());
		const { violations } = await page.evaluate(() => window.axe.run(document.querySelector(".table")));
		assert.deepEqual(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html}`), []);
		await page.getByRole("button", { name: "Double", exact: true }).click();
		await page.getByText("Black: You are doubled to 2. Take or drop?").first().waitFor();
		await page.getByRole("button", { name: "Take", exact: true }).click();
		await inStep(world, page, id, ({ view }) => view.position.includes("cube 2 2"));
		const end = await world.play({ game: "backgammon:cube=1", seats, position: "1:1,off:14 19:1,1:14 1 31 cube 2 1" });
		await click(end.page, "1", "White's tray");
		await end.page.getByText("White won a backgammon, 6 points").first().waitFor();
	}],
	["keys double, drop and take back steps, and a man is not taken off before the others are home", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "backgammon:cube=1", seats, position: `${START} 1 - cube 1 -` });
		await page.getByText("White: Roll, or double to 2?").first().waitFor();
		await page.keyboard.press("d");
		await page.getByText("Black: You are doubled to 2. Take or drop?").first().waitFor();
		await page.keyboard.press("x");
		await page.getByText("White won 1 point").first().waitFor();
		await page.getByText("Black dropped the double.").first().waitFor();
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).line[1].move, "drop");
		const home = await player.play({ game: "backgammon", seats, position: "8:1,4:1,off:13 6:15 1 42" });
		await click(home.page, "4");
		assert.doesNotMatch(await label(home.page, "White's tray"), /can be reached/);
		await click(home.page, "8", "6", "4");
		assert.match(await label(home.page, "White's tray"), /can be reached/);
	}],
	["on a phone the board is upright, with points that a finger can hit", async (world) => {
		const player = await world.player({ viewport: { width: 390, height: 844 }, hasTouch: true });
		const { page, id } = await player.play({ game: "backgammon:match=3", seats, position: `${START} 1 31 cube 2 1 match 3 0 1` });
		const sides = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		assert.ok(sides <= 0, `scrolls sideways by ${sides}`);
		for (const name of ["1", "12", "13", "24"]) {
			const { height, width } = await cell(page, name).boundingBox();
			assert.ok(height >= 40 && width >= 120, `${name}: ${width} x ${height}`);
		}
		await countIs(page.getByText("167 pips"), 2);
		await tap(cell(page, "8"));
		await tap(cell(page, "5"));
		await shows(page, "5", "white man");
		const { height } = await page.getByRole("button", { name: "Undo all" }).boundingBox();
		assert.ok(height >= 40, `the button is ${height} high`);
		await tap(cell(page, "6"));
		await tap(cell(page, "5"));
		assert.equal((await inStep(world, page, id, (play) => play.line.length >= 1)).line[0].move, "8/5 6/5");
	}],
	["the analysis board shows luck and errors by player, and leads to the errors", async (world) => {
		const query = new URLSearchParams({ game: "backgammon", position: `${START} 1 31`, moves: "13/9,roll 66" });
		const page = await world.visit(`/analyse?${query}`);
		const panel = page.getByRole("region", { name: "Luck and errors" });
		await panel.getByRole("button", { name: "Show" }).click();
		await panel.getByRole("row", { name: /^White \+0\.00 −0\.\d\d$/ }).waitFor();
		await panel.getByRole("row", { name: /^Black \+\d\.\d\d –$/ }).waitFor();
		await panel.getByText(/^Black: roll 66, luck \+/).waitFor();
		await panel.getByRole("button", { name: "White 13/9" }).click();
		await panel.getByText(/^13\/9 is (doubtful|bad|very bad) \(.*Better: 8\/5 6\/5\.$/).waitFor();
	}],
	["the formats of a new game", async (world) => {
		const page = await world.visit("/games/backgammon");
		await page.getByLabel("Format").selectOption("Match to 5 points");
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.getByText("167 pips · 0 of 5").first().waitFor();
	}],
	["a whole game against level 1", async (world) => {
		const { page, id } = await world.play({ game: "backgammon", seats: ["human", "level:1"],
			position: "6:2,4:2,2:2,off:9 6:2,5:2,4:2,off:9 1 -" });
		const pick = dealer(7);
		const ready = ({ result, view }) => result || view.seat === 1;
		for (;;) {
			const play = await inStep(world, page, id, ready);
			if (play.result)
				break;
			await enter(world, page, mouse, play.view, play.view.moves[pick(play.view.moves.length)]);
			await until("the move to be taken", async () => (await world.server.get(`/api/v1/plays/${id}`)).version > play.version);
		}
		await page.getByText(/^You (won|lost) 1 point$/).first().waitFor();
		await page.getByText(/skill [+−]\d\.\d\d/).waitFor();
	}],
	["on a phone, upright and on its side, and in a zoomed window, nothing overlaps", async (world) => {
		const { page } = await world.play({ game: "backgammon", seats: ["human", "level:1"], clock: "5m" });
		for (const [width, height] of [[390, 844], [844, 390], [640, 360], [320, 400]]) {
			await page.setViewportSize({ width, height });
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
			const cut = await page.locator(".controls .control").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
			assert.deepEqual(cut, [], `${width}x${height}`);
			const rows = await page.locator(".seat").evaluateAll((seats) => seats.map((seat) =>
				[...seat.querySelectorAll(".name, .who > .small, .count-text, .clock")].map((one) => one.getBoundingClientRect().toJSON())));
			for (const parts of rows)
				parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4,
					`${width}x${height}: ${JSON.stringify([a, b])}`)));
		}
	}],
]);
