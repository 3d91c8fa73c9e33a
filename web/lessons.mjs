// lessons.mjs - packs the lessons of web/lessons into the page: an esbuild plugin that provides the module "lessons:all".
// SPDX-License-Identifier: MIT
//
// A lesson that src/lessons/parse.ts refuses fails the build, with its file and line.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
export const folder = join(here, "lessons");

export function lessonFiles() {
	return readdirSync(folder).filter((name) => name.endsWith(".txt")).sort();
}

async function parser() {
	const { outputFiles: [{ text }] } = await esbuild.build({
		entryPoints: [join(here, "src/lessons/parse.ts")], bundle: true, write: false, format: "esm", platform: "neutral",
	});
	return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

export const lessons = {
	name: "lessons",
	setup(build) {
		build.onResolve({ filter: /^lessons:all$/ }, () => ({ path: "all", namespace: "lessons" }));
		build.onLoad({ filter: /.*/, namespace: "lessons" }, async () => {
			const { parseLesson } = await parser();
			const files = lessonFiles();
			const errors = [];
			const texts = files.map((name) => {
				const text = readFileSync(join(folder, name), "utf8");
				try {
					parseLesson(text, name);
				} catch (error) {
					errors.push({ text: error.message });
				}
				return { name: name.slice(0, -".txt".length), text };
			});
			return { contents: JSON.stringify(texts), loader: "json", errors, watchDirs: [folder], watchFiles: files.map((name) => join(folder, name)) };
		});
	},
};
