// build.mjs - builds the page: node web/build.mjs OUTDIR [--watch]
// SPDX-License-Identifier: MIT
//
// Writes OUTDIR/index.html and OUTDIR/assets/: app-HASH.js, app-HASH.css, favicon.svg. The same sources
// give the same bytes, so browsers can cache a name with a hash forever.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes("--watch");
const outdir = process.argv.slice(2).find((word) => !word.startsWith("--"));
if (!outdir) {
	console.error("usage: node web/build.mjs OUTDIR [--watch]");
	process.exit(2);
}

const options = {
	absWorkingDir: here,
	entryPoints: { app: "src/app.tsx", style: "src/style.css" },
	outdir: "out",
	write: false,
	bundle: true,
	minify: true,
	format: "esm",
	target: "es2022",
	jsx: "automatic",
	jsxImportSource: "preact",
	legalComments: "none",
	logLevel: "warning",
	plugins: [{ name: "page", setup: (build) => build.onEnd(writePage) }],
};

function hashed(name, bytes) {
	const [stem, ending] = name.split(".");
	return `${stem}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.${ending}`;
}

function writePage(result) {
	if (result.errors.length)
		return;
	const assets = join(resolve(outdir), "assets");
	mkdirSync(assets, { recursive: true });
	for (const old of readdirSync(assets))
		rmSync(join(assets, old));
	let html = readFileSync(join(here, "src/index.html"), "utf8");
	for (const file of result.outputFiles) {
		const name = file.path.endsWith(".css") ? "app.css" : "app.js";
		const to = hashed(name, file.contents);
		writeFileSync(join(assets, to), file.contents);
		html = html.replace(`/assets/${name}`, `/assets/${to}`);
	}
	writeFileSync(join(assets, "favicon.svg"), readFileSync(join(here, "src/favicon.svg")));
	writeFileSync(join(resolve(outdir), "index.html"), html);
}

if (watch)
	await (await esbuild.context(options)).watch();
else
	await esbuild.build(options).catch(() => process.exit(1));
