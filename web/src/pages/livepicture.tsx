// livepicture.tsx - a small board that shows the sample game of a game while it is visible.
// SPDX-License-Identifier: MIT
//
// One response has the boards and sample games of all pictures (GET /api/v1/gallery), and one timer moves them in turn.
import { useEffect, useRef, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { inLook, needsParts, useLookParts } from "../board/looks";
import { responseOf } from "../engine/ask";
import { StarPicture } from "../starchess/StarPicture";
import { animationsOn, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, GamePicture, View } from "../types";
import { viewOfFrame } from "./frames";
import { baseName, fetchPosition, useBoard, useLoad } from "./parts";

const TICK = 500; // ms between the moves of two pictures
const STILL = 6; // the frame that is shown first: a game under way
const REST = 6; // turns that the end of a game stays visible

interface Show {
	last: number; // the number of its last frame
	frame: number;
	rest: number;
	watchers: Set<(frame: number) => void>; // its visible pictures
}

const shows = new Map<string, Show>();
let turn = 0;
let ticking = 0;

function showOf({ game, frames }: GamePicture): Show {
	const last = Math.max(0, frames.length - 1);
	const show = shows.get(game) ?? { last, frame: Math.min(STILL, last), rest: 0, watchers: new Set() };
	shows.set(game, show);
	return show;
}

/** The next frame, or after the end and a rest the first one. */
function step(show: Show): void {
	if (show.frame < show.last)
		show.frame++;
	else if (++show.rest >= REST) {
		show.frame = 0;
		show.rest = 0;
	}
	for (const watcher of show.watchers)
		watcher(show.frame);
}

function tick(): void {
	const watched = [...shows.values()].filter((show) => show.watchers.size);
	const show = watched[turn++ % Math.max(1, watched.length)];
	if (show && document.visibilityState === "visible" && animationsOn())
		step(show);
	ticking = watched.length ? window.setTimeout(tick, TICK) : 0;
}

function watch(show: Show, watcher: (frame: number) => void): () => void {
	show.watchers.add(watcher);
	watcher(show.frame);
	if (!ticking)
		ticking = window.setTimeout(tick, TICK);
	return () => void show.watchers.delete(watcher);
}

/** Star Chess has a map of its own. */
function Picture({ game, board, view }: { game: string; board: Board; view: Pick<View, "standing" | "marks" | "last"> }) {
	return baseName(game) === "starchess" ? <StarPicture standing={view.standing} /> : <BoardPicture board={board} view={view} />;
}

/** The picture of one game: it moves if the gallery is loaded anyway, else it is the start position, which is a tenth of the size. */
export function GamePictureOf({ game }: { game: string }) {
	const gallery = useLoad("gallery", async () => responseOf("gallery"));
	const picture = gallery.value?.pictures.find((one) => one.game === game);
	return picture ? <LivePicture picture={picture} /> : <StartPicture game={game} />;
}

function StartPicture({ game }: { game: string }) {
	const found = useBoard(game);
	const view = useLoad(game, () => fetchPosition(game, "start", [])).value;
	return (
		<div class="live-picture" aria-hidden="true">
			{found && view && (found.board ? <Picture game={game} board={found.board} view={view} /> : <pre>{view.text}</pre>)}
		</div>
	);
}

export function LivePicture({ picture }: { picture: GamePicture }) {
	const frame = useRef<HTMLDivElement>(null);
	const { looks } = useStore(settings);
	useLookParts(needsParts(picture.game, looks));
	const [shown, setShown] = useState(() => showOf(picture).frame);
	useEffect(() => {
		const element = frame.current;
		if (!element)
			return;
		let leave = () => {};
		const observer = new IntersectionObserver(([entry]) => {
			leave();
			leave = entry?.isIntersecting ? watch(showOf(picture), setShown) : () => {};
		}, { rootMargin: "300px" });
		observer.observe(element);
		return () => {
			observer.disconnect();
			leave();
		};
	}, [picture]);
	return (
		<div class="live-picture" ref={frame} aria-hidden="true">
			{picture.board
				? <Picture game={picture.game} board={inLook(picture.board, picture.game, looks)} view={viewOfFrame(picture.frames, shown)} />
				: <pre>{picture.text}</pre>}
		</div>
	);
}
