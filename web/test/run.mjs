// run.mjs - bundles the unit tests of the page and runs them in one process: node web/test/run.mjs
// SPDX-License-Identifier: MIT
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Duplex } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createDeflateRaw, createInflateRaw } from "node:zlib";
import * as esbuild from "esbuild";
import { lessons } from "../lessons.mjs";
import { messages } from "../messages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "quevedo-page-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
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
// Browsers compress links so; Node 18, which Debian has, does not know the name of that format.
for (const [name, make] of [["CompressionStream", createDeflateRaw], ["DecompressionStream", createInflateRaw]])
	try {
		new globalThis[name]("deflate-raw");
	} catch {
		globalThis[name] = function () {
			return Duplex.toWeb(make());
		};
	}
process.env.QUEVEDO_ENGINE ??= join(here, "../out/engine"); // as build.mjs wrote it
process.env.QUEVEDO_PAGE = join(here, "../src");
for (const name of names)
	await import(pathToFileURL(join(folder, name.replace(/\.ts$/, ".mjs"))).href);
