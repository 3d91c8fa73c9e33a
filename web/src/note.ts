// note.ts - what the note on a position holds: glyphs ($1), drawings ([%cal Ge2e4], [%csl Rd5]) and a comment, as in PGN files.
// SPDX-License-Identifier: MIT

import { t } from "./messages";

export interface Note {
	glyphs: number[];
	arrows: string[]; // "Ge2e4"
	circles: string[]; // "Rd5"
	others: string[]; // other commands: "[%eval 0.3]"
	text: string;
}

/* Only characters that every font has. */
const SIGNS: Record<number, [string, string]> = {
	1: ["!", t("note.good")], 2: ["?", t("note.mistake")], 3: ["!!", t("note.brilliant")], 4: ["??", t("note.blunder")], 5: ["!?", t("note.interesting")],
	6: ["?!", t("note.dubious")], 7: ["□", t("note.only")], 10: ["=", t("note.equal")], 13: ["∞", t("note.unclear")], 14: ["+=", t("note.firstBetter")],
	15: ["=+", t("note.secondBetter")], 16: ["+/−", t("note.firstBetter")], 17: ["−/+", t("note.secondBetter")], 18: ["+−", t("note.firstWins")],
	19: ["−+", t("note.secondWins")], 22: [t("note.zugzwang"), t("note.zugzwang")], 146: ["N", t("note.novelty")],
};

/** The glyphs that an editor offers. */
export const OFFERED = [1, 2, 3, 4, 5, 6] as const;

export function signOf(glyph: number): { text: string; title: string } {
	const [text, title] = SIGNS[glyph] ?? [`$${glyph}`, t("note.glyph", { glyph })];
	return { text, title };
}

export function readNote(note: string): Note {
	const read: Note = { glyphs: [], arrows: [], circles: [], others: [], text: "" };
	let rest = note;
	for (let found; (found = /^\$(\d{1,3})(?: |$)/.exec(rest)); rest = rest.slice(found[0].length))
		read.glyphs.push(Number(found[1]));
	read.text = rest.replace(/\[%(\w+)([^\]]*)\] ?/g, (whole, command: string, value: string) => {
		const list = value.split(",").map((one) => one.trim()).filter((one) => one !== "");
		if (command === "cal" || command === "csl")
			(command === "cal" ? read.arrows : read.circles).push(...list);
		else
			read.others.push(whole.trimEnd());
		return "";
	}).trim();
	return read;
}

/** A comment that begins like a glyph gets a blank before it. */
export function writeNote({ glyphs, arrows, circles, others, text }: Note): string {
	const parts = [
		...glyphs.map((glyph) => `$${glyph}`), arrows.length ? `[%cal ${arrows.join(",")}]` : "", circles.length ? `[%csl ${circles.join(",")}]` : "",
		...others, text.trim(),
	].filter((part) => part !== "");
	const note = parts.join(" ");
	return !glyphs.length && /^\$\d/.test(note) ? ` ${note}` : note;
}

/** The comment alone. */
export function remarkOf(note: string): string {
	return note && readNote(note).text;
}

/** The evaluation of a GGF file, to show with the comment; "": none. */
export function evaluationOf(note: string): string {
	return /\[%eval ([^\]]+)\]/.exec(note)?.[1] ?? "";
}

/** The glyphs of a note as one sign after the move; null: none. */
export function glyphOf(note: string): { text: string; title: string; tone: string } | null {
	const glyphs = note.startsWith("$") ? readNote(note).glyphs : [];
	if (!glyphs.length)
		return null;
	const signs = glyphs.map(signOf);
	const tone = glyphs.some((one) => one === 2 || one === 4) ? "bad" : glyphs.includes(6) ? "warn" : glyphs.some((one) => one === 1 || one === 3) ? "good" : "plain";
	return { text: signs.map(({ text }) => text).join(" "), title: signs.map(({ title }) => title).join(", "), tone };
}
