// LessonsPage.tsx - "/lessons": the course, and how far the reader has come.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { useTitle } from "../pages/parts";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import { course, courseParts, done, forgetProgress } from "./course";

export function LessonsPage(_props: PageProps) {
	useTitle(t("lessons.lessons"));
	const finished = useStore(done);
	const next = course.find(({ name }) => !finished.has(name));
	return (
		<section class="page lessons">
			<header class="lead">
				<h1>{t("lessons.title")}</h1>
				<p>{t("lessons.about", { n: course.length })}</p>
			</header>
			<div class="lesson-progress">
				<label for="progress">{t("lessons.doneOf", { done: finished.size, all: course.length })}</label>
				<progress id="progress" max={course.length} value={finished.size} />
				<div class="row">
					{next && <a class="button primary" href={`/lessons/${next.name}`}>{finished.size ? t("lessons.continueWith", { number: next.number }) : t("lessons.beginFirst")}</a>}
					<a class="button" href="/lessons/teacher">{t("lessons.forTeachers")}</a>
					{finished.size > 0 && <button type="button" onClick={forgetProgress}>{t("lessons.startOver")}</button>}
				</div>
				<p class="small quiet">{rich("lessons.progress", { a: (text) => <a href="/learn">{text}</a> })}</p>
			</div>
			{courseParts().map(({ title, lessons }) => (
				<section key={title} aria-label={title}>
					<h2>{title}</h2>
					<ol class="lesson-list" start={lessons[0]?.number}>
						{lessons.map(({ name, number, lesson }) => (
							<li key={name}>
								<a href={`/lessons/${name}`}>
									<span class="lesson-number">{number}</span>
									<span>{lesson.title}</span>
									{finished.has(name) && <span class="lesson-done">{t("lessons.done")}</span>}
								</a>
							</li>
						))}
					</ol>
				</section>
			))}
		</section>
	);
}
