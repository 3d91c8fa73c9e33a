// timecontrol.tsx - the choice of a clock: usual ones, days for each move, or any minutes and increment.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { CLOCKS, customClock, MOST_DAYS, MOST_INCREMENT, MOST_MINUTES } from "./newplay";

interface TimeControlProps {
	clock: string; // as the server reads it; "": none
	onChange(clock: string): void;
}

interface NumberProps {
	text: string;
	value: number;
	min: number;
	max: number;
	step: number | "any";
	onChange(value: number): void;
}

function NumberField({ text, value, min, max, step, onChange }: NumberProps) {
	return (
		<label><span>{text}</span>
			<input type="number" required value={value} min={min} max={max} step={step} onInput={({ currentTarget }) => {
				if (currentTarget.validity.valid)
					onChange(currentTarget.valueAsNumber);
			}} />
		</label>
	);
}

export function TimeControl({ clock, onChange }: TimeControlProps) {
	const [kind, setKind] = useState(""); // of the fields: "game", "days"; "": none
	const [minutes, setMinutes] = useState(20);
	const [increment, setIncrement] = useState(5);
	const [days, setDays] = useState(3);
	const choose = (value: string) => {
		const own = value === "game" || value === "days";
		setKind(own ? value : "");
		onChange(value === "game" ? customClock(minutes, increment) : value === "days" ? `${days}d/move` : value);
	};
	return (
		<div class="time-control">
			<select aria-label={t("pages.timeControl")} value={kind || clock} onChange={(event) => choose(event.currentTarget.value)}>
				{CLOCKS.map(({ terms, text }) => <option key={terms} value={terms}>{text}</option>)}
				<option value="days">{t("newgame.correspondence")}</option>
				<option value="game">{t("newgame.otherTime")}</option>
			</select>
			{kind === "game" && <>
				<NumberField text={t("newgame.minutesEach")} value={minutes} min={0.25} max={MOST_MINUTES} step={0.25}
					onChange={(value) => { setMinutes(value); onChange(customClock(value, increment)); }} />
				<NumberField text={t("newgame.secondsAdded")} value={increment} min={0} max={MOST_INCREMENT} step={1}
					onChange={(value) => { setIncrement(value); onChange(customClock(minutes, value)); }} />
			</>}
			{kind === "days" && <NumberField text={t("newgame.daysEach")} value={days} min={1} max={MOST_DAYS} step={1}
				onChange={(value) => { setDays(value); onChange(`${value}d/move`); }} />}
		</div>
	);
}
