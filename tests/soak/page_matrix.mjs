// page_matrix.mjs - the browser tests in each place where people open the page: a line for each place and test, then the totals.
// SPDX-License-Identifier: MIT
//
// usage: node tests/soak/page_matrix.mjs [PLACE...] [TEST...]      without: all of both, such as firefox-phone-dark boards review
// QUEVEDO, QUEVEDO_MODULES: as in tests/web/support.mjs. JOBS: how many tests at a time (half the processors).
// Exit status 1 if a test failed; its output follows its line.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../web");
const browsers = { chromium: process.env.CHROMIUM ?? "/usr/bin/chromium", firefox: process.env.FIREFOX ?? "/usr/bin/firefox-esr" };
const PLACES = ["firefox-desk-light", "firefox-phone-dark", "chromium-desk-light", "chromium-desk-dark", "chromium-phone-light", "chromium-phone-dark"];
const FULL = "chromium-desk-light"; // has the long samples, too
const PATIENCE = 1800000; // ms for one test

/* Tests that a place leaves out, with the reason. What a single step leaves out is said in its file. */
const BROWSERLESS = "needs no browser, and runs in one place";
const LEFT_OUT = [
	[/./, "board_logic", (place) => place !== FULL && BROWSERLESS],
	[/^firefox/, "landing", () => "counts the requests and bytes of Chromium"],
];

function reasonFor(place, name) {
	const browser = browsers[place.split("-")[0]];
	if (!existsSync(browser))
		return `${browser} is missing; tools/setup soak installs it`;
	for (const [where, test, reason] of LEFT_OUT)
		if (where.test(place) && test === name && reason(place))
			return reason(place);
	return null;
}

/** Runs a test file. Gives its exit status and what it printed, as TAP. */
function run(place, name) {
	const [browser, width, scheme] = place.split("-");
	const child = spawn(process.execPath, ["--test-reporter=tap", join(folder, `${name}.test.mjs`)], {
		env: {
			...process.env, CHROMIUM: browsers.chromium, FIREFOX: browsers.firefox, QUEVEDO_BROWSER: browser, QUEVEDO_WIDTH: width,
			QUEVEDO_SCHEME: scheme, ...(place === FULL && { QUEVEDO_FULL: "1", QUEVEDO_GAMES: "all" }),
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	let text = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (part) => (text += part));
	const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
	return new Promise((done) => child.once("close", (status) => {
		clearTimeout(late);
		done({ status, text });
	}));
}

/** The steps of a test by their fate, and why steps were skipped. A file without steps is one. */
function countsOf(text) {
	const lines = [...text.matchAll(/^( *)(not ok|ok) \d+ - (.*)$/gm)].map(([, indent, fate, rest]) => ({ inner: indent !== "", fate, rest }));
	const steps = lines.some(({ inner }) => inner) ? lines.filter(({ inner }) => inner) : lines;
	const skips = steps.filter(({ rest }) => / # SKIP/.test(rest));
	return {
		passed: steps.filter(({ fate }) => fate === "ok").length - skips.length,
		failed: steps.filter(({ fate }) => fate === "not ok").length,
		skipped: skips.length,
		reasons: [...new Set(skips.map(({ rest }) => rest.split(" # SKIP ")[1] ?? "no reason"))],
	};
}

const asked = process.argv.slice(2);
const all = readdirSync(folder).filter((file) => file.endsWith(".test.mjs")).map((file) => file.replace(".test.mjs", "")).sort();
for (const word of asked)
	if (!PLACES.includes(word) && !all.includes(word)) {
		console.error(`page_matrix: no place and no test is called ${word}; places: ${PLACES.join(", ")}`);
		process.exit(2);
	}
const chosen = (list) => (list.some((one) => asked.includes(one)) ? list.filter((one) => asked.includes(one)) : list);
const jobs = chosen(PLACES).flatMap((place) => chosen(all).map((name) => ({ place, name })));
const total = Object.fromEntries(PLACES.map((place) => [place, { passed: 0, failed: 0, skipped: 0 }]));

async function work() {
	for (let job = jobs.shift(); job; job = jobs.shift()) {
		const { place, name } = job, sum = total[place], why = reasonFor(place, name);
		if (why) {
			sum.skipped++;
			console.log(`matrix: ${place} ${name}: skipped (${why})`);
			continue;
		}
		const begun = Date.now();
		const { status, text } = await run(place, name);
		const counts = countsOf(text);
		if (status !== 0 && !counts.failed)
			counts.failed = 1;
		for (const kind of ["passed", "failed", "skipped"])
			sum[kind] += counts[kind];
		console.log(`matrix: ${place} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` +
			`${counts.reasons.map((reason) => ` (${reason})`).join("")}, ${Math.round((Date.now() - begun) / 1000)} s`);
		if (counts.failed)
			console.log(text.replace(/^/gm, "    "));
	}
}

await Promise.all(Array.from({ length: Number(process.env.JOBS) || Math.max(1, availableParallelism() >> 1) }, work));
for (const place of chosen(PLACES)) {
	const { passed, failed, skipped } = total[place];
	console.log(`matrix: ${place} in all: ${passed} passed, ${failed} failed, ${skipped} skipped`);
}
process.exit(chosen(PLACES).some((place) => total[place].failed) ? 1 : 0);
