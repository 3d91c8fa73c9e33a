// useStep.ts - a step in progress: the position shown, the reader's move, the reply, and the opponent's move after it.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { moveName } from "../board/text";
import { t } from "../messages";
import { fetchBoard, fetchPosition } from "../pages/parts";
import { play as sound } from "../play/sounds";
import type { Board, View } from "../types";
import { announce } from "../ui/announce";
import { judge, type Verdict } from "./check";
import type { Step } from "./parse";

const BACK_MS = 1300; // how long a wrong move stays on the board
const REPLY_MS = 900; // until the opponent moves

export interface StepState {
	view: View | null; // null: not loaded yet
	verdict: Verdict | null;
	busy: boolean; // a move is being checked or taken back
	done: boolean; // this time
	error: string;
	play(move: string): void;
	refuse(): void;
	again(): void;
}

const ILLEGAL = t("learn.illegal");
export const LEADS: Record<Verdict["kind"], string> = { right: t("learn.leadRight"), wrong: t("learn.leadWrong"), illegal: t("learn.leadIllegal") };

/** game: with its options. onDone: the right move was played. */
export function useStep(game: string, step: Step, onDone: () => void): StepState {
	const [view, setView] = useState<View | null>(null);
	const [verdict, setVerdict] = useState<Verdict | null>(null);
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState("");
	const round = useRef(0); // what belongs to an older round comes too late
	const timer = useRef(0);
	const { position, moves } = step.scene;

	const begin = () => {
		const mine = ++round.current;
		window.clearTimeout(timer.current);
		setVerdict(null);
		setError("");
		setBusy(false);
		fetchPosition(game, position, moves).then((first) => round.current === mine && setView(first),
			(reason) => round.current === mine && setError(sentence(reason)));
	};
	useEffect(() => {
		begin();
		return () => {
			round.current++;
			window.clearTimeout(timer.current);
		};
	}, [game, step]);

	const later = (mine: number, ms: number, what: () => void) => {
		timer.current = window.setTimeout(() => round.current === mine && what(), ms);
	};

	/** The opponent's moves and dice, one after the other. */
	const answer = (mine: number, played: string[], left: string[]) => {
		const [next, ...more] = left;
		if (next === undefined)
			return;
		later(mine, REPLY_MS, async () => {
			const after = await fetchPosition(game, position, [...played, next]).catch(() => null);
			if (round.current !== mine || !after)
				return;
			setView(after);
			announce(t("learn.reply", { move: moveName(after.last ?? { move: next }) }));
			answer(mine, [...played, next], more);
		});
	};

	const play = async (move: string) => {
		if (!view || busy || verdict?.kind === "right")
			return;
		const mine = round.current, before = view;
		setBusy(true);
		try {
			const [board, after] = await Promise.all([fetchBoard(game), fetchPosition(game, position, [...moves, move])]);
			if (round.current !== mine)
				return;
			const found = judge(step, { board: board as Board, move, before, after });
			setVerdict(found);
			sound(found.kind === "right" ? "turn" : "refused");
			setView(after);
			announce(`${LEADS[found.kind]} ${found.text}`);
			if (found.kind === "right") {
				onDone();
				setBusy(false);
				answer(mine, [...moves, move], step.reply);
			} else {
				later(mine, BACK_MS, () => {
					setView(before);
					setBusy(false);
				});
			}
		} catch {
			if (round.current !== mine)
				return;
			setBusy(false);
			refuse();
		}
	};

	const refuse = () => {
		if (busy || verdict?.kind === "right")
			return;
		setVerdict({ kind: "illegal", text: step.illegal || ILLEGAL });
		announce(`${LEADS.illegal} ${step.illegal || ILLEGAL}`);
	};
	return { view, verdict, busy, done: verdict?.kind === "right", error, play: (move) => void play(move), refuse, again: begin };
}
