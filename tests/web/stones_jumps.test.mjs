// stones_jumps.test.mjs - go-moku by finger, mouse and buttons; draughts: jumps over several pieces, and why a click is refused.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, board, cell, control, countIs, inStep, notInFirefox, tap, until } from "./support.mjs";

const seats = ["human", "human"];
const moves = (text) => text.split(" ");
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/* i8 would make two open threes. */
const doubleThree = moves("g8 a1 h8 c1 i9 e1 i10 a15");

/** The pixel in the middle of a point, or beside it. */
async function spot(page, name, dx = 0) {
	const box = await cell(page, name).boundingBox();
	return [box.x + box.width / 2 + dx * box.width, box.y + box.height / 2];
}

/** The contrast of two colours such as rgb(1, 2, 3), as WCAG defines it. */
function contrast(one, other) {
	const [a, b] = [one, other].map((colour) => {
		const [red, green, blue] = colour.match(/[\d.]+/g).map((part) => part / 255)
			.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
	});
	return Math.max(a, b) / Math.min(a, b);
}

acceptance("stones and jumps", [], [
	["a tap shows the stone, a second one or the button places it", async (world) => {
		const { page, id } = await (await world.player(phone)).play({ game: "gomoku:size=19", seats });
		const name = board(page).locator(".point-name");
		const place = page.getByRole("button", { name: "Place", exact: true });
		assert.ok(await place.isDisabled());
		await page.touchscreen.tap(...await spot(page, "k10", 0.3));
		assert.equal(await name.textContent(), "k10");
		await page.getByText("Column k, row 10", { exact: true }).waitFor();
		await page.touchscreen.tap(...await spot(page, "s10", 0.9)); // beside the board's last line
		await page.getByText("Column s, row 10", { exact: true }).waitFor();
		assert.equal((await world.server.get(`/api/v1/plays/${id}`)).line.length, 0, "nothing is placed yet");
		await page.touchscreen.tap(...await spot(page, "s10"));
		await inStep(world, page, id, ({ line }) => line.length === 1 && line[0].move === "s10");
		assert.equal(await name.count(), 0);
		await page.touchscreen.tap(...await spot(page, "k10"));
		await name.waitFor();
		await tap(place);
		await inStep(world, page, id, ({ line }) => line.length === 2 && line[1].move === "k10");
	}, notInFirefox("touch the screen")],
	["a mouse previews and places; forbidden points are marked and explained", async (world) => {
		world.allow(/40\d|422/);
		const { page, id } = await world.play({ game: "gomoku:rule=renju", seats, moves: doubleThree });
		await board(page).getByRole("gridcell", { name: "i8, empty, forbidden" }).waitFor();
		await countIs(board(page).locator(".over.forbidden path"), 1);
		await cell(page, "j9").hover();
		await countIs(board(page).locator(".preview .stone"), 1);
		await cell(page, "i8").click();
		await page.getByText(/forbidden to Black: it makes a double three/).first().waitFor();
		await cell(page, "j9").click();
		await inStep(world, page, id, ({ line }) => line.length === 9);
		assert.equal(await board(page).locator(".over.forbidden path").count(), 0, "White may play everywhere");
	}],
	["swap2: colours are taken by buttons, and the seats have them then", async (world) => {
		const { page, id } = await world.play({ game: "gomoku:opening=swap2", seats, moves: moves("h8 i9 j8") });
		await page.getByText("Player 2: Take a colour, or place two more stones?").first().waitFor();
		await page.getByRole("button", { name: "Take White" }).waitFor();
		await page.getByRole("button", { name: "Take Black" }).click();
		await inStep(world, page, id, ({ line }) => line.length === 4);
		await page.getByText("White to move.").first().waitFor();
		await page.getByText(/ took Black\.$/).first().waitFor();
		const names = await page.locator(".seat").evaluateAll((bars) => bars.map((one) => one.getAttribute("aria-label")));
		assert.deepEqual(names, ["Black", "White"], "the first player, below, has White");
	}],
	["in the dark scheme, the outline of Black's stone beside the name stands out", async (world) => {
		for (const game of ["gomoku", "draughts"]) {
			const { page } = await (await world.player({ colorScheme: "dark" })).play({ game, seats });
			const colours = await page.getByRole("group", { name: "Black" }).evaluate((bar) => {
				const body = getComputedStyle(bar.querySelector(".chip .body"));
				return { edge: body.stroke, width: parseFloat(body.strokeWidth), ground: getComputedStyle(bar).backgroundColor };
			});
			assert.ok(colours.width >= 5, `${game}: ${colours.width} of 100`);
			assert.ok(contrast(colours.edge, colours.ground) >= 4.5, `${game}: ${colours.edge} on ${colours.ground}`);
		}
	}],
	["Star Chess on a phone: the turn ends without scrolling, the next one begins with its orders, and no keyboard opens by itself", async (world) => {
		const { page } = await (await world.player(phone)).play({ game: "starchess", seats: [...seats, ...seats] });
		const end = page.getByRole("button", { name: "End turn" });
		const bottom = async (locator) => (await locator.boundingBox().then(({ y, height }) => y + height));
		await tap(page.getByRole("gridcell", { name: /^A1, / }));
		await tap(page.getByRole("gridcell", { name: /^A2, / }));
		await page.getByRole("dialog").waitFor();
		await until("the focus on a button", () => page.evaluate(() => document.activeElement.tagName === "BUTTON"));
		await page.keyboard.press("Escape");
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		assert.ok(await bottom(end) <= 844, "the button is in sight");
		await tap(end);
		await page.getByText(/home world A4/).waitFor();
		await until("the orders", async () => (await page.locator(".starchess .heading").boundingBox()).y >= await bottom(page.locator(".starmap")) - 1 && await bottom(page.locator(".guide")) < 844);
	}, notInFirefox("touch the screen")],
	["draughts: the numbers of squares can be read on a phone", async (world) => {
		const { page } = await (await world.player(phone)).play({ game: "draughts", seats });
		const number = board(page).locator(".under text").getByText("18", { exact: true });
		assert.ok((await number.boundingBox()).height >= 11);
		/* Black, who moves first, is at the bottom. */
		assert.ok((await cell(page, "1").boundingBox()).y > (await cell(page, "32").boundingBox()).y);
	}],
	["draughts: jumps are clicked square by square, or at their end; a wrong piece is told that it must capture", async (world) => {
		const player = await world.player();
		const { page, id } = await player.play({ game: "draughts", seats, position: "W:W22,32:B18,11,1" });
		await cell(page, "32").click();
		await page.getByText("You must capture: 22x15x8.").first().waitFor();
		await cell(page, "22").click();
		await cell(page, "15").click();
		await board(page).getByRole("gridcell", { name: /^15, white man/ }).waitFor();
		await countIs(board(page).locator(".piece.used"), 1, "the piece that is jumped over");
		await cell(page, "8").click();
		await inStep(world, page, id, ({ line }) => line[0]?.move === "22x15x8");
		await (await control(page, "Export")).click();
		await page.getByRole("button", { name: "Download: PDN" }).waitFor();
		/* Two paths end on 18: the page asks for one of them. */
		const two = await player.play({ game: "draughts", seats, position: "B:W6,7,14,15,32:B2" });
		await cell(two.page, "2").click();
		await cell(two.page, "18").click();
		await two.page.getByRole("dialog").getByRole("button", { name: "2x11x18" }).click();
		await inStep(world, two.page, two.id, ({ line }) => line[0]?.move === "2x11x18");
	}],
]);
