// lessons.mjs - packs the texts for learners into the page: an esbuild plugin that provides "lessons:all", "learn:all" and "learn:pictures".
// SPDX-License-Identifier: MIT
//
// web/lessons has the lessons, web/learn the first steps of each game, and pictures for its written rules, which are packed
// alone, too. A text that its parser refuses fails the build, with its file and line.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { messages } from "./messages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const PARSERS = { lessons: ["src/lessons/parse.ts", "parseLesson"], learn: ["src/learn/parse.ts", "parseFirstSteps"] };

function textFiles(folder) {
	return readdirSync(folder).filter((name) => name.endsWith(".txt")).sort();
}

async function parserOf(kind) {
	const [file, name] = PARSERS[kind];
	const { outputFiles: [{ text }] } = await esbuild.build({
		entryPoints: [join(here, file)], bundle: true, write: false, format: "esm", platform: "neutral", plugins: [messages("en")],
	});
	return (await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`))[name];
}

export const lessons = {
	name: "lessons",
	setup(build) {
		build.onResolve({ filter: /^(lessons:all|learn:all|learn:pictures)$/ }, ({ path }) => ({ path, namespace: "lessons" }));
		build.onLoad({ filter: /.*/, namespace: "lessons" }, async ({ path }) => {
			const [kind, part] = path.split(":");
			const parse = await parserOf(kind);
			const folder = join(here, kind);
			const files = textFiles(folder);
			const errors = [];
			const pictures = {};
			const texts = files.map((name) => {
				const text = readFileSync(join(folder, name), "utf8");
				const game = name.slice(0, -".txt".length);
				try {
					pictures[game] = parse(text, name).pictures;
				} catch (error) {
					errors.push({ text: error.message });
				}
				return { name: game, text };
			});
			return { contents: JSON.stringify(part === "pictures" ? pictures : texts), loader: "json", errors, watchDirs: [folder], watchFiles: files.map((name) => join(folder, name)) };
		});
	},
};
