// claims.ts - the diagrams of the 1983 book and of the theory pages, what they claim, and how a run confirms it (docs/seeds.claims).
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { moveOf, treeOf, type SearchLog } from "./log";
import { PLAIN } from "./specs";

/** What a run must show. Missing: it does not matter. */
interface Expected {
	move?: string;
	value?: number;
	evaluations?: number;
	line?: string[];
	unseen?: string[]; // moves that are never searched
	seen?: string[];
}

export interface Claim {
	diagram: string; // the name
	position: string; // of the game "diagram"
	text: string;
	runs: { player: string; expected: Expected }[];
}

const alphabeta = (depth: number, more = PLAIN) => `alphabeta:depth=${depth},${more}`;

export const CLAIMS: Claim[] = [
	{ diagram: "3-1", position: "3-1", text: t("lab.claimOnePly"),
		runs: [{ player: "minimax:depth=1", expected: { move: "B", value: 5 } }] },
	{ diagram: "3-1", position: "3-1", text: t("lab.claimTwoPlies"),
		runs: [{ player: "minimax:depth=2", expected: { move: "C", value: 0, evaluations: 9 } }] },
	{ diagram: "3-1", position: "3-1", text: t("lab.claimSevenLeaves"),
		runs: [{ player: alphabeta(2), expected: { move: "C", value: 0, evaluations: 7, unseen: ["B2", "B3"] } }] },
	{ diagram: "3-2", position: "3-2", text: t("lab.claimFourPlies"),
		runs: [{ player: "minimax:depth=4", expected: { move: "A", value: 1, evaluations: 81, line: ["A", "A1", "A11", "A111"] } }] },
	{ diagram: "3-2", position: "3-2", text: t("lab.claimFewLeaves"),
		runs: [{ player: alphabeta(4), expected: { move: "A", value: 1, evaluations: 29 } }] },
	{ diagram: "3-5", position: "3-5", text: t("lab.claimBothCuts"),
		runs: [{ player: alphabeta(3), expected: { evaluations: 8, unseen: ["A22", "A23", "A32", "A33", "B2", "B3"] } }] },
	{ diagram: "3-6", position: "3-6", text: t("lab.claimDeepCut"),
		runs: [{ player: alphabeta(4), expected: { move: "C", value: 7, evaluations: 7, unseen: ["C112", "C113", "C132", "C133"] } }] },
	{ diagram: "3-6", position: "3-6", text: t("lab.claimNoDeepCuts"),
		runs: [{ player: alphabeta(4, `${PLAIN},deep=0`), expected: { move: "C", value: 7, evaluations: 9, seen: ["C112", "C113"] } }] },
	{ diagram: "4-1", position: "4-1", text: t("lab.claimBestLast"),
		runs: [{ player: alphabeta(2), expected: { move: "C", value: 3, evaluations: 9 } }] },
	{ diagram: "4-2", position: "4-2", text: t("lab.claimSorted"),
		runs: [
			{ player: alphabeta(2, PLAIN.replace("sort=0", "sort=1")), expected: { move: "C", value: 3, evaluations: 5 } },
			{ player: alphabeta(2, PLAIN.replace("sort=0", "sort=1").replace("iterate=0", "iterate=1")), expected: { move: "C", value: 3, evaluations: 8 } },
		] },
	{ diagram: "4-3", position: "4-3", text: t("lab.claimOrdinary"),
		runs: [{ player: alphabeta(2), expected: { move: "A", value: 0, evaluations: 6 } }] },
	{ diagram: "4-3", position: "4-3", text: t("lab.claimKiller"),
		runs: [{ player: alphabeta(2, PLAIN.replace("killers=0", "killers=1")), expected: { move: "A", value: 0, evaluations: 5 } }] },
	{ diagram: t("lab.idealTree"), position: "uniform 10 4 ideal", text: t("lab.claimIdeal"),
		runs: [{ player: alphabeta(4), expected: { evaluations: 199 } }] },
	{ diagram: t("lab.worstTree"), position: "uniform 10 4 worst", text: t("lab.claimWorst"),
		runs: [{ player: alphabeta(4), expected: { evaluations: 8920 } }] },
	{ diagram: t("lab.theoryMinimax"), position: "A(3,5) B(2,9) C(4,1)", text: t("lab.claimMinimax"),
		runs: [{ player: "minimax:depth=2", expected: { move: "A", value: 3, evaluations: 6 } }] },
	{ diagram: t("lab.theoryAlpha"), position: "A(3) B(-2,99)", text: t("lab.claimAlpha"),
		runs: [{ player: alphabeta(2), expected: { move: "A", value: 3, unseen: ["B2"] } }] },
	{ diagram: t("lab.theoryBeta"), position: "A(1(3),2(8,99))", text: t("lab.claimBeta"),
		runs: [{ player: alphabeta(3), expected: { move: "A", value: 3, unseen: ["A22"] } }] },
];

/** Whether a log shows what is expected. */
export function confirms(log: SearchLog, expected: Expected): boolean {
	const { move, value, evaluations, line, unseen, seen } = expected;
	const tree = unseen || seen ? treeOf(log) : null;
	const searched = new Set(tree ? Array.from({ length: tree.count }, (_, i) => moveOf(tree, i)) : []);
	return (move === undefined || log.move === move) && (value === undefined || log.value === value) &&
		(evaluations === undefined || log.evaluations === evaluations) && (!line || line.every((name, i) => log.line[i] === name)) &&
		(unseen ?? []).every((name) => !searched.has(name)) && (seen ?? []).every((name) => searched.has(name));
}

// ---- Random trees ----

/** A small generator, so that a seed gives the same tree everywhere. */
export function generator(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const MOST_MOVES = 239; // of a tree that is typed

/** A tree as text: so many moves at each node, so many plies, leaves from -9 to 9. */
export function randomTree(seed: number, moves: number, plies: number): string {
	const next = generator(seed);
	const leaf = () => String(next(19) - 9);
	const branch = (left: number): string => left === 0 ? leaf() : `(${Array.from({ length: moves }, () => branch(left - 1)).join(",")})`;
	return Array.from({ length: moves }, (_, i) => `${String.fromCharCode(65 + i)}${branch(plies - 1)}`).join(" ");
}

/** Whether such a tree can be typed. */
export function fitsTree(moves: number, plies: number): boolean {
	let all = 0, row = 1;
	for (let i = 0; i < plies; i++) {
		row *= moves;
		all += row;
	}
	return all <= MOST_MOVES;
}
