// handover.ts - passes a tree of variations from one page to another within this tab.
// SPDX-License-Identifier: MIT
import type { GameTree } from "../tree";

export interface Handover {
	tree: GameTree;
	curve: boolean; // a finished game: analyse all of it at once
}

let waiting: Handover | null = null;

export function handOver(tree: GameTree, curve = false): void {
	waiting = { tree, curve };
}

/** Returns what was handed over, only once. */
export function takeOver(): Handover | null {
	const taken = waiting;
	waiting = null;
	return taken;
}
