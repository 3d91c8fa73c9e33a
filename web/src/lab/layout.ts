// layout.ts - where the nodes of a tree are drawn: one column for each node without open branches, one row for each ply.
// SPDX-License-Identifier: MIT
//
// The nodes below one node have columns of their own, and no others are between them. So a node whose columns are not in the window,
// or are narrower than a pixel, needs no look at what is below it.
import type { SearchTree } from "./log";

export interface Layout {
	left: Float64Array; // the columns of a node and what is below it: from left to right
	right: Float64Array;
	low: Int32Array; // the last row below the node
	columns: number;
	rows: number;
	rowLeast: number; // pixels for each row, even if not all rows are in the window then
}

const ROW_LEAST = 30;
export const ROW_READABLE = 60; // for upright text
const PASS_GAP = 0.5; // columns between two passes over the root

/** closed: 1 for nodes whose branches are hidden. */
export function layOut(tree: SearchTree, closed: Uint8Array, rowLeast = ROW_LEAST): Layout {
	const { count, first, next, ply, parent } = tree;
	const left = new Float64Array(count), right = new Float64Array(count).fill(-1), low = new Int32Array(count);
	let column = 0, rows = 0;
	for (const root of tree.roots) {
		let node = root;
		while (node >= 0) {
			left[node] = column;
			low[node] = ply[node]!;
			if (first[node]! >= 0 && !closed[node]) {
				node = first[node]!;
				continue;
			}
			column++;
			right[node] = column;
			rows = Math.max(rows, ply[node]! + 1);
			/* Up again to the next node with a sibling. */
			while (node >= 0 && node !== root && next[node]! < 0) {
				const above = parent[node]!;
				low[above] = Math.max(low[above]!, low[node]!);
				right[above] = column;
				node = above;
			}
			if (node === root)
				break;
			const above = parent[node]!;
			low[above] = Math.max(low[above]!, low[node]!);
			node = next[node]!;
		}
		column += PASS_GAP;
	}
	return { left, right, low, columns: Math.max(1, column - PASS_GAP), rows: Math.max(1, rows), rowLeast };
}

/** A node that the layout does not show is inside of a closed one. */
export function isShown(layout: Layout, node: number): boolean {
	return layout.right[node]! >= 0;
}

export function shownAncestor(tree: SearchTree, layout: Layout, node: number): number {
	let at = node;
	while (at >= 0 && !isShown(layout, at))
		at = tree.parent[at]!;
	return at;
}

/** Closes every node with branches at this ply or below. */
export function closeBelow(tree: SearchTree, ply: number): Uint8Array {
	const closed = new Uint8Array(tree.count);
	for (let i = 0; i < tree.count; i++)
		if (tree.ply[i]! >= ply && tree.first[i]! >= 0)
			closed[i] = 1;
	return closed;
}

/** Closes all nodes but these and those above them: the moves beside them are single boxes. */
export function closeBeside(tree: SearchTree, nodes: number[]): Uint8Array {
	const closed = closeBelow(tree, 0);
	for (const node of nodes)
		for (let at = node; at >= 0; at = tree.parent[at]!)
			closed[at] = 0;
	return closed;
}

const WHOLE_MOST = 100; // columns of a tree that a reader understands as a whole

/** Whether the first view of a tree shows only the moves around one line. */
export function isWide(tree: SearchTree): boolean {
	let leaves = 0;
	for (let i = 0; i < tree.count && leaves <= WHOLE_MOST; i++)
		leaves += Number(tree.first[i]! < 0);
	return leaves > WHOLE_MOST;
}
