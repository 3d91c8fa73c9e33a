// run.mjs - tests of the page in one process and one browser, and each file that fails once more, alone.
// SPDX-License-Identifier: MIT
//
// usage: node tests/web/run.mjs FILE...      environment as for support.mjs
// Loading playwright-core and starting Chromium takes as long as a short test. Of each file that failed, the last lines tell how it
// ended. A browser on a busy machine is late in ways that a test does not foresee: such a test passes the second time, and
// `make test` names it at its end, since it may be a race of the page.
import { spawnSync } from "node:child_process";
import { basename, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { keepBrowser } from "./support.mjs";

const failed = [];
const browser = await keepBrowser();
for (const file of process.argv.slice(2)) {
	process.exitCode = 0; // a test that fails sets it
	try {
		await import(pathToFileURL(resolve(file)).href);
	} catch (error) {
		console.error(error);
		process.exitCode = 1;
	}
	await test(`the end of ${basename(file)}`, () => {}); // tests run in the order in which they are registered
	if (process.exitCode)
		failed.push(file);
}
await browser.close();

let status = 0;
for (const file of failed) {
	console.log(`== once more: ${basename(file)}`);
	const again = spawnSync(process.execPath, [file], { stdio: "inherit" }).status;
	console.log(`== page: ${basename(file)} ${again === 0 ? "passed the second time" : "failed twice"}`);
	status ||= again ?? 1;
}
process.on("exit", () => (process.exitCode = status));
