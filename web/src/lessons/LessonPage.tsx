// LessonPage.tsx - "/lessons/NAME": idea, experiment, question, hints, and the next lesson. "/lessons/shared#TEXT": the same from a link.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { boardShown } from "../engine/core";
import type { BenchPreset, Part } from "../lab/Bench";
import { Bench, Method } from "../lab/lazy";
import type { SearchLog } from "../lab/log";
import { t } from "../messages";
import { Failure, useTitle } from "../pages/parts";
import { anchorHere, hrefOf } from "../router";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { View } from "../types";
import { announce } from "../ui/announce";
import { copyText } from "../ui/copy";
import { AnswerForm } from "./Answer";
import { benchAtFirst, benchWith, checkAnswer, Findings, pathOf, type Reply } from "./check";
import { course, done, lessonAfter, markDone } from "./course";
import { lessonEngine } from "./engine";
import { LessonBoard } from "./LessonBoard";
import { parseLesson, type Lesson, type LessonBench } from "./parse";
import { Projector } from "./Projector";
import { packLesson, unpackLesson } from "./share";

export function LessonPage({ args: [name = ""], query }: PageProps) {
	const found = course.find((one) => one.name === name);
	useTitle(found?.lesson.title ?? t("lessons.notFound"));
	useEffect(boardShown, []);
	if (!found)
		return (
			<section class="page narrow">
				<h1>{t("lessons.notFound")}</h1>
				<p>{t("lessons.noSuchLesson")} <a href="/lessons">{t("lessons.seeAll")}</a></p>
			</section>
		);
	if (query.get("projector"))
		return <Projector key={name} name={name} number={found.number} lesson={found.lesson} />;
	return <LessonView key={name} name={name} number={found.number} lesson={found.lesson} text={found.text} />;
}

export function SharedLessonPage(_props: PageProps) {
	const [found, setFound] = useState<{ lesson: Lesson; text: string } | null>(null);
	const [error, setError] = useState("");
	useTitle(found?.lesson.title ?? t("lessons.shared"));
	useEffect(boardShown, []);
	useEffect(() => {
		unpackLesson(anchorHere().slice(1)).then((text) => setFound({ lesson: parseLesson(text, "lesson"), text })).catch((reason: Error) => setError(reason.message));
	}, []);
	if (found)
		return <LessonView name="" number={0} lesson={found.lesson} text={found.text} />;
	return (
		<section class="page narrow">
			<h1>{t("lessons.shared")}</h1>
			{error ? <><Failure error={error} /><p><a href="/lessons">{t("lessons.seeAll")}</a></p></> : <p class="waiting" role="status">{t("lessons.loading")}</p>}
		</section>
	);
}

// ---- The words ----

/** The text with the words of the lesson in bold, each where it first occurs. */
function withTerms(text: string, { words }: Lesson) {
	const left = new Set(words.map(({ word }) => word.toLowerCase()));
	if (!left.size)
		return text;
	const longestFirst = [...left].sort((a, b) => b.length - a.length).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
	const parts = text.split(new RegExp(`(?<!\\p{L})((?:${longestFirst.join("|")})s?)(?!\\p{L})`, "giu"));
	const isNew = (part: string) => left.delete(part.toLowerCase()) || left.delete(part.toLowerCase().replace(/s$/, ""));
	return parts.map((part) => isNew(part) ? <b key={part}>{part}</b> : part);
}

/** The words come before the text that uses them; a wide page has them beside it. */
export function Idea({ lesson }: { lesson: Lesson }) {
	return (
		<div class="lesson-idea">
			{lesson.words.length > 0 && <div class="lesson-words">
				<p class="small quiet">{t("lessons.words")}</p>
				<dl>{lesson.words.map(({ word, meaning }) => <div key={word}><dt>{word}</dt><dd>{meaning}</dd></div>)}</dl>
			</div>}
			<p>{withTerms(lesson.idea, lesson)}</p>
		</div>
	);
}

// ---- The experiment ----

/** The text of the experiment, with what the players found. */
export function TaskText({ lesson }: { lesson: Lesson }) {
	const [text, setText] = useState(() => lesson.task.replace(/\{[^}]*\}/g, "…"));
	useEffect(() => {
		let current = true;
		if (lesson.task.includes("{"))
			new Findings(lessonEngine, lesson, "").text(lesson.task).then((filled) => current && setText(filled), () => undefined); // the bench shows the error
		return () => void (current = false);
	}, [lesson]);
	return <p>{text}</p>;
}

export function StillBoard({ bench: { game, position, moves } }: { bench: LessonBench }) {
	const [view, setView] = useState<View | null>(null);
	const [error, setError] = useState("");
	useEffect(() => {
		lessonEngine.ask<View>("positions", { game, position, moves }).then(setView, (reason) => setError(sentence(reason)));
	}, [game, position]);
	if (error)
		return <Failure error={error} />;
	return view ? <LessonBoard view={view} /> : <p class="waiting" role="status">{t("lessons.loading")}</p>;
}

const NUMBER_MS = 600; // after the last digit, until the bench runs again

/** The bench with the answer in its place, as far as there is one. */
export function Experiment({ lesson, answer, onLogs, onPick }: {
	lesson: Lesson; answer: string; onLogs(logs: SearchLog[]): void; onPick(log: SearchLog, visit: number): void;
}) {
	const [tried, setTried] = useState("");
	const logs = useRef<SearchLog[]>([]);
	useEffect(() => {
		const timer = window.setTimeout(() => setTried(answer), lesson.answer === "fill" ? NUMBER_MS : 0);
		return () => window.clearTimeout(timer);
	}, [answer]);
	const bench = useMemo(() => {
		const changes = lesson.answer === "fill" || lesson.answer === "order" || lesson.answer === "choose";
		const [least, most] = lesson.range ?? [-Infinity, Infinity];
		const fits = lesson.answer !== "fill" || (/^-?\d+$/.test(tried.trim()) && Number(tried) >= least && Number(tried) <= most);
		return changes && tried && fits ? benchWith(lesson, tried.trim()) : benchAtFirst(lesson);
	}, [lesson, tried]);
	const { view, show, ...rest } = bench;
	if (view === "board")
		return lesson.answer === "play" ? null : <StillBoard bench={bench} />;
	if (view !== "tree" && view !== "text" && view !== "growth")
		return <><Method name={view} />{bench.position !== "start" && <StillBoard bench={bench} />}</>;
	const parts: Part[] = bench.game === "diagram" ? show : [...show, "board"];
	const preset: BenchPreset = { ...rest, view, plain: lesson.answer === "pick", ...(show.length ? { show: parts } : {}) };
	return (
		<Bench preset={preset} onRun={(now) => onLogs(logs.current = now)}
			onPick={(visit, pane) => logs.current[pane] && onPick(logs.current[pane], visit)} />
	);
}

/** The experiment and the question belong together: the answer changes the bench, and the bench may give the answer. */
export function useAnswer(lesson: Lesson, name: string) {
	const [answer, setAnswer] = useState("");
	const [logs, setLogs] = useState<SearchLog[]>([]);
	const [reply, setReply] = useState<Reply | null>(null);
	const [error, setError] = useState("");
	const [checking, setChecking] = useState(false);
	const round = useRef(0); // a reply to an older answer comes too late
	useEffect(() => () => void round.current++, []);
	const change = (next: string) => {
		round.current++;
		setChecking(false);
		setAnswer(next);
		setReply(null);
		setError("");
	};
	const check = async () => {
		if (checking)
			return;
		const mine = ++round.current;
		setChecking(true);
		setError("");
		try {
			const given = answer || (lesson.answer === "order" ? lesson.items.map((item) => item.name).join(", ") : "");
			const found = await checkAnswer(lessonEngine, lesson, given);
			if (round.current !== mine)
				return;
			setReply(found);
			announce(found.text);
			if (found.right)
				markDone(name);
		} catch (reason) {
			if (round.current !== mine)
				return;
			setReply(null);
			setError(sentence(reason));
		}
		setChecking(false);
	};
	const pick = (log: SearchLog, visit: number) => lesson.answer === "pick" && !log.growth && change(pathOf(log, visit));
	return { answer, change, logs, setLogs, reply, error, checking, check, pick };
}

export type AnswerState = ReturnType<typeof useAnswer>;

export function Question({ lesson, state }: { lesson: Lesson; state: AnswerState }) {
	const { answer, change, logs, reply, error, checking, check } = state;
	return (
		<form class="stack lesson-question" onSubmit={(event) => { event.preventDefault(); void check(); }}>
			<p class="lesson-ask">{lesson.question}</p>
			<AnswerForm lesson={lesson} answer={answer} onAnswer={change} logs={logs} />
			<div class="row"><button type="submit" class="primary" aria-disabled={checking}>{checking ? t("lessons.checking") : t("lessons.check")}</button></div>
			{error && <p class="lesson-reply" role="alert">{error}</p>}
			{reply && <p class={`lesson-reply ${reply.right ? "right" : "wrong"}`} role="status">
				<strong>{reply.right ? t("lessons.right") : t("lessons.notYet")}</strong> {reply.text}
			</p>}
		</form>
	);
}

function Hints({ hints }: { hints: string[] }) {
	const [shown, setShown] = useState(0);
	return (
		<div class="stack">
			{shown > 0 && <ol class="lesson-hints">{hints.slice(0, shown).map((hint) => <li key={hint}>{hint}</li>)}</ol>}
			{shown < hints.length && <div class="row"><button type="button" onClick={() => {
				announce(hints[shown] ?? "");
				setShown(shown + 1);
			}}>{shown ? t("lessons.anotherHint") : t("lessons.firstHint")}</button></div>}
		</div>
	);
}

// ---- The whole lesson ----

async function share(text: string): Promise<void> {
	const link = new URL(hrefOf(`/lessons/shared#${await packLesson(text)}`), location.href).href;
	await copyText(link, t("lessons.linkName"));
}

function LessonView({ name, number, lesson, text }: { name: string; number: number; lesson: Lesson; text: string }) {
	const state = useAnswer(lesson, name);
	const finished = useStore(done);
	const next = name ? lessonAfter(name) : undefined;
	return (
		<article class="page lesson">
			<header class="lesson-head">
				<p class="small quiet"><a href="/lessons">{t("lessons.lessons")}</a>{` · ${number ? t("lessons.lessonOf", { number, all: course.length }) : t("lessons.fromLink")}`}{finished.has(name) ? ` · ${t("lessons.done")}` : ""}</p>
				<h1>{lesson.title}</h1>
			</header>
			<section aria-labelledby="lesson-idea"><h2 id="lesson-idea">{t("lessons.idea")}</h2><Idea lesson={lesson} /></section>
			<section aria-labelledby="lesson-try">
				<h2 id="lesson-try">{t("lessons.experiment")}</h2>
				<TaskText lesson={lesson} />
				<Experiment lesson={lesson} answer={state.answer} onLogs={state.setLogs} onPick={state.pick} />
			</section>
			<section aria-labelledby="lesson-question" class="card">
				<h2 id="lesson-question">{t("lessons.yourTurn")}</h2>
				<Question lesson={lesson} state={state} />
				<Hints hints={lesson.hints} />
			</section>
			<nav class="row lesson-next" aria-label={t("lessons.lesson")}>
				{next ? <a class={state.reply?.right ? "button primary" : "button"} href={`/lessons/${next.name}`}>{t("lessons.nextLesson", { title: next.lesson.title })}</a>
					: <a class="button" href="/lessons">{t("lessons.allLessons")}</a>}
				{name && <a class="button" href={`/lessons/${name}?projector=1`}>{t("lessons.projector")}</a>}
				<button type="button" onClick={() => void share(text)}>{t("lessons.copyLink")}</button>
			</nav>
		</article>
	);
}
