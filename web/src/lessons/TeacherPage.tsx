// TeacherPage.tsx - "/lessons/teacher": the course on paper, exercises with and without answers, the projector, lessons of one's own.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { useTitle } from "../pages/parts";
import type { PageProps } from "../routes";
import { benchAtFirst, benchWith } from "./check";
import { course, exampleText } from "./course";
import { Idea, StillBoard } from "./LessonPage";
import { PaperTree, paperSpots } from "./PaperTree";
import type { Lesson } from "./parse";

/* Kinds of answers of which more than one may be right. */
const SEVERAL = ["fill", "order", "play", "pick"];

const VIEWS = [
	{ view: "print", title: t("lessons.paper"), about: t("lessons.paperAbout") },
	{ view: "sheet", title: t("lessons.sheet"), about: t("lessons.sheetAbout") },
	{ view: "answers", title: t("lessons.answers"), about: t("lessons.answersAbout") },
];

export function TeacherPage({ query }: PageProps) {
	const view = VIEWS.find((one) => one.view === query.get("view"));
	useTitle(view?.title ?? t("lessons.forTeachers"));
	if (view)
		return (
			<section class="page narrow lesson-paper">
				<header class="row">
					<h1>{view.title}</h1>
					<button type="button" class="no-print" onClick={() => window.print()}>{t("lessons.print")}</button>
					<a class="button no-print" href="/lessons/teacher">{t("lessons.forTeachers")}</a>
				</header>
				{view.view === "print"
					? course.map(({ name, number, lesson }) => <PaperLesson key={name} number={number} lesson={lesson} />)
					: <ol class="lesson-sheet">{course.map(({ name, lesson }) => <Exercise key={name} lesson={lesson} answers={view.view === "answers"} />)}</ol>}
			</section>
		);
	return (
		<section class="page narrow lessons">
			<h1>{t("lessons.forTeachers")}</h1>
			<p>{rich("lessons.teachersAbout", { em: (text) => <em>{text}</em> })}</p>
			<ul class="lesson-tools">
				{VIEWS.map((one) => <li key={one.view}><a href={`/lessons/teacher?view=${one.view}`}>{one.title}</a><p>{one.about}</p></li>)}
				<li><a href={`/lessons/${course[0]?.name ?? ""}?projector=1`}>{t("lessons.projector")}</a>
					<p>{t("lessons.projectorAbout")}</p></li>
				<li><a href="/lessons/write">{t("lessons.write")}</a><p>{t("lessons.writeAbout")}</p></li>
			</ul>
		</section>
	);
}

function PaperLesson({ number, lesson }: { number: number; lesson: Lesson }) {
	return (
		<article>
			<h2>{`${number}. ${lesson.title}`}</h2>
			<Idea lesson={lesson} />
			<Setting lesson={lesson} />
			<p><strong>{t("lessons.questionLabel")}</strong> {lesson.question}</p>
		</article>
	);
}

/** What the reader needs without the bench: a board or a tree, if the position can be drawn, and who plays. */
function Setting({ lesson }: { lesson: Lesson }) {
	const { bench, items, answer } = lesson;
	const tree = bench.game === "diagram" ? paperSpots(bench.position) : null;
	const boards = bench.game === "diagram" || (bench.position === "start" && !bench.moves.length) ? []
		: bench.position === "?" ? items.map(({ name }) => ({ name, bench: benchWith(lesson, name) }))
			: [{ name: "", bench: benchAtFirst(lesson) }];
	const isSaid = tree || boards.length || bench.position === "?"; // the moves to choose from say it, too
	return (
		<>
			{tree && <PaperTree spots={tree} about={t("lessons.treeAbout", { tree: bench.position })} />}
			{boards.length > 0 && <div class="paper-boards">
				{boards.map((one) => <figure key={one.name}><StillBoard bench={one.bench} />{one.name && <figcaption>{one.name}</figcaption>}</figure>)}
			</div>}
			<p class="small">
				{!isSaid && <><span class="quiet">{t("lessons.gameLabel")} </span>{bench.game}{bench.position === "start" ? "" : ` ${bench.position}`}<br /></>}
				{items.length > 0 && <><span class="quiet">{answer === "order" ? t("lessons.movesLabel") : t("lessons.itemsLabel")} </span>
					{items.map(({ name, text }) => answer === "order" ? `${name} ${text}` : name).join("; ")}<br /></>}
				<span class="quiet">{t("lessons.playersLabel")} </span>{bench.players.map((spec, i) => bench.names[i] ?? spec).join("; ")}
			</p>
		</>
	);
}

function Exercise({ lesson, answers }: { lesson: Lesson; answers: boolean }) {
	return (
		<li>
			<p><strong>{lesson.title}.</strong> {lesson.question}</p>
			<Setting lesson={lesson} />
			{answers ? (
				<>
					<p><strong>{t("lessons.answerLabel")}</strong> {exampleText(lesson) ?? t("lessons.answerByLuck")}{exampleText(lesson) && SEVERAL.includes(lesson.answer) ? ` ${t("lessons.othersRight")}` : ""}</p>
					<ul class="small">{lesson.hints.map((hint) => <li key={hint}>{hint}</li>)}</ul>
				</>
			) : <p class="lesson-blank" aria-hidden="true" />}
		</li>
	);
}
