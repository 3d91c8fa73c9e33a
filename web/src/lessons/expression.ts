// expression.ts - the checks of a lesson: "leaves of 2 <= 5", "answer = move of 1", "answer has cut in 2".
// SPDX-License-Identifier: MIT
import { FLAGS, REASONS } from "../lab/log";
import { t } from "../messages";

/** What a run of a player gives. Players count from 1. */
export const MEASURES = ["value", "move", "nodes", "leaves", "cuts", "depth", "passes"] as const;
export type Measure = typeof MEASURES[number];

/** What a visit to one node gives: "alpha of 1 at B,B1". */
export const AT_NODE = ["value", "alpha", "beta", "visits"] as const;
export type NodeMeasure = typeof AT_NODE[number];

export type Operand =
	| { kind: "text"; text: string } // a number or a word
	| { kind: "answer" }
	| { kind: "result" } // of the game that the reader played: win, draw, loss, or open
	| { kind: "measure"; measure: Measure; player: number }
	| { kind: "at"; measure: NodeMeasure; player: number; node: string }; // the path to the node: "B, B1"

export interface Expression {
	first: Operand;
	more: { sign: "+" | "-" | "*"; operand: Operand }[]; // from left to right
}

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type Check =
	| { kind: "compare"; left: Expression; comparison: Comparison; right: Expression; text: string }
	| { kind: "node"; first: boolean; what: string; player: number; text: string }; // the answer is a node where that happens

const COMPARISONS: readonly string[] = ["=", "!=", "<", "<=", ">", ">="];
const MOST_WORDS = 24;

function playerNumber(word: string | undefined, players: number): number {
	const player = Number(word);
	if (!/^\d$/.test(word ?? "") || player < 1 || player > players)
		throw new Error(t("lessons.faultPlayer", { most: players, word: word ?? "" }));
	return player;
}

function named<T extends string>(word: string, names: readonly T[]): T {
	const found = names.find((one) => one === word);
	if (!found)
		throw new Error(t("lessons.faultNotOneOf", { word, names: names.join(", ") }));
	return found;
}

/** Takes one operand off the front of the words. */
function takeOperand(words: string[], players: number): Operand {
	const word = words.shift();
	if (word === undefined)
		throw new Error(t("lessons.faultMissingEnd"));
	if (word === "answer" || word === "result")
		return { kind: word };
	if (words[0] !== "of")
		return { kind: "text", text: word };
	words.shift();
	const player = playerNumber(words.shift(), players);
	if (words.at(0) === "at") {
		words.shift();
		return { kind: "at", measure: named(word, AT_NODE), player, node: (words.shift() ?? "start").replaceAll(",", ", ") };
	}
	return { kind: "measure", measure: named(word, MEASURES), player };
}

function takeExpression(words: string[], players: number): Expression {
	const first = takeOperand(words, players);
	const more: Expression["more"] = [];
	while (words[0] === "+" || words[0] === "-" || words[0] === "*") {
		const sign = words.shift() as "+" | "-" | "*";
		more.push({ sign, operand: takeOperand(words, players) });
	}
	return { first, more };
}

function wordsOf(text: string): string[] {
	const words = text.trim().split(/\s+/);
	if (words.length > MOST_WORDS)
		throw new Error(t("lessons.faultWords", { most: MOST_WORDS }));
	return words;
}

/** Throws an Error that says what is wrong. */
export function parseExpression(text: string, players: number): Expression {
	const words = wordsOf(text);
	const expression = takeExpression(words, players);
	if (words.length)
		throw new Error(t("lessons.faultUnexpected", { word: words[0]! }));
	return expression;
}

/** "answer has cut in 2": at some visit to the node; "first": that happens there for the first time. */
function parseNode(text: string, [, has, what = "", into, player, ...rest]: string[], players: number): Check {
	named<string>(what, [...REASONS, ...FLAGS]);
	if (into !== "in" || rest.length)
		throw new Error(t("lessons.faultReason"));
	return { kind: "node", first: has === "first", what, player: playerNumber(player, players), text };
}

/** Throws an Error that says what is wrong. */
export function parseCheck(text: string, players: number): Check {
	const words = wordsOf(text);
	if (words[0] === "answer" && (words[1] === "has" || words[1] === "first"))
		return parseNode(text, words, players);
	const left = takeExpression(words, players);
	const comparison = words.shift();
	if (!comparison || !COMPARISONS.includes(comparison))
		throw new Error(t("lessons.faultComparison", { names: COMPARISONS.join(" "), word: comparison ?? "" }));
	const right = takeExpression(words, players);
	if (words.length)
		throw new Error(t("lessons.faultUnexpected", { word: words[0]! }));
	return { kind: "compare", left, comparison: comparison as Comparison, right, text };
}
