// Finish.tsx - the end of the first steps: a first game against the easiest level.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { defaultChoices, playRequest } from "../pages/newplay";
import { Failure, startPlay } from "../pages/parts";
import { play as sound } from "../play/sounds";
import { hasPuzzles } from "../puzzles/games";
import type { Game } from "../types";
import type { FirstSteps } from "./parse";

export function Finish({ game, course, done, heading, onMissing, onAgain }: {
	game: Game; course: FirstSteps; done: number; heading: { current: HTMLHeadingElement | null }; onMissing(): void; onAgain(): void;
}) {
	const [error, setError] = useState("");
	const [busy, setBusy] = useState(false);
	const missing = course.steps.length - done;
	const easiest = game.ladders[0]?.levels[0];
	useEffect(() => {
		if (missing === 0)
			sound("win");
	}, []);
	const begin = async () => {
		setBusy(true);
		setError("");
		try {
			const choices = { ...defaultChoices(game, game.name, null), opponent: "level" as const, computer: easiest?.spec ?? "", seat: 1 };
			await startPlay(playRequest(game, choices, () => 0));
		} catch (reason) {
			setError(sentence(reason));
		}
		setBusy(false);
	};
	return (
		<section class="card learn-finish" aria-labelledby="finish">
			{missing === 0 && <p class="learn-stars" aria-hidden="true"><span>★</span><span>★</span><span>★</span></p>}
			<h2 id="finish" ref={heading} tabIndex={-1}>{missing > 0 ? t("learn.almost") : t("learn.youKnow", { game: game.title })}</h2>
			<p>{missing > 0 ? t("learn.missing", { n: missing }) : course.finish}</p>
			{error && <Failure error={error} />}
			<div class="row">
				{easiest && <button type="button" class="primary" disabled={busy} onClick={() => void begin()}>{t("learn.playFirst")}</button>}
				{missing > 0 && <button type="button" onClick={onMissing}>{t("learn.doMissing")}</button>}
				{missing === 0 && hasPuzzles(game.name) && <a class="button" href={`/puzzles/${game.name}`}>{t("learn.puzzles")}</a>}
				<button type="button" onClick={onAgain}>{t("learn.startOver")}</button>
				<a class="button" href="/learn">{t("learn.anotherGame")}</a>
			</div>
			{easiest && <p class="small quiet">{t("learn.easiest")}</p>}
		</section>
	);
}
