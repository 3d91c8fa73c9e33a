// Answer.tsx - how a reader answers a question: one form for each kind of answer.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { sentence } from "../api";
import { moveName } from "../board/text";
import type { SearchLog } from "../lab/log";
import { t } from "../messages";
import { Failure } from "../pages/parts";
import type { Move } from "../types";
import { Icon } from "../ui/icons";
import { pathsOf } from "./check";
import { lessonEngine } from "./engine";
import type { Lesson } from "./parse";
import { PlayAnswer } from "./PlayAnswer";

export interface AnswerProps {
	lesson: Lesson;
	answer: string;
	onAnswer(answer: string): void;
	logs: SearchLog[]; // of the bench
}

export function AnswerForm(props: AnswerProps) {
	switch (props.lesson.answer) {
	case "number":
	case "fill": return <NumberAnswer {...props} />;
	case "move": return <MoveAnswer {...props} />;
	case "order": return <OrderAnswer {...props} />;
	case "choose": return <Choices {...props} choices={props.lesson.items.map(({ name }) => ({ value: name, text: name }))} />;
	case "pick": return <PickAnswer {...props} />;
	case "play": return <PlayAnswer {...props} />;
	}
}

function NumberAnswer({ lesson: { range }, answer, onAnswer }: AnswerProps) {
	return (
		<label class="field lesson-number-field">
			<span>{range ? t("lessons.yourNumberFrom", { least: range[0], most: range[1] }) : t("lessons.yourNumber")}</span>
			<input type="text" inputMode="numeric" autocomplete="off" value={answer} onInput={(event) => onAnswer(event.currentTarget.value)} />
		</label>
	);
}

const MOST_BUTTONS = 12; // more are in a select

function Choices({ choices, answer, onAnswer }: AnswerProps & { choices: { value: string; text: string }[] }) {
	if (choices.length > MOST_BUTTONS)
		return (
			<label class="field"><span>{t("lessons.yourAnswer")}</span>
				<select value={answer} onChange={(event) => onAnswer(event.currentTarget.value)}>
					<option value="">{t("lessons.chooseOne")}</option>
					{choices.map(({ value, text }) => <option key={value} value={value}>{text}</option>)}
				</select>
			</label>
		);
	return (
		<fieldset class="group">
			<legend>{t("lessons.yourAnswer")}</legend>
			<div class="segments">
				{choices.map(({ value, text }) => (
					<label key={value} class="segment">
						<input type="radio" name="answer" checked={answer === value} onChange={() => onAnswer(value)} />
						<span>{text}</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}

/** One of the legal moves. */
function MoveAnswer(props: AnswerProps) {
	const { game, position, moves } = props.lesson.bench;
	const [found, setFound] = useState<Move[] | null>(null);
	const [error, setError] = useState("");
	useEffect(() => {
		lessonEngine.ask<{ moves: Move[] }>("positions", { game, position, moves }).then((view) => setFound(view.moves), (reason) => setError(sentence(reason)));
	}, []);
	if (error)
		return <Failure error={error} />;
	return found ? <Choices {...props} choices={found.map((move) => ({ value: move.move, text: moveName(move) }))} /> : <p class="waiting" role="status">{t("lessons.loading")}</p>;
}

/** A node of the tree: chosen on the bench or in the list. */
function PickAnswer(props: AnswerProps) {
	const { lesson, logs } = props;
	const check = lesson.checks.find((one) => one.kind === "node");
	const log = logs[(check?.kind === "node" ? check.player : 1) - 1];
	if (!log)
		return <p class="waiting" role="status">{t("lessons.waiting")}</p>;
	return (
		<>
			<p class="small quiet">{t("lessons.pickAbout")}</p>
			<Choices {...props} choices={pathsOf(log).map((path) => ({ value: path, text: path === "start" ? t("lessons.pickStart") : path }))} />
		</>
	);
}

/** A list that buttons reorder. */
function OrderAnswer({ lesson, answer, onAnswer }: AnswerProps) {
	const names = answer ? answer.split(", ") : lesson.items.map(({ name }) => name);
	const swap = (i: number, j: number) => {
		const next = [...names];
		[next[i], next[j]] = [next[j] ?? "", next[i] ?? ""];
		onAnswer(next.join(", "));
	};
	return (
		<ol class="lesson-order" aria-label={t("lessons.yourOrder")}>
			{names.map((name, i) => (
				<li key={name}>
					<span>{name} <span class="quiet small">{lesson.items.find((one) => one.name === name)?.text}</span></span>
					<button type="button" class="icon" aria-label={t("lessons.moveUp", { name })} aria-disabled={i === 0} onClick={() => i > 0 && swap(i, i - 1)}>
						<Icon name="back" />
					</button>
					<button type="button" class="icon" aria-label={t("lessons.moveDown", { name })} aria-disabled={i === names.length - 1}
						onClick={() => i < names.length - 1 && swap(i, i + 1)}>
						<Icon name="forward" />
					</button>
				</li>
			))}
		</ol>
	);
}
