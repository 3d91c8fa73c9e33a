// build.mjs - builds the page: node web/build.mjs OUTDIR [--engine=FOLDER] [--static] [--language=NAME] [--watch]
// SPDX-License-Identifier: MIT
//
// Writes OUTDIR/index.html, the service worker sw.js, manifest.webmanifest and OUTDIR/assets/: app-HASH.js, part-HASH.js, app-HASH.css,
// icons.
// The same sources give the same bytes, so browsers can cache a name with a hash forever.
//
// --engine: the engine for browsers, as tools/wasm.cmake builds it. Its files go to OUTDIR/engine/, and
// src/constants.d.ts describes the list of them that the page gets. Without it the page uses the server's engine.
//
// --language: the texts of messages/NAME.json (en); pseudo: English between brackets, for tests.
//
// --static: for a folder without a server of its own, at any address; site.mjs adds what its first board needs.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { lessons } from "./lessons.mjs";
import { messages } from "./messages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const watch = process.argv.includes("--watch");
const outdir = process.argv.slice(2).find((word) => !word.startsWith("--"));
const isStatic = process.argv.includes("--static");
const engine = process.argv.find((word) => word.startsWith("--engine="))?.slice("--engine=".length);
const language = process.argv.find((word) => word.startsWith("--language="))?.slice("--language=".length) ?? "en";
if (!outdir) {
	console.error("usage: node web/build.mjs OUTDIR [--engine=FOLDER] [--static] [--language=NAME] [--watch]");
	process.exit(2);
}

// As the server's (src/server/http/response.c), except what only a header may say.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

function hashed(name, bytes) {
	const [stem, ending] = name.split(".");
	return `${stem}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.${ending}`;
}

// Copies the engine's files under their hashed names and lists them. Null: there is no engine.
function copyEngine() {
	const to = join(resolve(outdir), "engine");
	rmSync(to, { recursive: true, force: true });
	if (!engine)
		return null;
	mkdirSync(to, { recursive: true });
	const sizes = {};
	const copy = (from, name) => {
		const bytes = readFileSync(join(engine, from));
		const path = `engine/${hashed(name, bytes)}`;
		writeFileSync(join(to, "..", path), bytes);
		sizes[path] = bytes.length;
		return path;
	};
	const core = copy("libquevedo.wasm", "quevedo.wasm");
	const plain = copy("plain/libquevedo.wasm", "quevedo-plain.wasm");
	const data = {};
	for (const name of readdirSync(join(engine, "data")).sort())
		if (name.endsWith(".bin"))
			data[name.slice(0, -4)] = copy(`data/${name}`, name);
	const files = { core, plain, data, sizes };
	writeFileSync(join(to, "manifest.json"), JSON.stringify(files));
	return files;
}

const common = { absWorkingDir: here, outdir: "out", write: false, bundle: true, minify: true, format: "esm", target: "es2022", plugins: [messages(language)] };

// The worker of the engine is a script of its own, which the page starts by its name.
const [worker] = (await esbuild.build({ ...common, entryPoints: ["src/engine/worker.ts"] })).outputFiles;
const workerName = `assets/${hashed("worker.js", worker.contents)}`;

// So are the style sheets of the parts that are loaded later.
async function styleSheet(file) {
	const [{ contents }] = (await esbuild.build({ ...common, entryPoints: [`src/${file}`] })).outputFiles;
	return { name: hashed(basename(file), contents), contents };
}
const laterStyle = await styleSheet("later.css"), laboratoryStyle = await styleSheet("laboratory.css"), landscapeStyle = await styleSheet("css/landscape.css");

const engineList = copyEngine();
const options = {
	...common,
	entryPoints: { app: "src/app.tsx", style: "src/style.css" },
	loader: { ".txt": "text" }, // the puzzles
	splitting: true, // what lazy.tsx loads becomes files of its own
	chunkNames: "part-[hash]",
	metafile: true,
	jsx: "automatic",
	jsxImportSource: "preact",
	legalComments: "none",
	logLevel: "warning",
	define: { ENGINE_FILES: JSON.stringify(engineList), ENGINE_WORKER: JSON.stringify(workerName), LATER_STYLE: JSON.stringify(laterStyle.name), LABORATORY_STYLE: JSON.stringify(laboratoryStyle.name), LANDSCAPE_STYLE: JSON.stringify(landscapeStyle.name), STATIC_SITE: String(isStatic) },
	plugins: [...common.plugins, lessons, { name: "page", setup: (build) => build.onEnd(writePage) }],
};

async function writePage(result) {
	if (result.errors.length)
		return;
	const assets = join(resolve(outdir), "assets");
	mkdirSync(assets, { recursive: true });
	for (const old of readdirSync(assets))
		rmSync(join(assets, old));
	/* The icon is part of the page: one request less. */
	const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(here, "src/favicon.svg"), "utf8"))}`;
	let html = readFileSync(join(here, "src/index.html"), "utf8").replace("/assets/favicon.svg", icon);
	for (const file of result.outputFiles) {
		const part = /part-[^/]*$/.exec(file.path)?.[0]; // named by its hash already
		const name = file.path.endsWith(".css") ? "app.css" : "app.js";
		const to = part ?? hashed(name, file.contents);
		writeFileSync(join(assets, to), file.contents);
		if (!part)
			html = html.replace(`/assets/${name}`, `/assets/${to}`);
	}
	/* What the script imports at once is loaded beside it. */
	const needed = result.metafile.outputs["out/app.js"].imports.filter(({ kind }) => kind === "import-statement");
	html = html.replace("</head>", `${needed.map(({ path }) => `<link rel="modulepreload" href="/assets/${path.replace(/^out\//, "")}">\n`).join("")}</head>`);
	writeFileSync(join(resolve(outdir), workerName), worker.contents);
	for (const { name, contents } of [laterStyle, laboratoryStyle, landscapeStyle])
		writeFileSync(join(assets, name), contents);
	const written = readdirSync(assets).sort().map((name) => `assets/${name}`);
	/* Every page works without a network after the first visit, so the service worker keeps those that are loaded later, too. */
	const [pages] = Object.entries(result.metafile.outputs).find(([, { entryPoint }]) => entryPoint === "src/pages/more.ts");
	const imported = result.metafile.outputs[pages].imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
	const parts = [pages, ...imported].map((path) => path.replace(/^out\//, "assets/"));
	const kept = (path) => html.includes(`/${path}"`) || parts.includes(path) || path === `assets/${laterStyle.name}`;
	const [files, later] = [true, false].map((now) => written.filter((path) => kept(path) === now));
	cpSync(join(here, "src/icons"), assets, { recursive: true });
	cpSync(join(here, "src/favicon.svg"), join(assets, "favicon.svg"));
	cpSync(join(here, "src/manifest.webmanifest"), join(resolve(outdir), "manifest.webmanifest"));
	if (isStatic) // the server would send the policy as a header
		html = html.replaceAll('="/', '="').replace("</title>", `</title>
<meta name="quevedo-site" content="static">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
	writeFileSync(join(resolve(outdir), "index.html"), html);
	await writeWorker(files, [...later, "assets/favicon.svg"], createHash("sha256").update(html).digest("hex"));
}

// The service worker knows the files of its version by their names, and the page by its hash.
function writeWorker(files, later, index) {
	const engineFiles = [...later, ...engineList ? [engineList.core, engineList.plain, ...Object.values(engineList.data)] : []];
	const version = createHash("sha256").update([index, ...files, ...engineFiles].join(" ")).digest("hex").slice(0, 12);
	return esbuild.build({
		...common, entryPoints: { sw: "src/offline/sw.ts" }, write: true, outdir: resolve(outdir),
		define: { KEPT: JSON.stringify({ version, index, files, engine: engineFiles }) },
	});
}

if (watch)
	await (await esbuild.context(options)).watch();
else
	await esbuild.build(options).catch(() => process.exit(1));
