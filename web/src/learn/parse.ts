// parse.ts - reads the first steps of a game from their text (docs/lessons.md), or says what is wrong with it, with file and line.
// SPDX-License-Identifier: MIT
import { entriesOf, LessonError, sentencesOf, type Entry } from "../lessons/entries";

/** Where a step or a picture begins. */
export interface Scene {
	position: string;
	moves: string[];
}

/** What a move must be or do. */
export type Condition =
	| { kind: "any" | "capture" | "check" | "win" | "draw" | "over" }
	| { kind: "safe" | "forced" } // claims only: the opponent cannot win at once; whatever the opponent plays, you win at once
	| { kind: "from" | "to"; cell: string }
	| { kind: "holds"; cell: string; piece: string } // after the move
	| { kind: "move"; pattern: string }; // "..." stands for anything, "20+" for 20 or more

/** A line of conditions: one of them must hold. */
export type Choice = Condition[];

export interface Step {
	title: string;
	say: string;
	scene: Scene;
	task: string;
	accepts: Choice[]; // all must hold
	right: string;
	hint: string; // for a move that is legal, but not the one
	illegal: string; // for a click that begins no legal move
	reply: string[]; // what the opponent plays then, and dice
	claims: Choice[]; // what the text says about every accepted move
}

export interface Picture {
	caption: string;
	scene: Scene;
	dots: string; // the cell whose piece shows where it can go; "": none
	arrow: string; // a legal move; "": none
	marks: string[]; // cells
}

export interface FirstSteps {
	game: string;
	about: string;
	steps: Step[];
	pictures: Picture[];
	finish: string;
}

export const LEAST_STEPS = 5, MOST_STEPS = 12;
const MOST_PICTURES = 8;
const MOST_SENTENCES = 2; // of what a step says

const HEADER = ["game", "about", "finish"];
const OF_STEP = ["step", "say", "position", "moves", "task", "accept", "claim", "right", "hint", "illegal", "reply"];
const OF_PICTURE = ["picture", "position", "moves", "dots", "arrow", "mark"];
const REPEATED = ["accept", "claim"];

/** The header, or one step or picture. */
class Section {
	constructor(readonly entries: Entry[], private readonly file: string, private readonly kind: string, keys: string[]) {
		for (const entry of entries) {
			if (!keys.includes(entry.key))
				throw this.fault(entry, `${entry.key}: not a key of a ${kind}; its keys are ${keys.join(" ")}`);
			if (!entry.value)
				throw this.fault(entry, `${entry.key}: empty`);
			if (!REPEATED.includes(entry.key) && entries.find(({ key }) => key === entry.key) !== entry)
				throw this.fault(entry, `${entry.key}: a ${kind} has only one`);
		}
	}

	fault(entry: Entry | undefined, what: string): LessonError {
		return new LessonError(this.file, entry?.line ?? this.entries[0]?.line ?? 1, what);
	}

	entry(key: string): Entry | undefined {
		return this.entries.find((one) => one.key === key);
	}

	text(key: string): string {
		const entry = this.entry(key);
		if (!entry)
			throw this.fault(undefined, `${key}: missing in this ${this.kind}`);
		return entry.value;
	}

	option(key: string): string {
		return this.entry(key)?.value ?? "";
	}

	list(key: string): string[] {
		return this.option(key).split(",").map((one) => one.trim()).filter(Boolean);
	}

	choices(key: string): Choice[] {
		return this.entries.filter((one) => one.key === key).map(({ value }) => value.split(",").map((one) => conditionOf(one.trim())));
	}

	short(key: string, most: number): string {
		const text = this.text(key), count = sentencesOf(text);
		if (count > most)
			throw this.fault(this.entry(key), `${key}: ${count} sentences; it has at most ${most}`);
		return text;
	}

	scene(): Scene {
		return { position: this.option("position") || "start", moves: this.list("moves") };
	}
}

export function conditionOf(text: string): Condition {
	if (text === "safe" || text === "forced" || text === "any" || text === "capture" || text === "check" || text === "win" || text === "draw" || text === "over")
		return { kind: text };
	const [, kind, cell] = /^(from|to) (.+)$/.exec(text) ?? [];
	if (cell && (kind === "from" || kind === "to"))
		return { kind, cell };
	const [, place, piece] = /^(.+) = (.+)$/.exec(text) ?? [];
	return place && piece ? { kind: "holds", cell: place, piece } : { kind: "move", pattern: text };
}

function stepOf(section: Section): Step {
	const accepts = section.choices("accept");
	if (!accepts.length)
		throw section.fault(undefined, "accept: missing in this step");
	if (accepts.flat().some(({ kind }) => kind === "safe" || kind === "forced"))
		throw section.fault(section.entry("accept"), "accept: safe and forced are for claims");
	const hint = section.option("hint") || section.option("illegal");
	if (!hint && !accepts.flat().every(({ kind }) => kind === "any"))
		throw section.fault(undefined, "hint: missing in this step");
	return {
		title: section.text("step"), say: section.short("say", MOST_SENTENCES), scene: section.scene(), task: section.short("task", 1), accepts,
		right: section.text("right"), hint, illegal: section.option("illegal") || hint, reply: section.list("reply"), claims: section.choices("claim"),
	};
}

function pictureOf(section: Section): Picture {
	return {
		caption: section.text("picture"), scene: section.scene(), dots: section.option("dots"), arrow: section.option("arrow"), marks: section.list("mark"),
	};
}

/** The entries by what they belong to: first the header. */
function sectionsOf(entries: Entry[]): Entry[][] {
	const sections: Entry[][] = [[]];
	for (const entry of entries) {
		if (entry.key === "step" || entry.key === "picture")
			sections.push([]);
		sections[sections.length - 1]?.push(entry);
	}
	return sections;
}

/** file: its name, for messages. Throws a LessonError. */
export function parseFirstSteps(text: string, file: string): FirstSteps {
	const [head = [], ...rest] = sectionsOf(entriesOf(text, file, [...new Set([...HEADER, ...OF_STEP, ...OF_PICTURE])]));
	const header = new Section(head, file, "header", HEADER);
	const of = (kind: string, keys: string[]) => rest.filter(([first]) => first?.key === kind).map((entries) => new Section(entries, file, kind, keys));
	const steps = of("step", OF_STEP).map(stepOf), pictures = of("picture", OF_PICTURE).map(pictureOf);
	if (steps.length < LEAST_STEPS || steps.length > MOST_STEPS)
		throw header.fault(undefined, `${steps.length} steps; a game has ${LEAST_STEPS} to ${MOST_STEPS}`);
	if (pictures.length > MOST_PICTURES)
		throw header.fault(undefined, `${pictures.length} pictures; a game has at most ${MOST_PICTURES}`);
	return { game: header.text("game"), about: header.text("about"), finish: header.text("finish"), steps, pictures };
}
