// NodePanel.tsx - everything about one node: its path, value, window, what happens there in words, and the terms of its evaluation.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { EvaluationOf } from "../first";
import { number as count, t } from "../messages";
import type { BenchPreset } from "./Bench";
import { proofNumber, ucbTerm } from "./draw";
import { flagsOf, hasReason, meanSeat, moveOf, number, numbersAt, REASONS, seatAt, valueAt, windowText, worthAt, type SearchTree } from "./log";
import { wordsOf } from "./request";
import type { SeatName } from "./seats";
import { FLAG_NAMES, placeOf, REASON_NAMES } from "./textrows";

export function NodePanel({ preset, tree, node, path, line, event, words, windows, quick, onChoose }: {
	preset: BenchPreset; tree: SearchTree; node: number; path: number[]; line: string[] | null; event: number;
	words: boolean; windows: boolean; quick: boolean; onChoose(node: number): void;
}) {
	const isVisit = tree.kind === "search";
	const { visits } = tree.log;
	const reasons = isVisit ? visits.reasons[node] ?? 0 : 0;
	const isLeft = isVisit && tree.done[node]! <= event;
	const root = tree.roots.length > 1 ? t("lab.passTitle", { n: tree.roots.indexOf(path[0] ?? 0) + 1 }) : t("lab.startLabel");
	const tags = isVisit ? [
		...flagsOf(visits.flags[node] ?? 0).map((flag) => FLAG_NAMES[flag]),
		...isLeft ? REASONS.filter((reason) => hasReason(reasons, reason)).map((reason) => REASON_NAMES[reason]) : [],
	] : [];
	const isLeaf = isLeft && (hasReason(reasons, "leaf") || hasReason(reasons, "stand-pat"));
	return (
		<section class="card lab-node" aria-label={t("lab.node")}>
			<nav class="lab-path" aria-label={t("lab.path")}>
				{path.map((at, i) => <button key={at} type="button" class="text" aria-current={at === node ? "true" : undefined} onClick={() => onChoose(at)}>
					{i === 0 ? root : moveOf(tree, at) || t("lab.pass")}</button>)}
			</nav>
			{words && isVisit && <Words tree={tree} node={node} isLeft={isLeft} quick={quick} />}
			{isVisit ? <VisitNumbers tree={tree} node={node} event={event} windows={windows} /> : <GrowthNumbers tree={tree} node={node} event={event} />}
			{tags.length > 0 && <p class="lab-tags">{tags.map((tag) => <span key={tag} class="tag">{tag}</span>)}</p>}
			{isLeaf && line && <EvaluationOf where={{ game: preset.game, position: preset.position ?? "start", moves: [...preset.moves ?? [], ...line] }} />}
		</section>
	);
}

/** The letter of a seat in its colour. */
export function SeatChip({ seat, name }: { seat: number; name: SeatName | undefined }) {
	return <abbr class={`lab-seat of-${seat}`} title={name?.name ?? t("lab.player", { n: seat })}>{name?.letter ?? seat}</abbr>;
}

function VisitNumbers({ tree, node, event, windows }: { tree: SearchTree; node: number; event: number; windows: boolean }) {
	const { visits } = tree.log;
	const { final } = valueAt(tree, node, event), worth = worthAt(tree, node, event);
	const depth = visits.depth[node] ?? 0, mover = seatAt(tree, node);
	return (
		<dl class="lab-numbers">
			<div><dt>{final ? t("lab.value") : t("lab.valueSoFar")}</dt>
				<dd>{worth.length ? worth.map(({ seat, text }) => <span key={seat} class="lab-worth">{seat > 0 && <SeatChip seat={seat} name={tree.seats[seat - 1]} />}{text}</span>) : "–"}</dd></div>
			{tree.log.seats > 2 && mover ? <div><dt>{t("lab.toMove")}</dt><dd><SeatChip seat={mover} name={tree.seats[mover - 1]} />{tree.seats[mover - 1]?.name}</dd></div> : null}
			{windows && !tree.vectors.size && <div><dt title={t("lab.windowAbout")}>{t("lab.windowName")}</dt>
				<dd>{windowText(visits.alpha[node] ?? null, visits.beta[node] ?? null)}</dd></div>}
			<div><dt>{depth < 0 ? t("lab.beyondHorizon") : t("lab.pliesLeft")}</dt><dd>{Math.abs(depth)}</dd></div>
		</dl>
	);
}

function GrowthNumbers({ tree, node, event }: { tree: SearchTree; node: number; event: number }) {
	const pair = numbersAt(tree, node, event), above = tree.parent[node]!;
	if (!pair)
		return null;
	if (tree.kind === "proof")
		return (
			<dl class="lab-numbers">
				<div><dt>{t("lab.proofNumber")}</dt><dd>{proofNumber(pair[0])}</dd></div>
				<div><dt>{t("lab.disproofNumber")}</dt><dd>{proofNumber(pair[1])}</dd></div>
			</dl>
		);
	const term = above < 0 ? null : ucbTerm(numbersAt(tree, above, event)?.[0] ?? 0, pair[0], tree.log.growth?.ucb ?? 0);
	const seat = meanSeat(tree, node);
	return (
		<dl class="lab-numbers">
			<div><dt>{t("lab.visits")}</dt><dd>{count(pair[0])}</dd></div>
			<div><dt>{seat ? t("lab.meanResultFor", { player: tree.seats[seat - 1]?.name ?? t("lab.player", { n: seat }) }) : t("lab.meanResult")}</dt><dd>{number(pair[1])}</dd></div>
			{term !== null && <div><dt>{t("lab.ucbTerm")}</dt><dd>{number(term)}</dd></div>}
		</dl>
	);
}

/** The sentences come from the engine. While the search is played fast nobody could read them. */
function Words({ tree, node, isLeft, quick }: { tree: SearchTree; node: number; isLeft: boolean; quick: boolean }) {
	const [text, setText] = useState("");
	useEffect(() => {
		if (quick)
			return;
		let current = true;
		wordsOf(tree.log, node).then((words) => current && setText(words), () => current && setText(""));
		return () => void (current = false);
	}, [tree, node, quick]);
	/* What happens at a node is known when the search leaves it. The name makes a screen reader announce the next node, too. */
	const looking = t("lab.lookingBelow", { where: placeOf(tree, node), move: moveOf(tree, node) });
	return <p class="lab-words" aria-live="polite">{quick ? "…" : isLeft ? text : looking}</p>;
}
