// pgn.ts - the name of PGN in a game.
// SPDX-License-Identifier: MIT
import { t } from "./messages";

/** What PGN is called in a game. */
export function pgnName(game: string): "PGN" | "PDN" {
	return game.split(":", 1)[0] === "draughts" ? "PDN" : "PGN";
}

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
