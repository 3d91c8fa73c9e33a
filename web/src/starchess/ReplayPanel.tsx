// ReplayPanel.tsx - what the other factions did since your last turn: as a list, and step by step on the map.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { isShortcut } from "../ui/keys";
import { factionName } from "./commands";
import { sinceMine, type Course } from "./course";
import { Mark } from "./EmpirePanel";
import { stepText } from "./OrdersPanel";

const STEP_MS = 1100;

interface ReplayProps {
	line: { move: string; seat: number }[];
	course: Course;
	me: number;
	ply: number | null;
	onPly(ply: number | null): void;
}

/** Consecutive commands of one faction. */
interface Part {
	seat: number;
	from: number;
	moves: string[];
}

export function partsOf(line: ReplayProps["line"], from: number, to: number): Part[] {
	const parts: Part[] = [];
	for (let i = from; i < to; i++) {
		const { move, seat } = line[i]!, last = parts[parts.length - 1];
		if (last && last.seat === seat && last.moves[last.moves.length - 1] !== "end")
			last.moves.push(move);
		else
			parts.push({ seat, from: i, moves: [move] });
	}
	return parts;
}

const NEWS_MOST = 3; // orders of a faction

/** What each other faction did since the last turn of `me`. */
export function newsOf(line: ReplayProps["line"], course: Course, me: number): { seat: number; text: string }[] {
	const { from, to } = sinceMine(line, [me]);
	return partsOf(line, from, to).map(({ seat, from: first, moves }) => {
		const steps = moves.map((move, i) => stepText(course, first + i, seat, move)).filter((text) => ![t("starchess.endOfTurn"), t("starchess.endTurn")].includes(text));
		const told = steps.slice(0, steps.length > NEWS_MOST + 1 ? NEWS_MOST : steps.length), n = steps.length - told.length;
		return { seat, text: [...told, ...(n ? [t("starchess.moreOrders", { n })] : [])].join(". ") || t("starchess.noNews") };
	});
}

export function News({ news }: { news: { seat: number; text: string }[] }) {
	return (
		<ul class="small quiet happened news" aria-label={t("starchess.news")}>
			{news.map(({ seat, text }, i) => <li key={i}><Mark faction={seat} /><span>{factionName(seat)}: {text}</span></li>)}
		</ul>
	);
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

/** Keys to step through the commands, as on other boards. */
export function useStepKeys(at: number, end: number, onPly: (ply: number | null) => void): void {
	const latest = useRef({ at, end, onPly });
	latest.current = { at, end, onPly };
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			const target = event.target as Element | null;
			if (!isShortcut(event))
				return;
			const way = { ",": -1, ".": 1, ...(target?.closest("[role=grid], [role=slider]") ? {} : { ArrowLeft: -1, ArrowRight: 1 }) }[event.key];
			if (!way)
				return;
			event.preventDefault();
			const { at: now, end: last, onPly: go } = latest.current;
			const next = Math.min(last, Math.max(0, now + way));
			go(next === last ? null : next);
		};
		document.addEventListener("keydown", press);
		return () => document.removeEventListener("keydown", press);
	}, []);
}
