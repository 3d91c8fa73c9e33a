// Heading.tsx - the card with the state of a game: whose turn it is, or how it ended and what you can do next.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sideName } from "../board/text";
import { t } from "../messages";
import type { PlayActions } from "../play/actions";
import { roleOf } from "../play/rights";
import { statusText } from "../play/status";
import { useStore } from "../store/store";
import type { Board, Game, Play } from "../types";
import { Icon } from "../ui/icons";
import { EndPanel } from "./lazy";
import { resigned } from "./resigned";
import { endingOf, leaderText, winnerOf, type Ending, type Mood } from "./words";

export interface EndProps {
	play: Play;
	board: Board | null;
	game: Game | null;
	actions: PlayActions;
}

/** How the game ended, for you at least; null: it goes on. */
function useEnding(play: Play, board: Board | null): Ending | null {
	const gone = useStore(resigned), { inProgress, seated } = roleOf(play);
	if (!inProgress)
		return endingOf(play, board);
	if (gone?.id !== play.id || seated)
		return null;
	return { mood: "lost", title: t("end.youResigned"), detail: t("end.resignedAbout", { side: sideName(board, gone.seat), leader: leaderText(play, board) }) };
}

/** Whether it has ended while you looked. */
function useFresh(play: Play, isOver: boolean): boolean {
	const before = useRef({ id: play.id, isOver });
	const [fresh, setFresh] = useState(false);
	useEffect(() => {
		const { id, isOver: wasOver } = before.current;
		before.current = { id: play.id, isOver };
		if (id !== play.id || isOver !== wasOver)
			setFresh(id === play.id && isOver);
	}, [play.id, isOver]);
	return fresh;
}

/** title: above the status; words: below it; children: beside both. */
export function Heading({ title, words, children, ...props }: EndProps & { title: ComponentChildren; words: ComponentChildren; children?: ComponentChildren }) {
	const { play, board } = props;
	const ending = useEnding(play, board), fresh = useFresh(play, ending !== null);
	if (!ending)
		return (
			<div class="card heading">
				<div class="words">
					{title}
					<p class={`status${roleOf(play).myTurn ? " mine" : ""}`}>{statusText(play, board)}</p>
					{words}
				</div>
				{children}
			</div>
		);
	return (
		<div class={`card heading end-panel ${ending.mood}${fresh ? " fresh" : ""}`} role="group" aria-labelledby="end-title" tabIndex={-1}>
			<Medal mood={ending.mood} isWon={ending.mood === "other" && winnerOf(play) > 0} />
			<div class="words">
				{title}
				<h2 id="end-title" class="status over">{ending.title}</h2>
				{ending.detail ? <p class="detail">{ending.detail}</p> : null}
				{words}
			</div>
			{children}
			<EndPanel {...props} mood={ending.mood} fresh={fresh} />
		</div>
	);
}

/** A cup, a handshake or a flag: the words say the same. */
function Medal({ mood, isWon }: { mood: Mood; isWon: boolean }) {
	if (mood === "won" || isWon)
		return (
			<svg class="medal" viewBox="0 0 24 24" width="34" height="34" aria-hidden="true">
				<path d="M7 4h10v6a5 5 0 0 1-10 0zM7 6H4c0 3 1 5 3.5 5.500M17 6h3c0 3-1 5-3.5 5.500M12 15v3M8 20h8M10 18h4" />
			</svg>
		);
	return <span class="medal"><Icon name={mood === "draw" ? "handshake" : "flag"} /></span>;
}
