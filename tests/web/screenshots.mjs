// screenshots.mjs - pictures of the main pages, for people to look at: node tests/web/screenshots.mjs OUTDIR [all]
// SPDX-License-Identifier: MIT
//
// Without "all": the six of the README, as they are in docs/screens. With it: every page at phone and desk size, light and dark.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { board, DESK, launch, PHONE, quevedo, Server, until, World } from "./support.mjs";

const [outdir, all] = process.argv.slice(2);
if (!outdir) {
	console.error("usage: node tests/web/screenshots.mjs OUTDIR [all]");
	process.exit(2);
}
mkdirSync(outdir, { recursive: true });

const PAPER = { width: 980, height: 620 }; // a desk, small enough for a page of text
const OPENING = ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e6", "e7"];
const CUBE = ["b2B", "c3C", "b3C", "c2B", "a1A", "d4D", "c2C", "b3B", "d1A", "a4A", "b2C"];
const COLUMNS = ["4", "4", "3", "5", "4", "3", "3", "5", "2"];

/** A play with some moves in it, whoever's turn it is. */
async function made(player, request, plies = 0) {
	const { body } = await player.ask("POST", "/api/v1/plays", request);
	for (let i = 0; i < plies; i++) {
		const { view } = await player.get(`/api/v1/plays/${body.id}`);
		if (!view.moves.length)
			break;
		await player.ask("POST", `/api/v1/plays/${body.id}/moves`, { move: view.moves[(7 * i + 3) % view.moves.length].move });
	}
	return `/play/${body.id}`;
}

/* What a page does before it is taken. */
const hint = async (page) => {
	await page.getByRole("button", { name: "Hint" }).click();
	await page.getByText(/^Hint: /).first().waitFor();
};
const thought = (page) => page.getByText(/, done\./).waitFor({ timeout: 60000 });

async function shotsOf(player) {
	const reversi = () => made(player, { game: "reversi", seats: ["human", "human"], moves: OPENING, clock: "10m" });
	const shots = [
		{ name: "gallery", path: "/", size: PAPER },
		{ name: "reversi", path: await reversi(), size: PAPER, prepare: hint },
		{ name: "connect4-phone", path: await made(player, { game: "connect4", seats: ["human", "level:4"], moves: COLUMNS.slice(0, 8) }), size: PHONE },
		{ name: "analysis", path: `/analyse?game=connect4&moves=${COLUMNS.join()}`, size: PAPER, dark: true, prepare: thought },
		{ name: "match", path: "/watch/levels-2-and-4", size: PAPER },
		{ name: "noughts3d-phone", path: await made(player, { game: "noughts3d", seats: ["human", "human"], moves: CUBE }), size: PHONE },
	];
	if (!all)
		return shots;
	const paths = {
		gallery: "/", game: "/games/race", reversi: await reversi(), editor: "/edit?game=reversi", lobby: "/lobby", matches: "/watch",
		match: "/watch/levels-2-and-4", settings: "/settings", help: "/help", analysis: `/analyse?game=reversi&moves=${OPENING.join()}`,
		noughts: await made(player, { game: "noughts", seats: ["human", "human"] }, 4),
		hexapawn: await made(player, { game: "hexapawn", seats: ["human", "human"] }, 2),
		race: await made(player, { game: "race", seats: ["human", "human"], dice: "typed" }, 30),
		noughts3d: await made(player, { game: "noughts3d", seats: ["human", "human"] }, 9),
		connect4: await made(player, { game: "connect4", seats: ["human", "human"] }, 12),
		starchess: await made(player, { game: "starchess", seats: ["human", "human", "human", "human"] }, 6),
	};
	for (const [name, path] of Object.entries(paths))
		for (const [place, size] of [["desk", DESK], ["phone", PHONE]])
			for (const dark of [false, true])
				shots.push({ name: `all-${name}-${place}${dark ? "-dark" : ""}`, path, size, dark, whole: true });
	return shots;
}

async function shoot(world, player, { name, path, size, dark, prepare, whole }) {
	const page = await (name === "gallery" ? await world.player() : player).tab();
	await page.setViewportSize(size);
	await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
	await page.goto(world.server.url + path);
	await page.getByRole("heading", { level: 1 }).first().waitFor();
	await until("the page", async () => !await page.getByText("Loading…").count());
	if (/\/(play|analyse|watch\/)/.test(path))
		await board(page).waitFor();
	await prepare?.(page);
	if (name === "gallery")
		await page.waitForLoadState("networkidle"); // the small boards are where they stay
	await page.screenshot({ path: join(outdir, `${name}.png`), fullPage: whole ?? false });
	await page.close();
}

const folder = mkdtempSync(join(tmpdir(), "quevedo-matches-"));
const match = spawnSync(quevedo, ["match", "connect4", "--games", "60", "--random-plies", "4", "--journal", join(folder, "levels-2-and-4"), "--player", "level 2=level:2",
	"--player", "level 4=level:4"], { encoding: "utf8", timeout: 300000 });
if (match.status !== 0)
	throw new Error(match.stderr);
const server = await new Server(["--matches", folder]).start();
const browser = await launch();
try {
	const world = new World(server, browser);
	const player = await world.player();
	await player.ask("POST", "/api/v1/me", { name: "Ana" });
	const other = await world.player();
	await other.ask("POST", "/api/v1/plays", { game: "reversi", seats: ["human", "open"], clock: "5m", name: "Bruno" });
	await other.ask("POST", "/api/v1/plays", { game: "noughts3d", seats: ["open", "human"], name: "Carla" });
	for (const shot of await shotsOf(player))
		await shoot(world, player, shot);
	for (const fault of world.faults)
		console.error(fault);
} finally {
	await browser.close();
	await server.stop();
	rmSync(folder, { recursive: true, force: true });
}
