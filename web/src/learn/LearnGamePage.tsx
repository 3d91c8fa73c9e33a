// LearnGamePage.tsx - "/learn/GAME": the first steps of a game on its board; "?step=N": one of them. A game without steps can be tried.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { boardShown } from "../engine/core";
import { t } from "../messages";
import { GameRules } from "../pages/gamerules";
import { Failure, useBoard, useGame, useTitle, Waiting } from "../pages/parts";
import { turnText } from "../pages/walk";
import { navigate } from "../router";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { Game, View } from "../types";
import { announce } from "../ui/announce";
import { courseOf, markDone, nextStep, progress, startOver } from "./courses";
import { Finish } from "./Finish";
import type { FirstSteps } from "./parse";
import { StepBoard } from "./StepBoard";
import { TryBoard } from "./TryBoard";
import { LEADS, useStep } from "./useStep";

export function LearnGamePage({ args: [name = ""], query }: PageProps) {
	const { info, loaded } = useGame(name);
	useTitle(info ? t("learn.learnGame", { game: info.title }) : t("learn.learnToPlay"));
	useEffect(boardShown, []);
	const course = courseOf(name);
	if (!loaded.value)
		return <section class="page"><h1>{t("learn.learnToPlay")}</h1><Waiting loaded={loaded} /></section>;
	if (!info)
		return (
			<section class="page narrow">
				<h1>{t("learn.learnToPlay")}</h1>
				<p>{t("learn.noGame", { name })}</p>
				<p><a href="/learn">{t("learn.allGames")}</a></p>
			</section>
		);
	return (
		<article class="page learn-game">
			<header class="learn-head">
				<p class="small quiet"><a href="/learn">{t("learn.learnToPlay")}</a></p>
				<h1>{info.title}</h1>
			</header>
			{course ? <Course key={name} game={info} course={course} asked={Number(query.get("step"))} /> : <TryBoard game={info} />}
			<section class="card rules learn-rules" aria-labelledby="written">
				<h2 id="written">{t("learn.rules")}</h2>
				<GameRules game={info} />
			</section>
		</article>
	);
}

function Course({ game, course, asked }: { game: Game; course: FirstSteps; asked: number }) {
	const { steps } = course;
	const done = useStore(progress)[course.game] ?? [];
	const [at, setAt] = useState(() => asked >= 1 && asked <= steps.length ? Math.floor(asked) - 1 : nextStep(course, progress.get()));
	const heading = useRef<HTMLHeadingElement>(null);
	const moved = useRef(false);
	const go = (to: number) => {
		moved.current = true;
		setAt(to);
		navigate(to < steps.length ? `/learn/${course.game}?step=${to + 1}` : `/learn/${course.game}`, true);
	};
	/* The button that was pressed may be gone, so keyboard and screen reader continue at the heading of the step. */
	useEffect(() => {
		if (moved.current)
			heading.current?.focus({ preventScroll: true });
	}, [at]);
	const restart = () => {
		startOver(course.game);
		go(0);
	};
	return (
		<>
			<nav aria-label={t("learn.steps")}><ol class="learn-steps">{steps.map(({ title }, i) => (
				<li key={title}>
					<button type="button" class={done.includes(i) ? "done" : ""} aria-current={i === at ? "step" : undefined} title={title}
						aria-label={done.includes(i) ? t("learn.stepDone", { n: i + 1, title }) : t("learn.step", { n: i + 1, title })} onClick={() => go(i)}>{done.includes(i) ? "✓" : i + 1}</button>
				</li>
			))}</ol></nav>
			{at < steps.length
				? <StepView key={at} game={game} course={course} at={at} heading={heading} onGo={go} />
				: <Finish game={game} course={course} done={done.length} heading={heading} onMissing={() => go(nextStep(course, progress.get()))} onAgain={restart} />}
		</>
	);
}

/** For the first step: what to press. */
function howToMove({ moves }: View): string {
	return moves.some(({ clicks }) => clicks.length > 1) ? t("learn.howMove") : t("learn.howPlace");
}

function StepView({ game, course, at, heading, onGo }: {
	game: Game; course: FirstSteps; at: number; heading: { current: HTMLHeadingElement | null }; onGo(step: number): void;
}) {
	const step = course.steps[at]!;
	const state = useStep(course.game, step, () => markDone(course.game, at));
	const found = useBoard(course.game);
	const next = useRef<HTMLButtonElement>(null);
	const after = useRef<HTMLDivElement>(null);
	const last = at === course.steps.length - 1;
	/* After the right move Enter leads on. On a small screen the reply is below the board. */
	useEffect(() => {
		if (state.done)
			next.current?.focus({ preventScroll: true });
		if (state.verdict)
			after.current?.scrollIntoView({ block: "nearest" });
	}, [state.verdict]);
	return (
		<div class={`learn-step of-${game.name}`}>
			<section class="learn-words" aria-labelledby="step">
				<p class="small quiet learn-number">{t("learn.stepOf", { n: at + 1, all: course.steps.length })}</p>
				<h2 id="step" ref={heading} tabIndex={-1}>{step.title}</h2>
				<p>{step.say}</p>
				<p class="learn-task"><span aria-hidden="true">➜ </span>{step.task}</p>
			</section>
			<div class="learn-board">
				{state.error ? <Failure error={state.error} again={state.again} />
					: state.view && found ? <StepBoard game={game.name} board={found.board} view={state.view} interactive={!state.busy && !state.done}
						onMove={state.play} onRefuse={state.refuse} /> : <p class="waiting" role="status">{t("learn.loading")}</p>}
			</div>
			<div class="learn-after" ref={after}>
				{state.verdict
					? <p class={`learn-reply ${state.verdict.kind}`}><strong>{LEADS[state.verdict.kind]}</strong> {state.verdict.text}</p>
					: <p class="small quiet">{!state.view ? "" : at === 0 && game.name !== "starchess" ? howToMove(state.view) : turnText(state.view, found?.board ?? null)}</p>}
				<div class="row">
					{at > 0 && <button type="button" onClick={() => onGo(at - 1)}>{t("learn.back")}</button>}
					{state.done && <button type="button" onClick={() => { state.again(); announce(t("learn.stepAgain")); heading.current?.focus({ preventScroll: true }); }}>{t("learn.tryAgain")}</button>}
					<button type="button" ref={next} class={state.done ? "primary" : ""} onClick={() => onGo(at + 1)}>
						{state.done ? last ? t("learn.finish") : t("learn.next") : t("learn.skip")}</button>
				</div>
			</div>
		</div>
	);
}
