// looks.test.mjs - every page, light and dark, desk and phone: what axe finds, what sticks out, how much is loaded at first.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptance, axeSource, besideBoard, board, DESK, enter, inStep, isFirefox, isFull, mouse, PHONE, quevedo, tap, until } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "quevedo-matches-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const games = ["noughts", "noughts3d", "hexapawn", "connect4", "reversi", "race", "morris", "warptrog", "gomoku", "starchess"];
const FIRST_LOAD = 150000; // bytes, compressed
const axe = axeSource();

/** The paths of all pages, with something on each of them. */
async function pages(world) {
	const player = await world.player();
	const plays = [];
	for (const game of [...games, "diagram"]) {
		const seats = game === "starchess" ? ["human", "level:1", "level:1", "level:1"] : ["human", "level:1"];
		plays.push((await player.ask("POST", "/api/v1/plays", { game, seats, clock: "30m" })).body.url);
	}
	await player.ask("POST", "/api/v1/plays", { game: "reversi", seats: ["human", "open"] });
	return ["/", "/games/connect4", "/games/race", "/games/starchess", ...plays.map((url) => new URL(url, world.server.url).pathname), "/analyse?game=connect4&moves=4,4,3,5,4,3,3,5,2",
		"/analyse?game=noughts", "/edit?game=reversi", "/train?game=chess&line=3&side=2", "/lab?game=connect4&at=end", "/lobby", "/watch", "/watch/match", "/settings", "/account", "/help", "/learn", "/learn/morris?step=6", "/lessons", "/lessons/05-why-a-branch-is-cut", "/nothing", "/games/ludo"];
}

async function settled(page) {
	await page.getByRole("heading", { level: 1 }).first().waitFor();
	await until("the page to be there", async () => !await page.getByText("Loading…").count());
}

async function serious(page, rules) {
	if (!await page.evaluate(() => "axe" in window))
		await page.evaluate(axe);
	const violations = await page.evaluate(async (only) =>
		(await window.axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) })).violations, rules);
	return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(" | ")}`);
}

/** Nothing is wider than the window, and the board is whole in it. */
async function fits(page, path) {
	const { wide, inner } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, inner: window.innerWidth }));
	assert.ok(wide <= inner, `${path} is ${wide} wide in ${inner}`);
	if (!await board(page).count())
		return;
	await board(page).scrollIntoViewIfNeeded();
	const box = await board(page).boundingBox();
	const { width, height } = page.viewportSize();
	assert.ok(box.x >= 0 && box.x + box.width <= width && box.height <= height, `${path}: the board is ${JSON.stringify(box)}`);
}

/** No row changes its height with the turn, and no label squeezes its box. */
async function sameHeights(page, path) {
	const sizes = await page.evaluate(() => [".seat", "input[type=checkbox]"].map((name) => [...new Set([...document.querySelectorAll(name)].map((one) => one.offsetHeight + one.offsetWidth))]));
	assert.ok(sizes.every((one) => one.length <= 1), `${path}: rows of seats and boxes have the sizes ${JSON.stringify(sizes)}`);
}

/** Each page, loaded once: light at a desk and dark on a phone, with QUEVEDO_FULL both in both. Firefox keeps its colours. */
async function inspect(world) {
	const page = await (await world.player({ settings: { notions: true } })).tab();
	const faults = [];
	world.allow(/nothing/);
	for (const path of await pages(world)) {
		await page.goto(world.server.url + path);
		await settled(page);
		for (const [size, usual, other] of [[DESK, "light", "dark"], [PHONE, "dark", "light"]]) {
			await page.setViewportSize(size);
			await fits(page, path);
			if (size === PHONE)
				await sameHeights(page, path);
			for (const colorScheme of isFull ? [usual, other] : [usual]) {
				if (!isFirefox)
					await page.emulateMedia({ colorScheme });
				await page.evaluate(() => Promise.allSettled(document.getAnimations()
					.filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)));
				/* All rules in each size; where only the colours are others, those about colours. */
				for (const fault of await serious(page, colorScheme === usual ? null : ["color-contrast", "link-in-text-block"]))
					faults.push(`${path}, ${size.width} wide, ${colorScheme}: ${fault}`);
			}
		}
	}
	assert.deepEqual(faults, []);
}

/** Bytes of a path as they come over the line, and its text. */
function transferred(url) {
	return new Promise((done, failed) => get(url, { headers: { "accept-encoding": "br" } }, (answer) => {
		let bytes = 0;
		answer.on("data", (part) => (bytes += part.length));
		answer.on("end", () => done({ bytes, encoding: answer.headers["content-encoding"] }));
	}).on("error", failed));
}

acceptance("looks", () => {
	const made = spawnSync(quevedo, ["match", "connect4", "--games", "6", "--journal", join(folder, "match"), "--player", "one=level:1",
		"--player", "two=level:2"], { encoding: "utf8", timeout: 120000 });
	assert.equal(made.status, 0, made.stderr);
	return ["--matches", folder];
}, [
	["every page, light and dark, at a desk and on a phone", inspect],
	["all links of the header are in sight on narrow phones, after a press", async (world) => {
		const page = await (await world.player({ viewport: DESK })).tab("/");
		const menu = page.getByRole("button", { name: "Menu", exact: true });
		assert.equal(await menu.count(), 0, "there is room for them at a desk");
		await page.setViewportSize({ width: 390, height: 640 });
		await menu.click();
		for (const width of [320, 360, 390]) {
			await page.setViewportSize({ width, height: 640 });
			const places = await page.getByRole("navigation", { name: "Main" }).getByRole("link")
				.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right, top }) => ({ left, right, top })));
			assert.ok(places.length >= 5, `${places.length} links`);
			places.forEach(({ left, right, top }, i) => {
				const before = places[i - 1]?.top === top ? places[i - 1].right : 0; // on the same line
				assert.ok(left >= before && right <= width, `link ${i}, ${width} wide: ${left} to ${right}`);
			});
		}
	}],
	["the settings choose dark, and it stays", async (world) => {
		const page = await (await world.player({ colorScheme: "light" })).tab("/settings");
		const back = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
		const light = await back();
		await page.getByRole("group", { name: "Colours" }).getByText("Dark", { exact: true }).click();
		await until("the dark", async () => await back() !== light);
		await page.goto(`${world.server.url}/`);
		await settled(page);
		assert.notEqual(await back(), light);
	}],
	["on a phone on its side the controls are beside the board", async (world) => {
		const button = (name) => page.getByRole("button", { name, exact: true });
		const page = await world.visit("/analyse?game=chess&moves=e2e4,e7e5"), before = page.viewportSize();
		await besideBoard(page, "the analysis", [page.locator(".engine-line"), page.getByRole("tab", { name: "Moves" }), button("Next move"), page.locator(".movetree [aria-current]")]);
		await world.visit("/puzzles/chess");
		await besideBoard(page, "a puzzle", [page.locator(".task-line").last(), ...["Hint", "Show the solution", "Skip"].map(button)]);
		await world.visit("/learn/draughts");
		await besideBoard(page, "a first step", [page.locator(".learn-task"), button("Skip")]);
		/* The end of a game: what comes next. */
		const { player } = await world.regular();
		const { id } = await world.play({ game: "chess", seats: ["human", "level:1"] });
		await player.ask("POST", `/api/v1/plays/${id}/moves`, { move: "e2e4" });
		world.allow(/409.*(actions|moves)/); // you resign while the page takes over the computer, or moves for it
		await player.ask("POST", `/api/v1/plays/${id}/actions`, { action: "resign", seat: 1 });
		await besideBoard(page, "the end", [...["Rematch", "Share"].map(button), ...["Learn from your mistakes", "Review", "New opponent"].map((name) => page.getByRole("link", { name }))]);
		/* The cells of 3D noughts are wide enough for a finger. */
		await page.setViewportSize({ width: 844, height: 390 });
		await world.play({ game: "noughts3d", seats: ["human", "human"] });
		const near = await page.evaluate(() => {
			const middles = [...document.querySelectorAll("[data-cell] .face")].map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
			return Math.min(...middles.flatMap(([x, y], i) => middles.slice(i + 1).map(([a, b]) => Math.hypot(a - x, b - y))));
		});
		assert.ok(near >= 24, `${near} pixels from cell to cell`);
		/* The tree of the laboratory and its position. */
		await world.visit("/lab");
		await until("tree and position in the window", async () => {
			const boxes = await Promise.all([".lab-picture canvas", ".lab-board"].map((name) => page.locator(name).first().boundingBox()));
			return boxes.every(({ y, height }) => y + height <= 390);
		});
		await page.setViewportSize(before);
	}],
	["a game is played by touch on a phone", async (world) => {
		const player = await world.player({ viewport: PHONE, hasTouch: true, isMobile: true });
		const { page, id } = await player.play({ game: "connect4", seats: ["human", "human"] });
		const tapping = { ...mouse, cell: (where, layout, at) => tap(where.getByRole("gridcell", { name: new RegExp(`^${layout.cells[at].name}, `) })) };
		for (let i = 1; i < 4; i++) {
			const { view } = await inStep(world, page, id);
			await enter(world, page, tapping, view, view.moves[i]);
			await inStep(world, page, id, ({ line }) => line.length === i);
		}
	}],
	["moves glide, unless the system asks for less motion", async (world) => {
		const glides = async (reducedMotion) => {
			const { page, id } = await (await world.player({ reducedMotion })).play({ game: "hexapawn", seats: ["human", "human"] });
			await page.evaluate(() => {
				window.begun = 0;
				const animate = Element.prototype.animate;
				Element.prototype.animate = function (...words) {
					window.begun++;
					return animate.apply(this, words);
				};
				for (const kind of ["animationstart", "transitionstart"])
					document.querySelector("[role=grid]").addEventListener(kind, () => window.begun++, true);
			});
			const { view } = await inStep(world, page, id);
			await enter(world, page, mouse, view, view.moves[0]);
			await inStep(world, page, id, ({ line }) => line.length === 1);
			return () => page.evaluate(() => window.begun);
		};
		await until("a glide", await glides("no-preference"));
		assert.equal(await (await glides("reduce"))(), 0);
	}],
	["the first load is small", async (world) => {
		const page = await (await world.player()).tab();
		const paths = new Set();
		let isShown = false; // from the first board on the engine is loaded
		page.on("request", (request) => {
			const { pathname } = new URL(request.url());
			if (pathname.startsWith("/engine/"))
				isShown = true;
			else if (!pathname.startsWith("/api/") && !isShown)
				paths.add(request.url());
		});
		await page.goto(`${world.server.url}/`);
		await settled(page);
		let sum = 0;
		for (const url of paths) {
			const { bytes, encoding } = await transferred(url);
			if (!/\/$|\.png$/.test(new URL(url).pathname)) // the page itself is made for each address
				assert.equal(encoding, "br", url);
			sum += bytes;
		}
		assert.ok(paths.size >= 3, [...paths].join());
		assert.ok(sum < FIRST_LOAD, `${sum} bytes`);
		console.log(`# the first load has ${sum} bytes in ${paths.size} files`);
	}],
]);
