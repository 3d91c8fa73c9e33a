// WritePage.tsx - "/lessons/write": a lesson of one's own, from its text to a link.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { sentence } from "../api";
import { rich, t } from "../messages";
import { useTitle } from "../pages/parts";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import { copyText } from "../ui/copy";
import { checkAnswer, falseClaims } from "./check";
import { course } from "./course";
import { lessonEngine } from "./engine";
import { KEYS, MOST_TEXT, parseLesson, type Lesson } from "./parse";
import { packLesson } from "./share";

function read(text: string): { lesson: Lesson } | { error: string } {
	try {
		return { lesson: parseLesson(text, "lesson") };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

/** Whether the lesson does what it says: its claims, its right answer and its wrong one. */
async function tested(lesson: Lesson): Promise<string> {
	const wrong = await falseClaims(lessonEngine, lesson);
	if (wrong.length)
		return t("lessons.claimFails", { claim: wrong[0]! });
	if (!(await checkAnswer(lessonEngine, lesson, lesson.example)).right)
		return t("lessons.exampleWrong");
	if ((await checkAnswer(lessonEngine, lesson, lesson.mistake)).right)
		return t("lessons.mistakeRight");
	return t("lessons.works");
}

const code = (text: ComponentChildren) => <code>{text}</code>;
const ANSWERS: [key: string, meaning: ComponentChildren][] = [
	["number", rich("lessons.answerNumber", { code })], ["move", rich("lessons.answerMove", { code })], ["order", rich("lessons.answerOrder", { code })],
	["fill", rich("lessons.answerFill", { code })], ["choose", rich("lessons.answerChoose", { code })], ["pick", rich("lessons.answerPick", { code })],
	["play", rich("lessons.answerPlay", { code })],
];
const CHECKS: [check: string, meaning: string][] = [
	["answer = leaves of 1 - leaves of 2", t("lessons.checkMeasure")], ["answer = alpha of 1 at B,B1", t("lessons.checkNode")],
	["result = win", t("lessons.checkResult")], ["answer has cut in 1", t("lessons.checkReason")],
];

export function WritePage(_props: PageProps) {
	useTitle(t("lessons.write"));
	const [text, setText] = useState(course[3]?.text ?? "");
	const [result, setResult] = useState("");
	const found = useMemo(() => read(text), [text]);
	const lesson = "lesson" in found ? found.lesson : null;
	const link = async () => new URL(hrefOf(`/lessons/shared#${await packLesson(text)}`), location.href).href;
	const test = async () => {
		setResult(t("lessons.testing"));
		setResult(lesson ? await tested(lesson).catch(sentence) : "");
	};
	return (
		<section class="page narrow lessons">
			<h1>{t("lessons.write")}</h1>
			<p>{t("lessons.writeHow")}</p>
			<details>
				<summary>{t("lessons.allKeys")}</summary>
				<dl class="lesson-words lesson-keys">
					{Object.entries(KEYS).map(([key, [least, , meaning]]) => <div key={key}><dt>{key}</dt><dd>{least ? meaning : t("lessons.optional", { meaning })}</dd></div>)}
				</dl>
			</details>
			<details>
				<summary>{t("lessons.answerKinds")}</summary>
				<dl class="lesson-words lesson-keys">{ANSWERS.map(([key, meaning]) => <div key={key}><dt>{key}</dt><dd>{meaning}</dd></div>)}</dl>
				<p>{rich("lessons.checksHow", { code })}</p>
				<dl class="lesson-words lesson-keys">{CHECKS.map(([check, meaning]) => <div key={check}><dt>{check}</dt><dd>{meaning}</dd></div>)}</dl>
			</details>
			<label class="field"><span>{t("lessons.lessonText")}</span>
				<textarea class="lesson-source" rows={24} spellcheck={false} maxLength={MOST_TEXT} value={text} onInput={(event) => {
					setText(event.currentTarget.value);
					setResult("");
				}} />
			</label>
			<p role="status">{"error" in found ? found.error : t("lessons.isLesson")}</p>
			<div class="row">
				<button type="button" aria-disabled={!lesson} onClick={() => lesson && void test()}>{t("lessons.test")}</button>
				<button type="button" aria-disabled={!lesson} onClick={() => lesson && void link().then((to) => window.open(to, "_blank", "noopener"))}>{t("lessons.show")}</button>
				<button type="button" class="primary" aria-disabled={!lesson} onClick={() => lesson && void link().then((to) => copyText(to, t("lessons.linkName")))}>{t("lessons.copyIt")}</button>
			</div>
			<p role="status">{result}</p>
		</section>
	);
}
