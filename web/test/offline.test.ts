// offline.test.ts - what the service worker keeps, and where it answers a request.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheNames, isOldCache, pathIn, sourceOf, type Kept } from "../src/offline/plan";

const ROOT = "https://school.example/games/";
const KEPT: Kept = {
	version: "1", index: "", files: ["assets/app-0123456789ab.js", "assets/favicon.svg"], engine: ["engine/chess-0123456789ab.bin"],
};

test("paths are relative to the folder of the page", () => {
	assert.equal(pathIn(ROOT, `${ROOT}assets/x.js?y#z`), "assets/x.js");
	assert.equal(pathIn(ROOT, ROOT), "");
	assert.equal(pathIn(ROOT, "https://school.example/other/x.js"), null);
	assert.equal(pathIn(ROOT, "https://elsewhere.example/games/x.js"), null);
});

test("the API always needs the network", () => {
	for (const mode of ["navigate", "cors"] as const)
		assert.equal(sourceOf("api/v1/games", mode, KEPT), "network");
});

test("every address is the page, except files", () => {
	assert.equal(sourceOf("", "navigate", KEPT), "page");
	assert.equal(sourceOf("play/abc", "navigate", KEPT), "page");
	assert.equal(sourceOf("assets/favicon.svg", "navigate", KEPT), "file");
	assert.equal(sourceOf("engine/chess-0123456789ab.bin", "cors", KEPT), "file");
	assert.equal(sourceOf("engine/chess-ffffffffffff.bin", "cors", KEPT), "network");
	assert.equal(sourceOf("manifest.webmanifest", "cors", KEPT), "network");
});

test("only older caches of the same copy are dropped", () => {
	const names = cacheNames(ROOT, "2");
	assert.ok(isOldCache(cacheNames(ROOT, "1").page, names));
	assert.ok(!isOldCache(names.page, names) && !isOldCache(names.engine, names));
	assert.ok(!isOldCache(cacheNames("https://school.example/", "1").page, names));
	assert.ok(!isOldCache("another program", names));
});
