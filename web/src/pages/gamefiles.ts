// gamefiles.ts - splits files of games (PGN, PDN, SGF, GGF, records) into games. The engine reads their contents.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

export interface PgnGame {
	title: string; // "Ana – Bruno, 1-0"
	text: string; // with empty lines in front, so that line numbers match the file
}

type Tags = Map<string, string>;

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;

function titleOf(tags: Tags, number: number): string {
	const known = (name: string) => (tags.get(name) ?? "?").replace(/^\?$/, "");
	const players = [known("White"), known("Black")].filter(Boolean).join(" – ");
	const title = players || known("Event") || t("pages.nthGame", { n: number });
	const result = known("Result").replace("*", "");
	return result ? `${title}, ${result}` : title;
}

/** Whether a comment in braces is still open after the line. */
function isOpen(line: string, open: boolean): boolean {
	for (const char of line) {
		if (open)
			open = char !== "}";
		else if (char === ";")
			return false;
		else
			open = char === "{";
	}
	return open;
}

/** A tag after moves starts the next game. Text without tags is one game. */
export function gamesOfPgn(text: string): PgnGame[] {
	const games: PgnGame[] = [];
	const lines = text.split("\n");
	let from = 0, moved = false, open = false, tags: Tags = new Map();
	const finish = (to: number) => {
		if (tags.size || moved)
			games.push({ title: titleOf(tags, games.length + 1), text: "\n".repeat(from) + lines.slice(from, to).join("\n") });
		from = to;
		moved = false;
		tags = new Map();
	};
	lines.forEach((line, i) => {
		const tag = open ? null : TAG.exec(line);
		if (tag && moved)
			finish(i);
		if (tag)
			tags.set(tag[1] as string, (tag[2] as string).replace(/\\(.)/g, "$1"));
		else if (!line.startsWith("%")) {
			moved ||= line.trim() !== "";
			open = isOpen(line, open);
		}
	});
	finish(lines.length);
	return games;
}

/** "Ana – Bruno" of the properties PB and PW. */
function sgfTitle(text: string, number: number): string {
	const known = (key: string) => (new RegExp(`(?:^|[^A-Z])${key}\\[((?:[^\\]\\\\]|\\\\.)*)\\]`).exec(text)?.[1] ?? "").replace(/\\(.)/g, "$1").trim();
	return [known("PB"), known("PW")].filter(Boolean).join(" – ") || known("GN") || known("EV") || t("pages.nthGame", { n: number });
}

/** Each tree is a game. */
function gamesOfSgf(text: string): PgnGame[] {
	const games: PgnGame[] = [];
	let depth = 0, from = 0, lines = 0, first = 0, inValue = false;
	for (let i = 0; i < text.length; i++) {
		const char = text[i];
		if (char === "\n")
			lines++;
		if (inValue) {
			if (char === "\\")
				i++;
			inValue = char !== "]";
		} else if (char === "[") {
			inValue = true;
		} else if (char === "(" && depth++ === 0) {
			from = i;
			first = lines;
		} else if (char === ")" && --depth === 0) {
			const game = text.slice(from, i + 1);
			games.push({ title: sgfTitle(game, games.length + 1), text: "\n".repeat(first) + game });
		}
	}
	return games;
}

/** Each begins with its header. */
function gamesOfRecords(text: string): PgnGame[] {
	return text.split(/^(?=\{"quevedo":)/m).filter((one) => one.trim() !== "").map((record, i) => {
		const [, seats = ""] = /"seats":\[([^\]]*)\]/.exec(record.split("\n", 1)[0] ?? "") ?? [];
		const names = [...seats.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = ""]) => name);
		return { title: names.join(" – ") || t("pages.nthGame", { n: i + 1 }), text: record };
	});
}

/** The games of a text in any format. Empty: bare moves. */
export function gamesOfText(text: string): PgnGame[] {
	if (/^\s*\[/.test(text))
		return gamesOfPgn(text);
	if (/^\s*\d*\s*\(;/.test(text))
		return gamesOfSgf(text);
	return /^\s*\{/.test(text) ? gamesOfRecords(text) : [];
}
