// messages.ts - the page's texts: ICU messages of web/messages, which the build puts in place of their keys (messages.mjs).
// SPDX-License-Identifier: MIT
//
// Of ICU MessageFormat: {name}, {name, number}, {name, plural, =0 {..} one {# ..} other {..}}, {name, select, .. other {..}},
// <tag>..</tag> and quotes ('{' is a brace, '' an apostrophe; an apostrophe within a word needs none).
import type { ComponentChildren } from "preact";
import type texts from "../messages/en.json";

export type MessageKey = keyof typeof texts;
type Wrap = (inside: ComponentChildren) => ComponentChildren;
type Values = Record<string, ComponentChildren | Wrap>;

interface Reader {
	text: string;
	at: number;
	values: Values;
}

const numbers = new Intl.NumberFormat(LANGUAGE);
const plurals = new Intl.PluralRules(LANGUAGE);

/** A number with a minus sign instead of a hyphen. */
export function minus(value: number | string): string {
	return String(value).replace(/^-/, "−");
}

/** A number as the language writes it. */
export function number(value: number): string {
	return minus(numbers.format(value));
}

/** The text of a message. */
export function t(key: MessageKey, values: Record<string, string | number> = {}): string {
	return readPieces({ text: key, at: 0, values }, "").flat(Infinity).join(""); // branches are lists
}

/** The same with elements in it: <a>text</a> becomes values.a(text). */
export function rich(key: MessageKey, values: Values): ComponentChildren[] {
	return readPieces({ text: key, at: 0, values }, "");
}

/** Reads to the end of a branch, a tag or the text. `count` stands for #. */
function readPieces(from: Reader, count: string): ComponentChildren[] {
	const pieces: ComponentChildren[] = [];
	let text = "";
	const add = (piece: ComponentChildren) => {
		pieces.push(text, piece);
		text = "";
	};
	for (let char; (char = from.text[from.at]) && char !== "}" && !from.text.startsWith("</", from.at);) {
		const next = from.text[from.at + 1] ?? "";
		from.at++;
		if (char === "'" && (next === "'" || /[{}<>#]/.test(next)))
			text += readQuoted(from);
		else if (char === "{")
			add(readArgument(from));
		else if (char === "<" && /\w/.test(next))
			add(readTag(from, count));
		else
			text += char === "#" ? count || char : char;
	}
	pieces.push(text);
	return pieces.filter((piece) => piece !== "");
}

/** After an apostrophe: another one, or text up to the next. */
function readQuoted(from: Reader): string {
	const end = (from.text.indexOf("'", from.at) + 1 || from.text.length + 1) - 1;
	const quoted = from.text.slice(from.at, end);
	from.at = end + 1;
	return quoted || "'";
}

/** Up to one of the characters, which is consumed. */
function readWord(from: Reader, ends: RegExp): string {
	const length = from.text.slice(from.at).search(ends);
	const word = from.text.slice(from.at, from.at + length);
	from.at += length + 1;
	return word.trim();
}

function readTag(from: Reader, count: string): ComponentChildren {
	const name = readWord(from, />/);
	const inside = readPieces(from, count);
	readWord(from, />/);
	return (from.values[name] as Wrap)(inside);
}

function readArgument(from: Reader): ComponentChildren {
	const name = readWord(from, /[,}]/);
	const value = (name in from.values ? from.values[name] : `{${name}}`) as ComponentChildren; // a fault that is seen
	if (from.text[from.at - 1] === "}")
		return typeof value === "number" ? minus(value) : value;
	const kind = readWord(from, /[,}]/);
	if (kind === "number")
		return number(Number(value));
	return readBranches(from, kind === "plural" ? Number(value) : null, String(value));
}

/** Every branch is read, one is taken: of a select the one named like the value, of a plural the one of the number. */
function readBranches(from: Reader, count: number | null, value: string): ComponentChildren {
	const branches: Record<string, ComponentChildren> = {};
	while (from.text[from.at] !== "}") {
		const name = readWord(from, /\{/);
		branches[name] = readPieces(from, count === null ? "" : number(count));
		readWord(from, /\}/);
		readWord(from, /[^\s]/);
		from.at--;
	}
	from.at++;
	const taken = count === null ? branches[value] : branches[`=${count}`] ?? branches[plurals.select(count)];
	return taken ?? branches.other;
}
