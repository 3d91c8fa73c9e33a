// livepicture.tsx - a small board that plays a random game while it is visible.
// SPDX-License-Identifier: MIT
//
// One timer serves all pictures, so that a gallery of any size sends only a few requests a second.
import { useEffect, useRef, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { animationsOn } from "../store/settings";
import type { View } from "../types";
import { fetchPosition, useBoard } from "./parts";

const TICK = 500; // ms between two requests
const HURRY = 90; // the same, until every picture has played a few moves
const STILL = 6; // plies of a game "under way"; without animation it stops there
const REST = 6; // ticks that a finished game stays visible

interface Show {
	game: string;
	moves: string[];
	view: View | null;
	rest: number;
	fresh: boolean; // still in its first game
	stopped: boolean; // loading failed
	watchers: Set<(view: View) => void>; // its visible pictures
}

const shows = new Map<string, Show>();
let turn = 0;
let ticking = 0;
let seed = 1 + Math.floor(Math.random() * 1e6);

function random(below: number): number {
	seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
	return (seed >> 8) % below;
}

function showOf(game: string): Show {
	const old = shows.get(game);
	if (old)
		return old;
	const show: Show = { game, moves: [], view: null, rest: 0, fresh: true, stopped: false, watchers: new Set() };
	shows.set(game, show);
	return show;
}

function wantsMove(show: Show): boolean {
	if (show.stopped || !show.watchers.size)
		return false;
	return animationsOn() || show.moves.length < STILL;
}

async function step(show: Show): Promise<void> {
	const { view } = show;
	if (view?.over && ++show.rest < REST)
		return;
	let moves: string[] = [];
	if (view && !view.over) {
		const move = view.moves[random(Math.max(1, view.moves.length))];
		moves = move ? [...show.moves, move.move] : [];
	}
	show.view = await fetchPosition(show.game, "start", moves);
	show.moves = moves;
	show.rest = 0;
	show.fresh &&= !show.view.over;
	/* Without animation, show the start and then only the final position. */
	if (!animationsOn() && moves.length > 0 && moves.length < STILL && !show.view.over)
		return;
	for (const watcher of show.watchers)
		watcher(show.view);
}

async function tick(): Promise<void> {
	const waiting = [...shows.values()].filter(wantsMove);
	const early = waiting.filter((one) => one.fresh && one.moves.length < STILL);
	const next = early.length ? early : waiting;
	const show = next[turn++ % Math.max(1, next.length)];
	if (show && document.visibilityState === "visible")
		await step(show).catch(() => (show.stopped = true));
	const watched = [...shows.values()].filter((one) => one.watchers.size);
	const isEarly = watched.some((one) => !one.stopped && one.fresh && one.moves.length < STILL);
	ticking = watched.length ? window.setTimeout(tick, isEarly ? HURRY : TICK) : 0;
}

function watch(show: Show, watcher: (view: View) => void): () => void {
	show.stopped = false;
	show.watchers.add(watcher);
	if (!ticking)
		ticking = window.setTimeout(tick, 0);
	return () => void show.watchers.delete(watcher);
}

export function LivePicture({ game }: { game: string }) {
	const frame = useRef<HTMLDivElement>(null);
	const found = useBoard(game, true);
	const [view, setView] = useState(() => showOf(game).view);
	useEffect(() => {
		const element = frame.current;
		if (!element)
			return;
		let leave = () => {};
		const observer = new IntersectionObserver(([entry]) => {
			leave();
			leave = entry?.isIntersecting ? watch(showOf(game), setView) : () => {};
		}, { rootMargin: "300px" });
		observer.observe(element);
		return () => {
			observer.disconnect();
			leave();
		};
	}, [game]);
	return (
		<div class="live-picture" ref={frame} aria-hidden="true">
			{found?.board && view && <BoardPicture board={found.board} view={view} />}
			{found && !found.board && view && <pre>{view.text}</pre>}
		</div>
	);
}
