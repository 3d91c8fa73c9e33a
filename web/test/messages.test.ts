// messages.test.ts - the message file: every text of it is used and valid, and formatted as ICU MessageFormat does.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { IntlMessageFormat } from "intl-messageformat";
import english from "../messages/en.json";
import { fillMessages } from "../messages.mjs";
import { rich, t } from "../src/messages";
import { callsOf, textsOf } from "./texts";

const source = process.env.QUEVEDO_PAGE as string;
const format = (message: string, values = {}) => t(message as keyof typeof english, values);

/* Values for every argument: numbers that take each plural, and words that take each branch. */
function samples(message: string): Record<string, unknown>[] {
	const names = [...message.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name as string);
	const counted = new Set([...message.matchAll(/\{\s*(\w+)\s*,\s*(plural|number)/g)].map(([, name]) => name));
	const words = [...message.matchAll(/(\w+)\s*\{/g)].map(([, word]) => word as string);
	const tags = [...message.matchAll(/<(\w+)>/g)].map(([, tag]) => [tag as string, (inside: unknown[]) => `[${[inside].flat(9).join("")}]`] as const);
	return [0, 1, 2, 5, 12345].flatMap((number) => ["Ana", ...words].map((word) => ({
		...Object.fromEntries(names.map((name) => [name, counted.has(name) ? number : word])), ...Object.fromEntries(tags),
	})));
}

test("messages are formatted as ICU MessageFormat formats them", () => {
	const own = [
		"It's {name}'s turn", "'{'{name}'}' '' '<b>'", "{n, plural, =0 {none} one {# game} other {# games of {name}}}!",
		"{who, select, you {You have {n, plural, one {a man} other {# men}}} other {{who} has # men}}", "{n, number} of <b>many {n, plural, other {#}}</b> #",
		"a < b, {n,plural,one{#}other{#s}}",
	];
	for (const message of [...own, ...Object.values(english)]) {
		const peer = new IntlMessageFormat(message, "en");
		for (const values of samples(message))
			assert.equal((rich(message as keyof typeof english, values as never) as unknown[]).flat(9).join(""), [peer.format(values as never)].flat(9).join(""), message);
	}
});

test("a number takes its plural form, and text takes none", () => {
	assert.equal(format("{n, plural, one {# game} other {# games}}", { n: 1 }), "1 game");
	assert.equal(format("{n, plural, one {# game} other {# games}}", { n: 2000 }), "2,000 games");
	assert.equal(format("{n, plural, one {# game} other {# games of {name} here}}", { n: 2, name: "Ana" }), "2 games of Ana here");
});

/* The folders and files whose texts are still to be moved to the message file. */
const PENDING = [
	"api.ts", "app.tsx", "board/", "end/", "engine/", "history/", "lab/", "learn/", "lessons/", "offline/", "pgn.ts", "play/", "puzzles/", "review/", "routes.tsx",
	"starchess/", "ui/", "pages/analyse", "pages/castling", "pages/edit", "pages/engine", "pages/evaluation", "pages/movetree", "pages/openings", "pages/palette",
	"pages/records", "pages/walk",
];
/* What is read and is no message: names. */
const NAMES = /^(Quevedo|Warp Trog)$/;

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name)).sort()
	.map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));
const calls = files.flatMap(({ name, text }) => callsOf(text).map((call) => ({ ...call, where: `${name}:${call.line}` })));

test("the texts of the page come from the message file", () => {
	const found = files.filter(({ name }) => !PENDING.some((path) => name.startsWith(path)))
		.flatMap(({ name, text }) => textsOf(text, name.endsWith("x")).filter((one) => !NAMES.test(one.text)).map((one) => `${name}:${one.line}: ${one.text}`));
	assert.deepEqual(found, []);
});

test("texts are found between tags, in attributes, and where one is chosen", () => {
	const found = (code: string) => textsOf(code, true).map(({ text }) => text);
	assert.deepEqual(found('x = a < b && <p class="big card">Two <b>words</b>{n} men</p>;'), ["Two", "words", "men"]);
	assert.deepEqual(found("return <A title=\"one\" name=\"two\" label={on ? \"hide\" : `show ${n / 2}`} {...more} />;"), ["one", "hide", "show …"]);
	assert.deepEqual(found('<p>{list.map((one) => <i key="no" class={`a ${one}`}>{one.kind === "no" ? t("a.key") : (w && "yes")}</i>)}</p>'), ["yes"]);
	assert.deepEqual(found('const b = use<Big>(/[/"]x/); toast("It is done."); // It is "Not a text"\nf("card stack", `${b} moves`, "Ok.")'), ["It is done.", "Ok."]);
	assert.deepEqual(found("<></>, <br/>, <p>&nbsp;· 7</p>"), []);
});

/** The arguments and tags of a message. */
function namesIn(elements: ReturnType<IntlMessageFormat["getAst"]>): string[] {
	return elements.flatMap((one) => [
		...("value" in one && one.type !== 0 ? [one.value] : []),
		...("options" in one ? Object.values(one.options).flatMap((option) => namesIn(option.value)) : []),
		...("children" in one ? namesIn(one.children) : []),
	]);
}

test("every message gets its values", () => {
	const texts: Record<string, string> = english;
	const missing = calls.flatMap(({ where, key, names }) => names === null ? [] :
		[...new Set(namesIn(new IntlMessageFormat(texts[key] ?? "", "en").getAst()))].filter((name) => !names.includes(name)).map((name) => `${where}: ${key} needs ${name}`));
	assert.deepEqual(missing, []);
	assert.deepEqual(callsOf('t("a.b", { n: f(1, [2]), name }); rich("a.c", {\n\ta: (x) => { g(x, 1); },\n}); t("a.d", values); t("a.e"); t("a.f", { ...all, n })').map(({ names }) => names),
		[["n", "name"], ["a"], null, [], null]);
});

test("every message is used, and they are in order", () => {
	const used = new Set(calls.map(({ key }) => key));
	const keys = [...readFileSync(join(source, "../messages/en.json"), "utf8").matchAll(/^\t"([^"]+)": ".*",?$/gm)].map(([, key]) => key as string);
	assert.deepEqual(keys.filter((key) => !used.has(key)), []);
	assert.deepEqual(keys, [...new Set(keys)].sort());
	assert.equal(keys.length, Object.keys(english).length, "one line each");
});

test("the build puts messages in place of their keys", () => {
	const texts = { "a.plain": "It is \"plain\"", "a.count": "{n, plural, one {#} other {#}}" };
	const fill = (code: string) => fillMessages(`import { t } from "../messages";\n${code}`, texts);
	assert.match(fill('x = t("a.plain");').contents, /x = "It is \\"plain\\"";/);
	assert.match(fill('x = t("a.count", { n });').contents, /x = t\("\{n, plural, one \{#\} other \{#\}\}", \{ n \}\);/);
	assert.equal(fill('\nt("a.none")').errors[0].location.line, 3);
	assert.match(fill("t(key)").errors[0].text, /needs its key as a string/);
	assert.equal(fillMessages('t("a.none")', texts).errors.length, 0); // another function of that name
});
