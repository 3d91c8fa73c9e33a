// optionfield.tsx - the control for one option of a game or of a computer opponent.
// SPDX-License-Identifier: MIT
import { capital } from "../board/text";
import type { GameOption } from "../types";

interface OptionProps {
	option: GameOption;
	value: string;
	onChange(value: string): void;
}

/** A checkbox for options that are 0 or 1. */
export function Option({ option, value, onChange }: OptionProps) {
	const label = <span>{capital(option.help || option.name)}</span>;
	if (!option.choices && option.min === 0 && option.max === 1)
		return (
			<label>
				<input type="checkbox" checked={value === "1"} onChange={(event) => onChange(event.currentTarget.checked ? "1" : "0")} />
				{label}
			</label>
		);
	return <label class="field">{label}<OptionField option={option} value={value} onChange={onChange} /></label>;
}

function OptionField({ option, value, onChange }: OptionProps) {
	if (!option.choices)
		return (
			<input type="number" min={option.min} max={option.max} step={1} value={value} required
				onInput={(event) => onChange(event.currentTarget.value)} />
		);
	return (
		<select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
			{option.choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
		</select>
	);
}
