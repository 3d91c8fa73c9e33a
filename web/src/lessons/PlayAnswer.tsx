// PlayAnswer.tsx - the answer is a game against the opponent of the lesson.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import { moveName } from "../board/text";
import { t } from "../messages";
import { Failure } from "../pages/parts";
import type { View } from "../types";
import { announce } from "../ui/announce";
import type { AnswerProps } from "./Answer";
import { playOut } from "./check";
import { lessonEngine } from "./engine";
import { LessonBoard } from "./LessonBoard";

export function PlayAnswer({ lesson, answer, onAnswer }: AnswerProps) {
	const [shown, setShown] = useState<{ answer: string; view: View } | null>(null);
	const [error, setError] = useState("");
	const [typed, setTyped] = useState("");
	useEffect(() => {
		let current = true;
		setError("");
		playOut(lessonEngine, lesson, answer ? answer.split(", ") : []).then(({ view }) => {
			if (!current)
				return;
			setShown({ answer, view });
			announce(view.over ? t("lessons.over") : view.last ? t("lessons.yourMoveAfter", { move: moveName(view.last) }) : t("lessons.yourMove"));
		}, (reason) => current && setError(sentence(reason)));
		return () => void (current = false);
	}, [answer]);
	const ready = shown?.answer === answer;
	const play = (move: string) => {
		if (ready && shown.view.moves.some((one) => one.move === move))
			onAnswer(answer ? `${answer}, ${move}` : move);
		else
			announce(t("lessons.illegal"));
	};
	if (error)
		return <Failure error={error} again={() => onAnswer("")} />;
	if (!shown)
		return <p class="waiting" role="status">{t("lessons.loading")}</p>;
	return (
		<div class="stack">
			<LessonBoard view={shown.view} {...(ready ? { onMove: play } : {})} />
			<div class="row">
				<label class="field"><span>{t("lessons.typeMove")}</span>
					<input type="text" autocomplete="off" autocapitalize="off" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)}
						onKeyDown={(event) => {
							if (event.key !== "Enter")
								return;
							event.preventDefault();
							play(typed.trim());
							setTyped("");
						}} />
				</label>
				<button type="button" onClick={() => onAnswer("")}>{t("lessons.playAgain")}</button>
			</div>
			<p class="small quiet" role="status">{!ready ? t("lessons.opponentThinks") : shown.view.over ? t("lessons.over") : t("lessons.itIsYourMove")}</p>
		</div>
	);
}
