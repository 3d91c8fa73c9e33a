// plan.ts - what the service worker keeps and where a request is answered: pure functions.
// SPDX-License-Identifier: MIT

/** Paths are relative to the folder of the page. */
export interface Kept {
	version: string;
	index: string; // SHA-256 of index.html, in hexadecimal
	files: string[]; // of the page and its views, kept at once
	engine: string[]; // other scripts, the engine and its data: kept when they are first used
}

export interface CacheNames {
	prefix: string; // of all caches of this copy of the page
	page: string;
	engine: string;
}

export function cacheNames(root: string, version: string): CacheNames {
	const prefix = `quevedo ${root} `;
	return { prefix, page: `${prefix}page ${version}`, engine: `${prefix}engine` };
}

export function isOldCache(name: string, { prefix, page, engine }: CacheNames): boolean {
	return name.startsWith(prefix) && name !== page && name !== engine;
}

/** null: not in the folder of the page. */
export function pathIn(root: string, url: string): string | null {
	return url.startsWith(root) ? url.slice(root.length).split(/[?#]/, 1)[0] ?? "" : null;
}

/** page: the page itself, at whatever address; file: kept, or to be kept. */
export type Source = "page" | "file" | "network";

export function sourceOf(path: string, mode: RequestMode, { files, engine }: Kept): Source {
	if (path.startsWith("api/"))
		return "network";
	if (files.includes(path) || engine.includes(path))
		return "file";
	return mode === "navigate" ? "page" : "network";
}
