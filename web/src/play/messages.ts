// messages.ts - the messages about a play, applied to it: a pure function.
// SPDX-License-Identifier: MIT
import type { LineMove, MoveMessage, Play } from "../types";

function shortOf({ short }: LineMove): { short?: string } {
	return short === undefined ? {} : { short };
}

/** Applies a move message; null if messages are missing and the whole play must be loaded. */
export function applyMove(play: Play, message: MoveMessage): Play | null {
	if (message.version !== play.version + 1)
		return message.version <= play.version ? play : null;
	const tree = message.node < play.tree.length ? play.tree
		: [...play.tree, { ...shortOf(message.move), parent: play.cursor, move: message.move.move }];
	const { version, turn, view, redo, clocks, dice, luck, thinking, result, reason, claim = null } = message;
	return {
		...play, version, turn, view, redo, clocks, dice, luck, thinking, result, reason, claim, tree,
		cursor: message.node, line: [...play.line, message.move],
	};
}
