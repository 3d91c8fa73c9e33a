// review.mjs - how long reviews take in the browser engine: a chess game of 60 moves, and a game of connect-four. Environment as for
// tests/web/support.mjs.
// SPDX-License-Identifier: MIT
// usage: node bench/review.mjs       fails if chess takes more than 10 s or connect-four more than 5 s
import { launch, PATIENCE, Server, World } from "../tests/web/support.mjs";

const CASES = [
	{ game: "chess", player: "level:18", every: 25, most: 10, plies: 120 },
	{ game: "connect4", player: "level:4", every: 3, most: 5, plies: 42 },
];

/** In the page: plays a game in the browser engine. */
async function playGame(page, { game, player, every, plies }) {
	const moves = [];
	while (moves.length < plies) {
		const view = await page.evaluate(async (body) => (await fetch("/api/v1/positions", { method: "POST", headers: { "Content-Type": "application/json" }, body })).json(),
			JSON.stringify({ game, moves }));
		if (view.over)
			break;
		/* The k-th move of the list, by a fixed rule, once in a while; the player chooses the others. */
		const pick = view.moves[(moves.length * 7919 + 13) % view.moves.length].move;
		const best = moves.length % every ? await page.evaluate(async (body) => {
			const text = await (await fetch("/api/v1/analysis", { method: "POST", headers: { "Content-Type": "application/json" }, body })).text();
			return JSON.parse(text.trim().split("\n").pop()).lines[0].move;
		}, JSON.stringify({ game, moves, player, time: 200 })) : pick;
		moves.push(best);
	}
	return moves;
}

const server = await new Server().start();
const browser = await launch();
let isFast = true;
try {
	const { context } = await new World(server, browser).player();
	for (const one of CASES) {
		const page = await context.newPage();
		page.setDefaultTimeout(4 * PATIENCE);
		await page.goto(`${server.url}/analyse?game=${one.game}`);
		const moves = await playGame(page, one);
		await page.waitForTimeout(2000); // the engine and its data have come
		const took = await page.evaluate(async (to) => {
			const start = performance.now();
			history.pushState(null, "", to);
			dispatchEvent(new PopStateEvent("popstate"));
			while (!document.querySelector(".review-sums"))
				await new Promise((next) => setTimeout(next, 20));
			return (performance.now() - start) / 1000;
		}, `/review?${new URLSearchParams({ game: one.game, moves: moves.join(",") })}`);
		const isOne = took <= one.most;
		isFast &&= isOne;
		console.log(`review: ${one.game}, ${moves.length} plies, ${took.toFixed(1)} s${isOne ? "" : `: more than ${one.most} s`}`);
		await page.close();
	}
} finally {
	await browser.close();
	await server.stop();
}
process.exit(isFast ? 0 : 1);
