// Ladder.tsx - "Beat the perfect player": positions that you can win or draw, played out against an opponent that never errs.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { findMove, moveName, sideName } from "../board/text";
import { listen } from "../engine/ask";
import { t } from "../messages";
import { useWalk, useWalkKeys, WalkBoard, WalkButtons } from "../pages/walk";
import { MoveField } from "../play/MoveField";
import { play as sound } from "../play/sounds";
import { animationsOn } from "../store/settings";
import { useStore } from "../store/store";
import { back, movesTo, newTree, nodeAt } from "../tree";
import type { Values } from "../types";
import { announce } from "../ui/announce";
import { Icon } from "../ui/icons";
import { ladderOf } from "./files";
import type { Puzzle } from "./parse";
import { progress, progressIn, recordRung } from "./progress";
import { givenAway, perfectReply } from "./perfect";

const REPLY_MS = 500;

export function Ladder({ game, puzzles }: { game: string; puzzles: Puzzle[] }) {
	const rungs = useMemo(() => ladderOf(puzzles), [puzzles]);
	const { rung: reached } = progressIn(useStore(progress), game);
	const [turn, setTurn] = useState({ number: 0, rung: Math.min(reached, rungs.length - 1) });
	const go = (rung: number) => setTurn({ number: turn.number + 1, rung });
	const puzzle = rungs[turn.rung];
	if (!puzzle)
		return <p class="none">{t("puzzles.noLadder")}</p>;
	return (
		<Rung key={turn.number} game={game} puzzle={puzzle} number={turn.rung + 1} count={rungs.length}
			onNext={turn.rung + 1 < rungs.length ? () => go(turn.rung + 1) : null} onAgain={() => go(turn.rung)}>
			<section class="card" aria-labelledby="rungs">
				<h2 id="rungs">{t("puzzles.ladder")}</h2>
				<ol class="rungs">
					{rungs.map((one, i) => (
						<li key={one.id}>
							<button type="button" aria-current={i === turn.rung ? "step" : undefined} disabled={i > reached} onClick={() => go(i)}
								aria-label={i < reached ? t("puzzles.rungHeld", { n: i + 1 }) : i > reached ? t("puzzles.rungLocked", { n: i + 1 }) : t("puzzles.rung", { n: i + 1 })}>
								{i < reached ? <Icon name="exact" /> : i + 1}
							</button>
						</li>
					))}
				</ol>
				<p class="small quiet">{reached >= rungs.length ? t("puzzles.allHeld") : t("puzzles.held", { n: reached, all: rungs.length })}</p>
			</section>
		</Rung>
	);
}

interface RungProps {
	game: string;
	puzzle: Puzzle;
	number: number; // from 1
	count: number;
	onNext: (() => void) | null; // null: this is the last one
	onAgain(): void;
	children: preact.ComponentChildren;
}

function Rung({ game, puzzle, number, count, onNext, onAgain, children }: RungProps) {
	const walk = useWalk(useMemo(() => newTree(puzzle.game, puzzle.position), []));
	const { tree, view, fresh } = walk;
	const board = walk.found?.board ?? null;
	const wanted = puzzle.goal.kind === "keep" && puzzle.goal.value === "draw" ? "draw" : "win";
	const [seat, setSeat] = useState(0);
	const [state, setState] = useState<"open" | "lost" | "held">("open");
	const [text, setText] = useState("");
	const latest = useRef(walk), actions = useRef<HTMLDivElement>(null);
	latest.current = walk;
	const moves = movesTo(tree, tree.cursor);
	const isLast = nodeAt(tree, tree.cursor).children.length === 0;
	const yourTurn = fresh && isLast && state === "open" && view !== null && !view.over && view.seat === seat;
	const say = (next: string) => {
		setText(next);
		announce(next);
	};

	useEffect(() => {
		if (fresh && view && !moves.length)
			setSeat(view.seat);
	}, [fresh, view]);

	/* The opponent replies by the exact values; they also show whether you still hold the position. */
	useEffect(() => {
		if (!fresh || !isLast || !view || !seat || state !== "open")
			return;
		if (view.over) {
			const held = view.result === `win ${seat}` || (wanted === "draw" && view.result === "draw");
			setState(held ? "held" : "lost");
			sound(held ? "win" : "loss");
			if (held)
				recordRung(game, number);
			return say(held ? wanted === "win" ? t("puzzles.wonPerfect") : t("puzzles.heldPerfect") : t("puzzles.lostPosition"));
		}
		if (view.seat === seat)
			return;
		let known: Values | null = null, timer = 0;
		const stop = listen("values", { game: tree.game, position: tree.start, moves }, {
			message: (values) => void (known = values),
			end: () => {
				const lost = known ? givenAway(known, wanted) : "no";
				if (lost !== "no") {
					setState("lost");
					sound("refused");
					return say(lost === "unproved" ? t("puzzles.unproved") : wanted === "win" ? t("puzzles.givesWin") : t("puzzles.loses"));
				}
				const move = known && perfectReply(known);
				timer = window.setTimeout(() => move && latest.current.play(move), animationsOn() ? REPLY_MS : 0);
			},
			error: () => say(t("puzzles.noReply")),
		});
		return () => {
			stop();
			window.clearTimeout(timer);
		};
	}, [fresh, isLast, seat, state, tree.cursor]);

	function attempt(move: string): void {
		if (!yourTurn)
			return;
		setText("");
		walk.play(move);
	}

	async function typed(input: string): Promise<boolean> {
		const move = view && findMove(view.moves, input);
		if (move)
			attempt(move);
		else
			say(t("puzzles.illegal", { move: input }));
		return move !== null;
	}

	function takeBack(): void {
		walk.change((now) => (view?.over && view.last?.seat !== seat ? back(back(now)) : back(now)));
		setState("open");
		setText("");
	}
	useWalkKeys(walk, {});
	/* On a small screen what comes next is below the board. */
	useEffect(() => {
		if (state !== "open")
			actions.current?.scrollIntoView({ block: "nearest" });
	}, [state]);
	const side = sideName(board, seat), kind = state === "lost" ? "wrong" : state === "held" ? "right" : "plain";
	const last = view?.last && (view.last.seat === seat ? t("puzzles.youPlayed", { move: moveName(view.last) }) : t("puzzles.perfectPlays", { move: moveName(view.last) }));
	const said = text || last || t("puzzles.ladderAbout");
	const task = !seat ? "…" : wanted === "win" ? t("puzzles.taskWinRung", { side }) : t("puzzles.taskDrawRung", { side });

	return (
		<div class="analysis-grid">
			<div class="board-column">
				<p class="task-line" aria-hidden="true">{task}</p>
				<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
					<WalkBoard walk={{ ...walk, play: attempt }} turned={(board?.turnable ?? false) && seat === 2} still={!yourTurn} />
				</div>
				<p class={state === "open" ? "turn" : "turn done"}>{yourTurn ? t("puzzles.yourMove") : state === "open" ? t("puzzles.thinking") : ""}</p>
				<p class={`task-line ${kind}`} aria-hidden="true">{said}</p>
				{moves.length > 0 && <WalkButtons walk={walk} />}
			</div>
			<div class="side stack">
				<section class={state === "held" ? "card task solved" : "card task"} aria-labelledby="task">
					<p class="small quiet">{t("puzzles.positionOf", { n: number, all: count })}</p>
					<h2 id="task">{task}</h2>
					<div class={`lesson ${kind}`}>
						<p class={text || view?.last ? "" : "quiet"}>{state === "held" && <Icon name="exact" />}{said}</p>
					</div>
					<div class="row" ref={actions}>
						{state === "lost" && moves.length > 0 && <button type="button" class="primary" onClick={takeBack}><Icon name="undo" />{t("puzzles.takeBack")}</button>}
						{state === "held" && onNext && <button type="button" class="primary" onClick={onNext}><Icon name="forward" />{t("puzzles.nextPosition")}</button>}
						{state === "held" && !onNext && <a class="button primary" href={`/puzzles/${game}`}><Icon name="forward" />{t("puzzles.morePuzzles")}</a>}
						<button type="button" onClick={onAgain}><Icon name="again" />{t("puzzles.restart")}</button>
					</div>
					{view && state === "open" && <MoveField board={board} view={view} enabled={yourTurn} onMove={typed} />}
				</section>
				{children}
			</div>
		</div>
	);
}
