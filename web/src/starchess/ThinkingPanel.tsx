// ThinkingPanel.tsx - explains the computer player: its requests, the masks it tried, the turns it expects.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { ask } from "../engine/ask";
import { rich, t } from "../messages";
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
			<summary><h2>{t("starchess.thinkingTitle")}</h2></summary>
			{open ? props.over ? <p class="small quiet">{t("starchess.thinkingOver")}</p> : <Thinking {...props} /> : null}
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
			<p class="small">{rich("starchess.thinkingAbout",
				{ em: (text) => <em>{text}</em> })}</p>
			<label class="row small"><span>{t("starchess.lookAhead")}</span>
				<select value={String(turns)} onChange={(event) => setTurns(Number(event.currentTarget.value))}>
					{[0, 1, 2, 3].map((n) => <option key={n} value={String(n)}>{t("starchess.fullTurns", { n })}</option>)}
				</select>
			</label>
			{loaded.error ? <Failure error={loaded.error} again={loaded.again} /> : explanation ? <ExplanationView explanation={explanation} onSector={onSector} drawn={onPlan !== undefined} /> : <p class="small quiet" role="status">{t("ui.thinking")}</p>}
		</>
	);
}

type Select = ThinkingProps["onSector"];

function ExplanationView({ explanation, onSector, drawn }: { explanation: Explanation; onSector: Select; drawn: boolean }) {
	return (
		<>
			<Requests explanation={explanation} onSector={onSector} />
			<Masks explanation={explanation} />
			<h3>{t("starchess.expectedTurns")}</h3>
			<ol class="expected">
				{explanation.line.map((turn, i) => (
					<li key={i}>
						<Mark faction={turn.seat} />{rich("starchess.expectedTurn", { b: (text) => <strong>{text}</strong>, faction: factionName(turn.seat), orders: turnText(turn) })}
						<span class="quiet small"> · {t("starchess.scoreOf", { faction: factionName(explanation.seat), score: turn.scores[explanation.seat - 1] ?? "" })}</span>
					</li>
				))}
			</ol>
			<p class="small quiet">{t("starchess.generated",
				{ generated: explanation.generated, evaluated: explanation.evaluated, levels: explanation.levels })}{drawn ? ` ${t("starchess.dashedArrows")}` : ""}</p>
		</>
	);
}

export function turnText({ commands }: ThoughtTurn): string {
	const orders = commands.filter((text) => text !== "end").map((text) => {
		const command = readCommand(text);
		return command ? orderText(command) : text;
	});
	return orders.length ? orders.join("; ") : t("starchess.endsWithout");
}

function Requests({ explanation, onSector }: { explanation: Explanation; onSector: Select }) {
	const { without = [] } = explanation.masks[explanation.chosen] ?? {};
	if (!explanation.requests.length)
		return <p class="small">{t("starchess.noRequests")}</p>;
	return (
		<table class="figures requests">
			<caption>{t("starchess.requests")}</caption>
			<thead><tr><th scope="col">{t("starchess.sector")}</th><th scope="col" class="words">{t("starchess.purpose")}</th><th scope="col">{t("starchess.priority")}</th><th scope="col">{t("starchess.ships")}</th><th scope="col">{t("starchess.threat")}</th></tr></thead>
			<tbody>
				{explanation.requests.map(({ sector, goal, priority, least, most, threat }) => (
					<tr key={sector} class={without.includes(sector) ? "masked" : undefined}>
						<th scope="row">{onSector ? <button type="button" class="text" onClick={() => onSector(sectorOf(sector))}>{sector}</button> : sector}</th>
						<td class="words">{without.includes(sector) ? t("starchess.masked", { goal }) : goal}</td>
						<td>{priority}</td>
						<td>{least === most ? least : t("starchess.shipsFromTo", { least, most })}</td>
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
			<h3>{t("starchess.masks")}</h3>
			<ul class="masks">
				{shown.map(({ without, score, chosen }) => (
					<li key={without.join()} class={chosen ? "chosen" : undefined}>
						<span>{t("starchess.mask",
							{ n: without.length, first: without[0] ?? "", second: without[1] ?? "", chosen: String(chosen) })}</span>
						<span>{score ?? t("starchess.unknown")}</span>
					</li>
				))}
			</ul>
			<p class="small quiet">{t("starchess.masksAbout", {
				faction: factionName(explanation.seat), tried: explanation.masks.length, all: explanation.all,
				others: explanation.all - explanation.masks.length, best: explanation.masks.length > shown.length ? shown.length : 0,
			})}</p>
		</>
	);
}
