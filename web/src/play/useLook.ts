// useLook.ts - browsing a game: shows any node of its tree without changing the game.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { treeOfPlay } from "../journal";
import { fetchPosition } from "../pages/parts";
import { movesTo, type GameTree } from "../tree";
import type { Play, View } from "../types";
import { toastError } from "../ui/toast";

export interface Look {
	tree: GameTree; // with the cursor at the node shown
	view: View;
	back: boolean; // the node shown is not the current position of the game
	node: number;
	go(node: number): void;
	toGame(): void;
	change(step: (tree: GameTree) => GameTree): void;
}

export function useLook(play: Play): Look {
	const [node, setNode] = useState<number | null>(null);
	const [shown, setShown] = useState<{ node: number; view: View } | null>(null);
	const views = useRef(new Map<number, View>());
	const base = useMemo(() => treeOfPlay(play), [play.tree, play.cursor]);
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
