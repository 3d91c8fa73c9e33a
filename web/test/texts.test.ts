// texts.test.ts - the texts of the page come from the message file, and every message gets its values.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { IntlMessageFormat } from "intl-messageformat";
import english from "../messages/en.json";
import { callsOf, textsOf } from "./texts";

const source = process.env.QUEVEDO_PAGE as string;

/* Names and formulas that are the same in every language. */
const NAMES = /^(Quevedo|[A-Z]{3,4}|N|2√N)$/;

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name)).sort()
	.map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));
const calls = files.flatMap(({ name, text }) => callsOf(text).map((call) => ({ ...call, where: `${name}:${call.line}` })));

test("the texts of the page come from the message file", () => {
	const found = files.flatMap(({ name, text }) => textsOf(text, name.endsWith("x")).filter((one) => !NAMES.test(one.text)).map((one) => `${name}:${one.line}: ${one.text}`));
	assert.equal(found.join("\n"), "");
});

test("texts are found between tags, in attributes, and where one is chosen", () => {
	const found = (code: string) => textsOf(code, true).map(({ text }) => text);
	assert.deepEqual(found('x = a < b && <p class="big card">Two <b>words</b>{n} men</p>;'), ["Two", "words", "men"]);
	assert.deepEqual(found("return <A title=\"one\" name=\"two\" label={on ? \"hide\" : `show ${n / 2}`} {...more} />;"), ["one", "hide", "show …"]);
	assert.deepEqual(found('<p>{list.map((one) => <i key="no" class={`a ${one}`}>{one.kind === "no" ? t("a.key") : (w && "yes")}{"no" in one && f}</i>)}</p>'), ["yes"]);
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

test("each message has one line", () => {
	const keys = [...readFileSync(join(source, "../messages/en.json"), "utf8").matchAll(/^\t"([^"]+)": ".*",?$/gm)].map(([, key]) => key as string);
	assert.deepEqual(keys, Object.keys(english));
});
