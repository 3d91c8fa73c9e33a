// useLook.ts - browsing a game: shows any node of its tree without changing the game.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { treeOfPlay } from "../journal";
import { fetchPosition } from "../pages/parts";
import { movesTo, nodeAt, pathTo, type GameTree } from "../tree";
import type { Play, View } from "../types";
import { toastError } from "../ui/toast";
import { roleOf } from "./rights";

export interface Look {
	tree: GameTree; // with the cursor at the node shown
	view: View;
	back: boolean; // the node shown is not the current position of the game
	node: number;
	go(node: number): void;
	toGame(): void;
	change(step: (tree: GameTree) => GameTree): void;
}

/** In a game between people, moves that were taken back are gone; so they are in a game that has ended. */
function canRedo(play: Play): boolean {
	return play.redo > 0 && roleOf(play).alone && roleOf(play).inProgress;
}

/** The tree without the moves that were taken back, except those that can be redone. Nodes keep their numbers. */
export function playedTree(tree: GameTree, redo: boolean): GameTree {
	const nodes = tree.nodes.slice(), path = pathTo(tree, tree.cursor);
	const after = redo ? undoneMoves(tree, tree.cursor) : [];
	[...path, ...after].forEach((id, i, line) => {
		const next = line[i + 1] ?? -1;
		nodes[id] = { ...nodeAt(tree, id), children: next < 0 ? [] : [next], recent: next };
	});
	return { ...tree, nodes };
}

/** The moves after the position of the game: they were taken back. */
export function undoneMoves(tree: GameTree, cursor: number): ReadonlySet<number> {
	const undone = new Set<number>();
	for (let at = nodeAt(tree, cursor).recent; at > 0; at = nodeAt(tree, at).recent)
		undone.add(at);
	return undone;
}

export function useLook(play: Play): Look {
	const [node, setNode] = useState<number | null>(null);
	const [shown, setShown] = useState<{ node: number; view: View } | null>(null);
	const views = useRef(new Map<number, View>());
	const base = useMemo(() => playedTree(treeOfPlay(play), canRedo(play)), [play.tree, play.cursor, play.redo, play.result]);
	const at = node !== null && base.nodes[node] ? node : play.cursor;
	views.current.set(play.cursor, play.view);

	useEffect(() => {
		if (at === play.cursor)
			return setShown(null);
		const known = views.current.get(at);
		if (known)
			return setShown({ node: at, view: known });
		let current = true;
		fetchPosition(play.game, play.start, movesTo(base, at)).then((view) => {
			views.current.set(at, view);
			if (current)
				setShown({ node: at, view });
		}, toastError);
		return () => void (current = false);
	}, [at, play.cursor]);

	const go = (next: number) => setNode(next === play.cursor ? null : next);
	const tree = at === base.cursor ? base : { ...base, cursor: at };
	return {
		tree, go, node: at,
		view: at === play.cursor || !shown ? play.view : shown.view,
		back: at !== play.cursor,
		toGame: () => setNode(null),
		change: (step) => go(step(tree).cursor),
	};
}
