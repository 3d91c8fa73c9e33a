// usegraph.ts - the expected score of the first seat after each move of the main line, from one short analysis each.
// SPDX-License-Identifier: MIT
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { mainLine, movesTo, type GameTree } from "../tree";
import type { AnalysisMessage, View } from "../types";
import { endShare, firstShare, lookOf, quickShare } from "./engine";
import { fetchPosition } from "./parts";
import { barScore, spokenScore } from "./score";

const QUICK_MS = 400;

/** The value of a position: the expected score of the first seat, and its score as text ("" if it has none). */
export interface Point {
	share: number;
	text: string; // "#2"
	spoken: string; // "White mates in 2"
}

export interface Graph {
	points: Map<number, Point>; // by node
	running: boolean;
	done: number;
	error: string | null;
	remember(node: number, point: Point): void;
	start(): void;
	stop(): void;
}

/** What a message says of the position; names: of the two sides. */
export function pointOf(message: AnalysisMessage, view: View, names: string[]): Point {
	const best = message.lines[0], look = lookOf(view.game, message, view.seat, names), share = firstShare(message, view);
	return best && !best.book ? { share, text: barScore(best, view.game, look), spoken: spokenScore(best, view.game, look) } : { share, text: "", spoken: "" };
}

/** What the end of a game is worth; names: of the sides. */
export function endPoint(view: View, names: string[]): Point {
	const winner = names[Number(/^win (\d+)$/.exec(view.result ?? "")?.[1] ?? 0) - 1];
	return { share: endShare(view), text: "", spoken: winner ? t("score.hasWon", { side: winner }) : "" };
}

/** null: chance is to move, so there is no value. */
async function valueOf(tree: GameTree, node: number, names: string[], signal: AbortSignal): Promise<Point | null> {
	const moves = movesTo(tree, node);
	const view = await fetchPosition(tree.game, tree.start, moves);
	if (view.over)
		return endPoint(view, names);
	if (view.seat === 0)
		return null;
	const request = { game: tree.game, position: tree.start, moves, lines: 1, time: QUICK_MS };
	return pointOf(await quickShare(request, signal), view, names);
}

/** names: of the sides. */
export function useGraph(tree: GameTree, names: string[]): Graph {
	const [points, setPoints] = useState(() => new Map<number, Point>());
	const [run, setRun] = useState<{ done: number; stop(): void } | null>(null);
	const [error, setError] = useState<string | null>(null);
	const stopper = useRef<AbortController | null>(null);
	const remember = useCallback((node: number, point: Point) => setPoints((now) => {
		const old = now.get(node);
		return old && old.share === point.share && old.text === point.text && old.spoken === point.spoken ? now : new Map(now).set(node, point);
	}), []);

	const start = async () => {
		const controller = new AbortController();
		const stop = () => controller.abort();
		stopper.current = controller;
		setError(null);
		try {
			let done = 0;
			for (const node of mainLine(tree)) {
				setRun({ done: done++, stop });
				const point = points.get(node) ?? await valueOf(tree, node, names, controller.signal);
				if (controller.signal.aborted)
					break;
				if (point)
					remember(node, point);
			}
		} catch (reason) {
			if (!controller.signal.aborted)
				setError(sentence(reason));
		}
		setRun(null);
	};
	useEffect(() => () => stopper.current?.abort(), []);
	return {
		points, error, remember,
		running: run !== null,
		done: run?.done ?? 0,
		start: () => void start(),
		stop: () => run?.stop(),
	};
}
