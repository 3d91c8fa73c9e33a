// ThinkingPanel.tsx - explains the computer player: its requests, the masks it tried, the turns it expects.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { ask } from "../engine/ask";
import { Failure, useLoad } from "../pages/parts";
import type { Explanation, ThoughtTurn } from "../types";
import { factionName, orderText, readCommand } from "./commands";
import { Mark } from "./EmpirePanel";
import { sectorOf } from "./galaxy";

const MOST_MASKS = 8;

interface ThinkingProps {
	game: string;
	position: string;
	over: boolean;
	isOpen?: boolean; // at first
	onSector?(sector: number): void;
	/** Receives the commands of its turn, to draw on the map; null: none. */
	onPlan?(plan: ThoughtTurn | null): void;
}

export function ThinkingPanel(props: ThinkingProps) {
	const [open, setOpen] = useState(props.isOpen ?? false);
	return (
		<details class="card thinking" open={open} onToggle={(event) => {
			setOpen(event.currentTarget.open);
			if (!event.currentTarget.open)
				props.onPlan?.(null);
		}}>
			<summary><h2>See how it thinks</h2></summary>
			{open ? props.over ? <p class="small quiet">The game is over.</p> : <Thinking {...props} /> : null}
		</details>
	);
}

function Thinking({ game, position, onSector, onPlan }: ThinkingProps) {
	const [turns, setTurns] = useState(2);
	const key = `${game} ${position} ${turns}`;
	const loaded = useLoad(key, async () => ({
		key, explanation: await ask("explanations", { game, position, player: `mask:turns=${turns}` }),
	}));
	const explanation = loaded.value?.key === key ? loaded.value.explanation : null;
	useEffect(() => onPlan?.(explanation?.line[0] ?? null), [explanation]);
	return (
		<>
			<p class="small">This is how the mask predictor, the computer player by the game's author, would play this turn. It makes a <em>request</em> for ships wherever it sees a
				threat or an opportunity. Fixed rules send fleets to these requests. A <em>mask</em> leaves out one or two of the requests; the player tries many masks and
				chooses the best.</p>
			<label class="row small"><span>Look ahead</span>
				<select value={String(turns)} onChange={(event) => setTurns(Number(event.currentTarget.value))}>
					{["this turn only", "1 full turn", "2 full turns", "3 full turns"].map((label, i) => <option key={i} value={String(i)}>{label}</option>)}
				</select>
			</label>
			{loaded.error ? <Failure error={loaded.error} again={loaded.again} /> : explanation ? <ExplanationView explanation={explanation} onSector={onSector} drawn={onPlan !== undefined} /> : <p class="small quiet" role="status">Thinking…</p>}
		</>
	);
}

type Select = ThinkingProps["onSector"];

function ExplanationView({ explanation, onSector, drawn }: { explanation: Explanation; onSector: Select; drawn: boolean }) {
	return (
		<>
			<Requests explanation={explanation} onSector={onSector} />
			<Masks explanation={explanation} />
			<h3>Expected turns</h3>
			<ol class="expected">
				{explanation.line.map((turn, i) => (
					<li key={i}>
						<Mark faction={turn.seat} /><strong>{factionName(turn.seat)}</strong>: {turnText(turn)}
						<span class="quiet small"> · {factionName(explanation.seat)}'s score {turn.scores[explanation.seat - 1]}</span>
					</li>
				))}
			</ol>
			<p class="small quiet">{explanation.generated.toLocaleString("en")} positions generated and {explanation.evaluated.toLocaleString("en")} evaluated, {explanation.levels === 1
				? "one player turn" : `${explanation.levels} player turns`} deep.{drawn ? " The dashed arrows on the map show its turn." : ""}</p>
		</>
	);
}

export function turnText({ commands }: ThoughtTurn): string {
	const orders = commands.filter((text) => text !== "end").map((text) => {
		const command = readCommand(text);
		return command ? orderText(command) : text;
	});
	return orders.length ? orders.join("; ") : "ends the turn without orders";
}

function Requests({ explanation, onSector }: { explanation: Explanation; onSector: Select }) {
	const { without = [] } = explanation.masks[explanation.chosen] ?? {};
	if (!explanation.requests.length)
		return <p class="small">No requests: there are no threats, and nothing is within reach.</p>;
	return (
		<table class="figures requests">
			<caption>Requests, most important first</caption>
			<thead><tr><th scope="col">Sector</th><th scope="col" class="words">Purpose</th><th scope="col">Priority</th><th scope="col">Ships</th><th scope="col">Threat</th></tr></thead>
			<tbody>
				{explanation.requests.map(({ sector, goal, priority, least, most, threat }) => (
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
export function bestMasks(explanation: Explanation, most: number): { without: string[]; score: number | null; chosen: boolean }[] {
	const all = explanation.masks.map(({ without, scores }, i) => ({ without, score: scores?.[explanation.seat - 1] ?? null, chosen: i === explanation.chosen }));
	return all.sort((a, b) => Number(b.chosen) - Number(a.chosen) || (b.score ?? -Infinity) - (a.score ?? -Infinity)).slice(0, most);
}

function Masks({ explanation }: { explanation: Explanation }) {
	const shown = bestMasks(explanation, MOST_MASKS);
	return (
		<>
			<h3>Masks</h3>
			<ul class="masks">
				{shown.map(({ without, score, chosen }) => (
					<li key={without.join()} class={chosen ? "chosen" : undefined}>
						<span>{without.length ? `without ${without.join(" and ")}` : "all requests"}{chosen ? ", chosen" : ""}</span>
						<span>{score ?? "unknown"}</span>
					</li>
				))}
			</ul>
			<p class="small quiet">The number is {factionName(explanation.seat)}'s score at the end of the line. Tried {explanation.masks.length} of {explanation.all} masks{explanation.masks.length < explanation.all
				? "; the others lead to the same turn as one of these" : ""}{explanation.masks.length > shown.length ? `; showing the best ${shown.length}` : ""}.</p>
		</>
	);
}
