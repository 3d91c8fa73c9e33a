// page.mjs - what the page costs: the figures of docs/results/performance.md. Environment as for tests/web/support.mjs.
// SPDX-License-Identifier: MIT
// usage: node bench/page.mjs load                            bytes and requests of first visits, before the engine is loaded
//        node bench/page.mjs class [PLAYERS SECONDS GAME]    processor time of the server while browsers play against levels
import { readFileSync } from "node:fs";
import { launch, Server, World } from "../tests/web/support.mjs";

const MOVE_MS = 5000; // between two moves of a player
const TICKS = 100; // of a second, in /proc

const [what, players = "30", seconds = "60", game = "connect4"] = process.argv.slice(2);
const wait = (ms) => new Promise((next) => setTimeout(next, ms));

async function measureLoad(world) {
	for (const path of ["/", "/games/chess", "/games/backgammon", "/analyse?game=chess"]) {
		const { context } = await world.player();
		const page = await context.newPage();
		const network = await context.newCDPSession(page);
		const addresses = new Map();
		let bytes = 0, requests = 0, isDone = false;
		network.on("Network.requestWillBeSent", ({ requestId, request }) => {
			addresses.set(requestId, request.url);
			isDone ||= request.url.includes("/engine/");
		});
		network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
			if (isDone || !addresses.has(requestId))
				return;
			bytes += encodedDataLength;
			requests++;
		});
		await network.send("Network.enable");
		await page.goto(world.server.url + path);
		await page.locator("svg.board").first().waitFor();
		await wait(1000);
		console.log(`${path}: ${bytes} bytes, ${requests} requests`);
		await context.close();
	}
}

/** Plays a random legal move, or the next game. */
function moveAtRandom() {
	const cells = [...document.querySelectorAll("[role=gridcell]")].filter((cell) => /can be (played|reached)/.test(cell.getAttribute("aria-label")));
	const cell = cells[Math.floor(Math.random() * cells.length)];
	const rematch = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Rematch");
	(cell ?? rematch)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	return cell ? 1 : 0;
}

async function measureClass(world) {
	const used = () => {
		const fields = readFileSync(`/proc/${world.server.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
		return (Number(fields[11]) + Number(fields[12])) / TICKS;
	};
	const pages = [];
	for (let i = 0; i < Number(players); i++) {
		const page = await (await world.player({ serviceWorkers: "allow" })).tab(`/games/${game}`);
		await page.getByRole("button", { name: "Start the game" }).click();
		await page.waitForURL(/\/play\//);
		pages.push(page);
	}
	await wait(MOVE_MS);
	const before = used(), start = Date.now();
	let moves = 0;
	while (Date.now() - start < Number(seconds) * 1000) {
		const next = Date.now() + MOVE_MS;
		for (const done of pages.map((page) => page.evaluate(moveAtRandom).catch(() => 0)))
			moves += await done;
		await wait(Math.max(0, next - Date.now()));
	}
	const lasted = (Date.now() - start) / 1000, percent = 100 * (used() - before) / lasted;
	const plays = await Promise.all(pages.map((page) => world.server.get(`/api/v1/plays/${page.url().split("/play/")[1]}`)));
	const own = plays.filter(({ engine }) => engine === "browser").length;
	console.log(`${players} players of ${game}, ${own} with their own engine: ${moves} moves in ${Math.round(lasted)} s, ${percent.toFixed(2)} % of a core`);
}

const server = await new Server().start();
const browser = await launch();
try {
	await (what === "class" ? measureClass : measureLoad)(new World(server, browser));
} finally {
	await browser.close();
	await server.stop();
}
