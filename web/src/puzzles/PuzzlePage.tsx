// PuzzlePage.tsx - "/puzzles/GAME": you play the solution, and the stored line replies. ?daily: today's, ?id: a certain one, ?ladder.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/props";
import { findMove, moveName, sideName } from "../board/text";
import { t } from "../messages";
import { analyseLink, fetchPosition, useGame, useLoad, useTitle, Waiting } from "../pages/parts";
import { useWalk, useWalkKeys, WalkBoard, WalkButtons } from "../pages/walk";
import { MoveField } from "../play/MoveField";
import { play as sound } from "../play/sounds";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import { animationsOn } from "../store/settings";
import { useStore } from "../store/store";
import { movesTo, newTree, nodeAt } from "../tree";
import type { PuzzleRating } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { hasLadder, loadPuzzles } from "./files";
import { hasPuzzles } from "./games";
import { Ladder } from "./Ladder";
import { dailyOf, dayNumber, resultFact, taskText, wrongText, type Puzzle } from "./parse";
import { choosePuzzle, progress, progressIn, recordDaily, recordTry, shownRating, SHOWN_AFTER, wasTried } from "./progress";
import { reportAttempt, withRatings } from "./ratings";

const REPLY_MS = 500; // so that you see your own move first
const RATED_AFTER = 10; // players

export function PuzzlePage({ args, query }: PageProps) {
	const name = args[0] ?? "";
	const { info } = useGame(name);
	const title = info?.title ?? name;
	useTitle(t("puzzles.title", { game: title }));
	const loaded = useLoad(hasPuzzles(name) ? name : "", async () => ({ name, puzzles: await withRatings(name, await loadPuzzles(name)) }));
	const puzzles = loaded.value?.name === name ? loaded.value.puzzles : null;
	const ladder = query.has("ladder") && hasLadder(name);
	return (
		<section class="page analysis puzzles">
			<header class="analysis-head">
				<h1>{ladder ? t("puzzles.beatGame", { game: title }) : t("puzzles.title", { game: title })}</h1>
				<a href="/puzzles">{t("puzzles.allPuzzles")}</a>
			</header>
			{!hasPuzzles(name) && <p class="none">{t("puzzles.noPuzzles")}</p>}
			{puzzles ? ladder ? <Ladder key={name} game={name} puzzles={puzzles} /> : <Room key={name} game={name} puzzles={puzzles} query={query} />
				: hasPuzzles(name) && <Waiting loaded={loaded} />}
		</section>
	);
}

/** The puzzle at hand, and the choice of the next one. */
function Room({ game, puzzles, query }: { game: string; puzzles: Puzzle[]; query: URLSearchParams }) {
	const today = dayNumber(new Date());
	const daily = useMemo(() => dailyOf(puzzles, today), [puzzles, today]);
	const [turn, setTurn] = useState(() => {
		const asked = puzzles.find(({ id }) => id === query.get("id"));
		return { number: 0, puzzle: asked ?? (query.has("daily") ? daily : null) ?? choosePuzzle(puzzles, progress.get(), game, Math.random()) };
	});
	const { puzzle } = turn;
	const [fresh, setFresh] = useState<Record<string, PuzzleRating>>({}); // the ratings with your own attempts
	const next = () => setTurn({ number: turn.number + 1, puzzle: choosePuzzle(puzzles, progress.get(), game, Math.random()) });
	const again = () => setTurn({ number: turn.number + 1, puzzle });
	useEffect(() => {
		if (puzzle)
			history.replaceState(null, "", hrefOf(`/puzzles/${game}?${puzzle === daily ? "daily=1" : `id=${puzzle.id}`}`));
	}, [puzzle]);
	if (!puzzle)
		return <p class="none">{t("puzzles.noPuzzles")}</p>;
	return <Solver key={turn.number} game={game} puzzle={{ ...puzzle, measured: fresh[puzzle.id] ?? puzzle.measured }} isDaily={puzzle === daily} today={today}
		onNext={next} onAgain={again} onRated={(rating) => setFresh((now) => ({ ...now, [rating.id]: rating }))} />;
}

/** A few attempts say little: until then it is the guess that the puzzle came with. */
function ratingText({ rating, measured }: Puzzle): string {
	const isRated = measured && measured.tries >= RATED_AFTER;
	const text = isRated ? t("puzzles.rated", { rating: Math.round(measured.rating) }) : t("puzzles.guessed", { rating: Math.round(rating) });
	return measured ? `${text} · ${t("puzzles.solvedBy", { solved: measured.solved, n: measured.tries })}` : text;
}

interface Feedback {
	kind: "right" | "wrong" | "plain";
	text: string;
}

function Solver({ game, puzzle, isDaily, today, onNext, onAgain, onRated }: {
	game: string; puzzle: Puzzle; isDaily: boolean; today: number; onNext(): void; onAgain(): void; onRated(rating: PuzzleRating): void;
}) {
	const walk = useWalk(useMemo(() => newTree(puzzle.game, puzzle.position), []));
	const { tree, view, fresh } = walk;
	const board = walk.found?.board ?? null;
	const [seat, setSeat] = useState(0);
	const [state, setState] = useState<"open" | "solved" | "shown">("open");
	const [feedback, setFeedback] = useState<Feedback>({ kind: "plain", text: "" });
	const [hinted, setHinted] = useState(-1); // the node where the hint is shown
	const [repeated] = useState(() => wasTried(progress.get(), game, puzzle));
	const counted = useRef(repeated);
	const before = useRef(shownRating(progressIn(progress.get(), game)));
	const now = useStore(progress), mine = progressIn(now, game);
	const room = useRef<HTMLDivElement>(null), actions = useRef<HTMLDivElement>(null);
	const moves = movesTo(tree, tree.cursor), ply = moves.length;
	const isLast = nodeAt(tree, tree.cursor).children.length === 0;
	const yourTurn = fresh && state === "open" && isLast && ply % 2 === 0;
	useEffect(() => {
		if (fresh && view && ply === 0)
			setSeat(view.seat);
	}, [fresh, view]);

	const say = (next: Feedback) => {
		setFeedback(next);
		announce(next.text);
	};
	/** Only the first result of a puzzle counts, also after a reload. */
	const count = (solved: boolean) => {
		if (counted.current)
			return;
		counted.current = true;
		reportAttempt(game, puzzle, solved, mine.you).then((rating) => rating && onRated(rating));
		recordTry(game, puzzle, solved);
	};
	const nameOf = (move: string) => {
		const known = view?.moves.find((one) => one.move === move);
		return known ? moveName(known) : move;
	};

	function finish(last: string, isOther: boolean): void {
		const clean = !counted.current;
		count(true);
		setState("solved");
		sound("win");
		if (isDaily)
			recordDaily(game, today);
		const other = isOther ? t("puzzles.worksToo", { move: last }) : "";
		say({ kind: "right", text: [other, clean ? t("puzzles.solvedClean") : repeated ? t("puzzles.solvedEnd") : t("puzzles.solvedLate"), resultFact(puzzle)].filter(Boolean).join(" ") });
	}

	function attempt(move: string): void {
		const expected = puzzle.line[ply] ?? [];
		if (!yourTurn)
			return;
		if (!expected.includes(move)) {
			count(false);
			sound("refused");
			return say({ kind: "wrong", text: wrongText(puzzle, ply, nameOf(move)) });
		}
		walk.play(move);
		sound("move");
		setHinted(-1);
		const isOther = move !== expected[0];
		if (isOther || ply + 1 >= puzzle.line.length)
			finish(nameOf(move), isOther);
		else
			setFeedback({ kind: "right", text: t("puzzles.isRight", { move: nameOf(move) }) });
	}

	async function typed(text: string): Promise<boolean> {
		const move = view && findMove(view.moves, text);
		if (move)
			attempt(move);
		else
			say({ kind: "wrong", text: t("puzzles.illegal", { move: text }) });
		return move !== null;
	}

	function hint(): void {
		if (!yourTurn)
			return;
		count(false);
		setHinted(tree.cursor);
		const move = view?.moves.find((one) => one.move === puzzle.line[ply]?.[0]);
		const cell = board?.cells[(move?.touches ?? move?.clicks ?? [])[0] ?? -1]?.name;
		say({ kind: "plain", text: cell ? t("puzzles.hintCell", { cell }) : t("puzzles.hintMove", { move: nameOf(puzzle.line[ply]?.[0] ?? "") }) });
	}

	function show(): void {
		if (state !== "open")
			return;
		count(false);
		setState("shown");
		const main = puzzle.line.map((turn) => turn[0] ?? "");
		const tell = (moves: string[]) => say({ kind: "plain", text: `${t("puzzles.solutionIs", { moves: moves.join(", ") })} ${resultFact(puzzle)}`.trim() });
		fetchPosition(puzzle.game, puzzle.position, main).then(({ line }) => tell(line ?? main), () => tell(main));
	}

	/* On a small screen what comes next is below the board. */
	useEffect(() => {
		if (state !== "open")
			actions.current?.scrollIntoView({ block: "nearest" });
	}, [state, feedback]);

	/* The stored line replies, and plays on alone when the solution is shown. */
	useEffect(() => {
		const move = puzzle.line[ply]?.[0];
		const plays = state === "shown" || (state === "open" && ply % 2 === 1);
		if (!fresh || !isLast || !plays || !move)
			return;
		const timer = window.setTimeout(() => walk.play(move), animationsOn() ? REPLY_MS : 0);
		return () => window.clearTimeout(timer);
	}, [fresh, isLast, state, tree.cursor]);
	useWalkKeys(walk, { h: hint, s: show, n: onNext });

	const hintMove = hinted === tree.cursor ? view?.moves.find((one) => one.move === puzzle.line[ply]?.[0]) : undefined;
	const arrows: Arrow[] = hintMove ? [{ touches: (hintMove.touches ?? hintMove.clicks).slice(0, 1), kind: "hint" }] : [];
	const rating = shownRating(mine), change = rating !== null && before.current !== null ? rating - before.current : 0;
	const side = sideName(board, seat), guide = repeated ? t("puzzles.repeated") : t("puzzles.how");
	return (
		<div class="analysis-grid" ref={room}>
			<div class="board-column">
				<p class="task-line" aria-hidden="true">{seat ? taskText(puzzle, side) : "…"}</p>
				<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
					<WalkBoard walk={{ ...walk, play: attempt }} arrows={arrows} turned={(board?.turnable ?? false) && seat === 2} still={!yourTurn} />
				</div>
				<p class={state === "open" ? "turn" : "turn done"}>{yourTurn ? t("puzzles.yourMove") : state === "solved" ? t("puzzles.solvedEnd") : state === "shown" ? t("puzzles.solution") : "…"}</p>
				<p class={`task-line ${feedback.kind}`} aria-hidden="true">{feedback.text || guide}</p>
				{(ply > 0 || !isLast) && <WalkButtons walk={walk} />}
			</div>
			<div class="side stack">
				<section class={state === "solved" ? "card task solved" : "card task"} aria-labelledby="task">
					<p class="small quiet">{isDaily ? t("puzzles.daily") : t("puzzles.puzzle")} · {ratingText(puzzle)}</p>
					<h2 id="task">{seat ? taskText(puzzle, side) : "…"}</h2>
					<div class={`lesson ${feedback.kind}`}>
						{feedback.text ? <p>{state === "solved" && <Icon name="exact" />}{feedback.text}</p>
							: <p class="quiet">{guide}</p>}
					</div>
					<div class="row" ref={actions}>
						{state === "open" && <>
							<button type="button" onClick={hint} aria-disabled={!yourTurn} title={t("puzzles.hintKey")}><Icon name="hint" />{t("puzzles.hint")}</button>
							<button type="button" onClick={show} title={t("puzzles.showKey")}><Icon name="eye" />{t("puzzles.show")}</button>
						</>}
						{state !== "open" && <button type="button" class="primary" onClick={onNext} title={t("puzzles.nextKey")}><Icon name="forward" />{t("puzzles.next")}</button>}
						{state !== "open" && <button type="button" onClick={onAgain}><Icon name="again" />{t("puzzles.tryAgain")}</button>}
						{counted.current && <a class="button" href={analyseLink(puzzle.game, puzzle.position, moves)}><Icon name="analyse" />{t("puzzles.analyse")}</a>}
						{state === "open" && <button type="button" onClick={onNext} title={t("puzzles.anotherKey")}><Icon name="forward" />{t("puzzles.skip")}</button>}
					</div>
					{view && !view.over && state === "open" && <MoveField board={board} view={view} enabled={yourTurn} onMove={typed} />}
					{isDaily && state === "solved" && <p class="small quiet">{t("puzzles.daysInRow", { n: now.days.count })} {t("puzzles.tomorrow")}</p>}
				</section>
				<section class="card" aria-labelledby="yours">
					<h2 id="yours">{t("puzzles.yourResults")}</h2>
					<dl class="results">
						<div><dt>{t("puzzles.rating")}</dt><dd>{rating ?? "?"}{counted.current && change !== 0 && <span class={change > 0 ? "up" : "down"}> {change > 0 ? `+${change}` : `−${-change}`}</span>}</dd></div>
						<div><dt>{t("puzzles.solved")}</dt><dd>{t("puzzles.solvedOf", { solved: mine.solved, tries: mine.tries })}</dd></div>
						<div><dt>{t("puzzles.streak")}</dt><dd>{mine.streak}</dd></div>
						<div><dt>{t("puzzles.bestStreak")}</dt><dd>{mine.best}</dd></div>
					</dl>
					{rating === null && <p class="small quiet">{t("puzzles.ratingNew", { n: SHOWN_AFTER, tries: mine.tries })}</p>}
				</section>
			</div>
		</div>
	);
}
