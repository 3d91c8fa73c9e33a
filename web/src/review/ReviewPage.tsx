// ReviewPage.tsx - "/review": accuracy, curve, turning points and every move of a finished game, and practice with its mistakes.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/props";
import { RequestError } from "../api";
import { paintsOf, playerName, resultText } from "../board/text";
import { t } from "../messages";
import { EvalBar, EvalGraph } from "../pages/lazy";
import { firstMove } from "../pages/numbers";
import { analyseLink, baseName, fetchGames, splitMoves, useLoad, useTitle, Waiting } from "../pages/parts";
import { turnText, useWalk, useWalkKeys, WalkBoard, WalkButtons, type Walk } from "../pages/walk";
import { hostOf } from "../play/host";
import type { PageProps } from "../routes";
import { AddToStudy } from "../study/lazy";
import { goTo, mainLine, newTree, pathTo, playAll, toStart } from "../tree";
import type { Review, ReviewPly } from "../types";
import { announce } from "../ui/announce";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { chapterOfReview } from "./chapter";
import { PracticeButtons, PracticePanel, usePractice } from "./Practice";
import { useReview, type ReviewState } from "./useReview";
import {
	accuracyText, bestName, countOf, diceRows, isMistake, lessonsOf, marksOf, plyName, plyNumber, plyText, plyTitle, rowsOf, sharesOf, shortValue, spokenValue, turningPoints, valueSentence,
} from "./words";

interface Source {
	key: string;
	game: string;
	start: string;
	moves: string[];
	names: string[]; // of the players; empty: unknown
	own: number | null; // your seat
	result: string | null; // of a game that is over
	learner: number | null; // the seat that learns from its mistakes at once
}

/** What the address says about the end of the game. */
function resultOf(query: URLSearchParams): string | null {
	return /^(draw|win \d+)$/.exec(query.get("result") ?? "")?.[0] ?? null;
}

/** null: there is no such game. */
async function loadSource(id: string | undefined, query: URLSearchParams): Promise<{ source: Source | null }> {
	const key = id ?? query.toString(), named = query.get("game"), learner = Number(query.get("learn")) || null;
	if (!id && named && !(await fetchGames()).some(({ name }) => name === baseName(named)))
		return { source: null };
	if (!id)
		return { source: { key, game: query.get("game") ?? "", start: query.get("position") ?? "start", moves: splitMoves(query.get("moves")), names: query.getAll("player"), own: null, result: resultOf(query), learner } };
	try {
		const { game, start, line, seats, result } = await hostOf(id).get(id);
		return { source: { key, game, start, moves: line.map(({ move }) => move), names: seats.map(playerName), own: seats.find((seat) => seat.you)?.seat ?? null, result, learner } };
	} catch (error) {
		if (error instanceof RequestError && (error.status === 404 || error.status === 400))
			return { source: null };
		throw error;
	}
}

export function ReviewPage({ args, query }: PageProps) {
	useTitle(t("review.title"));
	const id = args[0];
	const loaded = useLoad(id ?? query.toString(), () => loadSource(id, query));
	if (!loaded.value)
		return <section class="page"><h1>{t("review.title")}</h1><Waiting loaded={loaded} />{loaded.error && <WaysOut />}</section>;
	const { source } = loaded.value;
	if (!source?.moves.length || !source.game)
		return (
			<section class="page narrow">
				<h1>{source ? t("review.title") : t("review.notFound")}</h1>
				<p>{source ? t("review.noMoves") : t("review.notFoundText")}</p>
				<WaysOut />
			</section>
		);
	return <ReviewOf key={source.key} source={source} />;
}

/** Where to go if there is nothing to review. */
function WaysOut() {
	return (
		<div class="row">
			<a class="button primary" href="/my-games">{t("review.yourGames")}</a>
			<a class="button" href="/analyse"><Icon name="analyse" />{t("review.analysisBoard")}</a>
			<a class="button" href="/">{t("review.play")}</a>
		</div>
	);
}

/** Two sides that move alternately from the start: two columns. */
function isPaired(review: Review): boolean {
	return review.sides.length === 2 && review.plies.every((ply, i) => ply.seat > 0 && ply.seat !== review.plies[i - 1]?.seat);
}

function ReviewOf({ source }: { source: Source }) {
	const state = useReview(source.game, source.start, source.moves);
	const { review } = state;
	const walk = useWalk(useMemo(() => toStart(playAll(newTree(source.game, source.start), source.moves)), []));
	const { tree, view } = walk;
	const board = walk.found?.board ?? null;
	const { own } = source;
	const [turned, setTurned] = useState(own === 2);
	const [seat, setSeat] = useState(source.learner);
	const [isAdding, setAdding] = useState(false);
	const found = useMemo(() => review && seat !== null ? lessonsOf(review, seat) : null, [review, seat]), lessons = found?.length ? found : null;
	const paired = Boolean(review && isPaired(review)), first = (review?.plies[0]?.seat ?? 1) + 2 * (firstMove(source.game, source.start).number - 1);
	const practice = usePractice(walk, lessons, paired, first, endPractice);
	const line = mainLine(tree);
	const ply = line.indexOf(tree.cursor); // -1: in a variation
	const branch = pathTo(tree, tree.cursor).filter((id) => line.includes(id)).length; // the move of the game that it replaces
	const here = review && ply > 0 ? review.plies[ply - 1] ?? null : null;
	const value = here ?? (ply === 0 ? review?.start : null) ?? null;
	/* Your own moves are a variation; the review goes on with the game, at the mistake. */
	function endPractice(): void {
		const last = lessons?.[practice?.at ?? 0];
		setSeat(null);
		if (last)
			go(last.ply);
	}
	const go = (to: number) => walk.change((now) => goTo(now, mainLine(now)[to] ?? 0));
	const step = (way: number) => {
		const next = review?.plies.filter((one) => isMistake(one) && (one.ply - ply) * way > 0) ?? [];
		const found = way > 0 ? next[0] : next[next.length - 1];
		if (found)
			go(found.ply);
	};
	useWalkKeys(walk, { f: () => setTurned((now) => !now), m: () => step(1), n: () => step(-1) });
	useEffect(() => {
		if (here && !practice)
			announce(plyText(here));
	}, [here]);
	const arrows: Arrow[] = practice?.phase === "shown" ? bestArrow(walk, lessons?.[practice.at]) : [];
	return (
		<section class="page analysis review">
			<header class="analysis-head">
				<h1>{t("review.title")}</h1>
				<a class="button" title={t("review.analysisBoard")} href={analyseLink(source.game, source.start, source.moves)}><Icon name="analyse" /><span>{t("review.analysisBoard")}</span></a>
				<button type="button" title={t("study.add")} onClick={() => setAdding(true)}><Icon name="book" /><span>{t("study.add")}</span></button>
				{isAdding && <Dialog title={t("study.add")} onClose={() => setAdding(false)}>
					<AddToStudy onClose={() => setAdding(false)} trees={[chapterOfReview(source.game, source.start, source.moves, source.names, review)]} />
				</Dialog>}
			</header>
			<div class="analysis-grid">
				<div class="board-column">
					<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
						{review?.sides.length === 2 && <EvalBar share={value?.expected ?? null} side={review.sides[0] ?? ""} text={value ? shortValue(value, review.game) : ""} spoken={value ? spokenValue(value, review) : ""}
							paints={paintsOf(board)} turned={turned} />}
						<WalkBoard walk={practice ? { ...walk, play: practice.entry } : walk} arrows={arrows} turned={turned} still={!practice?.waits} />
					</div>
					<p class="turn">{view ? turnText(view, board, !practice?.waits) : "…"}</p>
					{!practice && <WalkButtons walk={walk}>
						{board?.turnable && <button type="button" aria-pressed={turned} onClick={() => setTurned(!turned)}
							aria-label={t("review.flip")} title={t("review.flipKey")}><Icon name="flip" /></button>}
					</WalkButtons>}
				</div>
				<div class="side stack">
					{!review ? <Progress state={state} /> : practice ? <PracticePanel practice={practice} onEnd={endPractice} /> : <>
						<Summary review={review} names={source.names} own={own} result={source.result ? resultText(source.result, board) : ""} onPractice={setSeat}
							title={(one) => plyTitle(one, paired, first)} onPick={go} />
						<section class="card" aria-labelledby="curve">
							<h2 id="curve">{t("review.graph")}</h2>
							<EvalGraph shares={sharesOf(review)} side={review.sides[0] ?? ""} names={review.plies.map((one) => `${plyNumber(one, paired, first)} ${plyName(one)}`)} marks={marksOf(review)}
								texts={[review.start, ...review.plies].map((one) => spokenValue(one, review))}
								{...(ply >= 0 ? { at: ply } : {})} onPick={go} />
							<p class="here">{here ? <><strong>{plyTitle(here, paired, first)}</strong> {plyText(here)} </> : null}
								{value ? <span class="quiet">{valueSentence(value, review)}</span> : null}</p>
							{here && isMistake(here) && <SeeBest ply={here} walk={walk} />}
							{ply < 0 && <button type="button" onClick={() => go(branch)}>{t("review.backToGame")}</button>}
						</section>
						<TurningPoints review={review} paired={paired} first={first} onPick={go} />
						<section class="card" aria-labelledby="moves">
							<div class="card-head">
								<h2 id="moves">{t("review.moves")}</h2>
								<div class="row">
									<button type="button" title={t("review.previousMistakeKey")} aria-label={t("review.previousMistake")} onClick={() => step(-1)}><Icon name="back" />??</button>
									<button type="button" title={t("review.nextMistakeKey")} aria-label={t("review.nextMistake")} onClick={() => step(1)}>??<Icon name="forward" /></button>
								</div>
							</div>
							<MoveRows review={review} start={source.start} paired={paired} first={first} ply={ply} onPick={go} />
						</section>
					</>}
				</div>
			</div>
		</section>
	);
}

function bestArrow(walk: Walk, lesson: ReviewPly | undefined): Arrow[] {
	const best = walk.fresh ? walk.view?.moves.find((move) => move.move === lesson?.best) : undefined;
	return best ? [{ touches: best.touches ?? best.clicks, kind: "hint" }] : [];
}

function Progress({ state: { done, of, error, again } }: { state: ReviewState }) {
	if (error)
		return <><p class="failure" role="alert"><span>{error}</span><button type="button" onClick={again}>{t("ui.tryAgain")}</button></p><WaysOut /></>;
	return (
		<section class="card" aria-labelledby="progress">
			<h2 id="progress">{t("review.reviewing")}</h2>
			<progress value={done} max={Math.max(1, of)} aria-label={t("review.progress")} />
			<p class="quiet small">{t("review.done", { done, n: of })}</p>
		</section>
	);
}

interface SummaryProps {
	review: Review;
	names: string[];
	own: number | null;
	result: string; // "White wins"; "": unknown
	title(ply: ReviewPly): string;
	onPractice(seat: number): void;
	onPick(ply: number): void;
}

const KINDS = [["inaccuracy", t("review.inaccuracies")], ["mistake", t("review.mistakes")], ["blunder", t("review.blunders")]] as const;

/** What to know at first glance: the result, how well each side played, and what to do next. */
function Summary({ review, names, own, result, title, onPractice, onPick }: SummaryProps) {
	const name = (seat: number) => {
		const player = names[seat - 1];
		return player ? <>{player} <small class="quiet">{review.sides[seat - 1]}</small></> : review.sides[seat - 1];
	};
	const seatNumbers = review.sides.map((_, i) => i + 1);
	return (
		<section class="card summary" aria-labelledby="accuracy">
			<div class="card-head"><h2 id="accuracy">{t("review.accuracy")}</h2>{result && <span class="tag">{result}</span>}</div>
			<table class="review-sums">
				<thead><tr><td />{seatNumbers.map((seat) => <th key={seat} scope="col">{name(seat)}</th>)}</tr></thead>
				<tbody>
					<tr class="accuracy">
						<th scope="row">{t("review.accuracy")}</th>
						{seatNumbers.map((seat) => <td key={seat}><strong>{accuracyText(review.accuracy[seat - 1])}</strong></td>)}
					</tr>
					{KINDS.map(([kind, title]) => (
						<tr key={kind}>
							<th scope="row">{title}</th>
							{seatNumbers.map((seat) => {
								const count = countOf(review, seat, kind);
								return <td key={seat} class={count ? `rated-${kind}` : "quiet"}>{count}</td>;
							})}
						</tr>
					))}
				</tbody>
			</table>
			<Verdict review={review} own={own} title={title} onPick={onPick} />
			<PracticeButtons review={review} own={own} onStart={onPractice} />
		</section>
	);
}

/** What you, or else both sides, did wrong. Inaccuracies are named if there is nothing worse to practise. */
function Verdict({ review, own, title, onPick }: Pick<SummaryProps, "review" | "own" | "title" | "onPick">) {
	const judged = review.plies.filter((ply) => isMistake(ply) && (own === null || ply.seat === own));
	const worse = judged.filter((ply) => ply.class !== "inaccuracy").length;
	if (worse)
		return null;
	return (
		<>
			<p>{t("review.verdict", { n: judged.length, whose: own === null ? "both" : "you" })}</p>
			{judged.length > 0 && <ul class="row inaccuracies" aria-label={t("review.inaccuracies")}>
				{judged.map((ply) => <li key={ply.ply}><button type="button" class="move rated-inaccuracy" onClick={() => onPick(ply.ply)}>{title(ply)}</button></li>)}
			</ul>}
		</>
	);
}

function SeeBest({ ply, walk }: { ply: ReviewPly; walk: Walk }) {
	const see = () => {
		const { best } = ply;
		if (best)
			walk.change((now) => playAll(goTo(now, mainLine(now)[ply.ply - 1] ?? 0), [best]));
	};
	return <button type="button" onClick={see}>{t("review.showMove", { move: bestName(ply) })}</button>;
}

function TurningPoints({ review, paired, first, onPick }: { review: Review; paired: boolean; first: number; onPick(ply: number): void }) {
	const points = turningPoints(review);
	if (!points.length)
		return null;
	return (
		<section class="card" aria-labelledby="turns">
			<h2 id="turns">{t("review.turningPoints")}</h2>
			<ul class="turning">
				{points.map((ply) => (
					<li key={ply.ply}>
						<button type="button" class={`move rated-${ply.class}`} onClick={() => onPick(ply.ply)}>{plyTitle(ply, paired, first)}</button>
						<span>{ply.text}</span>
					</li>
				))}
			</ul>
		</section>
	);
}

function MoveRows({ review, start, paired, first, ply, onPick }: { review: Review; start: string; paired: boolean; first: number; ply: number; onPick(ply: number): void }) {
	const list = useRef<HTMLOListElement>(null);
	useEffect(() => {
		const now = list.current?.querySelector<HTMLElement>("[aria-current]");
		if (list.current && now)
			list.current.scrollTop = now.offsetTop - list.current.clientHeight / 2;
	}, [ply]);
	const move = (one: ReviewPly | null) => one ? (
		<button key={one.ply} type="button" class={`move ${one.class ? `rated-${one.class}` : "chance"}`} aria-current={one.ply === ply ? "true" : undefined} onClick={() => onPick(one.ply)}
			aria-label={`${plyNumber(one, paired, first)} ${plyName(one)}. ${plyText(one)}`}>
			{plyName(one)}<span class="glyph">{one.glyph || (one.only && !one.forced ? "□" : "")}</span>
		</button>
	) : <span class="none">…</span>;
	const turns = useMemo(() => diceRows(review, start), [review, start]);
	const rows = paired ? rowsOf(review.plies) : review.plies.map((one): [ReviewPly, null] => [one, null]);
	return (
		<>
			<ol class={paired || turns ? "review-moves paired" : "review-moves"} ref={list} tabIndex={-1}>
				{turns ? turns.map((row, i) => (
					<li key={i}>
						<span class="number">{row.number}</span>{row.turns.map((plies, column) => <span key={column} class="turn-of">{plies.length ? plies.map(move) : move(null)}</span>)}
					</li>
				)) : rows.map((row, i) => (
					<li key={i}>
						<span class="number">{i + (paired ? Math.ceil(first / 2) : 1)}</span>{move(row[0])}{paired && (row[1] || i + 1 < rows.length) ? move(row[1]) : null}
					</li>
				))}
			</ol>
			<p class="quiet small">{t("review.glyphs")}</p>
		</>
	);
}
