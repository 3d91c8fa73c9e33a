// train.tsx - "/train": the openings of a game's book, to be learned by playing them.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getOnce } from "../api";
import type { Arrow } from "../board/props";
import { moveName, seatWords } from "../board/words";
import { MoveField } from "../play/MoveField";
import type { PageProps } from "../routes";
import { animationsOn } from "../store/settings";
import { movesTo, newTree, nodeAt, pathTo } from "../tree";
import type { BookPosition, Game, Opening, Openings } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { PlayFromHere } from "./analyseactions";
import { MoveTree } from "./movetree";
import { useBook } from "./openings";
import { analyseLink, fetchGames, Group, useBoard, useLoad, useTitle, Waiting } from "./parts";
import { answer, judge, lineOf, linesHere, moveOf, scoreOf, wanted, wantedWords, wishOf, type Line, type Wish } from "./training";
import { useWalk, useWalkKeys, WalkBoard, WalkButtons } from "./walk";

const ANSWER_MS = 450; // time to see one's own move

export function trainLink(game: string): string {
	return `/train?${new URLSearchParams({ game })}`;
}

/** Games of two with a book. */
export function canTrain(game: Game): boolean {
	return game.book && game.seats === 2 && !game.chance;
}

export function TrainPage({ query }: PageProps) {
	useTitle("Opening trainer");
	const games = useLoad("games", fetchGames);
	const fit = games.value?.filter(canTrain) ?? [];
	const [name, setName] = useState(query.get("game") ?? "");
	const game = fit.find((one) => one.name === name) ?? fit[0] ?? null;
	const openings = useLoad(game?.name ?? "", () => getOnce<Openings>(`/api/v1/openings?game=${encodeURIComponent(game?.name ?? "")}`));
	const here = game && openings.value?.game === game.name ? openings.value : null;
	return (
		<section class="page analysis train">
			<header class="analysis-head">
				<h1>Opening trainer</h1>
				{game && <label><span class="unseen">Game</span>
					<select value={game.name} onChange={(event) => setName(event.currentTarget.value)}>
						{fit.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
					</select>
				</label>}
			</header>
			{game && here
				? <Course key={game.name} game={game} openings={here} query={query.get("game") === game.name ? query : new URLSearchParams()} />
				: <Waiting loaded={games.value ? openings : games} />}
			{games.value && !game && <p class="none">No game here has an opening book.</p>}
		</section>
	);
}

interface Lesson {
	line: Line;
	side: number;
	turn: number; // counts lessons: each begins anew
}

/** What to train, and one lesson after the other. */
function Course({ game, openings, query }: { game: Game; openings: Openings; query: URLSearchParams }) {
	const { lines } = openings;
	const [wish, setWish] = useState<Wish>(() => wishOf(query.get("line"), lines));
	const [lesson, setLesson] = useState<Lesson>(() =>
		({ line: lineOf(wish, lines, Math.random()), side: query.get("side") === "2" ? 2 : 1, turn: 0 }));
	const board = useBoard(game.name)?.board ?? null;
	const begin = (next: Wish, side: number) => {
		setWish(next);
		setLesson((now) => ({ line: lineOf(next, lines, Math.random(), now.line), side, turn: now.turn + 1 }));
	};
	const again = () => setLesson((now) => ({ ...now, turn: now.turn + 1 }));
	useEffect(() => {
		const link = new URLSearchParams({ game: game.name, line: String(wish), side: String(lesson.side) });
		history.replaceState(null, "", `/train?${link}`);
	}, [wish, lesson.side]);
	return (
		<LessonView key={lesson.turn} game={game} lines={lines} lesson={lesson} onAgain={again} onNext={() => begin("any", lesson.side)}>
			<section class="card" aria-labelledby="what">
				<h2 id="what">Practice</h2>
				<div class="stack">
					<label class="field"><span>Opening</span>
						<select value={String(wish)} onChange={(event) => begin(wishOf(event.currentTarget.value, lines), lesson.side)}>
							{lines.length > 0 && <option value="any">Random opening</option>}
							<option value="book">Any book move counts</option>
							{lines.map((one, i) => <option key={i} value={i + 1}>{one.name}</option>)}
						</select>
					</label>
					<Group title="Your side">
						<div class="segments">
							{[1, 2].map((seat) => (
								<label key={seat} class="segment">
									<input type="radio" name="side" checked={lesson.side === seat} onChange={() => begin(wish, seat)} />
									<span>{seatWords(board, seat)}</span>
								</label>
							))}
						</div>
					</Group>
				</div>
			</section>
		</LessonView>
	);
}

/** What was said of the last try. */
interface Told {
	kind: "right" | "wrong" | "other" | "plain";
	text: string;
	lines: number[]; // to change to
	move: string; // to be played with the change; empty: none
	node: number; // where it was said, and holds; -1: anywhere
}

const NOTHING: Told = { kind: "plain", text: "", lines: [], move: "", node: -1 };

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
	const [said, setTold] = useState<Told>(NOTHING);
	const told = said.node < 0 || said.node === tree.cursor ? said : NOTHING;
	const [count, setCount] = useState({ mistakes: 0, hints: 0 });
	const [shown, setShown] = useState(-1); // the node where a hint is shown
	const [flipped, setFlipped] = useState(false);
	const room = useRef<HTMLDivElement>(null);
	const name = (number: Line) => number === null ? "whole book" : lines[number - 1]?.name ?? "";
	const ended = book !== null && (view?.over || wanted(book, line).length === 0);
	const mine = book !== null && !ended && view?.seat === side;
	const turned = (board?.turnable ?? false) && (side === 2) !== flipped;

	const say = (now: Told) => {
		setTold(now);
		announce(now.text);
	};
	const toBoard = () => room.current?.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });

	function attempt(move: string): void {
		if (!book || !mine)
			return;
		const verdict = judge(book, line, move);
		const known = view?.moves.find((one) => one.move === move);
		const called = known ? moveName(known) : move;
		if (verdict.kind === "right") {
			setTold({ ...NOTHING, kind: "right", text: `${called} is correct.` });
			return walk.play(move);
		}
		setCount((now) => ({ ...now, mistakes: now.mistakes + 1 }));
		setShown(tree.cursor);
		const has = `${line === null ? "The book" : "The line"} plays ${wantedWords(book, line)} here.`;
		if (verdict.kind === "other")
			say({ kind: "other", text: `${has} ${called} is in ${verdict.lines.length > 1 ? "other lines" : "another line"}:`, lines: verdict.lines, move, node: tree.cursor });
		else
			say({ ...NOTHING, kind: "wrong", node: tree.cursor,
				text: verdict.known ? `${has} ${called} is in the book, but not in a named line.` : `${called} is not in the book. ${has}` });
	}

	async function typed(text: string): Promise<boolean> {
		const move = view && moveOf(view.moves, text);
		if (move)
			attempt(move);
		else
			say({ ...NOTHING, kind: "wrong", node: tree.cursor, text: `${text} isn't a legal move here.` });
		return move !== null;
	}

	function hint(): void {
		if (!book || !mine)
			return;
		if (shown !== tree.cursor)
			setCount((now) => ({ ...now, hints: now.hints + 1 }));
		setShown(tree.cursor);
		const note = wanted(book, line)[0]?.note;
		say({ ...NOTHING, node: tree.cursor, text: `${line === null ? "The book" : "The line"} continues with ${wantedWords(book, line)}.${note ? ` ${note}.` : ""}` });
	}

	function change(to: number, move: string): void {
		setLine(to);
		setShown(-1);
		say({ ...NOTHING, text: `Switched to ${name(to)}.` });
		if (move)
			walk.play(move);
		toBoard();
	}

	/* A book that is there is that of the position in view. The trainer answers at the end of what has been played; who has gone back only looks. */
	const isLast = nodeAt(tree, tree.cursor).children.length === 0;
	useEffect(() => {
		const move = book && !ended && view?.seat !== side && isLast ? answer(book, line, Math.random()) : null;
		if (!move)
			return;
		const timer = window.setTimeout(() => walk.play(move.move), animationsOn() ? ANSWER_MS : 0);
		return () => window.clearTimeout(timer);
	}, [book, line, isLast]);

	const own = pathTo(tree, tree.cursor).filter((id) => nodeAt(tree, id).seat === side).length;
	const score = scoreOf(own, count.mistakes, count.hints);
	const endWords = line === null ? "The book ends here" : `${name(line)} ends here`;
	useEffect(() => {
		if (ended)
			announce(`${endWords}: ${score}.`);
	}, [ended]);
	useWalkKeys(walk, { h: hint, f: () => setFlipped((now) => !now) });

	const arrows: Arrow[] = book && mine && shown === tree.cursor
		? wanted(book, line).map(({ touches }): Arrow => ({ touches, kind: "hint" })) : [];
	return (
		<div class="analysis-grid" ref={room}>
			<div class="board-column">
				<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
					<WalkBoard walk={{ ...walk, play: attempt }} arrows={arrows} turned={turned} still={!mine} />
				</div>
				<p class="turn">{ended ? `${endWords}.` : mine ? "Your move." : view ? `${seatWords(board, view.seat)} to move.` : "…"}</p>
				<WalkButtons walk={walk}>
					{board?.turnable && <button type="button" aria-pressed={flipped} onClick={() => setFlipped(!flipped)}
						aria-label="Flip the board" title="Flip the board (f)"><Icon name="flip" /></button>}
				</WalkButtons>
			</div>
			<div class="side stack">
				<section class="card" aria-labelledby="lesson">
					<div class="card-head">
						<h2 id="lesson">{line === null ? "Whole book" : name(line)}</h2>
						<button type="button" onClick={hint} aria-disabled={!mine} title="Show the next move (h)"><Icon name="hint" />Hint</button>
					</div>
					<p class="small quiet">{progressWords(line === null ? null : lines[line - 1] ?? null, moves.length, book)}</p>
					<div class={`lesson ${told.kind}`}>
						{told.text && <p>{told.text}</p>}
						{told.kind === "other" && <div class="row">
							{told.lines.map((to) => <button type="button" key={to} onClick={() => change(to, told.move)}>Switch to {name(to)}</button>)}
						</div>}
						{ended && <p class="ends"><strong>{endWords}:</strong> {score}.{book?.note ? ` ${book.note}` : ""}</p>}
					</div>
					{book && line !== null && !ended && <OtherLines book={book} line={line} name={name} onChange={(to) => change(to, "")} />}
					{view && !view.over && <MoveField board={board} view={view} enabled={mine} onMove={typed} />}
					<div class="row">
						{ended && line !== null && book && book.moves.length > 0 && !view?.over &&
							<button type="button" onClick={() => { setLine(null); toBoard(); }}><Icon name="book" />Continue with the book</button>}
						<button type="button" onClick={onAgain}><Icon name="again" />Restart</button>
						{lines.length > 1 && <button type="button" onClick={onNext}><Icon name="dice" />Another opening</button>}
						<a class="button" href={analyseLink(tree.game, tree.start, moves)}><Icon name="analyse" />Analyse</a>
					</div>
					{view && !view.over && <PlayFromHere walk={walk} info={game} seat={side} label="Play from here" />}
				</section>
				{children}
				<section class="card" aria-labelledby="moves">
					<h2 id="moves">Moves</h2>
					<MoveTree tree={tree} numbered onChange={walk.change} />
				</section>
			</div>
		</div>
	);
}

/** How far one has come, and the last name on the way. */
function progressWords(line: Opening | null, plies: number, book: BookPosition | null): string {
	const far = line ? `${Math.min(plies, line.moves.length)} of ${line.moves.length} moves` : `${plies} moves`;
	const opening = book?.opening && book.opening !== line?.name ? ` · ${book.opening}` : "";
	return `${far}${opening}${line?.note ? ` · ${line.note}` : ""}`;
}

/** Lines that come to the same position, by whatever moves. */
function OtherLines({ book, line, name, onChange }: {
	book: BookPosition; line: Line; name(line: Line): string; onChange(line: number): void;
}) {
	const others = linesHere(book, line);
	if (!others.length)
		return null;
	return (
		<details class="others">
			<summary>{others.length === 1 ? "Another line reaches this position" : `${others.length} other lines reach this position`}</summary>
			<div class="row">
				{others.map((to) => <button type="button" key={to} onClick={() => onChange(to)}>Switch to {name(to)}</button>)}
			</div>
		</details>
	);
}
