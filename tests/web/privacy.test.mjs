// privacy.test.mjs - the page about privacy says what the server stores, and no page sends a request to anybody else.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { acceptance, noViolations } from "./support.mjs";

const PAGES = ["/", "/games/chess", "/lobby", "/analyse?game=connect4",
	...(process.env.QUEVEDO_FULL ? ["/learn", "/lessons", "/puzzles", "/study", "/my-games", "/lab", "/settings", "/help", "/watch"] : [])];

acceptance("privacy", ["--contact", "The Chess Club <chess@club.example>"], [
	["every table and field is on the page, with a purpose and a time", async (world) => {
		const page = await world.visit("/privacy");
		await page.getByRole("heading", { name: "Privacy", exact: true }).waitFor();
		await page.getByText("This server is run by The Chess Club <chess@club.example>.").waitFor();
		const { stored, keep_guests } = await world.server.get("/api/v1/privacy");
		const rows = await page.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
		assert.equal(rows.length, stored.length);
		for (const [i, { table, fields, purpose, kept }] of stored.entries()) {
			assert.equal(rows[i][0], `${table} ${fields.join(", ")}`);
			assert.notEqual(rows[i][1], "Needed to run the server.", `no message for the purpose ${purpose}`);
			assert.ok(rows[i][2] !== "Indefinitely." || kept === "forever" || keep_guests === 0, `no message for the time ${kept}`);
		}
		const about = (name) => rows.find(([fields]) => fields.startsWith(name)).slice(1).join(" ");
		assert.match(about("user epoch"), /A number that grows/);
		assert.match(about("imcs_number"), /The last number/);
		assert.match(about("revocation"), /At least a day/);
		assert.match(about("code"), /expires after a day\./);
		await page.getByText("Copies keep what has been deleted since").waitFor();
		const cookies = await page.locator("li:has(code)").allTextContents();
		assert.equal(cookies.length, 2);
		assert.ok(cookies[0].startsWith("qv: A random user number") && cookies[1].startsWith("qv-device: Set when you log in"), cookies.join());
		assert.ok(cookies.every((text) => text.endsWith("It lasts 365 days.")), cookies.join());
		await page.getByText("It removes finished games of guests after 90 days.").waitFor();
		await page.getByText("The server logs failures only").waitFor();
		await noViolations(page, "privacy");
	}],
	["the footer leads to it", async (world) => {
		const page = await world.visit("/help");
		await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
		await page.waitForURL("**/privacy");
	}],
	["the cookies that it names, and no request to another host", async (world) => {
		const player = await world.player();
		const requests = new Set();
		player.context.on("request", (request) => requests.add(request.url()));
		player.context.on("page", (page) => page.on("websocket", (socket) => requests.add(socket.url())));
		const { host } = new URL(world.server.url);
		for (const path of PAGES) {
			const page = await player.tab(path);
			await page.waitForLoadState("networkidle");
			await page.close();
		}
		assert.ok(requests.size > PAGES.length, "requests were recorded");
		const foreign = [...requests].filter((url) => /^(https?|wss?):/.test(url) && new URL(url).host !== host);
		assert.deepEqual(foreign, []);
		const seen = async () => (await player.context.cookies()).map(({ name, httpOnly, sameSite, expires }) =>
			[name, httpOnly, sameSite, Math.round((expires - Date.now() / 1000) / 86400)]).sort();
		assert.deepEqual(await seen(), [["qv", true, "Lax", 365]]);
		/* A login brings the other one, and no more than the page tells. */
		const page = await player.tab("/privacy");
		const status = await page.evaluate(async () => (await fetch("/api/v1/accounts", { method: "POST", headers: { "content-type": "application/json" },
			body: JSON.stringify({ name: "Petra", password: "correct horse" }) })).status);
		assert.equal(status, 201);
		const { cookies } = await world.server.get("/api/v1/privacy");
		assert.deepEqual(await seen(), cookies.map(({ name, days }) => [name, true, "Lax", days]));
	}],
]);
