// train.tsx - "/train": the opening trainer: learn the lines of a game's book by playing them.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/props";
import { findMove, moveName, sideName } from "../board/text";
import { askOnce } from "../engine/ask";
import { rich, t } from "../messages";
import { MoveField } from "../play/MoveField";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import { animationsOn } from "../store/settings";
import { movesTo, newTree, nodeAt, pathTo } from "../tree";
import type { BookPosition, Game, Opening, Openings } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { PlayFromHere } from "./analyseactions";
import { MoveTree } from "./movetree";
import { OpeningOptions, useBook } from "./openings";
import { canTrain } from "./openinglines";
import { analyseLink, fetchGames, Group, useBoard, useLoad, useTitle, Waiting } from "./parts";
import { gameToPlay } from "./showcase";
import { chooseReply, judgeMove, chooseLine, otherLines, heaviestLines, lessonSummary, expectedMoves, expectedText, readSelection, type Line, type Selection } from "./training";
import { useWalk, useWalkKeys, WalkBoard, WalkButtons } from "./walk";

const REPLY_MS = 450; // so that you see your own move first
const SWITCH_BUTTONS = 6; // further lines are in a select

export function TrainPage({ query }: PageProps) {
	useTitle(t("train.title"));
	const games = useLoad("games", fetchGames);
	const fit = games.value?.filter(canTrain) ?? [];
	const [name, setName] = useState(query.get("game") ?? "");
	const game = gameToPlay(fit, name) ?? null;
	const openings = useLoad(game?.name ?? "", () => askOnce("openings", game?.name ?? ""));
	const here = game && openings.value?.game === game.name ? openings.value : null;
	return (
		<section class="page analysis train">
			<header class="analysis-head">
				<h1>{t("train.title")}</h1>
				{game && <label><span class="unseen">{t("pages.game")}</span>
					<select value={game.name} onChange={(event) => setName(event.currentTarget.value)}>
						{fit.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
					</select>
				</label>}
			</header>
			{game && here
				? <Trainer key={game.name} game={game} openings={here} query={query.get("game") === game.name ? query : new URLSearchParams()} />
				: <Waiting loaded={games.value ? openings : games} />}
			{games.value && !game && <p class="none">{t("train.none")}</p>}
		</section>
	);
}

interface Lesson {
	line: Line;
	side: number;
	turn: number; // counts lessons; each one starts from scratch
}

/** The choice of opening and side, and the current lesson. */
function Trainer({ game, openings, query }: { game: Game; openings: Openings; query: URLSearchParams }) {
	const { lines } = openings;
	const [selection, setSelection] = useState<Selection>(() => readSelection(query.get("line"), lines));
	const [lesson, setLesson] = useState<Lesson>(() =>
		({ line: chooseLine(selection, lines, Math.random()), side: query.get("side") === "2" ? 2 : 1, turn: 0 }));
	const board = useBoard(game.name)?.board ?? null;
	const begin = (next: Selection, side: number) => {
		setSelection(next);
		setLesson((now) => ({ line: chooseLine(next, lines, Math.random(), now.line), side, turn: now.turn + 1 }));
	};
	const again = () => setLesson((now) => ({ ...now, turn: now.turn + 1 }));
	useEffect(() => {
		const link = new URLSearchParams({ game: game.name, line: String(selection), side: String(lesson.side) });
		history.replaceState(null, "", hrefOf(`/train?${link}`));
	}, [selection, lesson.side]);
	return (
		<LessonView key={lesson.turn} game={game} lines={lines} lesson={lesson} onAgain={again} onNext={() => begin("any", lesson.side)}>
			<section class="card" aria-labelledby="what">
				<h2 id="what">{t("train.practice")}</h2>
				<div class="stack">
					<label class="field"><span>{t("train.opening")}</span>
						<select value={String(selection)} onChange={(event) => begin(readSelection(event.currentTarget.value, lines), lesson.side)}>
							{lines.length > 0 && <option value="any">{t("train.random")}</option>}
							<option value="book">{t("train.anyBookMove")}</option>
							<OpeningOptions lines={lines} label={(one) => one.name} />
						</select>
					</label>
					<Group title={t("pages.yourSide")}>
						<div class="segments">
							{[1, 2].map((seat) => (
								<label key={seat} class="segment">
									<input type="radio" name="side" checked={lesson.side === seat} onChange={() => begin(selection, seat)} />
									<span>{sideName(board, seat)}</span>
								</label>
							))}
						</div>
					</Group>
				</div>
			</section>
		</LessonView>
	);
}

/** The reaction to the last move or hint. */
interface Feedback {
	kind: "right" | "wrong" | "other" | "plain";
	text: string;
	lines: number[]; // to switch to
	move: string; // played when switching; empty: none
	node: number; // the feedback is shown at this node only; -1: at any node
}

const NOTHING: Feedback = { kind: "plain", text: "", lines: [], move: "", node: -1 };

function LessonView({ game, lines, lesson, onAgain, onNext, children }: {
	game: Game; lines: Opening[]; lesson: Lesson; onAgain(): void; onNext(): void; children: preact.ComponentChildren;
}) {
	const { side } = lesson;
	const [line, setLine] = useState(lesson.line);
	const begins = (line !== null && lines[line - 1]?.position) || "start";
	const walk = useWalk(useMemo(() => newTree(game.name, begins), []));
	const { tree, view, fresh } = walk;
	const board = walk.found?.board ?? null;
	const moves = useMemo(() => movesTo(tree, tree.cursor), [tree]);
	const book = useBook(fresh, tree.game, tree.start, moves);
	const [lastFeedback, setFeedback] = useState<Feedback>(NOTHING);
	const feedback = lastFeedback.node < 0 || lastFeedback.node === tree.cursor ? lastFeedback : NOTHING;
	const [count, setCount] = useState({ mistakes: 0, hints: 0 });
	const [shown, setShown] = useState(-1); // the node where a hint is shown
	const [flipped, setFlipped] = useState(false);
	const room = useRef<HTMLDivElement>(null);
	const what = line === null ? "book" : "line";
	const name = (number: number) => lines[number - 1]?.name ?? "";
	const ended = book !== null && (view?.over || expectedMoves(book, line).length === 0);
	const mine = book !== null && !ended && view?.seat === side;
	const turned = (board?.turnable ?? false) && (side === 2) !== flipped;

	const showFeedback = (now: Feedback) => {
		setFeedback(now);
		announce(now.text);
	};
	const toBoard = () => room.current?.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });

	function attempt(move: string): void {
		if (!book || !mine)
			return;
		const verdict = judgeMove(book, line, move);
		const known = view?.moves.find((one) => one.move === move);
		const called = known ? moveName(known) : move;
		if (verdict.kind === "right") {
			setFeedback({ ...NOTHING, kind: "right", text: t("train.correct", { move: called }) });
			return walk.play(move);
		}
		setCount((now) => ({ ...now, mistakes: now.mistakes + 1 }));
		setShown(tree.cursor);
		const has = t("train.plays", { what, moves: expectedText(book, line) });
		if (verdict.kind === "other")
			showFeedback({ kind: "other", text: `${has} ${t("train.inOthers", { move: called, n: verdict.lines.length })}`, lines: verdict.lines, move, node: tree.cursor });
		else
			showFeedback({ ...NOTHING, kind: "wrong", node: tree.cursor,
				text: verdict.known ? `${has} ${t("train.unnamed", { move: called })}` : `${t("train.notInBook", { move: called })} ${has}` });
	}

	async function typed(text: string): Promise<boolean> {
		const move = view && findMove(view.moves, text);
		if (move)
			attempt(move);
		else
			showFeedback({ ...NOTHING, kind: "wrong", node: tree.cursor, text: t("train.illegal", { move: text }) });
		return move !== null;
	}

	function hint(): void {
		if (!book || !mine)
			return;
		if (shown !== tree.cursor)
			setCount((now) => ({ ...now, hints: now.hints + 1 }));
		setShown(tree.cursor);
		const note = expectedMoves(book, line)[0]?.note;
		showFeedback({ ...NOTHING, node: tree.cursor, text: `${t("train.continues", { what, moves: expectedText(book, line) })}${note ? ` ${note}.` : ""}` });
	}

	function change(to: number, move: string): void {
		setLine(to);
		setShown(-1);
		showFeedback({ ...NOTHING, text: t("train.switched", { opening: name(to) }) });
		if (move)
			walk.play(move);
		toBoard();
	}

	/* `book` always belongs to the current position. The trainer replies only at the end of the line, not while you look back. */
	const isLast = nodeAt(tree, tree.cursor).children.length === 0;
	useEffect(() => {
		const move = book && !ended && view?.seat !== side && isLast ? chooseReply(book, line, Math.random()) : null;
		if (!move)
			return;
		const timer = window.setTimeout(() => walk.play(move.move), animationsOn() ? REPLY_MS : 0);
		return () => window.clearTimeout(timer);
	}, [book, line, isLast]);

	const own = pathTo(tree, tree.cursor).filter((id) => nodeAt(tree, id).seat === side).length;
	const score = lessonSummary(own, count.mistakes, count.hints);
	const ends = { what, score, opening: line === null ? "" : name(line) };
	useEffect(() => {
		if (ended)
			announce(t("train.endsSpoken", ends));
	}, [ended]);
	useWalkKeys(walk, { h: hint, f: () => setFlipped((now) => !now) });

	const arrows: Arrow[] = book && mine && shown === tree.cursor
		? expectedMoves(book, line).map(({ touches }): Arrow => ({ touches, kind: "hint" })) : [];
	return (
		<div class="analysis-grid" ref={room}>
			<div class="board-column">
				<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
					<WalkBoard walk={{ ...walk, play: attempt }} arrows={arrows} turned={turned} still={!mine} />
				</div>
				<p class="turn">{ended ? t("train.ends", ends) : mine ? t("train.yourMove") : view ? t("train.toMove", { side: sideName(board, view.seat) }) : "…"}</p>
				<WalkButtons walk={walk}>
					{board?.turnable && <button type="button" aria-pressed={flipped} onClick={() => setFlipped(!flipped)}
						aria-label={t("train.flip")} title={t("train.flipTitle")}><Icon name="flip" /></button>}
				</WalkButtons>
			</div>
			<div class="side stack">
				<section class="card" aria-labelledby="lesson">
					<div class="card-head">
						<h2 id="lesson">{line === null ? t("train.wholeBook") : name(line)}</h2>
						<button type="button" onClick={hint} aria-disabled={!mine} title={t("train.hintTitle")}><Icon name="hint" />{t("train.hint")}</button>
					</div>
					<p class="small quiet">{progressText(line === null ? null : lines[line - 1] ?? null, moves.length, book)}</p>
					<div class={`lesson ${feedback.kind}`}>
						{feedback.text && <p>{feedback.text}</p>}
						{feedback.kind === "other" && <SwitchLine lines={lines} numbers={feedback.lines} onChange={(to) => change(to, feedback.move)} />}
						{ended && <p class="ends">{rich("train.endsWith", { ...ends, strong: (text) => <strong>{text}</strong> })}{book?.note ? ` ${book.note}` : ""}</p>}
					</div>
					{book && line !== null && !ended && <OtherLines book={book} line={line} lines={lines} onChange={(to) => change(to, "")} />}
					{view && !view.over && <MoveField board={board} view={view} enabled={mine} onMove={typed} />}
					<div class="row">
						{ended && line !== null && book && book.moves.length > 0 && !view?.over &&
							<button type="button" onClick={() => { setLine(null); toBoard(); }}><Icon name="book" />{t("train.continueBook")}</button>}
						<button type="button" onClick={onAgain}><Icon name="again" />{t("train.restart")}</button>
						{lines.length > 1 && <button type="button" onClick={onNext}><Icon name="dice" />{t("train.another")}</button>}
						<a class="button" href={analyseLink(tree.game, tree.start, moves)}><Icon name="analyse" />{t("train.analyse")}</a>
					</div>
					{view && !view.over && <PlayFromHere walk={walk} info={game} seat={side} label={t("train.playFromHere")} />}
				</section>
				{children}
				<section class="card" aria-labelledby="moves">
					<h2 id="moves">{t("train.moves")}</h2>
					<MoveTree tree={tree} numbered onChange={walk.change} />
				</section>
			</div>
		</div>
	);
}

/** Progress in the line, and the name of the last opening reached. */
function progressText(line: Opening | null, plies: number, book: BookPosition | null): string {
	const far = line ? t("train.progress", { n: Math.min(plies, line.moves.length), all: line.moves.length }) : t("train.played", { n: plies });
	const opening = book?.opening && book.opening !== line?.name ? ` · ${book.opening}` : "";
	return `${far}${opening}${line?.note ? ` · ${line.note}` : ""}`;
}

/** Other lines that reach the same position, by any move order. */
function OtherLines({ book, line, lines, onChange }: {
	book: BookPosition; line: Line; lines: Opening[]; onChange(line: number): void;
}) {
	const others = otherLines(book, line);
	if (!others.length)
		return null;
	return (
		<details class="others">
			<summary>{t("train.otherLines", { n: others.length })}</summary>
			<SwitchLine lines={lines} numbers={others} onChange={onChange} />
		</details>
	);
}

/** Buttons for the most frequent of these lines, and a select for the others. */
function SwitchLine({ lines, numbers, onChange }: { lines: Opening[]; numbers: number[]; onChange(line: number): void }) {
	const buttons = heaviestLines(lines, numbers, SWITCH_BUTTONS);
	const rest = numbers.filter((number) => !buttons.includes(number));
	return (
		<div class="row">
			{buttons.map((to) => <button type="button" key={to} onClick={() => onChange(to)}>{t("train.switchTo", { opening: lines[to - 1]?.name ?? "" })}</button>)}
			{rest.length > 0 && <select aria-label={t("train.switchOther")} value="" onChange={(event) => onChange(Number(event.currentTarget.value))}>
				<option value="" disabled>{t("train.moreLines", { n: rest.length })}</option>
				<OpeningOptions lines={lines} numbers={rest} label={(one) => one.name} />
			</select>}
		</div>
	);
}
