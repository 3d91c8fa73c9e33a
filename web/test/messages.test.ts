// messages.test.ts - the message file: every text of it is used and valid, and formatted as ICU MessageFormat does.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { IntlMessageFormat } from "intl-messageformat";
import english from "../messages/en.json";
import { fillMessages } from "../messages.mjs";
import { minus, number, rich, t, type MessageKey } from "../src/messages";

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

test("every message is used, and they are in order", () => {
	const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
	const text = files.map((name) => readFileSync(join(source, name), "utf8")).join("\n");
	const used = new Set([...text.matchAll(/\b(?:t|rich)\(\s*"([^"]+)"/g)].map(([, key]) => key));
	const keys = Object.keys(english);
	assert.deepEqual(keys.filter((key) => !used.has(key)), []);
	assert.deepEqual(keys, [...keys].sort());
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

test("negative numbers have a minus sign, not a hyphen", () => {
	assert.deepEqual([number(-1040), number(3), minus(-125), minus("-1"), minus("a-b")], ["−1,040", "3", "−125", "−1", "a-b"]);
	assert.equal(t("score {score}" as MessageKey, { score: -125 }), "score −125");
	assert.equal(t("score {score}" as MessageKey, { score: "-125" }), "score -125", "a text stays as it is");
});
