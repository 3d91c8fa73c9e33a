// lessons.test.ts - unit tests of the lessons: the parser and the links, and every lesson's claims and answers on the real engine.
// SPDX-License-Identifier: MIT
//
// QUEVEDO_ENGINE: the folder of the built engine (run.mjs). Without it the lessons are only read.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import texts from "lessons:all";
import { createEngine } from "../engine/host.mjs";
import { AnswerError, checkAnswer, falseClaims, pathOf, pathsOf, type LessonEngine } from "../src/lessons/check";
import { course, exampleText } from "../src/lessons/course";
import { parseCheck } from "../src/lessons/expression";
import { ANSWERS, LessonError, MOST_TEXT, parseLesson, sentencesOf } from "../src/lessons/parse";
import { paperSpots, scoreText } from "../src/lessons/PaperTree";
import { packLesson, unpackLesson } from "../src/lessons/share";
import type { SearchLog } from "../src/lab/log";
import { nameOf } from "../src/lab/treeedit";

const SMALL = `# a comment
title: Small
idea: One.
  Two.
game: noughts
player: minimax:depth=1
try: Look.
question: How many?
answer: number
check: answer = leaves of 1
hint: a
hint: b
right: Yes, {leaves of 1}.
wrong: No.
example: 9
mistake: 8
`;

// ---- The parser ----

function refused(text: string, where: RegExp): void {
	assert.throws(() => parseLesson(text, "x.txt"), (error: unknown) => error instanceof LessonError && where.test(error.message), String(where));
}

test("a lesson is read, with further lines and comments", () => {
	const lesson = parseLesson(SMALL, "x.txt");
	assert.equal(lesson.idea, "One. Two.");
	assert.deepEqual(lesson.bench.players, ["minimax:depth=1"]);
	assert.equal(lesson.bench.position, "start");
});

test("a fault is reported with its file and line", () => {
	refused(SMALL.replace("title: Small\n", ""), /^x\.txt:\d+: title: missing$/);
	refused(SMALL.replace("game: noughts", "gmae: noughts"), /^x\.txt:5: gmae: no such key/);
	refused(SMALL.replace("game: noughts", "game noughts"), /^x\.txt:5: expected "key: value"/);
	refused(SMALL.replace("try: Look.", "try:"), /^x\.txt:7: try: empty/);
	refused(` indented\n${SMALL}`, /^x\.txt:1: an indented line/);
	refused(`${SMALL}title: Again\n`, /^x\.txt:17: title: a lesson has only one/);
	refused(SMALL.replace("hint: b\n", ""), /hint: a lesson has at least 2/);
	refused(SMALL.replace("answer: number", "answer: guess"), /^x\.txt:9: answer: expected one of number/);
	refused(SMALL.replace("answer: number", "answer: fill"), /^x\.txt:9: answer: fill needs a "\?"/);
	refused(SMALL.replace("answer: number", "answer: play"), /^x\.txt:9: answer: play needs an opponent/);
	refused(SMALL.replace("answer: number", "answer: order"), /^x\.txt:9: answer: order needs a "\?"/);
	refused(SMALL.replace("depth=1", "depth=?"), /does not fill in the "\?"/);
	refused(SMALL.replace("leaves of 1\nhint", "leaves of 2\nhint"), /^x\.txt:10: check: expected the number of a player/);
	refused(SMALL.replace("leaves of 1\nhint", "leafs of 1\nhint"), /^x\.txt:10: check: leafs is not one of/);
	refused(SMALL.replace("{leaves of 1}", "{leaves of}"), /^x\.txt:13: right: \{leaves of\}/);
	refused(SMALL.replace("  Two.", "  Two. Three! Four? Five. Six. \"Seven.\""), /^x\.txt:3: idea: 7 sentences; it has at most 6$/);
	refused(`${SMALL}range: 3 to 2\n`, /^x\.txt:17: range/);
	refused(`${SMALL}show: everything\n`, /^x\.txt:17: show/);
	refused(`${SMALL}seat: 9\n`, /^x\.txt:17: seat: expected a number from 1 to 4/);
});

test("everything in a lesson is bounded", () => {
	refused("#".repeat(MOST_TEXT + 1), /longer than/);
	refused(`title: ${"x".repeat(700)}\n`, /the line is longer/);
	refused(SMALL.replace("  Two.", `  ${"x".repeat(500)}\n  ${"x".repeat(500)}\n  ${"x".repeat(500)}\n  ${"x".repeat(500)}`), /idea: longer than/);
	refused(SMALL + "player: random\n".repeat(3), /player: a lesson has at most 3/);
	assert.throws(() => parseCheck(`answer = ${"1 + ".repeat(20)}1`, 1), /more than/);
});

test("no text breaks the parser other than with its own error", () => {
	let state = 5;
	const deal = (below: number) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	const all = texts.map(({ text }) => text);
	for (let i = 0; i < 500; i++) {
		const one = all[deal(all.length)] ?? "";
		const lines = one.split("\n");
		lines.splice(deal(lines.length), deal(3), (all[deal(all.length)] ?? "").slice(deal(800)).split("\n")[0] ?? "");
		const at = deal(one.length);
		for (const broken of [lines.join("\n"), one.slice(0, at), one.slice(0, at) + String.fromCharCode(deal(300)) + one.slice(at + deal(4))])
			try {
				parseLesson(broken, "x.txt");
			} catch (error) {
				assert.ok(error instanceof LessonError, String(error));
			}
	}
});

// ---- Links ----

test("a lesson survives its link", async () => {
	for (const { text } of texts)
		assert.equal(await unpackLesson(await packLesson(text)), text);
});

test("the longest lesson fits in a link, whatever its letters are", async () => {
	let state = 7;
	for (const letters of [94, 20000]) { // of one byte, of three
		const text = Array.from({ length: MOST_TEXT }, () => {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			return String.fromCharCode((letters > 94 ? 0x4e00 : 33) + Math.floor((state / 2 ** 32) * letters));
		}).join("");
		assert.equal(await unpackLesson(await packLesson(text)), text);
	}
});

test("a bad link gets a clear message", async () => {
	const good = await packLesson(SMALL);
	await assert.rejects(unpackLesson(""), /no lesson in it/);
	await assert.rejects(unpackLesson(good.slice(0, -9)), /damaged/);
	await assert.rejects(unpackLesson("%%%"), /damaged/);
	await assert.rejects(unpackLesson("A".repeat(60000)), /too long/);
	await assert.rejects(unpackLesson(await packLesson("x".repeat(100000))), /damaged/); // would unpack to too much
	assert.throws(() => parseLesson("any other text", "lesson"), /^LessonError|lesson:1: expected/);
});

// ---- The course ----

const lessons = texts.map(({ name, text }) => parseLesson(text, `${name}.txt`));

test("the course has at least thirty lessons, of every kind, each with an idea in five sentences", () => {
	assert.ok(lessons.length >= 30);
	for (const kind of ANSWERS)
		assert.ok(lessons.some(({ answer }) => answer === kind), kind);
	for (const { file, idea } of lessons)
		assert.equal(sentencesOf(idea), 5, file);
});

test("words are explained before they are used", () => {
	const known = new Set<string>();
	const used = ["ply", "plies", "bound", "bench", "leaf", "leaves", "cut off", "cut-off", "alpha", "beta", "window", "node", "minimax", "evaluation", "null window", "horizon"];
	const missing: string[] = [];
	const explains: Record<string, string> = { plies: "ply", leaves: "leaf", "cut off": "cut-off" };
	for (const { file, title, idea, question, task, words } of lessons) {
		words.forEach(({ word }) => known.add(word));
		const text = [title, idea, question, task].join(" ").replace(/\{[^}]*\}/g, "").toLowerCase().replaceAll("alpha-beta", "");
		for (const word of used)
			if (new RegExp(`\\b${word}\\b`).test(text) && !known.has(explains[word] ?? word))
				missing.push(`${file}: ${word}`);
	}
	assert.deepEqual(missing, []);
});

const folder = process.env["QUEVEDO_ENGINE"] ?? "";
const hasEngine = existsSync(join(folder, "manifest.json"));

async function openEngine(): Promise<LessonEngine> {
	const { core, data } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { core: string; data: Record<string, string> };
	const bytes = (path: string) => new Uint8Array(readFileSync(join(folder, "..", path)));
	const engine = await createEngine(await WebAssembly.compile(bytes(core)), (game: string) => data[game] ? bytes(data[game]) : null);
	return { ask: <T>(route: string, body: object) => engine.ask(route, body) as Promise<T> };
}

test("every lesson's claims hold, and its answers get the right reply", { skip: !hasEngine }, async () => {
	const engine = await openEngine();
	for (const lesson of lessons) {
		assert.deepEqual(await falseClaims(engine, lesson), [], lesson.file);
		const right = await checkAnswer(engine, lesson, lesson.example);
		assert.ok(right.right, `${lesson.file}: ${lesson.example} is called wrong`);
		const wrong = await checkAnswer(engine, lesson, lesson.mistake);
		assert.ok(!wrong.right, `${lesson.file}: ${lesson.mistake} is called right`);
		for (const { text } of [right, wrong])
			assert.doesNotMatch(text, /[{}]|undefined|NaN|none/, lesson.file);
	}
});

test("an answer that the question does not allow is neither right nor wrong", { skip: !hasEngine }, async () => {
	const engine = await openEngine();
	const no = (file: RegExp, answer: string, why: RegExp) => {
		const lesson = lessons.find((one) => file.test(one.file));
		assert.ok(lesson);
		return assert.rejects(checkAnswer(engine, lesson, answer), (error: unknown) => error instanceof AnswerError && why.test(error.message));
	};
	await no(/plies-multiply/, "", /Give an answer/);
	await no(/plies-multiply/, "many", /whole number/);
	await no(/quiescence/, "9", /from 2 to 4/);
	await no(/order-of-moves/, "Anna, Anna, Ben", /once/);
	await no(/random-moves/, "1", /not over/);
	await no(/random-moves/, "77", /not a legal move/);
	await no(/horizon/, "the moon", /is not one of/);
	await no(/solving/, "1", /not a legal move/);
});

test("trees are drawn on paper, and nothing else is taken for one", () => {
	const drawn = (text: string) => paperSpots(text)?.map((spot) => `${nameOf(spot.path)}:${scoreText(spot)}:${spot.x}`).slice(1);
	assert.deepEqual(drawn("A4(6,(?,1)) B-5"), ["A:4:1.25", "A1:6:0.5", "A2::2", "A21:?:1.5", "A22:1:2.5", "B:-5:3.5"]);
	assert.equal(drawn("A(1,2,3,4,5,6,7,8,9,0)")?.[10], "Aa:0:9.5", "the game calls the tenth reply a");
	for (const text of ["", "3-1", "?", "uniform 10 4 ideal", "A(1,2", "A(1,2))", "A(1,x)", `A(${"1,".repeat(50)}1)`])
		assert.equal(paperSpots(text), null, text);
});

test("nodes are named by the moves that lead to them", () => {
	const log = { names: ["", "a", "b"], visits: { parent: [-1, 0, 1, 0, -1], move: [0, 1, 2, 2, 0] } } as unknown as SearchLog;
	assert.equal(pathOf(log, 2), "a, b");
	assert.deepEqual(pathsOf(log), ["start", "a", "a, b", "b"]);
});

test("on paper, a game against luck has no answer", () => {
	const answers = course.filter(({ lesson }) => lesson.answer === "play").map(({ number, lesson }) => [number, exampleText(lesson)]);
	assert.deepEqual(answers, [[1, null], [34, null], [36, course[35]?.lesson.example]]);
	assert.equal(exampleText(course[1]!.lesson), course[1]?.lesson.example);
});
