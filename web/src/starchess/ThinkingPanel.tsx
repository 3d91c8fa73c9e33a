// ThinkingPanel.tsx - how the computer thinks: its requests, the masks that it tried, the turns that it expects.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { Failure, useLoad } from "../pages/parts";
import type { Explanation, ThoughtTurn } from "../types";
import { factionName, orderWords, readCommand } from "./commands";
import { Mark } from "./EmpirePanel";
import { sectorOf } from "./galaxy";

const MOST_MASKS = 8;

interface ThinkingProps {
	game: string;
	position: string;
	over: boolean;
	onSector?(sector: number): void;
	/** The commands of its turn, to be drawn on the map; null: none. */
	onPlan?(plan: ThoughtTurn | null): void;
}

export function ThinkingPanel(props: ThinkingProps) {
	const [open, setOpen] = useState(false);
	return (
		<details class="card thinking" onToggle={(event) => {
			setOpen(event.currentTarget.open);
			if (!event.currentTarget.open)
				props.onPlan?.(null);
		}}>
			<summary><h2>See how it thinks</h2></summary>
			{open ? props.over ? <p class="small quiet">The game is over: there is nothing to think about.</p> : <Thinking {...props} /> : null}
		</details>
	);
}

function Thinking({ game, position, onSector, onPlan }: ThinkingProps) {
	const [turns, setTurns] = useState(2);
	const key = `${game} ${position} ${turns}`;
	const loaded = useLoad(key, async () => ({
		key, told: await post<Explanation>("/api/v1/explanations", { game, position, player: `mask:turns=${turns}` }),
	}));
	const told = loaded.value?.key === key ? loaded.value.told : null;
	useEffect(() => onPlan?.(told?.line[0] ?? null), [told]);
	return (
		<>
			<p class="small">The mask predictor, the computer player of the game's author, as it would play this turn. It makes a <em>request</em> for ships wherever there is a
				threat or an opportunity, sends fleets to them by fixed rules, and tries what happens if it leaves out one or two of them: the <em>masks</em>.</p>
			<label class="row small"><span>Looks ahead</span>
				<select value={String(turns)} onChange={(event) => setTurns(Number(event.currentTarget.value))}>
					{["this turn alone", "1 full turn", "2 full turns", "3 full turns"].map((words, i) => <option key={i} value={String(i)}>{words}</option>)}
				</select>
			</label>
			{loaded.error ? <Failure error={loaded.error} again={loaded.again} /> : told ? <Told told={told} onSector={onSector} drawn={onPlan !== undefined} /> : <p class="small quiet" role="status">Thinking…</p>}
		</>
	);
}

type Select = ThinkingProps["onSector"];

function Told({ told, onSector, drawn }: { told: Explanation; onSector: Select; drawn: boolean }) {
	return (
		<>
			<Requests told={told} onSector={onSector} />
			<Masks told={told} />
			<h3>The turns it expects</h3>
			<ol class="expected">
				{told.line.map((turn, i) => (
					<li key={i}>
						<Mark faction={turn.seat} /><strong>{factionName(turn.seat)}</strong>: {turnWords(turn)}
						<span class="quiet small"> · {factionName(told.seat)}'s score {turn.scores[told.seat - 1]}</span>
					</li>
				))}
			</ol>
			<p class="small quiet">{told.generated.toLocaleString("en")} positions generated and {told.evaluated.toLocaleString("en")} evaluated, {told.levels === 1
				? "one player turn" : `${told.levels} player turns`} deep.{drawn ? " The broken arrows on the map are its turn." : ""}</p>
		</>
	);
}

export function turnWords({ commands }: ThoughtTurn): string {
	const words = commands.filter((text) => text !== "end").map((text) => {
		const command = readCommand(text);
		return command ? orderWords(command) : text;
	});
	return words.length ? words.join("; ") : "nothing but the end of the turn";
}

function Requests({ told, onSector }: { told: Explanation; onSector: Select }) {
	const { without = [] } = told.masks[told.chosen] ?? {};
	if (!told.requests.length)
		return <p class="small">It has no requests: nothing threatens, and nothing is in reach.</p>;
	return (
		<table class="figures requests">
			<caption>Requests, the most important first</caption>
			<thead><tr><th scope="col">Sector</th><th scope="col" class="words">What for</th><th scope="col">Priority</th><th scope="col">Ships</th><th scope="col">Threat</th></tr></thead>
			<tbody>
				{told.requests.map(({ sector, goal, priority, least, most, threat }) => (
					<tr key={sector} class={without.includes(sector) ? "masked" : undefined}>
						<th scope="row">{onSector ? <button type="button" class="text" onClick={() => onSector(sectorOf(sector))}>{sector}</button> : sector}</th>
						<td class="words">{goal}{without.includes(sector) ? " (masked)" : ""}</td>
						<td>{priority}</td>
						<td>{least === most ? least : `${least} to ${most}`}</td>
						<td>{threat}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** The chosen mask first, then the best of the others. */
export function bestMasks(told: Explanation, most: number): { without: string[]; score: number | null; chosen: boolean }[] {
	const all = told.masks.map(({ without, scores }, i) => ({ without, score: scores?.[told.seat - 1] ?? null, chosen: i === told.chosen }));
	return all.sort((a, b) => Number(b.chosen) - Number(a.chosen) || (b.score ?? -Infinity) - (a.score ?? -Infinity)).slice(0, most);
}

function Masks({ told }: { told: Explanation }) {
	const shown = bestMasks(told, MOST_MASKS);
	return (
		<>
			<h3>Masks</h3>
			<ul class="masks">
				{shown.map(({ without, score, chosen }) => (
					<li key={without.join()} class={chosen ? "chosen" : undefined}>
						<span>{without.length ? `without ${without.join(" and ")}` : "all requests"}{chosen ? ", chosen" : ""}</span>
						<span>{score ?? "not known"}</span>
					</li>
				))}
			</ul>
			<p class="small quiet">The number is {factionName(told.seat)}'s score where the line ends. {told.masks.length} of {told.all} masks
				tried{told.masks.length < told.all ? "; the others are known to make the same turn as one of these" : ""}{told.masks.length > shown.length ? `; the best ${shown.length} are shown` : ""}.</p>
		</>
	);
}
