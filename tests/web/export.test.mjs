// export.test.mjs - quevedo tree --format html: one file from the disk, stepped through by mouse and keyboard, without a network.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { countIs, DESK, isFirefox, noViolations, PHONE, place, quevedo, withBrowser } from "./support.mjs";

const searches = [
	["diagram", "3-1", "alphabeta:depth=2"],
	["diagram", "3-1", "minimax:depth=2"],
	["noughts", "start", "alphabeta:depth=2"],
	["race", "0,0,6,8 0,4,10,17 1 5", "expectimax:depth=2"], // with probes that have no value
	["noughts", "start", "mcts:playouts=20"],
	["starchess", "start", "mask:turns=1"], // four seats
];

const now = (page) => page.locator("#now").textContent();
const shown = (page) => page.locator("main li:visible").count();

/** Step 1 by the button, on and back by the keys, the end by the button: the words change each time. */
async function stepThrough(page) {
	const all = await shown(page);
	await page.getByRole("button", { name: "Start" }).click();
	const first = await now(page);
	assert.match(first, /^Step 1 of \d+: /);
	assert.equal(await shown(page), 1);
	await page.keyboard.press("ArrowRight");
	const second = await now(page);
	assert.match(second, /^Step 2 of \d+: /);
	await page.keyboard.press("ArrowLeft");
	assert.equal(await now(page), first);
	await page.getByLabel("Name").fill("Ada");
	await page.keyboard.press("Home"); // moves the cursor of the field, nothing else
	assert.equal(await now(page), first);
	await page.getByRole("button", { name: "Step" }).click();
	assert.equal(await now(page), second);
	const current = page.locator(".now:not(:has(ul)) > div .t"); // what has been left shows its words, whatever is open above it
	if (await current.count())
		assert.ok(await current.isVisible());
	for (let i = 0; i < 3; i++)
		await page.keyboard.press("ArrowRight");
	assert.equal(await page.locator("main li:not(.later):not(.open) > div .t").filter({ visible: false }).count(), 0);
	if (await page.locator("[data-cut]").count()) {
		await page.keyboard.press("c");
		await countIs(page.locator(".now[data-cut]"), 1);
	}
	assert.equal(await page.getByRole("button", { name: "Next cut-off" }).count(), await page.locator("[data-cut]").count() ? 1 : 0);
	await page.keyboard.press("End"); // from there the first cut-off is next, and after the last one nothing moves
	await page.evaluate(() => {
		for (const _ of document.querySelectorAll("[data-cut]"))
			document.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true }));
	});
	const step = (await now(page)).replace(/ It has no cut-off\.$/, "");
	for (let i = 0; i < 2; i++) {
		await page.keyboard.press("c");
		const said = (await now(page)).slice(step.length);
		assert.equal(said, step.startsWith("The whole") ? " It has no cut-off." : " There is no cut-off after this step.");
	}
	if (!isFirefox) { // whose media cannot be chosen
		await page.emulateMedia({ media: "print" });
		assert.equal(await shown(page), all, "paper has the whole search");
		await page.emulateMedia({ media: "screen" });
	}
	await page.getByRole("button", { name: "End" }).click();
	assert.equal(await shown(page), all);
	assert.match(await now(page), /^The whole search\./);
}

test("a search as one file", { timeout: 120000 }, async () => {
	const folder = mkdtempSync(join(tmpdir(), "quevedo-export-"));
	try {
		await withBrowser(async (browser) => {
			for (const [i, [game, position, player]] of searches.entries()) {
				const file = join(folder, `${i}.html`);
				writeFileSync(file, execFileSync(quevedo, ["tree", game, position, "--player", player, "--format", "html", "--max-nodes", "150"]));
				const context = await browser.newContext(place({ viewport: i % 2 ? PHONE : DESK, colorScheme: i % 2 ? "dark" : "light" }));
				const page = await context.newPage(), asked = [], faults = [];
				page.on("request", (request) => asked.push(request.url()));
				page.on("pageerror", (error) => faults.push(String(error)));
				await page.goto(pathToFileURL(file).href);
				const title = await page.title();
				assert.ok(title.includes(game) && title.includes(player), title);
				await stepThrough(page);
				await page.getByRole("button", { name: "Start" }).click();
				await page.keyboard.press("ArrowRight");
				await noViolations(page, `${game}, ${player}`);
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${game}, ${player}: too wide`);
				assert.deepEqual(asked.filter((url) => url !== pathToFileURL(file).href), []);
				assert.deepEqual(faults, []);
				await context.close();
			}
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
