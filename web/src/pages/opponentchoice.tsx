// opponentchoice.tsx - chooses a computer opponent: buttons in the new-game form, one list during a game.
// SPDX-License-Identifier: MIT
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { capital } from "../board/text";
import { afterFirstBoard } from "../engine/core";
import { t } from "../messages";
import type { Classic, Game, Ladder } from "../types";
import { classicOf, joiningClassics, ladderOf, easyLevel, hasPerfect, ladderTitle, PERFECT, PERFECT_HELP, settingsOf, withSettings } from "./opponents";
import { Option } from "./optionfield";

/** The options of a select whose value is a player spec. */
export function OpponentOptions({ game }: { game: Game }) {
	const lists = game.ladders.map((ladder) => ({
		name: ladder.name, title: ladderTitle(game, ladder), options: ladder.levels.map((level) => <option key={level.spec} value={level.spec}>{capital(level.name)}</option>),
	}));
	const perfect = hasPerfect(game) && <option value={PERFECT}>{t("opponents.perfect")}</option>;
	const classics = joiningClassics(game);
	if (lists.length === 1 && !classics.length)
		return <>{lists[0]?.options}{perfect}</>;
	return (
		<>
			{lists.map(({ name, title, options }) => <optgroup key={name} label={title}>{options}</optgroup>)}
			{perfect}
			{classics.length > 0 && <optgroup label={t("opponents.classic")}>
				{classics.map(({ spec, title }) => <option key={spec} value={spec}>{title}</option>)}
			</optgroup>}
		</>
	);
}

interface PickerProps {
	game: Game;
	seat: { number: number; side: string } | null; // of this computer; null: it is the only one
	value: string;
	onChange(spec: string): void;
}

/** Chooses levels, perfect play or a classic opponent, then a level or settings. */
export function OpponentPicker({ game, seat, value, onChange }: PickerProps) {
	const now = ladderOf(game, value), classic = classicOf(game, value), own = game.ladders[0];
	const whose = seat === null ? "" : ` (${seat.side})`;
	const first = [
		...(own ? [{ title: ladderTitle(game, own), spec: easyLevel(own), checked: own === now }] : []),
		...(game.perfect ? [{ title: t("opponents.perfect"), spec: PERFECT, checked: value === PERFECT }] : []),
	];
	const classics = game.classics.filter((one) => seat === null || one.seat === null || one.seat === seat.number);
	const hasChoice = first.length + classics.length > 1;
	const isSimple = first.length === 1 && !classic; // nothing to choose but a classic opponent
	const help = value === PERFECT ? PERFECT_HELP : hasChoice && !classic && !isSimple ? now?.help : null;
	const engine = hasChoice && (
		<fieldset class="levels">
			<legend class={isSimple ? "unseen" : ""}>{seat ? t("opponents.engineOf", { side: seat.side }) : t("opponents.engine")}</legend>
			{isSimple ? null : <div class="segments">
				{first.map(({ title, spec, checked }) => (
					<Segment key={title} name={`computer${whose}`} text={title} checked={checked} onChange={() => onChange(spec)} />
				))}
			</div>}
			{classics.length > 0 && <details class="classics" open={classic !== null}>
				<summary>{t("opponents.classic")}</summary>
				<div class="choices">
					{classics.map((one) => (
						<label key={one.spec} class="choice">
							<input type="radio" name={`computer${whose}`} checked={one === classic} onChange={() => onChange(one.spec)} />
							<span><strong>{one.title}</strong><small>{one.by}</small></span>
						</label>
					))}
				</div>
			</details>}
			{help && <small class="quiet">{capital(help)}.</small>}
			{classic && <p class="about small">{classic.about} <a href="/help#history">{t("opponents.history")}</a></p>}
		</fieldset>
	);
	const levels = now && (
		<fieldset class="levels">
			<legend>{seat ? t("opponents.levelOf", { side: seat.side }) : t("opponents.level")}</legend>
			{now === own ? <NamedLevels game={game} ladder={now} name={`level${whose}`} value={value} onChange={onChange} /> : <>
				<div class="segments">
					{now.levels.map(({ spec, player }, i) => (
						<Segment key={spec} name={`level${whose}`} text={String(i + 1)} title={player} checked={spec === value}
							onChange={() => onChange(spec)} />
					))}
				</div>
				<small class="quiet">{t("opponents.scale", { n: now.levels.length })}</small>
			</>}
		</fieldset>
	);
	return (
		<>
			{isSimple ? levels : null}
			{engine}
			{classic && <ClassicSettings classic={classic} side={seat?.side ?? null} value={value} onChange={onChange} />}
			{isSimple ? null : levels}
		</>
	);
}

/** The levels of the game's own ladder, each with how often it beats the one before. */
function NamedLevels({ game, ladder, name, value, onChange }: {
	game: Game; ladder: Ladder; name: string; value: string; onChange(spec: string): void;
}) {
	const list = useRef<HTMLDivElement>(null);
	/* The list of a long ladder scrolls: it opens at the chosen level. */
	useLayoutEffect(() => {
		const chosen = list.current?.querySelector<HTMLElement>(".choice:has(:checked)");
		if (list.current && chosen)
			list.current.scrollTop = chosen.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
	}, [game.name]);
	/* What was measured comes after the board. */
	const [facts, setFacts] = useState<Pick<typeof import("./more"), "countsOf" | "ratingOf" | "strengthOf"> | null>(null);
	useEffect(() => void afterFirstBoard.then(() => import("./more")).then(setFacts, () => {}), []);
	return (
		<div class="choices named" ref={list}>
			{ladder.levels.map((level, i) => {
				const strength = i === 0 ? t("opponents.easiest") : facts ? facts.strengthOf(game, i) : "\u00a0", rating = facts?.ratingOf(game, i);
				return (
					<label key={level.spec} class="choice" title={[facts?.countsOf(game, i), level.player].filter(Boolean).join(" · ")}>
						<input type="radio" name={name} checked={level.spec === value} onChange={() => onChange(level.spec)} />
						<span>
							<strong>{capital(level.name)}</strong>
							{strength && <small>{strength}</small>}
							{rating && <small>{rating}</small>}
						</span>
					</label>
				);
			})}
		</div>
	);
}

/** The settings of a classic opponent, if it has any. side: of one computer among several; null: it is the only one. */
export function ClassicSettings({ classic, side, value, onChange }: {
	classic: Classic; side: string | null; value: string; onChange(spec: string): void;
}) {
	if (!classic.settings.length)
		return null;
	const values = settingsOf(classic, value);
	return (
		<fieldset class="levels">
			<legend>{side === null ? classic.title : `${classic.title} (${side})`}</legend>
			{classic.settings.map((option) => (
				<Option key={option.name} option={option} value={values[option.name] ?? ""}
					onChange={(to) => onChange(withSettings(classic, { ...values, [option.name]: to }))} />
			))}
		</fieldset>
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
