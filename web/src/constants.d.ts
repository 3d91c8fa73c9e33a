// constants.d.ts - what build.mjs fills in.
// SPDX-License-Identifier: MIT

/** The files of the engine for browsers, relative to the page's folder; null: it was not built. */
declare const ENGINE_FILES: {
	core: string;
	plain: string; // for browsers without vectors
	data: Record<string, string>; // by game; a game without a file needs none
	sizes: Record<string, number>; // bytes, by file
} | null;
/** The script of the engine's worker, relative to the page's folder. */
declare const ENGINE_WORKER: string;
/** The style sheets of the parts that are loaded later, of the laboratory and of a phone on its side: their names beside the scripts. */
declare const LATER_STYLE: string;
declare const LABORATORY_STYLE: string;
declare const LANDSCAPE_STYLE: string;
/** The page is a folder of files, without a server of its own. */
declare const STATIC_SITE: boolean;

/** The page's language, for numbers and plurals. */
declare const LANGUAGE: string;

/** The lessons of web/lessons, in the order of their names (lessons.mjs). */
declare module "lessons:all" {
	const texts: { name: string; text: string }[];
	export default texts;
}

/** The first steps of the games, web/learn, and their pictures of the rules. */
declare module "learn:all" {
	const texts: { name: string; text: string }[];
	export default texts;
}
declare module "learn:pictures" {
	const pictures: Record<string, import("./learn/parse").Picture[]>;
	export default pictures;
}

/** A file of puzzles, as text. */
declare module "*.txt" {
	const text: string;
	export default text;
}
