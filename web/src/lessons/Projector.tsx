// Projector.tsx - a lesson for the wall of a classroom: large type, one thing at a time, driven by keys.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { navigate } from "../router";
import { announce } from "../ui/announce";
import { useKeys } from "../ui/keys";
import { course, exampleText, lessonAfter } from "./course";
import { Experiment, Idea, Question, TaskText, useAnswer } from "./LessonPage";
import type { Lesson } from "./parse";

export function Projector({ name, number, lesson }: { name: string; number: number; lesson: Lesson }) {
	const [at, setAt] = useState(0);
	const state = useAnswer(lesson, "");
	const titles = [t("lessons.idea"), t("lessons.experiment"), t("lessons.question"), ...lesson.hints.map((_, i) => t("lessons.hint", { n: i + 1 })), t("lessons.answerSlide")];
	const last = titles.length - 1;
	const next = lessonAfter(name);
	const before = course[number - 2];
	const show = (slide: number) => {
		setAt(slide);
		announce(titles[slide] ?? "");
	};
	const forward = () => at < last ? show(at + 1) : next && navigate(`/lessons/${next.name}?projector=1`);
	const back = () => at > 0 ? show(at - 1) : before && navigate(`/lessons/${before.name}?projector=1`);
	useKeys({ ArrowRight: forward, PageDown: forward, ArrowLeft: back, PageUp: back, Escape: () => navigate(`/lessons/${name}`) });
	const example = exampleText(lesson);
	const slide = () => {
		if (at === 0)
			return <Idea lesson={lesson} />;
		if (at === 1)
			return <TaskText lesson={lesson} />;
		if (at === 2)
			return <p class="lesson-ask">{lesson.question}</p>;
		if (at < last)
			return <p class="lesson-ask">{lesson.hints[at - 3]}</p>;
		return <p class="lesson-ask">{example ? t("lessons.oneAnswer", { answer: example }) : t("lessons.answerByLuck")}</p>;
	};
	return (
		<article class="page projector">
			<header class="lesson-head">
				<p class="quiet">{`${t("lessons.lessonOf", { number, all: course.length })} · ${titles[at]}`}</p>
				<h1>{lesson.title}</h1>
			</header>
			<section aria-label={titles[at]}>{slide()}</section>
			{at >= 1 && <Experiment lesson={lesson} answer={state.answer} onLogs={state.setLogs} onPick={state.pick} />}
			{at >= 2 && <section class="card" aria-label={t("lessons.tryAnswer")}><Question lesson={{ ...lesson, question: "" }} state={state} /></section>}
			<nav class="row lesson-next" aria-label={t("lessons.slides")}>
				<button type="button" onClick={back} aria-disabled={at === 0 && !before}>{t("lessons.back")}</button>
				<button type="button" class="primary" onClick={forward} aria-disabled={at === last && !next}>{t("lessons.next")}</button>
				<a class="button" href={`/lessons/${name}`}>{t("lessons.leaveProjector")}</a>
				<span class="small quiet">{t("lessons.projectorKeys")}</span>
			</nav>
		</article>
	);
}
