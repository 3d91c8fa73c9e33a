// ending.test.mjs - the end of a game: the panel, the score, what can be shared; and the list of finished games.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { acceptance, control, countIs, isFull, noViolations, onPhone, PHONE, until } from "./support.mjs";

const panel = (page) => page.locator(".end-panel");
const entries = (page) => page.getByRole("region", { name: "Finished" }).getByRole("listitem");

async function post(player, id, where, body) {
	const { status, body: answer } = await player.ask("POST", `/api/v1/plays/${id}/${where}`, body);
	assert.equal(status, 200, JSON.stringify(answer));
	return answer;
}

/** Plays a game on a page that is open, and waits for the panel. */
async function finish(player, body, moves, last, at) {
	const { page, id } = await player.play(body, at);
	for (const move of moves)
		await post(player, id, "moves", { move });
	if (last)
		await post(player, id, "actions", last);
	await panel(page).waitFor();
	return { page, id };
}

async function download(page, name) {
	const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
	return readFileSync(await file.path());
}

acceptance("the end of a game", [], [
	["B6: the seats show the score, the panel says the result once and keeps what comes next, also after a reload", async (world) => {
		const player = await world.player({ viewport: PHONE });
		const { page } = await finish(player, { game: "reversi", seats: ["human", "human"] }, ["d3", "c3"], { action: "resign", seat: 1 });
		await panel(page).getByRole("heading", { name: "White won by resignation" }).waitFor();
		await panel(page).getByRole("button", { name: "Rematch" }).waitFor();
		assert.equal((await page.locator("main").innerText()).match(/resignation/g).length, 1, "it is said once");
		assert.deepEqual(await page.locator(".seat .score").allTextContents(), ["3", "3"]);
		await until("the focus on the panel", () => panel(page).evaluate((element) => element === document.activeElement));
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
		await noViolations(page, "the panel");
		await page.reload();
		await panel(page).getByRole("button", { name: "Rematch" }).waitFor();
		for (const name of ["Rematch", "Share"])
			assert.ok(await panel(page).getByRole("button", { name }).isVisible(), name);
		assert.ok(await panel(page).getByRole("link", { name: "Review" }).isVisible());
		assert.ok(!await panel(page).evaluate((element) => element === document.activeElement), "an old end leaves the focus alone");
	}],
	["Star Chess and games with dice have it, too; a win leads to the next level", async (world) => {
		const player = await world.player({ reducedMotion: "no-preference" });
		const { page } = await finish(player, { game: "starchess:limit=1", seats: ["human", "human", "human", "human"] }, ["end", "end", "end", "end"]);
		await panel(page).getByRole("heading", { name: /^Draw/ }).waitFor();
		await countIs(panel(page).locator(".points"), 4);
		/* The others go on without you: you see that you resigned, and may watch. */
		await player.play({ game: "starchess:seed=3", seats: ["human", "level:1", "level:1", "level:1"] }, page);
		await (await control(page, "Resign")).click();
		await page.getByRole("button", { name: "Yes, resign" }).click();
		await panel(page).getByRole("heading", { name: "You resigned" }).waitFor();
		await panel(page).getByText("A computer plays on for Red.").waitFor();
		await countIs(panel(page).getByRole("list", { name: "Standing" }).getByRole("listitem"), 4);
		await panel(page).getByRole("button", { name: "Keep watching" }).click();
		await panel(page).waitFor({ state: "detached" });
		world.allow(/409.*(actions|moves)/); // you resign while the page rolls, or moves for the computer
		await finish(player, { game: "race", seats: ["human", "level:1"] }, [], { action: "resign" }, page);
		await panel(page).getByRole("heading", { name: "You resigned" }).waitFor();
		await finish(player, { game: "hexapawn", seats: ["human", "level:1"] }, ["a1-a2"], { action: "resign" }, page);
		assert.match(await panel(page).getByRole("link", { name: "Learn from your mistakes" }).getAttribute("href"), /^\/review\/[\w-]+\?learn=1$/);
		await finish(player, { game: "hexapawn", position: "..p/P../... w", seats: ["human", "level:1"] }, ["a2-a3"], null, page);
		await panel(page).getByRole("heading", { name: "You won" }).waitFor();
		await panel(page).getByText("A pawn of White reached the far side.").waitFor();
		await panel(page).getByRole("link", { name: "Review" }).waitFor();
		assert.equal(await panel(page).getByRole("link", { name: "Learn from your mistakes" }).count(), 0, "after a win");
		await page.locator("canvas.confetti").waitFor({ state: "attached" });
		await panel(page).getByRole("button", { name: "Next: Club" }).click();
		await until("the next game", async () => !page.url().includes("about:") && await panel(page).count() === 0 && await page.locator(".seat select").last().isVisible());
	}],
	["what can be shared: a picture, and an animation that another decoder reads", async (world) => {
		const { player, page } = await world.regular();
		await finish(player, { game: "connect4", seats: ["human", "human"] }, ["4", "3", "4", "3", "4", "3", "4"], null, page);
		await panel(page).getByRole("button", { name: "Share" }).click();
		const svg = String(await download(page, "Picture (SVG)"));
		assert.match(svg, /^<svg [^>]*viewBox=/);
		assert.ok(!svg.includes("class=") && svg.includes("Red won with four in a row"));
		const png = await download(page, "Picture (PNG)");
		assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
		const gif = await download(page, "Animation of the game (GIF)");
		const found = await page.evaluate(async (bytes) => {
			const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
			await Promise.all([decoder.completed, decoder.tracks.ready]);
			const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
			const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
			const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight), context = canvas.getContext("2d");
			context.drawImage(image, 0, 0);
			const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
			let red = 0, yellow = 0;
			for (let i = 0; i < data.length; i += 4)
				if (data[i] > 180 && data[i + 2] < 100)
					data[i + 1] > 150 ? yellow++ : data[i + 1] < 100 && red++;
			return { frameCount, repetitionCount, red, yellow, width: canvas.width };
		}, [...gif]);
		assert.equal(found.frameCount, 8, "the start and seven moves");
		assert.equal(found.repetitionCount, Infinity);
		assert.ok(found.width === 480 && found.red > 4000 && found.yellow > 3000 && found.red > found.yellow, JSON.stringify(found));
		await page.getByRole("img", { name: "The moves of this game, one after another" }).waitFor();
		if (isFull)
			await noViolations(page, "what can be shared");
	}],
	["B19: finished games are listed, searched, exported, reviewed and deleted, with a rating", async (world) => {
		const player = await world.player();
		const page = await player.tab("/");
		const make = async (body, last = { action: "resign" }) => {
			const { body: { id } } = await player.ask("POST", "/api/v1/plays", body);
			await post(player, id, "actions", last);
		};
		for (let i = 0; i < 27; i++)
			await make({ game: i ? "noughts" : "chess", seats: ["human", `level:${1 + i % 2}`] });
		if (onPhone)
			await page.getByRole("button", { name: "Menu", exact: true }).click();
		await page.getByRole("link", { name: "My games" }).first().click();
		await page.getByText("27 games: 0 won, 0 draws, 27 lost").waitFor();
		await countIs(entries(page), 25);
		await page.getByRole("button", { name: "Older games" }).click();
		await countIs(entries(page), 2);
		await page.getByRole("img", { name: /^After 26 games against levels your rating is \d+, give or take \d+\./ }).waitFor();
		await noViolations(page, "My games");
		await page.getByRole("search").getByLabel("Game").selectOption("chess");
		await page.getByText("1 game: 0 won, 0 draws, 1 lost").waitFor();
		assert.equal(await page.getByRole("button", { name: /^(Export|Delete) (this|these)/ }).count(), 0, "one game has its own buttons");
		await page.getByRole("button", { name: /^Export: Chess/ }).click();
		assert.match(String(await download(page, "Download: PGN")), /\[Result "0-1"\]/);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: /^Delete: Chess against Beginner 1, lost/ }).click();
		await page.getByRole("button", { name: "Yes, delete" }).click();
		await page.getByText("No game matches.").waitFor();
		await page.getByRole("button", { name: "Show all" }).click();
		await page.getByText("26 games").first().waitFor();
		assert.ok(String(await download(page, /^Export these 26 games$/)).split("\n").length > 26);
		assert.equal((await player.get("/api/v1/me/games")).total, 26);
		await entries(page).first().getByRole("button", { name: /^Review: / }).click();
		await page.waitForURL(/\/review\//);
		await page.getByRole("heading", { name: "Game review" }).waitFor();
	}],
]);
