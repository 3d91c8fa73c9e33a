// Practice.tsx - "learn from your mistakes": the board before each mistake, and a second chance.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import type { Walk } from "../pages/walk";
import { goTo, mainLine, movesTo } from "../tree";
import type { Review, ReviewPly } from "../types";
import { announce } from "../ui/announce";
import { reviewLast } from "./useReview";
import { bestName, lessonsOf, plyName, plyNumber } from "./words";

type Phase = "ask" | "checking" | "right" | "wrong" | "shown";

const BACK_MS = 1200; // so that you see the wrong move

export interface Practice {
	lessons: ReviewPly[];
	at: number; // which of them
	phase: Phase;
	text: string;
	entry: (move: string) => void; // a move on the board
	waits: boolean; // for a move
	show(): void;
	next(): void;
}

/** Any move that keeps the value is right, not only the best one. */
export function isAccepted(ply: ReviewPly): boolean {
	return ply.class === "best" || ply.class === "good";
}

/** lessons: null if nothing is practised. */
export function usePractice(walk: Walk, lessons: ReviewPly[] | null, paired: boolean, first: number, onEnd: () => void): Practice | null {
	const [at, setAt] = useState(0);
	const [phase, setPhase] = useState<Phase>("ask");
	const [text, setText] = useState("");
	const lesson = lessons?.[at] ?? null;
	const say = (now: Phase, words: string) => {
		setPhase(now);
		setText(words);
		announce(words);
	};
	const before = (ply: ReviewPly) => mainLine(walk.tree)[ply.ply - 1] ?? 0;

	useEffect(() => {
		if (!lesson)
			return;
		walk.change((tree) => goTo(tree, mainLine(tree)[lesson.ply - 1] ?? 0));
		say("ask", t("review.practiceAsk", { move: `${plyNumber(lesson, paired, first)} ${plyName(lesson)}`, class: lesson.class ?? "" }));
	}, [lesson]);
	useEffect(() => setAt(0), [lessons]);
	/* The board goes back by itself, and the next try can be made at once. */
	useEffect(() => {
		if (phase !== "wrong" || !lesson || walk.tree.cursor === before(lesson))
			return;
		const timer = window.setTimeout(() => walk.change((tree) => goTo(tree, mainLine(tree)[lesson.ply - 1] ?? 0)), BACK_MS);
		return () => window.clearTimeout(timer);
	}, [phase, lesson, walk.tree.cursor]);
	if (!lessons || !lesson)
		return null;

	async function entry(move: string): Promise<void> {
		if (!lesson || walk.tree.cursor !== before(lesson))
			return;
		const { game, start } = walk.tree;
		const name = walk.view?.moves.find((one) => one.move === move)?.short ?? move;
		if (move === lesson.move)
			return say("wrong", t("review.practiceSame", { move: name }));
		const moves = [...movesTo(walk.tree, before(lesson)), move];
		walk.play(move);
		if (move === lesson.best)
			return say("right", t("review.practiceBest", { move: name }));
		say("checking", t("review.practiceChecking"));
		try {
			const ply = await reviewLast(game, start, moves);
			if (isAccepted(ply))
				say("right", t("review.practiceGood", { move: name, best: bestName(lesson) }));
			else
				say("wrong", `${t("review.practiceWrong", { move: name })}${ply.text ? ` ${ply.text}` : ""}`);
		} catch (error) {
			say("wrong", sentence(error));
		}
	}
	return {
		lessons, at, phase, text, entry: (move) => void entry(move), waits: walk.tree.cursor === before(lesson) && (phase === "ask" || phase === "wrong"),
		show: () => {
			walk.change((tree) => goTo(tree, before(lesson)));
			say("shown", `${t("review.practiceShown", { best: bestName(lesson) })}${lesson.text ? ` ${plyName(lesson)}: ${lesson.text}` : ""}`);
		},
		next: () => at + 1 < lessons.length ? setAt(at + 1) : onEnd(),
	};
}

export function PracticePanel({ practice, onEnd }: { practice: Practice; onEnd(): void }) {
	const { lessons, at, phase, text } = practice;
	const isLast = at + 1 === lessons.length;
	return (
		<section class="card practice" aria-labelledby="practice">
			<div class="card-head">
				<h2 id="practice">{t("review.mistakeOf", { at: at + 1, all: lessons.length })}</h2>
				<button type="button" onClick={onEnd}>{t("ui.stop")}</button>
			</div>
			<p class={`practice-text ${phase}`}>{text}</p>
			<div class="row">
				{(phase === "ask" || phase === "wrong") && <button type="button" onClick={practice.show}>{t("review.showBest")}</button>}
				<button type="button" class={phase === "right" || phase === "shown" ? "primary" : ""} onClick={practice.next}>
					{isLast ? t("review.finish") : phase === "right" || phase === "shown" ? t("review.nextMistake") : t("review.skip")}
				</button>
			</div>
		</section>
	);
}

/** A button for each side that has mistakes; yours first. */
export function PracticeButtons({ review, own, onStart }: { review: Review; own: number | null; onStart(seat: number): void }) {
	const seats = review.sides.map((_, i) => i + 1).filter((seat) => lessonsOf(review, seat).length > 0)
		.sort((a, b) => Number(b === own) - Number(a === own));
	if (!seats.length)
		return null;
	return (
		<div class="row">
			{seats.map((seat) => (
				<button key={seat} type="button" class={seat === (own ?? seats[0]) ? "primary" : ""} onClick={() => onStart(seat)}>
					{seat === own ? t("review.learnYours") : t("review.learnFrom", { side: review.sides[seat - 1] ?? "" })}
				</button>
			))}
		</div>
	);
}
