// opponentchoice.tsx - chooses a computer opponent: buttons in the new-game form, one list during a game.
// SPDX-License-Identifier: MIT
import { capital } from "../board/text";
import type { Game } from "../types";
import { ladderOf, ladderTitle, middleLevel, PERFECT, PERFECT_HELP } from "./opponents";

/** The options of a select whose value is a player spec. */
export function OpponentOptions({ game }: { game: Game }) {
	const lists = game.ladders.map((ladder) => ({
		name: ladder.name, title: ladderTitle(game, ladder), options: ladder.levels.map((level) => <option key={level.spec} value={level.spec}>{capital(level.name)}</option>),
	}));
	const perfect = game.perfect && <option value={PERFECT}>Perfect</option>;
	if (lists.length === 1)
		return <>{lists[0]?.options}{perfect}</>;
	return <>{lists.map(({ name, title, options }) => <optgroup key={name} label={title}>{options}</optgroup>)}{perfect}</>;
}

interface PickerProps {
	game: Game;
	side: string | null; // the side that this computer plays; null: there is only one computer
	value: string;
	onChange(spec: string): void;
}

/** Chooses a ladder, and a level on it. */
export function OpponentPicker({ game, side, value, onChange }: PickerProps) {
	const now = ladderOf(game, value);
	const whose = side === null ? "" : ` (${side})`;
	const [own, ...others] = game.ladders.map((ladder) => ({ title: ladderTitle(game, ladder), spec: middleLevel(ladder), checked: ladder === now }));
	const perfect = game.perfect ? [{ title: "Perfect", spec: PERFECT, checked: value === PERFECT }] : [];
	const first = own ? [own, ...perfect] : perfect;
	const hasChoice = first.length + others.length > 1;
	const help = value === PERFECT ? PERFECT_HELP : hasChoice ? now?.help : null;
	const segments = (list: typeof first) => (
		<div class="segments">
			{list.map(({ title, spec, checked }) => (
				<Segment key={title} name={`computer${whose}`} text={title} checked={checked} onChange={() => onChange(spec)} />
			))}
		</div>
	);
	return (
		<>
			{hasChoice && <fieldset class="levels">
				<legend>{`Engine${whose}`}</legend>
				{segments(first)}
				{others.length > 0 && <details class="more-engines" open={others.some(({ checked }) => checked)}>
					<summary>More engines</summary>
					{segments(others)}
				</details>}
				{help && <small class="quiet">{capital(help)}.</small>}
			</fieldset>}
			{now && <fieldset class="levels">
				<legend>{`Level${whose}`}</legend>
				<div class="segments">
					{now.levels.map(({ spec, player }, i) => (
						<Segment key={spec} name={`level${whose}`} text={String(i + 1)} title={player} checked={spec === value}
							onChange={() => onChange(spec)} />
					))}
				</div>
				<small class="quiet">1 is the easiest, {now.levels.length} the strongest.</small>
			</fieldset>}
		</>
	);
}

function Segment({ name, text, title, checked, onChange }: {
	name: string; text: string; title?: string; checked: boolean; onChange(): void;
}) {
	return (
		<label class="segment" title={title}>
			<input type="radio" name={name} checked={checked} onChange={onChange} />
			<span>{text}</span>
		</label>
	);
}
