// WritePage.tsx - "/lessons/write": a lesson of one's own, from its text to a link.
// SPDX-License-Identifier: MIT
import { useMemo, useState } from "preact/hooks";
import { sentence } from "../api";
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
		return `This claim does not hold: ${wrong[0]}.`;
	if (!(await checkAnswer(lessonEngine, lesson, lesson.example)).right)
		return "The example of a right answer is not right.";
	if ((await checkAnswer(lessonEngine, lesson, lesson.mistake)).right)
		return "The example of a wrong answer is right.";
	return "The lesson works: its claims hold, and both answers get the right reply.";
}

export function WritePage(_props: PageProps) {
	useTitle("Write a lesson");
	const [text, setText] = useState(course[3]?.text ?? "");
	const [result, setResult] = useState("");
	const found = useMemo(() => read(text), [text]);
	const lesson = "lesson" in found ? found.lesson : null;
	const link = async () => new URL(hrefOf(`/lessons/shared#${await packLesson(text)}`), location.href).href;
	const test = async () => {
		setResult("Testing…");
		setResult(lesson ? await tested(lesson).catch(sentence) : "");
	};
	return (
		<section class="page narrow lessons">
			<h1>Write a lesson</h1>
			<p>Change the text below, which is lesson 4, or replace it. Each line is "key: value"; an indented line continues the line before it.
				The document <code>docs/lessons.md</code> explains checks and answers.</p>
			<details>
				<summary>All keys</summary>
				<dl class="lesson-words lesson-keys">
					{Object.entries(KEYS).map(([key, [least, , meaning]]) => <div key={key}><dt>{key}</dt><dd>{meaning}{least ? "" : " (optional)"}</dd></div>)}
				</dl>
			</details>
			<label class="field"><span>The lesson</span>
				<textarea class="lesson-source" rows={24} spellcheck={false} maxLength={MOST_TEXT} value={text} onInput={(event) => {
					setText(event.currentTarget.value);
					setResult("");
				}} />
			</label>
			<p role="status">{"error" in found ? found.error : "The text is a lesson."}</p>
			<div class="row">
				<button type="button" aria-disabled={!lesson} onClick={() => lesson && void test()}>Test it</button>
				<button type="button" aria-disabled={!lesson} onClick={() => lesson && void link().then((to) => window.open(to, "_blank", "noopener"))}>Show it</button>
				<button type="button" class="primary" aria-disabled={!lesson} onClick={() => lesson && void link().then((to) => copyText(to, "Link to the lesson"))}>Copy a link to it</button>
			</div>
			<p role="status">{result}</p>
		</section>
	);
}
