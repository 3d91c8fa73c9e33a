// texts.ts - finds the texts in the source of the page that do not come from the message file: a small scanner of TSX.
// SPDX-License-Identifier: MIT
//
// It finds the text between tags, attributes that are read (ATTRIBUTES), strings that are chosen there (? "a" : "b"), and elsewhere
// strings that begin as a sentence does. It is no parser: a < begins a tag if no value stands before it.

export interface Found {
	line: number;
	text: string;
}

const ATTRIBUTES = /^(aria-(label|description|roledescription|valuetext)|title|placeholder|alt|label|text|hint|caption|heading|legend|summary)$/;
const LETTER = /\p{L}/u;
const WORD = /\p{L}{2}/u; // not the name of a key
const SENTENCE = /^\p{Lu}\p{Ll}*['’]?\p{Ll}* \S|^\p{Lu}\p{Ll}+[.…!?:]$/u;
const NEEDS_VALUE = /(^|[^\w$)\]"'`\s]|\b(return|default|case|typeof|await|yield))\s*$/;

const CHOSEN = /([?:{(]|&&|\|\|)\s*$/;

/** The texts of a file, in order. */
export function textsOf(source: string, isTsx: boolean): Found[] {
	const found: Found[] = [];
	let at = 0;
	const add = (text: string, from: number) => found.push({ line: source.slice(0, from).split("\n").length, text: text.replace(/\s+/g, " ").trim() });
	const before = () => source.slice(Math.max(0, at - 40), at);
	const isTag = () => isTsx && /^<[A-Za-z>]/.test(source.slice(at, at + 2)) && NEEDS_VALUE.test(before());

	/** A string at `at`: its text. */
	function readString(): string {
		const quote = source[at], from = ++at;
		for (; source[at] !== quote && at < source.length; at++)
			if (source[at] === "\\")
				at++;
		return source.slice(from, at++);
	}

	/** A template at `at`: its text, with … for each expression. */
	function readTemplate(): string {
		let text = "";
		for (at++; source[at] !== "`" && at < source.length;) {
			if (source.startsWith("${", at)) {
				at += 2;
				readCode("}");
				text += "…";
			} else {
				if (source[at] === "\\")
					at++;
				text += source[at++];
			}
		}
		at++;
		return text;
	}

	function skipRegExp(): void {
		for (let inClass = false; ++at < source.length && (source[at] !== "/" || inClass);) {
			if (source[at] === "\\")
				at++;
			else if (source[at] === "[" || source[at] === "]")
				inClass = source[at] === "[";
		}
		at++;
	}

	function skipComment(): void {
		const end = source[at + 1] === "/" ? source.indexOf("\n", at) : source.indexOf("*/", at) + 2;
		at = end < at ? source.length : end;
	}

	/** Code up to the closing bracket, which is consumed; "": to the end. isShown: its value is a text of the page. */
	function readCode(close: string, isShown = false): void {
		while (at < source.length) {
			const char = source[at]!, from = at;
			if (char === close) {
				at++;
				return;
			} else if (/^\/[/*]/.test(source.slice(at, at + 2)))
				skipComment();
			else if (char === "/" && NEEDS_VALUE.test(before()))
				skipRegExp();
			else if (char === '"' || char === "'" || char === "`") {
				const isChosen = isShown && CHOSEN.test(before()), isLogged = /console\.\w+\($/.test(before());
				const text = char === "`" ? readTemplate() : readString();
				if (!isLogged && !/^\s*(in\b|[=!]==)/.test(source.slice(at, at + 40)) && (isChosen ? WORD.test(text) : SENTENCE.test(text)))
					add(text, from);
			} else if (char === "{" || char === "(" || char === "[") {
				const isGroup = isShown && char === "(" && NEEDS_VALUE.test(before());
				at++;
				readCode({ "{": "}", "(": ")", "[": "]" }[char], isGroup);
			} else if (isTag())
				readTag();
			else
				at++;
		}
	}

	/** An element at `at`, with its children. */
	function readTag(): void {
		at++;
		const name = /^[\w.$-]*/.exec(source.slice(at))![0];
		at += name.length;
		while (source[at] !== ">" && at < source.length)
			if (source.startsWith("/>", at)) {
				at += 2;
				return;
			} else
				readAttribute();
		at++;
		readChildren();
	}

	function readAttribute(): void {
		const name = /^[\w:-]+/.exec(source.slice(at))?.[0] ?? "";
		at += name.length;
		const from = at + 1;
		if (source.startsWith('="', at)) {
			at++;
			const text = readString();
			if (ATTRIBUTES.test(name) && LETTER.test(text))
				add(text, from);
		} else if (source[at] === "{" || source.startsWith("={", at)) {
			at += source[at] === "=" ? 2 : 1;
			readCode("}", ATTRIBUTES.test(name));
		} else if (!name || source[at] === "=")
			at++;
	}

	/** Up to the closing tag, which is consumed. */
	function readChildren(): void {
		while (at < source.length && !source.startsWith("</", at)) {
			const from = at;
			if (source[at] === "{") {
				at++;
				readCode("}", true);
			} else if (source[at] === "<")
				readTag();
			else {
				while (at < source.length && !/[<{]/.test(source[at]!))
					at++;
				const text = source.slice(from, at);
				if (LETTER.test(text.replace(/&\w+;/g, "")))
					add(text, from + text.search(/\S/));
			}
		}
		at = source.indexOf(">", at) + 1 || source.length;
	}

	readCode("");
	return found;
}

/** A call of t() or rich() with its key and the names of its values; null: they are not written there. */
export interface Call {
	line: number;
	key: string;
	names: string[] | null;
}

/** The source up to the bracket that closes the one before `from`, split at its commas. */
function itemsOf(source: string, from: number): string[] {
	const items = [""];
	let depth = 0;
	for (const char of source.slice(from)) {
		if (/[)\]}]/.test(char) && depth-- === 0)
			break;
		if (/[([{]/.test(char))
			depth++;
		if (char === "," && depth === 0)
			items.push("");
		else
			items[items.length - 1] += char;
	}
	return items.map((item) => item.trim()).filter((item) => item !== "");
}

export function callsOf(source: string): Call[] {
	return [...source.matchAll(/\b(?:t|rich)\(\s*"([a-z]\w*\.\w+)"\s*(\)|,\s*\{|,)/g)].map((match) => {
		const items = match[2]!.endsWith("{") ? itemsOf(source, match.index + match[0].length) : [];
		const isKnown = match[2] !== "," && !items.some((item) => item.startsWith("..."));
		return {
			line: source.slice(0, match.index).split("\n").length, key: match[1]!,
			names: isKnown ? items.map((item) => /^\w+/.exec(item)?.[0] ?? item) : null,
		};
	});
}
