// usegraph.ts - the expected score of the first seat after each move of the main line, from one short analysis each.
// SPDX-License-Identifier: MIT
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { mainLine, movesTo, type GameTree } from "../tree";
import { endShare, firstShare, quickShare } from "./engine";
import { fetchPosition } from "./parts";

const QUICK_MS = 400;

export interface Graph {
	shares: Map<number, number>; // by node
	running: boolean;
	done: number;
	error: string | null;
	remember(node: number, share: number): void;
	start(): void;
	stop(): void;
}

/** null: chance is to move, so there is no value. */
async function shareOf(tree: GameTree, node: number, signal: AbortSignal): Promise<number | null> {
	const moves = movesTo(tree, node);
	const view = await fetchPosition(tree.game, tree.start, moves);
	if (view.over)
		return endShare(view);
	if (view.seat === 0)
		return null;
	const request = { game: tree.game, position: tree.start, moves, lines: 1, time: QUICK_MS };
	return firstShare(await quickShare(request, signal), view);
}

export function useGraph(tree: GameTree): Graph {
	const [shares, setShares] = useState(() => new Map<number, number>());
	const [run, setRun] = useState<{ done: number; stop(): void } | null>(null);
	const [error, setError] = useState<string | null>(null);
	const stopper = useRef<AbortController | null>(null);
	const remember = useCallback((node: number, share: number) =>
		setShares((now) => now.get(node) === share ? now : new Map(now).set(node, share)), []);

	const start = async () => {
		const controller = new AbortController();
		const stop = () => controller.abort();
		stopper.current = controller;
		setError(null);
		try {
			let done = 0;
			for (const node of mainLine(tree)) {
				setRun({ done: done++, stop });
				const share = shares.get(node) ?? await shareOf(tree, node, controller.signal);
				if (controller.signal.aborted)
					break;
				if (share !== null)
					remember(node, share);
			}
		} catch (reason) {
			if (!controller.signal.aborted)
				setError(sentence(reason));
		}
		setRun(null);
	};
	useEffect(() => () => stopper.current?.abort(), []);
	return {
		shares, error, remember,
		running: run !== null,
		done: run?.done ?? 0,
		start: () => void start(),
		stop: () => run?.stop(),
	};
}
