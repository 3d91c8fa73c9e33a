// run.mjs - bundles the unit tests of the page and runs them: node web/test/run.mjs
// SPDX-License-Identifier: MIT
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { lessons } from "../lessons.mjs";
import { messages } from "../messages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "quevedo-page-"));
const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
let status = 1;
try {
	await esbuild.build({
		entryPoints: names.map((name) => join(here, name)),
		outdir: folder,
		outExtension: { ".js": ".mjs" },
		bundle: true,
		platform: "node",
		format: "esm",
		logLevel: "warning",
		loader: { ".txt": "text" },
		define: { ENGINE_FILES: "null", ENGINE_WORKER: '""', LATER_STYLE: '""', LABORATORY_STYLE: '""', LANDSCAPE_STYLE: '""', STATIC_SITE: "false" },
		plugins: [messages("en"), lessons],
		jsx: "automatic",
		jsxImportSource: "preact",
	});
	const files = names.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
	const env = { ...process.env, QUEVEDO_ENGINE: process.env.QUEVEDO_ENGINE ?? join(here, "../out/engine"), // as build.mjs wrote it
		QUEVEDO_PAGE: join(here, "../src") };
	status = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", env }).status ?? 1;
} finally {
	rmSync(folder, { recursive: true });
}
process.exit(status);
