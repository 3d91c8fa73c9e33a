// motion.ts - what changed between two positions: which pieces slide, appear, disappear or turn over.
// SPDX-License-Identifier: MIT
import type { Standing } from "../types";

export interface Motion {
	slides: { from: number; to: number }[];
	comes: Set<number>; // cells where a new piece appears
	turns: Set<number>; // cells where a piece changed its kind
	goes: Standing[]; // pieces that disappeared
}

export const still: Motion = { slides: [], comes: new Set(), turns: new Set(), goes: [] };

/** A piece that disappears from one cell and appears on another is taken as moved. */
export function motionOf(before: Standing[], after: Standing[], hint: number[]): Motion {
	const old = new Map(before.map((one) => [one[0], one])), now = new Map(after.map((one) => [one[0], one]));
	const gone: Standing[] = [], come: Standing[] = [];
	for (const one of before) {
		const next = now.get(one[0]);
		if (!next || next[1] !== one[1] || next[2] < one[2])
			gone.push(one);
	}
	for (const one of after) {
		const last = old.get(one[0]);
		if (!last || last[1] !== one[1] || last[2] < one[2])
			come.push(one);
	}
	return pair(gone, come, now, hint);
}

function pair(gone: Standing[], come: Standing[], now: Map<number, Standing>, hint: number[]): Motion {
	const motion: Motion = { slides: [], comes: new Set(), turns: new Set(), goes: [] };
	const left = new Set(gone);
	for (const [to, piece] of come) {
		const from = [...left].filter((one) => one[1] === piece)
			.sort((a, b) => rank(b[0], to, hint) - rank(a[0], to, hint))[0];
		if (from) {
			left.delete(from);
			motion.slides.push({ from: from[0], to });
		} else if ([...left].some((one) => one[0] === to)) {
			motion.turns.add(to);
		} else {
			motion.comes.add(to);
		}
	}
	for (const one of left)
		if (!motion.turns.has(one[0]) && now.get(one[0])?.[1] !== one[1])
			motion.goes.push(one);
	return motion;
}

/** Prefers pairs of cells that the last move touches. */
function rank(from: number, to: number, hint: number[]): number {
	const a = hint.indexOf(from), b = hint.indexOf(to);
	return a >= 0 && b >= 0 ? (b === a + 1 ? 3 : 2) : a >= 0 || b >= 0 ? 1 : 0;
}
