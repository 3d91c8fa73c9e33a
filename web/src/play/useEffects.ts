// useEffects.ts - the side effects of a play: sounds, announcements and the title of the tab.
// SPDX-License-Identifier: MIT
import { useEffect, useRef } from "preact/hooks";
import { endingOf, winnerOf } from "../end/words";
import { t } from "../messages";
import type { Board, Play } from "../types";
import { announce } from "../ui/announce";
import { roleOf } from "./rights";
import { play as sound } from "./sounds";
import { lastMoveText, statusText } from "./status";
import { wordsOf } from "./words";

/** The number of the players' pieces; dice and the like do not count. */
function pieces(play: Play, board: Board | null): number {
	return play.view.standing.reduce((sum, [, piece, count]) => sum + (board?.pieces[piece]?.seat === null ? 0 : count), 0);
}

function endSound(play: Play): void {
	const winner = winnerOf(play);
	const { mine } = roleOf(play);
	if (play.result === "none")
		return;
	sound(!winner ? "draw" : mine.length === 1 && !mine.includes(winner) ? "loss" : "win");
}

function moveSound(before: Play, play: Play, board: Board | null): void {
	const last = play.line[play.line.length - 1];
	const words = wordsOf(play.game);
	const own = words?.sound && (last?.seat === 0 ? pieces(play, board) === pieces(before, board) : words.fixed?.(play.game).some(({ move }) => move === last?.move));
	if (words?.sound && own)
		return sound(words.sound);
	if (last?.seat === 0 && !words)
		return sound("dice");
	sound(pieces(play, board) < pieces(before, board) ? "capture" : "move");
	if (document.hidden && roleOf(play).myTurn)
		sound("turn");
}

function isWaiting(play: Play): boolean {
	return play.seats.some((seat) => seat.kind === "open");
}

export function usePlayEffects(play: Play | null, board: Board | null): void {
	const before = useRef<Play | null>(null);
	useEffect(() => {
		const old = before.current;
		before.current = play;
		if (!play || !old || old === play)
			return;
		const moved = play.line.length > old.line.length;
		const ended = !!play.result && !old.result;
		if (moved)
			moveSound(old, play, board);
		if (ended) {
			const { title, detail } = endingOf(play, board);
			endSound(play);
			announce(`${moved ? lastMoveText(play, board) : ""} ${title}. ${detail}`);
		} else if (isWaiting(old) && !isWaiting(play)) {
			sound("turn");
			announce(`${t("play.allJoined")} ${statusText(play, board)}`);
		} else if (moved || play.line.length < old.line.length)
			announce(`${moved ? lastMoveText(play, board) : t("play.takenBack")} ${statusText(play, board)}`);
	}, [play, board]);
	const title = !play ? "Quevedo" : isWaiting(play) && !play.result ? t("people.titleWaiting", { title: play.title }) : roleOf(play).myTurn ? t("play.titleYourTurn", { title: play.title }) : `${play.title} · Quevedo`;
	useEffect(() => void (document.title = title), [title]);
}
