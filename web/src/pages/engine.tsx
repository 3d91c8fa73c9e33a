// engine.tsx - live analysis of the current position: lines, bar, arrows.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { isBackgammon } from "../board/backgammon";
import type { Arrow } from "../board/props";
import { listen } from "../engine/ask";
import type { AnalysisLine, AnalysisMessage, AnalysisRequest, View } from "../types";
import { t } from "../messages";
import { Icon } from "../ui/icons";
import { Failure } from "./parts";
import { countText, scoreText, spokenScore, type ScoreLook } from "./score";

export interface EngineState {
	message: AnalysisMessage | null;
	error: string | null;
}

/** Whether the page is visible: a background tab needs no analysis. */
function useSeen(): boolean {
	const [seen, setSeen] = useState(!document.hidden);
	useEffect(() => {
		const look = () => setSeen(!document.hidden);
		document.addEventListener("visibilitychange", look);
		return () => document.removeEventListener("visibilitychange", look);
	}, []);
	return seen;
}

/** Analyses while there is a request and the page is visible. A changed request starts a new search. strong: on the server. */
export function useAnalysis(request: AnalysisRequest | null, strong = false): EngineState {
	const [state, setState] = useState<EngineState>({ message: null, error: null });
	const seen = useSeen();
	const done = useRef(false);
	const key = request ? `${strong} ${JSON.stringify(request)}` : "";
	useEffect(() => {
		done.current = false;
		setState({ message: null, error: null });
	}, [key]);
	useEffect(() => {
		if (!request || !seen || done.current)
			return;
		return listen("analysis", request, {
			message(message) {
				done.current = message.done;
				setState({ message, error: null });
			},
			error: (error) => setState((now) => ({ ...now, error: sentence(error) })),
		}, { strong });
	}, [key, seen]);
	return state;
}

/** A short analysis, for the evaluation graph. */
export function quickShare(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisMessage> {
	return new Promise((resolve, reject) => {
		let best: AnalysisMessage | null = null;
		const stop = listen("analysis", request, {
			message(message) {
				best = message;
				if (message.done)
					resolve(message);
			},
			end: () => best ? resolve(best) : reject(new Error(t("analysis.noResult"))),
			error: reject,
		});
		signal.addEventListener("abort", () => {
			stop();
			reject(new DOMException("stopped", "AbortError"));
		});
	});
}

/** The expected score of the first seat, 0 to 1: the height of the bar and of the graph. */
export function firstShare(message: AnalysisMessage, view: View): number {
	return view.seat === 2 ? 1 - message.share : message.share;
}

/** The score of the first seat at the end of the game. */
export function endShare(view: View): number {
	return view.result === "win 1" ? 1 : view.result === "win 2" ? 0 : 0.5;
}

/** What a line loses compared with the best one, in backgammon: " (−0.160)". */
function lossText(line: AnalysisLine, best: AnalysisLine | undefined, game: string): string {
	return !isBackgammon(game) || !best || line === best || line.book || line.proven !== best.proven ? ""
		: ` (${scoreText({ score: Math.min(0, line.score - best.score), proven: false }, game)})`;
}

/** Scores are from the first side's point of view, except in backgammon and with more than two sides. names: of the two sides. */
export function lookOf(game: string, message: AnalysisMessage, seat: number, names: string[]): ScoreLook {
	const isPair = names.length === 2, isOwn = isBackgammon(game) || !isPair;
	const sides = isPair ? { sides: (isOwn && seat === 2 ? [names[1], names[0]] : names) as [string, string] } : {};
	return { percent: isPair, flip: seat === 2 && !isOwn, ...sides, ...(message.unit ? { unit: message.unit } : {}) };
}

/** names: of the sides. */
export function Lines({ game, state, seat, names, onLine }: {
	game: string; state: EngineState; seat: number; names: string[]; onLine(moves: string[]): void;
}) {
	const { message, error } = state;
	if (error)
		return <Failure error={error} />;
	if (!message)
		return <p class="waiting" role="status">{t("ui.thinking")}</p>;
	const look = lookOf(game, message, seat, names), whose = look.sides?.[0] ?? names[seat - 1] ?? "";
	return (
		<>
			<ol class={isBackgammon(game) ? "engine-lines equities" : "engine-lines"}>
				{message.lines.map((line, i) => (
					<LineItem key={i} line={line} tone={lineTone(line, look)} score={scoreText(line, game, look) + lossText(line, message.lines[0], game)}
						spoken={spokenScore(line, game, look)} onLine={onLine} />
				))}
			</ol>
			<p class="quiet small">
				{t("analysis.scores", { kind: isBackgammon(game) ? "equity" : message.unit ? "unit" : look.percent ? "share" : "plain", unit: message.unit?.name ?? "", whose })}{" "}
				{t("analysis.depth", { depth: message.depth, count: countText(message.nodes), done: message.done ? "yes" : "no" })}
			</p>
		</>
	);
}

/** One line, as far as it fits; the second button shows the rest of it. */
function LineItem({ line, tone, score, spoken, onLine }: { line: AnalysisLine; tone: string; score: string; spoken: string; onLine(moves: string[]): void }) {
	const [whole, setWhole] = useState(false);
	const names = line.short_pv ?? line.pv;
	return (
		<li class={whole ? "whole" : ""}>
			<button type="button" class="engine-line" onClick={() => onLine([line.move])} title={score.startsWith("#") ? `${spoken}. ${t("analysis.playLine")}` : t("analysis.playLine")}>
				<strong class={tone}>{score.startsWith("#") ? <><span aria-hidden="true">{score}</span><span class="unseen">{spoken}</span></> : score}</strong>
				<span>{names.join(" ")}</span>
			</button>
			{names.length > 1 && <button type="button" class="icon open-line" aria-expanded={whole} onClick={() => setWhole(!whole)}
				aria-label={t("analysis.wholeLine", { move: names[0] ?? "" })} title={t("analysis.wholeLineTitle")}><Icon name="forward" /></button>}
		</li>
	);
}

function lineTone(line: AnalysisLine, { flip }: ScoreLook): string {
	const score = flip ? -line.score : line.score;
	if (!line.proven)
		return "worth";
	return score > 0 ? "worth good" : score < 0 ? "worth bad" : "worth";
}

export function arrowsOf(message: AnalysisMessage | null): Arrow[] {
	return (message?.lines ?? [])
		.map((line, i): Arrow => ({ touches: line.touches, kind: i === 0 ? "hint" : "line" }))
		.filter((arrow) => arrow.touches.length > 0).slice(0, 3); // the board draws the first one on top
}
