// parse.ts - reads a lesson from its text (docs/lessons.md), or says what is wrong with it, with file and line.
// SPDX-License-Identifier: MIT
//
// The text may come from a link that anybody made, so everything in it is bounded.
import type { Part } from "../lab/Bench";
import type { MethodName } from "../lab/Families";
import { t } from "../messages";
import { entriesOf, LessonError, sentencesOf, type Entry } from "./entries";
import { parseCheck, parseExpression, type Check } from "./expression";

export { LessonError, sentencesOf };

export const ANSWERS = ["number", "move", "order", "fill", "choose", "pick", "play"] as const;
export type AnswerKind = typeof ANSWERS[number];

export const MOST_TEXT = 12000; // characters of a lesson
const MOST_SENTENCES = 6; // of an idea; those of the course have five

/** The position and the players of the experiment, as the bench shows them. */
export interface LessonBench {
	game: string;
	position: string; // "?": where the answer goes
	moves: string[];
	players: string[];
	names: (string | undefined)[]; // of the players, for the reader; undefined: the spec
	view: "tree" | "text" | "growth" | "board" | MethodName; // board: no search is shown
	show: Part[]; // empty: all
	at: "start" | "end" | number;
}

/** One of the things to be ordered, or one of the answers to choose from. */
export interface Item {
	name: string;
	text: string; // what stands for it in the position or the player
}

export interface Lesson {
	file: string;
	title: string;
	part: string; // heading in the list
	words: { word: string; meaning: string }[];
	idea: string;
	bench: LessonBench;
	others: string[]; // players that only the checks use; numbered after those of the bench
	task: string;
	question: string;
	answer: AnswerKind;
	items: Item[];
	range: [number, number] | null; // of a number
	seat: number; // play: the reader's
	opponent: string;
	claims: Check[]; // what the text says about the experiment
	checks: Check[]; // of the answer; all must hold
	hints: string[];
	right: string;
	wrong: string;
	example: string; // a right answer
	mistake: string; // a wrong one
}

/** Each key: how many times a lesson has it, and what it means. */
export const KEYS: Record<string, [least: number, most: number, meaning: string]> = {
	title: [1, 1, t("lessons.keyTitle")],
	part: [0, 1, t("lessons.keyPart")],
	word: [0, 6, t("lessons.keyWord")],
	idea: [1, 1, t("lessons.keyIdea", { most: MOST_SENTENCES })],
	game: [1, 1, t("lessons.keyGame")],
	position: [0, 1, t("lessons.keyPosition")],
	moves: [0, 1, t("lessons.keyMoves")],
	player: [1, 3, t("lessons.keyPlayer")],
	other: [0, 3, t("lessons.keyOther")],
	view: [0, 1, t("lessons.keyView")],
	show: [0, 1, t("lessons.keyShow")],
	at: [0, 1, t("lessons.keyAt")],
	try: [1, 1, t("lessons.keyTry")],
	claim: [0, 8, t("lessons.keyClaim")],
	question: [1, 1, t("lessons.keyQuestion")],
	answer: [1, 1, t("lessons.keyAnswer")],
	item: [0, 8, t("lessons.keyItem")],
	range: [0, 1, t("lessons.keyRange")],
	seat: [0, 1, t("lessons.keySeat")],
	opponent: [0, 1, t("lessons.keyOpponent")],
	check: [1, 4, t("lessons.keyCheck")],
	hint: [2, 3, t("lessons.keyHint")],
	right: [1, 1, t("lessons.keyRight")],
	wrong: [1, 1, t("lessons.keyWrong")],
	example: [1, 1, t("lessons.keyExample")],
	mistake: [1, 1, t("lessons.keyMistake")],
};
const SHOWN: Part[] = ["alpha", "beta", "words", "board", "counters", "side"];

/** The entries by key, as often as the keys allow. */
class Entries {
	private readonly last: number;

	constructor(private readonly all: Entry[], private readonly file: string, lines: number) {
		this.last = lines;
		for (const [key, [least, most]] of Object.entries(KEYS)) {
			const found = this.of(key);
			const extra = found[most];
			if (extra)
				throw this.fault(extra, most === 1 ? t("lessons.faultOnlyOne", { key }) : t("lessons.faultMost", { key, most }));
			if (found.length < least)
				throw new LessonError(file, this.last, least === 1 ? t("lessons.faultMissing", { key }) : t("lessons.faultLeast", { key, least }));
		}
		for (const entry of all)
			if (!entry.value)
				throw this.fault(entry, t("lessons.faultEmpty", { key: entry.key }));
	}

	of(key: string): Entry[] {
		return this.all.filter((entry) => entry.key === key);
	}

	one(key: string): Entry | undefined {
		return this.of(key)[0];
	}

	text(key: string, usual = ""): string {
		return this.one(key)?.value ?? usual;
	}

	fault(entry: Entry | undefined, what: string): LessonError {
		return new LessonError(this.file, entry?.line ?? this.last, what);
	}

	choice<T extends string>(key: string, choices: readonly T[], usual: T): T {
		const entry = this.one(key);
		const found = entry ? choices.find((one) => one === entry.value) : usual;
		if (!found)
			throw this.fault(entry, t("lessons.faultChoice", { key, choices: choices.join(", ") }));
		return found;
	}

	integer(key: string, least: number, most: number, usual: number): number {
		const entry = this.one(key);
		if (!entry)
			return usual;
		const value = Number(entry.value);
		if (!/^-?\d+$/.test(entry.value) || value < least || value > most)
			throw this.fault(entry, t("lessons.faultNumber", { key, least, most }));
		return value;
	}

	/** "NAME = TEXT"; the text may be missing. */
	pair(entry: Entry): [string, string] {
		const at = entry.value.indexOf(" = ");
		if (at < 0)
			throw this.fault(entry, t("lessons.faultPair", { key: entry.key }));
		return [entry.value.slice(0, at).trim(), entry.value.slice(at + 3).trim()];
	}

	checks(key: string, players: number): Check[] {
		return this.of(key).map((entry) => {
			try {
				return parseCheck(entry.value, players);
			} catch (error) {
				throw this.fault(entry, `${key}: ${(error as Error).message}`);
			}
		});
	}

	/** A text with measures in braces: "It looked at {leaves of 1} leaves." */
	reply(key: string, players: number): string {
		const entry = this.one(key);
		for (const [, inside = ""] of this.text(key).matchAll(/\{([^}]*)\}/g))
			try {
				parseExpression(inside, players);
			} catch (error) {
				throw this.fault(entry, `${key}: {${inside}}: ${(error as Error).message}`);
			}
		return this.text(key);
	}
}

function benchOf(entries: Entries): LessonBench {
	const show = entries.text("show").split(/\s+/).filter(Boolean).map((word) => {
		const part = SHOWN.find((one) => one === word);
		if (!part)
			throw entries.fault(entries.one("show"), t("lessons.faultShow", { word, parts: SHOWN.join(", ") }));
		return part;
	});
	const at = entries.text("at", "start");
	const players = entries.of("player").map(({ value }) => value.split(" = ", 2));
	return {
		game: entries.text("game"), position: entries.text("position", "start"),
		moves: entries.text("moves").split(",").map((move) => move.trim()).filter(Boolean),
		players: players.map(([spec = ""]) => spec.trim()), names: players.map(([, name]) => name?.trim()),
		view: entries.choice("view", ["tree", "text", "growth", "board", "waves", "boxes", "learning", "machine", "masks"], "tree"), show,
		at: at === "start" || at === "end" ? at : entries.integer("at", 0, 100000, 0),
	};
}

function rangeOf(entries: Entries): [number, number] | null {
	const entry = entries.one("range");
	if (!entry)
		return null;
	const [, least, most] = /^(-?\d{1,7}) to (-?\d{1,7})$/.exec(entry.value) ?? [];
	if (least === undefined || Number(least) >= Number(most))
		throw entries.fault(entry, t("lessons.faultRange"));
	return [Number(least), Number(most)];
}

/** What one kind of answer needs and the others do not. */
function checkKind(lesson: Lesson, entries: Entries): void {
	const { answer, items, bench, others, range } = lesson;
	const entry = entries.one("answer");
	const hasPlace = [bench.position, ...bench.players, ...others].some((text) => text.includes("?"));
	const places = answer === "order" || answer === "fill";
	if (places && !hasPlace)
		throw entries.fault(entry, t("lessons.faultPlace", { answer }));
	if (hasPlace && !places && answer !== "choose")
		throw entries.fault(entry, t("lessons.faultNoPlace", { answer }));
	if ((answer === "order" || answer === "choose") !== items.length >= 2)
		throw entries.fault(entry, answer === "order" || answer === "choose" ? t("lessons.faultItems", { answer }) : t("lessons.faultNoItems", { answer }));
	if (answer === "fill" && !range)
		throw entries.fault(entry, t("lessons.faultFillRange"));
	if ((answer === "play") !== (lesson.opponent !== ""))
		throw entries.fault(entry, answer === "play" ? t("lessons.faultPlayOpponent") : t("lessons.faultNoOpponent", { answer }));
	const names = new Set(items.map(({ name }) => name));
	if (names.size < items.length)
		throw entries.fault(entries.of("item")[0], t("lessons.faultSameName"));
	if (answer === "order" && items.some(({ name }) => /\s/.test(name)))
		throw entries.fault(entries.of("item")[0], t("lessons.faultOrderName"));
}

function checkIdea(entries: Entries): void {
	const count = sentencesOf(entries.text("idea"));
	if (count > MOST_SENTENCES)
		throw entries.fault(entries.one("idea"), t("lessons.faultIdea", { n: count, most: MOST_SENTENCES }));
}

/** file: its name, for messages. Throws a LessonError. */
export function parseLesson(text: string, file: string): Lesson {
	if (text.length > MOST_TEXT)
		throw new LessonError(file, 1, t("lessons.faultText", { most: MOST_TEXT }));
	const entries = new Entries(entriesOf(text, file, Object.keys(KEYS)), file, text.split("\n").length);
	const bench = benchOf(entries);
	const others = entries.of("other").map(({ value }) => value);
	const players = bench.players.length + others.length;
	const lesson: Lesson = {
		file, bench, others,
		title: entries.text("title"), part: entries.text("part"), idea: entries.text("idea"), task: entries.reply("try", players),
		words: entries.of("word").map((entry) => {
			const [word, meaning] = entries.pair(entry);
			return { word, meaning };
		}),
		question: entries.text("question"), answer: entries.choice("answer", ANSWERS, "number"),
		items: entries.of("item").map((entry) => {
			const [name, about] = entries.pair(entry);
			return { name, text: about };
		}),
		range: rangeOf(entries), seat: entries.integer("seat", 1, 4, 1), opponent: entries.text("opponent"),
		claims: entries.checks("claim", players), checks: entries.checks("check", players),
		hints: entries.of("hint").map(({ value }) => value),
		right: entries.reply("right", players), wrong: entries.reply("wrong", players),
		example: entries.text("example"), mistake: entries.text("mistake"),
	};
	checkIdea(entries);
	checkKind(lesson, entries);
	return lesson;
}
