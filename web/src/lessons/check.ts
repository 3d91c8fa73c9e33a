// check.ts - the answer to a lesson's question is checked by running its experiment: no answer is stored.
// SPDX-License-Identifier: MIT
import { moveName } from "../board/text";
import { hasFlag, hasReason, REASONS, type Flag, type Reason, type SearchLog } from "../lab/log";
import { t } from "../messages";
import type { View } from "../types";
import { parseExpression, type Check, type Expression, type NodeMeasure, type Operand } from "./expression";
import type { Lesson, LessonBench } from "./parse";

/** The engine, as the checks need it. A request that it refuses is an error. */
export interface LessonEngine {
	ask<T>(route: string, body: object): Promise<T>;
}

/** What a player did at the position of the experiment. */
export interface Run {
	move: string;
	value: number | string; // "solve" gives win, draw or loss
	nodes: number;
	leaves: number;
	cuts: number;
	depth: number;
	passes: number; // over the root
	log: SearchLog | null;
}

/** How the reader's game against the opponent ended. */
type Result = "win" | "draw" | "loss" | "open";

export interface Reply {
	right: boolean;
	text: string;
}

/** The question does not allow such an answer: it is neither right nor wrong. */
export class AnswerError extends Error {}

const KEPT_VISITS = 20000;
const TIME = 20000; // ms for a player that tells nothing of its tree
const MOST_PLIES = 400;

// ---- The answer in the experiment ----

function itemOf(lesson: Lesson, name: string): string {
	const item = lesson.items.find((one) => one.name === name);
	if (!item)
		throw new AnswerError(t("lessons.notAnItem", { name: name || t("lessons.nothing"), names: lesson.items.map((one) => one.name).join(", ") }));
	return item.text;
}

/** What the answer puts in the place of "?". */
function filling(lesson: Lesson, answer: string): string {
	if (lesson.answer === "choose")
		return itemOf(lesson, answer);
	if (lesson.answer !== "order")
		return answer;
	const names = answer.split(", ");
	if (new Set(names).size !== lesson.items.length || names.length !== lesson.items.length)
		throw new AnswerError(t("lessons.orderOnce"));
	return names.map((name) => itemOf(lesson, name)).join(" ");
}

/** The experiment with the answer in its place. */
export function benchWith(lesson: Lesson, answer: string): LessonBench {
	const { bench } = lesson;
	const text = filling(lesson, answer);
	const put = (into: string) => into.replaceAll("?", () => text);
	return { ...bench, position: put(bench.position), players: bench.players.map(put) };
}

/** The experiment before there is an answer: the things in their first order, a blank as 0. */
export function benchAtFirst(lesson: Lesson): LessonBench {
	const [first] = lesson.items;
	if (lesson.answer === "order")
		return benchWith(lesson, lesson.items.map(({ name }) => name).join(", "));
	if (lesson.answer === "choose" && first)
		return benchWith(lesson, first.name);
	return lesson.answer === "fill" ? benchWith(lesson, String(Math.max(0, lesson.range?.[0] ?? 0))) : lesson.bench;
}

// ---- Runs ----

function place({ game, position, moves }: LessonBench): { game: string; position: string; moves: string[] } {
	return { game, position, moves };
}

const NO_RUN: Run = { move: "", value: 0, nodes: 0, leaves: 0, cuts: 0, depth: 0, passes: 0, log: null };

function runOfLog(log: SearchLog): Run {
	const passes = log.visits.parent.filter((parent) => parent < 0).length;
	return { move: log.move, value: log.value ?? 0, nodes: log.nodes, leaves: log.evaluations, cuts: log.cuts, depth: log.depth, passes, log };
}

/** A player that tells nothing of its tree still tells its move. */
async function chosen(engine: LessonEngine, bench: LessonBench, player: string, seed = 1): Promise<Run> {
	const { move, thoughts } = await engine.ask<{ move: string; thoughts: { line?: { score: number; nodes: number; depth: number } } }>(
		"move", { ...place(bench), player, seed, time: TIME, book: false });
	return { ...NO_RUN, move, value: thoughts.line?.score ?? 0, nodes: thoughts.line?.nodes ?? 0, depth: thoughts.line?.depth ?? 0 };
}

/**
 * These are no players: "solve" gives the value of the position, "proof:nodes=N" its proof, "perft:DEPTH" the number of lines, and
 * "waves" the positions of the whole game and the plies of the longest win or loss.
 */
export async function runPlayer(engine: LessonEngine, bench: LessonBench, player: string, visits = KEPT_VISITS): Promise<Run> {
	if (player === "solve") {
		const { value, move, nodes, in: plies } = await engine.ask<{ value: string; move: string | null; nodes: number; in: number | null }>(
			"solve", { ...place(bench), time: TIME, distance: true });
		return { ...NO_RUN, value, move: move ?? "", nodes, depth: plies ?? 0 };
	}
	if (player === "waves") {
		const { positions, waves } = await engine.ask<{ positions: number; waves: unknown[] }>("wave", { game: bench.game });
		return { ...NO_RUN, nodes: positions, depth: waves.length - 1 };
	}
	const perft = /^perft:(\d)$/.exec(player);
	if (perft)
		return { ...NO_RUN, ...await engine.ask<{ nodes: number }>("perft", { ...place(bench), depth: Number(perft[1]) }) };
	if (player.startsWith("proof:")) {
		const log = await engine.ask<SearchLog>("proof", { ...place(bench), nodes: Number(/nodes=(\d{1,5})/.exec(player)?.[1] ?? 2000) });
		return { ...NO_RUN, nodes: log.growth?.steps.length ?? 0, log };
	}
	if (/^(minimax|negamax|alphabeta|negascout|mtdf|selective|expectimax|maxn|paranoid|brs)\b/.test(player))
		return runOfLog(await engine.ask<SearchLog>("trace", { ...place(bench), player, nodes: visits, log: true }));
	return chosen(engine, bench, player);
}

/** Plays the reader's moves against the opponent, as far as they go. */
export async function playOut(engine: LessonEngine, lesson: Lesson, answers: string[]): Promise<{ moves: string[]; view: View; result: Result }> {
	const left = [...answers];
	const moves = [...lesson.bench.moves];
	for (;;) {
		const at = { ...place(lesson.bench), moves };
		const view = await engine.ask<View>("positions", at);
		if (view.over || moves.length >= MOST_PLIES) {
			const result = !view.over ? "open" : view.result === "draw" ? "draw" : view.result === `win ${lesson.seat}` ? "win" : "loss";
			return { moves, view, result };
		}
		if (view.seat !== lesson.seat) {
			moves.push((await chosen(engine, { ...lesson.bench, moves }, lesson.opponent, moves.length + 1)).move);
			continue;
		}
		const next = left.shift();
		if (next === undefined)
			return { moves, view, result: "open" };
		if (!view.moves.some(({ move }) => move === next))
			throw new AnswerError(t("lessons.illegalMove", { move: next }));
		moves.push(next);
	}
}

// ---- Checks ----

/** Whether the lesson asks about single visits. If not, the counts are enough. */
function usesVisits({ checks, claims, task, right, wrong }: Lesson): boolean {
	const written = [...checks, ...claims].map(({ text }) => `{${text}}`).concat(task, right, wrong).join(" ");
	return /\{[^}]*\b(passes of|answer has|answer first|of \d at)\b/.test(written);
}

/** What the expressions of one answer stand for. Each player runs at most once. */
export class Findings {
	private readonly runs = new Map<number, Promise<Run>>();
	private ended: Promise<Result> | null = null;

	constructor(private readonly engine: LessonEngine, private readonly lesson: Lesson, readonly answer: string) {}

	run(player: number): Promise<Run> {
		const old = this.runs.get(player);
		if (old)
			return old;
		const bench = this.answer ? benchWith(this.lesson, this.answer) : benchAtFirst(this.lesson);
		const filled = this.answer && this.lesson.answer !== "play" ? filling(this.lesson, this.answer) : "";
		const spec = bench.players[player - 1] ?? this.lesson.others[player - 1 - bench.players.length]?.replaceAll("?", () => filled) ?? "";
		const run = this.start(bench, spec);
		this.runs.set(player, run);
		return run;
	}

	/** "after:" runs at the position after the move that is the answer. */
	private async start(bench: LessonBench, spec: string): Promise<Run> {
		if (!spec.startsWith("after:"))
			return runPlayer(this.engine, bench, spec, usesVisits(this.lesson) ? KEPT_VISITS : 1);
		if (!this.answer)
			return NO_RUN;
		const { moves } = await this.engine.ask<View>("positions", place(bench));
		if (!moves.some(({ move }) => move === this.answer))
			throw new AnswerError(t("lessons.illegalMove", { move: this.answer }));
		return runPlayer(this.engine, { ...bench, moves: [...bench.moves, this.answer] }, spec.slice("after:".length));
	}

	result(): Promise<Result> {
		this.ended ??= playOut(this.engine, this.lesson, this.answer.split(", ")).then(({ result }) => result);
		return this.ended;
	}

	private async operand(operand: Operand): Promise<string> {
		switch (operand.kind) {
		case "text": return operand.text;
		case "answer": return this.answer;
		case "result": return this.result();
		case "at": return measureAt((await this.run(operand.player)).log, operand.measure, operand.node);
		case "measure": return String((await this.run(operand.player))[operand.measure]);
		}
	}

	async value({ first, more }: Expression): Promise<string> {
		if (!more.length)
			return this.operand(first);
		let sum = Number(await this.operand(first));
		for (const { sign, operand } of more) {
			const next = Number(await this.operand(operand));
			sum = sign === "+" ? sum + next : sign === "-" ? sum - next : sum * next;
		}
		return String(sum);
	}

	async holds(check: Check): Promise<boolean> {
		if (check.kind === "node")
			return hasNode((await this.run(check.player)).log, this.answer, check.what, check.first);
		const left = await this.value(check.left);
		const right = await this.value(check.right);
		const [a, b] = [Number(left), Number(right)];
		const alike = Number.isNaN(a) || Number.isNaN(b) ? left === right : a === b;
		switch (check.comparison) {
		case "=": return alike;
		case "!=": return !alike;
		case "<": return a < b;
		case "<=": return a <= b;
		case ">": return a > b;
		case ">=": return a >= b;
		}
	}

	/** A move in short notation (chess: Nf3), if the game has one; all else as it is. */
	private async shown({ first, more }: Expression): Promise<string> {
		const value = await this.value({ first, more }), chosen = first.kind === "answer" && this.lesson.answer === "move";
		if (more.length || !value || !(chosen || first.kind === "measure" && first.measure === "move"))
			return value;
		const at = place(!chosen && this.answer && this.lesson.answer !== "play" ? benchWith(this.lesson, this.answer) : benchAtFirst(this.lesson));
		const { moves } = await this.engine.ask<View>("positions", at);
		return moveName(moves.find(({ move }) => move === value) ?? { move: value });
	}

	/** With the measures in braces filled in. */
	async text(written: string): Promise<string> {
		let text = "";
		for (const part of written.split(/(\{[^}]*\})/))
			text += part.startsWith("{") ? await this.shown(parseExpression(part.slice(1, -1), Number.MAX_SAFE_INTEGER)) : part;
		return text;
	}
}

/** The path to a visit as an answer: "B, B1"; the top is "start". */
export function pathOf({ visits, names }: SearchLog, visit: number): string {
	const path: string[] = [];
	for (let at = visit; at >= 0 && (visits.parent[at] ?? -1) >= 0; at = visits.parent[at] ?? -1)
		path.unshift(names[visits.move[at] ?? 0] || "pass");
	return path.join(", ") || "start";
}

/** The paths to all nodes of a log, each once, in the order of the visits. */
export function pathsOf(log: SearchLog): string[] {
	return [...new Set(log.visits.parent.map((_, visit) => pathOf(log, visit)))];
}

/** At the last visit to the node; "none": it was never visited. An open side of the window is infinite. */
function measureAt(log: SearchLog | null, measure: NodeMeasure, node: string): string {
	const visits = log?.visits.parent.map((_, visit) => visit).filter((visit) => pathOf(log, visit) === node) ?? [];
	if (measure === "visits")
		return String(visits.length);
	const last = visits[visits.length - 1];
	if (last === undefined)
		return "none";
	return String(log?.visits[measure][last] ?? (measure === "alpha" ? -Infinity : Infinity));
}

function happens({ visits }: SearchLog, visit: number, what: string): boolean {
	return REASONS.some((one) => one === what) ? hasReason(visits.reasons[visit] ?? 0, what as Reason) : hasFlag(visits.flags[visit] ?? 0, what as Flag);
}

function hasNode(log: SearchLog | null, answer: string, what: string, first: boolean): boolean {
	if (!log)
		return false;
	const found = log.visits.parent.map((_, visit) => visit).filter((visit) => happens(log, visit, what));
	return (first ? found.slice(0, 1) : found).some((visit) => pathOf(log, visit) === answer);
}

/** The form of an answer, before anything runs. Throws an AnswerError. */
function checkForm({ answer: kind, range }: Lesson, answer: string): void {
	if (!answer)
		throw new AnswerError(t("lessons.answerFirst"));
	if (kind !== "number" && kind !== "fill")
		return;
	if (!/^-?\d{1,9}$/.test(answer))
		throw new AnswerError(t("lessons.answerWhole"));
	if (range && (Number(answer) < range[0] || Number(answer) > range[1]))
		throw new AnswerError(t("lessons.answerRange", { least: range[0], most: range[1] }));
}

/** Runs the experiment with the answer. Throws an AnswerError if the question does not allow it. */
export async function checkAnswer(engine: LessonEngine, lesson: Lesson, given: string): Promise<Reply> {
	const answer = given.split(",").map((part) => part.trim().replace(/\s+/g, " ")).filter(Boolean).join(", ");
	checkForm(lesson, answer);
	const findings = new Findings(engine, lesson, answer);
	if (lesson.answer === "play" && await findings.result() === "open")
		throw new AnswerError(t("lessons.notOver"));
	let right = true;
	for (const check of lesson.checks)
		right &&= await findings.holds(check);
	return { right, text: await findings.text(right ? lesson.right : lesson.wrong) };
}

/** The claims of the lesson's text that its experiment does not confirm, as texts. */
export async function falseClaims(engine: LessonEngine, lesson: Lesson): Promise<string[]> {
	const findings = new Findings(engine, lesson, "");
	const wrong: string[] = [];
	for (const claim of lesson.claims)
		if (!await findings.holds(claim))
			wrong.push(claim.text);
	return wrong;
}
