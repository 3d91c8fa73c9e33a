// RulePictures.tsx - small boards beside the written rules: how pieces move, and what the words mean.
// SPDX-License-Identifier: MIT
import pictures from "learn:pictures";
import { useEffect, useRef, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { Overlay } from "../board/Overlay";
import { withColours } from "../board/stones";
import { targets } from "../board/entry";
import { fetchPosition, useBoard } from "../pages/parts";
import { StarBoard } from "../starchess/lazy";
import type { Board, Move, View } from "../types";
import type { Picture, Scene } from "./parse";

const TRIES = 3, PAUSE_MS = 2000;

const views = new Map<string, Promise<View>>();
let last: Promise<unknown> = Promise.resolve();

async function fetchPatiently(game: string, { position, moves }: Scene, tries = TRIES): Promise<View> {
	try {
		return await fetchPosition(game, position, moves);
	} catch (error) {
		if (tries <= 1)
			throw error;
		await new Promise((next) => window.setTimeout(next, PAUSE_MS));
		return fetchPatiently(game, { position, moves }, tries - 1);
	}
}

/** One request at a time, and each position once: a class behind one address shares the server's limit. */
function viewOf(game: string, scene: Scene): Promise<View> {
	const key = `${game} ${scene.position} ${scene.moves.join(",")}`;
	const known = views.get(key);
	if (known)
		return known;
	const view = last.then(() => fetchPatiently(game, scene));
	last = view.catch(() => views.delete(key));
	views.set(key, view);
	return view;
}

/** Nothing for a game without pictures. */
export function RulePictures({ game }: { game: string }) {
	const own = pictures[game] ?? [];
	if (!own.length)
		return null;
	return <ul class="rule-pictures">{own.map((picture) => <li key={picture.caption}><RulePicture game={game} picture={picture} /></li>)}</ul>;
}

/** The position is requested when the picture comes near the window. */
function RulePicture({ game, picture }: { game: string; picture: Picture }) {
	const frame = useRef<HTMLDivElement>(null);
	const [view, setView] = useState<View | null>(null);
	const found = useBoard(game);
	useEffect(() => {
		const observer = new IntersectionObserver(([entry]) => {
			if (!entry?.isIntersecting)
				return;
			observer.disconnect();
			/* Without its position, the picture stays an empty frame above its caption. */
			viewOf(game, picture.scene).then(setView, () => undefined);
		}, { rootMargin: "200px" });
		if (frame.current)
			observer.observe(frame.current);
		return () => observer.disconnect();
	}, [game, picture]);
	const board = found?.board;
	return (
		<figure>
			<div class="rule-picture" ref={frame} aria-hidden="true" inert>
				{board && view && game === "starchess" && <StarBoard board={board} view={view} />}
				{board && view && game !== "starchess" && <PictureBoard board={withColours(board, view.position)} view={view} picture={picture} />}
			</div>
			<figcaption>{picture.caption}</figcaption>
		</figure>
	);
}

function cellsOf(board: Board, names: string[]): number[] {
	return names.map((name) => board.cells.findIndex((cell) => cell.name === name)).filter((cell) => cell >= 0);
}

function touchesOf(moves: Move[], text: string): number[] {
	const move = moves.find((one) => one.move === text);
	return move ? move.touches ?? move.clicks : [];
}

function PictureBoard({ board, view, picture }: { board: Board; view: View; picture: Picture }) {
	const chosen = cellsOf(board, picture.dots ? [picture.dots] : []);
	const dots = chosen.length ? targets(view.moves, chosen) : new Set<number>();
	const arrow = picture.arrow ? touchesOf(view.moves, picture.arrow) : [];
	const shown = { ...view, marks: picture.marks.length ? cellsOf(board, picture.marks) : view.marks, last: chosen.length ? null : view.last };
	return (
		<div class="rule-board">
			<BoardPicture board={board} view={shown} />
			{(dots.size > 0 || arrow.length > 0) && <svg class="board picture rule-over" viewBox={`0 0 ${board.width} ${board.height}`} aria-hidden="true">
				<Overlay board={board} standing={view.standing} mover={0} paired={view.moves.some(({ ways }) => ways)} targets={dots} focus={-1} turned={false}
					arrows={arrow.length ? [{ touches: arrow, kind: "hint" }] : []} badges={new Map()} />
			</svg>}
		</div>
	);
}
