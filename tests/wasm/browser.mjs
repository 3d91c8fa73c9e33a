// browser.mjs - runs requests in the engine for browsers in Chromium, as a page would: in a worker, with files from a server.
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const worker = `
	import { createEngine } from "/host.mjs";
	import { repeatableBytes, runRequests } from "/requests.mjs";
	onmessage = async ({ data: requests }) => {
		const loadData = async (game) => {
			const response = await fetch("/data/" + game + ".bin");
			return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
		};
		try {
			const module = await WebAssembly.compileStreaming(fetch("/libquevedo.wasm"));
			postMessage(await runRequests(await createEngine(module, loadData, repeatableBytes()), requests));
		} catch (error) {
			postMessage(error.stack);
		}
	};`;

function serve(folder) {
	const own = { "/": "<!doctype html><title>engine</title>", "/worker.mjs": worker };
	const files = { "/host.mjs": join(here, "../../web/engine/host.mjs"), "/requests.mjs": join(here, "requests.mjs") };
	const server = createServer(({ url }, response) => {
		const path = files[url] ?? join(folder, url);
		const type = url === "/" ? "text/html" : url.endsWith(".mjs") ? "text/javascript" : url.endsWith(".wasm") ? "application/wasm" : "";
		if (!(url in own) && !existsSync(path)) response.writeHead(404).end();
		else response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(own[url] ?? readFileSync(path));
	});
	return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

export async function inChromium(folder, modules, requests) {
	const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");
	const server = await serve(folder);
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
	try {
		const page = await browser.newPage();
		await page.goto(`http://127.0.0.1:${server.address().port}/`);
		return await page.evaluate((list) => new Promise((done, failed) => {
			const engine = new Worker("/worker.mjs", { type: "module" });
			engine.onmessage = ({ data }) => (typeof data === "string" ? failed(new Error(data)) : done(data));
			engine.onerror = (event) => failed(new Error(`worker: ${event.message}`));
			engine.postMessage(list);
		}), requests);
	} finally {
		await browser.close();
		server.close();
	}
}
