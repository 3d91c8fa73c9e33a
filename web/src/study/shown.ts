// shown.ts - what a board and a list of moves show of the notes of a tree.
// SPDX-License-Identifier: MIT
import { drawnOf, withDrawn } from "../board/drawn";
import type { Arrow } from "../board/props";
import { glyphOf } from "../note";
import type { Glyph } from "../pages/movetree";
import type { Walk } from "../pages/walk";
import { nodeAt, setNote, type GameTree } from "../tree";

/** The signs after the moves. */
export function glyphsOf(tree: GameTree): Map<number, Glyph> {
	return new Map(tree.nodes.flatMap((node, id) => {
		const glyph = node && glyphOf(node.note);
		return glyph ? [[id, glyph] as const] : [];
	}));
}

/** For a board whose drawings become part of the notes. */
export function drawingOf({ tree, found, change }: Walk): { drawn: Arrow[]; onDraw(drawn: Arrow[]): void } | undefined {
	const board = found?.board;
	return board ? {
		drawn: drawnOf(nodeAt(tree, tree.cursor).note, board),
		onDraw: (drawn) => change((now) => setNote(now, now.cursor, withDrawn(nodeAt(now, now.cursor).note, drawn, board))),
	} : undefined;
}
