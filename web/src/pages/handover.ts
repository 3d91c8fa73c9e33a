// handover.ts - a tree of variations on its way from one page to another, within this tab.
// SPDX-License-Identifier: MIT
import type { GameTree } from "../tree";

export interface Handover {
	tree: GameTree;
	curve: boolean; // a whole game: its curve is wanted at once
}

let waiting: Handover | null = null;

export function handOver(tree: GameTree, curve = false): void {
	waiting = { tree, curve };
}

/** What was handed over, once. */
export function takeOver(): Handover | null {
	const taken = waiting;
	waiting = null;
	return taken;
}
