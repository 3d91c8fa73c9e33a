// screenshots.mjs - pictures of the pages: `make screenshots` writes those of docs/screens again.
// SPDX-License-Identifier: MIT
//
// usage: node tests/web/screenshots.mjs OUTDIR [NAME...]      those of docs/screens, or some of them
//        node tests/web/screenshots.mjs OUTDIR all            every page at phone and desk size, light and dark, to look at
//        node tests/web/screenshots.mjs list                  the names of those of docs/screens
//
// Games and positions are given, nobody thinks by the clock, and times and dates are replaced: the same page gives the same picture.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallPng } from "./small_png.mjs";
import { board, DESK, launch, quevedo, root, Server, until, World } from "./support.mjs";

const PAPER = { width: 980, height: 620 }; // a desk, small enough for a page of text
const HAND = { width: 390, height: 760 };
const OPENING = ["f5", "d6", "c3", "d3", "c4", "f4"]; // the book has the next move: a search would give hints that depend on the machine
const CUBE = ["b2B", "c3C", "b3C", "c2B", "a1A", "d4D", "c2C", "b3B", "d1A", "a4A", "b2C"];
const COLUMNS = ["4", "4", "3", "5", "4", "3", "3", "5", "2"];
const LOST = ["4", "1", "4", "1", "4", "1", "7", "1"]; // Red misses a win and lets Yellow win
const RUY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "f3e5", "d8d4", "e5f3", "d4e4", "d1e2", "e4e2", "e1e2", "c8g4"];
const STARS = ["move A1 A2 8", "move A1 B1 8", "end", "move A4 A3 10", "end", "move D4 C4 10", "move D4 D3 5", "end", "move D1 C1 9", "end"];
const DAY = "17 Nov 2026";

const two = (game, moves, more) => ({ game, seats: ["human", "human"], moves, ...more });
const against = (level, game, moves, more) => two(game, moves, { seats: ["human", `level:${level}`], ...more });

/** The first puzzle of a game with this goal, as its address. */
function puzzle(game, goal) {
	const line = readFileSync(join(root, `web/puzzles/${game}.txt`), "utf8").split("\n").find((one) => one.startsWith(`${goal};`));
	let hash = 0x811c9dc5; // as parse.ts computes it
	for (const character of line.split(";").slice(4).join(";").trim())
		hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
	return `/puzzles/${game}?id=${(hash >>> 0).toString(36)}`;
}

// ---- What a page does before it is taken ----

async function hint(page) {
	await page.getByRole("button", { name: "Hint" }).click();
	await page.getByText(/^Hint: /).first().waitFor();
}

/** The last move is made here, so that the panel of the end appears. */
const lastMove = (column) => async (page) => {
	await board(page).getByRole("gridcell", { name: new RegExp(`^column ${column} row \\d, .*can be played`) }).first().click();
	await page.locator(".end-panel").waitFor();
};

async function reviewed(page) {
	await page.getByRole("heading", { name: "Accuracy", level: 2 }).waitFor();
	await page.locator(".review-moves").getByRole("button").nth(6).click();
}

const shown = (text) => (page) => page.getByText(text).first().waitFor();
const drawn = (selector, count) => (page) => until(selector, async () => await page.locator(selector).count() >= count);

/** The pictures of docs/screens. play: the request of a game; path: an address; visitor: whose browser it is. */
const SHOTS = [
	{ name: "front", path: "/", size: DESK, prepare: drawn(".cards .live-picture svg", 6), visitor: "new" },
	{ name: "front-phone", path: "/", size: HAND, dark: true, prepare: drawn(".cards .live-picture svg", 6), visitor: "new" },
	{ name: "game", path: "/games/draughts", prepare: drawn("main .board", 1) },
	{ name: "reversi", play: against(6, "reversi", OPENING), prepare: hint },
	{ name: "chess", play: against(4, "chess", RUY), size: DESK, dark: true },
	{ name: "connect4-phone", play: against(4, "connect4", COLUMNS.slice(0, 8)), size: HAND },
	{ name: "noughts3d-phone", play: two("noughts3d", CUBE), size: HAND, dark: true },
	{ name: "starchess", play: { game: "starchess:seed=3", seats: ["human", "level:3", "level:3", "level:3"], moves: STARS }, size: DESK },
	{ name: "end", play: against(2, "connect4", ["4", "3", "4", "3", "4", "3"]), prepare: lastMove(4) },
	{ name: "review", path: `/review?game=connect4&moves=${LOST.join()}`, size: DESK, prepare: reviewed },
	{ name: "analysis", path: `/analyse?game=connect4&moves=${COLUMNS.join()}`, size: DESK, dark: true, prepare: (page) => page.getByText(/, done\./).waitFor({ timeout: 60000 }) },
	{ name: "puzzle", path: puzzle("chess", "win 3"), prepare: shown("Your move.") },
	{ name: "learn", path: "/learn/hexapawn?step=2", size: DESK, prepare: (page) => board(page).waitFor() },
	{ name: "lab", path: "/lab", size: DESK, prepare: shown("made a cut-off") },
	{ name: "lesson", path: "/lessons/05-why-a-branch-is-cut", size: DESK, dark: true, prepare: (page) => page.locator(".lab-picture canvas").first().waitFor() },
	{ name: "my-games", path: "/my-games", size: DESK, prepare: shown("Your rating"), visitor: "regular" },
	{ name: "match", path: "/watch/levels-2-and-4", size: DESK },
];

/** Every page, for people to look at. */
const PAGES = {
	game: "/games/race", editor: "/edit?game=reversi", lobby: "/lobby", matches: "/watch", settings: "/settings", help: "/help", train: "/train?game=chess&line=3&side=2",
	puzzles: "/puzzles", learn: "/learn", lessons: "/lessons", teacher: "/lessons/teacher", lab: "/lab?game=connect4&at=end", nothing: "/nothing",
	noughts: two("noughts", ["5", "1", "9"]), hexapawn: two("hexapawn", ["a1-a2"]), race: two("race", [], { dice: "typed" }), morris: two("morris", ["d6", "f4", "d2"]),
	warptrog: two("warptrog", []), backgammon: two("backgammon", []), draughts: two("draughts", []), gomoku: two("gomoku", ["h8", "g9"]), minichess: two("minichess", []),
};

function everyPage() {
	const pages = [...SHOTS.filter(({ name }) => !name.endsWith("-phone")),
		...Object.entries(PAGES).map(([name, at]) => ({ name: `all-${name}`, ...(typeof at === "string" ? { path: at } : { play: at }) }))];
	return pages.flatMap((shot) => [["desk", DESK], ["phone", HAND]].flatMap(([place, size]) => [false, true].map((dark) =>
		({ ...shot, name: `${shot.name}-${place}${dark ? "-dark" : ""}`, size, dark, whole: true }))));
}

// ---- The pictures ----

/** In a page: what another run would show otherwise. */
function withoutTime(day) {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text = walker.nextNode(); text; text = walker.nextNode())
		text.data = text.parentElement.closest("time") ? day
			: text.data.replace(/\b[\d.,]+ (?:ms|s)\b/g, "0.5 s").replace(/\b[\d.,]+ ?[kM]? ?(positions|nodes)(?: per second|\/s)/g, "2.0M $1/s").replace(/\b\d+ (?:s|min) ago\b/g, "just now")
				.replace(/\b(?:Guest)[ -]?\w+\b/g, "Guest").replace(/\d{1,2}\/\d{1,2}\/20\d\d(?:, [\d:]+ [AP]M)?|20\d\d-\d\d-\d\d(?: \d\d:\d\d)?/g, day);
}

async function shoot(world, visitors, { name, path, play, size = PAPER, dark, prepare, whole, visitor = "guest" }, outdir) {
	const player = visitors[visitor] ?? await world.player();
	const page = await player.tab();
	await page.setViewportSize(size);
	await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
	if (play) {
		const { status, body } = await player.ask("POST", "/api/v1/plays", play);
		if (status !== 201)
			throw new Error(`${name}: ${JSON.stringify(body)}`);
		path = `/play/${body.id}`;
	}
	await page.goto(world.server.url + path);
	await page.getByRole("heading", { level: 1 }).or(board(page)).first().waitFor();
	await until("the page", async () => !await page.getByText("Loading…").count());
	if (play)
		await board(page).waitFor();
	await prepare?.(page);
	await page.waitForLoadState("networkidle");
	await page.evaluate(() => (scrollTo(0, 0), document.fonts.ready));
	await page.evaluate(withoutTime, DAY);
	const bytes = smallPng(await page.screenshot({ fullPage: whole ?? false, animations: "disabled" }));
	writeFileSync(join(outdir, `${name}.png`), bytes);
	console.log(`screenshots: ${name}.png, ${Math.round(bytes.length / 1000)} kB`);
	await page.close();
}

async function named(world, name) {
	const player = await world.player();
	await player.ask("POST", "/api/v1/me", { name });
	return player;
}

/** A player with some finished games, one without, and another who waits for opponents. */
async function people(world) {
	const player = await named(world, "Ana");
	for (const [game, level, position, move] of [["hexapawn", 1, "..p/P../... w", "a2-a3"], ["noughts", 2, "xx.oo.... x", "3"], ["chess", 1, null, null], ["noughts", 1, "xx.oo.... x", "3"]]) {
		const { body } = await player.ask("POST", "/api/v1/plays", { game, seats: ["human", `level:${level}`], ...(position && { position }) });
		const { status } = await player.ask("POST", `/api/v1/plays/${body.id}/${move ? "moves" : "actions"}`, move ? { move } : { action: "resign" });
		if (status !== 200)
			throw new Error(`${game}: ${status}`);
		await new Promise((next) => setTimeout(next, 1100)); // the list is sorted by seconds
	}
	const other = await named(world, "Bruno");
	await other.ask("POST", "/api/v1/plays", { game: "reversi", seats: ["human", "open"], clock: "5m" });
	await other.ask("POST", "/api/v1/plays", { game: "noughts3d", seats: ["open", "human"] });
	return { regular: player, guest: await named(world, "Carla") };
}

async function main(outdir, names) {
	const shots = names[0] === "all" ? everyPage() : SHOTS.filter(({ name }) => !names.length || names.includes(name));
	const folder = mkdtempSync(join(tmpdir(), "quevedo-matches-"));
	mkdirSync(outdir, { recursive: true });
	const match = spawnSync(quevedo, ["match", "connect4", "--games", "20", "--seed", "1", "--random-plies", "4", "--journal", join(folder, "levels-2-and-4"),
		"--player", "level 2=level:2", "--player", "level 4=level:4"], { encoding: "utf8", timeout: 300000 });
	if (match.status !== 0)
		throw new Error(match.stderr);
	const server = await new Server(["--matches", folder]).start();
	const browser = await launch();
	try {
		const world = new World(server, browser);
		const visitors = await people(world);
		for (const shot of shots)
			await shoot(world, visitors, shot, outdir);
		for (const fault of world.faults)
			console.error(fault);
	} finally {
		await browser.close();
		await server.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

const [outdir, ...names] = process.argv.slice(2);
if (outdir === "list")
	console.log(SHOTS.map(({ name }) => name).join("\n"));
else if (outdir && names.every((name) => name === "all" || SHOTS.some((shot) => shot.name === name)))
	await main(outdir, names);
else {
	console.error("usage: node tests/web/screenshots.mjs (OUTDIR [all | NAME...] | list)");
	process.exit(2);
}
