// offline.test.mjs - the page without a network: kept files, new versions, plain HTTP.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptance, pageFolder, until } from "./support.mjs";

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", webmanifest: "application/manifest+json" };

/** Serves a copy of the built page under a path of its own, as a static site. */
async function site() {
	const folder = mkdtempSync(join(tmpdir(), "quevedo-site-"));
	cpSync(pageFolder, folder, { recursive: true });
	let away = false;
	const server = createServer((request, answer) => {
		if (away) // as a load balancer says it
			return answer.writeHead(503, { "content-type": "text/html" }).end("<h1>503 Service Unavailable</h1>");
		const path = request.url.replace(/^\/school\//, "") || "index.html";
		try {
			const bytes = readFileSync(join(folder, path));
			answer.writeHead(200, { "content-type": TYPES[path.split(".").pop()] ?? "application/octet-stream", "cache-control": "no-cache" }).end(bytes);
		} catch {
			answer.writeHead(404).end();
		}
	});
	await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
	server.unref();
	const edit = (path, change) => writeFileSync(join(folder, path), change(readFileSync(join(folder, path), "utf8")));
	const close = () => {
		server.close();
		rmSync(folder, { recursive: true });
	};
	/* The addresses of the page are absolute; on a static site they are not. */
	edit("index.html", (text) => text.replaceAll('="/', '="'));
	const published = () => createHash("sha256").update(readFileSync(join(folder, "index.html"))).digest("hex");
	const before = /index:"([0-9a-f]{64})"/.exec(readFileSync(join(folder, "sw.js"), "utf8"))[1];
	edit("sw.js", (text) => text.replace(before, published()));
	/** A new version: another script under another name. */
	const publish = () => {
		const old = readdirSync(join(folder, "assets")).find((name) => /^app-.*\.js$/.test(name));
		const hash = published();
		renameSync(join(folder, "assets", old), join(folder, "assets/app-feedfeedfeed.js"));
		edit("index.html", (text) => text.replace(old, "app-feedfeedfeed.js"));
		edit("sw.js", (text) => text.replace(old, "app-feedfeedfeed.js").replace(hash, published()).replace(/version:"[0-9a-f]+"/, 'version:"2"'));
		return old;
	};
	return { url: `http://127.0.0.1:${server.address().port}/school/`, publish, close, leave: () => (away = true) };
}

const controlled = (page) => until("the service worker", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
const keptFiles = (page) => page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) =>
	(await (await caches.open(name)).keys()).map(({ url }) => url)))).flat());

acceptance("the page without a network", [], [
	["opens at any address after one visit", async (world) => {
		world.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|can’t establish a connection|\/engine\//); // the engine may not be kept yet
		const player = await world.player({ serviceWorkers: "allow" });
		const page = await player.tab("/");
		await controlled(page);
		await player.context.setOffline(true);
		await page.goto(`${world.server.url}/help`);
		await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
		assert.ok(!(await keptFiles(page)).some((url) => url.includes("/api/")), "the API is not kept");
		await player.context.setOffline(false);
	}],
	["shows the games before they are stored, and says why none can begin", async (world) => {
		world.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|can’t establish a connection|Failed to fetch|NetworkError|\/engine\//);
		const player = await world.player({ serviceWorkers: "allow" });
		const page = await player.tab("/");
		await page.getByRole("heading", { name: "Chess" }).first().waitFor();
		await controlled(page);
		await until("the copy of the gallery", () => page.evaluate(async () => Boolean(await caches.match(new URL("assets/../gallery.json", location.origin + "/").href))));
		await page.evaluate(async () => { // the engine may have come meanwhile
			for (const name of await caches.keys())
				if (/ engine$/.test(name))
					await caches.delete(name);
		});
		await player.context.setOffline(true);
		await page.reload();
		await page.getByRole("heading", { name: "Chess" }).first().waitFor();
		await page.getByRole("button", { name: "Play now" }).click();
		await page.getByText("You are offline, and the games are not stored yet.").first().waitFor();
		await player.context.setOffline(false);
	}],
	["says that plain HTTP does not allow it", async (world) => {
		world.allow(/school\.test/); // there is nothing but the files
		const player = await world.player({ serviceWorkers: "allow" });
		const page = await player.tab();
		await page.route("http://school.test/**", (route) => {
			const path = join(pageFolder, new URL(route.request().url()).pathname.replace(/^\/settings$/, "index.html"));
			return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 });
		});
		await page.goto("http://school.test/settings");
		await page.getByText("only over HTTPS or on localhost").waitFor();
	}],
	["takes a new version when the page is loaded again", async (world) => {
		world.allow(/404|503|Failed to load resource|can’t establish a connection/); // this site has no server of its own
		const { url, publish, close, leave } = await site();
		const player = await world.player({ serviceWorkers: "allow" });
		const page = await player.tab();
		const script = () => page.locator("script[type=module]").getAttribute("src");
		await page.goto(url);
		await controlled(page);
		const old = publish();
		assert.ok((await script()).includes(old));
		await page.goto(url);
		assert.ok((await script()).includes("feedfeedfeed"));
		await until("the new version to be kept, and the old one dropped", async () => {
			const kept = await keptFiles(page);
			return kept.some((one) => one.includes("feedfeedfeed")) && !kept.some((one) => one.includes(old));
		});
		leave(); // the balancer has no server: the kept page opens, too
		await page.reload();
		await page.locator("#app header").waitFor();
		await player.context.setOffline(true);
		await page.reload();
		assert.ok((await script()).includes("feedfeedfeed"));
		await page.locator("#app header").waitFor();
		close();
	}],
]);
