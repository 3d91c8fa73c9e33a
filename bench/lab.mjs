// lab.mjs - how smooth the laboratory draws: a tree of 100,000 nodes, zoomed and scrolled for ten seconds. Environment as for
// tests/web/support.mjs.
// SPDX-License-Identifier: MIT
// usage: node bench/lab.mjs       fails if the median frame takes more than 33 ms
import { launch, PATIENCE, Server, World } from "../tests/web/support.mjs";

const MOST_MS = 33;
const SECONDS = 10;
const LINK = `/lab?${new URLSearchParams({ game: "diagram", position: "uniform 10 5 worst", player: "minimax:depth=5", at: "end" })}`;

/** In the page: zooms in and out and scrolls, a little in every frame. Returns the time of each frame. */
async function scrollAndZoom(seconds) {
	const canvas = document.querySelector(".lab-picture canvas");
	const box = canvas.getBoundingClientRect();
	const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true, cancelable: true }));
	const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent("wheel",
		{ deltaY, ctrlKey: true, clientX: box.left + box.width / 3, clientY: box.top + 100, bubbles: true, cancelable: true }));
	const frames = [];
	canvas.focus();
	return new Promise((done) => {
		let before = performance.now();
		const start = before;
		const next = (now) => {
			frames.push(now - before);
			before = now;
			const at = (now - start) / 1000;
			if (at > seconds)
				return done(frames.slice(1));
			/* Two seconds in, one along, two out. */
			const phase = at % 5;
			if (phase < 2)
				wheel(-40);
			else if (phase < 3)
				press("ArrowRight");
			else
				wheel(40);
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	});
}

const server = await new Server().start();
const browser = await launch();
let isSmooth = false;
try {
	const { context } = await new World(server, browser).player();
	const page = await context.newPage();
	page.setDefaultTimeout(4 * PATIENCE);
	await page.goto(server.url + LINK);
	await page.locator(".lab-picture canvas").waitFor();
	await page.getByRole("combobox", { name: "Branches" }).selectOption("all open");
	const nodes = await page.locator(".lab-slider input").getAttribute("max");
	await page.waitForTimeout(500);
	const frames = (await page.evaluate(scrollAndZoom, SECONDS)).sort((a, b) => a - b);
	const at = (share) => frames[Math.floor(share * (frames.length - 1))];
	isSmooth = at(0.5) <= MOST_MS;
	console.log(`laboratory: ${Number(nodes) + 1} steps of a search, ${frames.length} frames in ${SECONDS} s, median ${at(0.5).toFixed(1)} ms, ` +
		`95 % within ${at(0.95).toFixed(1)} ms${isSmooth ? "" : `: more than ${MOST_MS} ms`}`);
} finally {
	await browser.close();
	await server.stop();
}
process.exit(isSmooth ? 0 : 1);
