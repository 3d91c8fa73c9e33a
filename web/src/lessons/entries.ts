// entries.ts - the lines of a text file for learners: "key: value" (docs/lessons.md). The lessons and the first steps are made of them.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

const MOST_LINE = 600;
const MOST_VALUE = 1500; // characters of an entry with its further lines

export interface Entry {
	key: string;
	value: string;
	line: number;
}

/** A fault in a text: "FILE:LINE: what is wrong". */
export class LessonError extends Error {
	constructor(file: string, readonly line: number, what: string) {
		super(`${file}:${line}: ${what}`);
	}
}

/** Lines "key: value"; an indented line continues the one before it; "#" begins a comment. */
export function entriesOf(text: string, file: string, keys: string[]): Entry[] {
	const entries: Entry[] = [];
	text.split(/\r?\n/).forEach((line, i) => {
		const at = i + 1;
		if (line.length > MOST_LINE)
			throw new LessonError(file, at, t("lessons.faultLine", { most: MOST_LINE }));
		if (/^\s*(#|$)/.test(line))
			return;
		const last = entries[entries.length - 1];
		if (/^\s/.test(line)) {
			if (!last)
				throw new LessonError(file, at, t("lessons.faultIndented"));
			last.value = `${last.value} ${line.trim()}`.trim();
			if (last.value.length > MOST_VALUE)
				throw new LessonError(file, at, t("lessons.faultValue", { key: last.key, most: MOST_VALUE }));
			return;
		}
		const found = /^([a-z]+):(.*)$/.exec(line);
		if (!found)
			throw new LessonError(file, at, t("lessons.faultKeyValue"));
		const [, key = "", value = ""] = found;
		if (!keys.includes(key))
			throw new LessonError(file, at, t("lessons.faultNoKey", { key, keys: keys.join(" ") }));
		entries.push({ key, value: value.trim(), line: at });
	});
	return entries;
}

export function sentencesOf(text: string): number {
	return text.match(/[.!?]["')]?(?=\s|$)/g)?.length ?? 0;
}
