// Finish.tsx - the end of the first steps: a first game against the easiest level.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { defaultChoices, playRequest } from "../pages/newplay";
import { Failure, startPlay } from "../pages/parts";
import type { Game } from "../types";
import type { FirstSteps } from "./parse";

export function Finish({ game, course, done, heading, onMissing, onAgain }: {
	game: Game; course: FirstSteps; done: number; heading: { current: HTMLHeadingElement | null }; onMissing(): void; onAgain(): void;
}) {
	const [error, setError] = useState("");
	const [busy, setBusy] = useState(false);
	const missing = course.steps.length - done;
	const easiest = game.ladders[0]?.levels[0];
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
			<p class="learn-stars" aria-hidden="true"><span>★</span><span>★</span><span>★</span></p>
			<h2 id="finish" ref={heading} tabIndex={-1}>{missing > 0 ? "Almost there" : `You know how to play ${game.title}!`}</h2>
			<p>{missing > 0 ? (missing === 1 ? "One step is left. You can do it now, or play your first game." : `${missing} steps are left. You can do them now, or play your first game.`)
				: course.finish}</p>
			{error && <Failure error={error} />}
			<div class="row">
				{easiest && <button type="button" class="primary" disabled={busy} onClick={() => void begin()}>Play your first game</button>}
				{missing > 0 && <button type="button" onClick={onMissing}>Do the missing steps</button>}
				<button type="button" onClick={onAgain}>Start over</button>
				<a class="button" href="/learn">Learn another game</a>
			</div>
			{easiest && <p class="small quiet">Your opponent plays at the easiest level.</p>}
		</section>
	);
}
