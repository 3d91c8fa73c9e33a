// course.ts - the lessons that come with the page, and which of them the reader has done.
// SPDX-License-Identifier: MIT
import texts from "lessons:all";
import { createStore } from "../store/store";
import { parseLesson, type Lesson } from "./parse";

export interface CourseLesson {
	name: string; // in the address
	number: number; // from 1
	text: string;
	lesson: Lesson;
}

export const course: CourseLesson[] = texts.map(({ name, text }, i) => ({ name, number: i + 1, text, lesson: parseLesson(text, `${name}.txt`) }));

/** A right answer for paper; null: it depends on the luck of the opponent. */
export function exampleText({ opponent, example }: Lesson): string | null {
	return /^(random|learn)\b/.test(opponent) ? null : example;
}

export function lessonAfter(name: string): CourseLesson | undefined {
	return course[course.findIndex((one) => one.name === name) + 1];
}

/** The lessons by the headings of the list, in the order of the course. */
export function courseParts(): { title: string; lessons: CourseLesson[] }[] {
	const parts: { title: string; lessons: CourseLesson[] }[] = [];
	for (const one of course) {
		const last = parts[parts.length - 1];
		if (last?.title === one.lesson.part)
			last.lessons.push(one);
		else
			parts.push({ title: one.lesson.part, lessons: [one] });
	}
	return parts;
}

// ---- Progress ----

const KEY = "quevedo.lessons";

/** Nothing is done if the storage is forbidden or contains something else. */
function load(): ReadonlySet<string> {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
		return new Set(Array.isArray(stored) ? stored.filter((name) => course.some((one) => one.name === name)) as string[] : []);
	} catch {
		return new Set();
	}
}

export const done = createStore<ReadonlySet<string>>(load());

function keep(names: ReadonlySet<string>): void {
	done.set(names);
	try {
		localStorage.setItem(KEY, JSON.stringify([...names]));
	} catch {
		// Then the progress lasts until the page is closed.
	}
}

export function markDone(name: string): void {
	if (course.some((one) => one.name === name) && !done.get().has(name))
		keep(new Set([...done.get(), name]));
}

export function forgetProgress(): void {
	keep(new Set());
}
