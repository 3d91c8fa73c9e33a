// ReplayPanel.tsx - what the other factions did since your last turn: as a list, and step by step on the map.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { factionName } from "./commands";
import { sinceMine, type Course } from "./course";
import { Mark } from "./EmpirePanel";
import { partsOf, type PlayLine } from "./News";
import { stepText } from "./OrdersPanel";

const STEP_MS = 1100;

interface ReplayProps {
	line: PlayLine;
	course: Course;
	me: number;
	ply: number | null;
	onPly(ply: number | null): void;
}

export function ReplayPanel({ line, course, me, ply, onPly }: ReplayProps) {
	const { from, to } = sinceMine(line, [me]);
	const [playing, setPlaying] = useState(false);
	const list = useRef<HTMLDivElement>(null);
	const at = ply ?? line.length;
	const go = (next: number) => {
		const place = Math.min(line.length, Math.max(0, next));
		onPly(place === line.length ? null : place);
		const step = line[place - 1];
		if (step)
			announce(t("starchess.stepOf", { faction: factionName(step.seat), step: stepText(course, place - 1, step.seat, step.move) }));
	};
	useEffect(() => {
		if (!playing)
			return;
		if (at >= to) {
			setPlaying(false);
			return;
		}
		const timer = window.setTimeout(() => go(at + 1), STEP_MS);
		return () => window.clearTimeout(timer);
	}, [playing, at]);
	useEffect(() => {
		const now = list.current?.querySelector<HTMLElement>("[aria-current]");
		if (now && list.current)
			list.current.scrollTop = now.offsetTop - list.current.offsetTop - 60;
	}, [ply]);
	const start = () => {
		if (!playing)
			go(ply === null || at >= to ? from : at);
		setPlaying(!playing);
		document.querySelector(".starchess .board-frame")?.scrollIntoView({ block: "nearest" });
	};
	return (
		<details class="card replay" open>
			<summary><h2>{t("starchess.since", { faction: factionName(me) })}</h2></summary>
			{from === to ? <p class="small quiet">{t("starchess.noOthers")}</p> : (
				<div class="replay-list" ref={list}>
					{partsOf(line, from, to).map(({ seat, from: first, moves }) => (
						<section key={first} aria-label={factionName(seat)}>
							<h3><Mark faction={seat} />{factionName(seat)}</h3>
							<ol>
								{moves.map((move, i) => (
									<li key={first + i}>
										<button type="button" class="text" aria-current={ply === first + i + 1 ? "step" : undefined} onClick={() => go(first + i + 1)}>
											{stepText(course, first + i, seat, move)}
										</button>
									</li>
								))}
							</ol>
						</section>
					))}
				</div>
			)}
			<div class="row steps" role="group" aria-label={t("starchess.replay")}>
				<button type="button" disabled={from === to} onClick={start}><Icon name={playing ? "close" : "play"} />{playing ? t("starchess.stop") : t("starchess.replay")}</button>
				<button type="button" class="icon" aria-label={t("starchess.previousStep")} title={t("starchess.previousStepKey")} disabled={at === 0} onClick={() => go(at - 1)}>‹</button>
				<button type="button" class="icon" aria-label={t("starchess.nextStep")} title={t("starchess.nextStepKey")} disabled={ply === null} onClick={() => go(at + 1)}>›</button>
				{ply !== null ? <button type="button" class="primary" onClick={() => { setPlaying(false); go(line.length); }}>{t("starchess.backToGame")}</button> : null}
			</div>
		</details>
	);
}
