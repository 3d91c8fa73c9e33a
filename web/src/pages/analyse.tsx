// analyse.tsx - "/analyse": the analysis board: try any line of any position, with the engine next to it.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import { EvalBar } from "../board/EvalBar";
import { EvalGraph } from "../board/EvalGraph";
import { moveName, sideName } from "../board/text";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import { ThinkingPanel } from "../starchess/lazy";
import { goTo, isMain, mainLine, movesTo, newTree, nodeAt, playAll, promote, removeFrom, setNote, type GameTree } from "../tree";
import type { AnalysisRequest, Game } from "../types";
import { Icon } from "../ui/icons";
import { AnalyseActions } from "./analyseactions";
import { arrowsOf, endShare, firstShare, exactText, Lines, lookOf, paintsOf, useAnalysis, useValues } from "./engine";
import { takeOver, type Handover } from "./handover";
import { EvaluationPanel, evaluationMarks, useEvaluation } from "./evaluation";
import { LineLuckPanel } from "./lineluck";
import { canSolve, isSolvable, TOO_COMPLEX } from "../play/solvable";
import { MoveTree } from "./movetree";
import { BookPanel, useBook } from "./openings";
import { analyseLink, baseName, fetchGames, splitMoves, useLoad, useTitle, Waiting } from "./parts";
import { marksOf, NotionPanel, useNotions } from "./notions";
import { scoreText } from "./score";
import { useGraph } from "./usegraph";
import { turnText, useWalk, useWalkKeys, WalkBoard, WalkButtons, type Walk } from "./walk";

function treeOfQuery(query: URLSearchParams, fallback: string): GameTree {
	const tree = newTree(query.get("game") || fallback, query.get("position") || "start");
	return playAll(tree, splitMoves(query.get("moves")));
}

export function AnalysePage({ query }: PageProps) {
	useTitle("Analysis");
	const games = useLoad("games", fetchGames);
	const search = query.toString();
	const [opened, setOpened] = useState<Handover & { turn: number } | null>(null);
	const open = (tree: GameTree, curve = false) => setOpened((now) => ({ tree, curve, turn: (now?.turn ?? 0) + 1 }));
	useEffect(() => {
		if (!games.value)
			return;
		const taken = takeOver();
		if (taken)
			open(taken.tree, taken.curve);
		else
			open(treeOfQuery(query, games.value[0]?.name ?? ""));
	}, [games.value, search]);
	if (!games.value || !opened)
		return <section class="page"><h1>Analysis</h1><Waiting loaded={games} /></section>;
	return <Analysis key={opened.turn} first={opened.tree} curve={opened.curve} games={games.value} onOpen={open} />;
}

interface EngineOptions {
	on: boolean;
	lines: number;
	seconds: number;
	strong: boolean; // the server's engine
}

function Analysis({ first, curve, games, onOpen }: {
	first: GameTree; curve: boolean; games: Game[]; onOpen(tree: GameTree): void;
}) {
	const walk = useWalk(first);
	const { tree, view } = walk;
	const info = games.find((game) => game.name === baseName(tree.game)) ?? null;
	const board = walk.found?.board ?? null;
	const [options, setOptions] = useState<EngineOptions>({ on: true, lines: 3, seconds: 10, strong: false });
	const [exact, setExact] = useState(isSolvable(info));
	const [turned, setTurned] = useState(false);
	const moves = useMemo(() => movesTo(tree, tree.cursor), [tree]);
	const graph = useGraph(tree);
	useEffect(() => {
		if (curve)
			graph.start();
	}, []);
	const canThink = walk.fresh && view !== null && !view.over && view.seat !== 0;
	const request: AnalysisRequest | null = options.on && canThink && !graph.running
		? { game: tree.game, position: tree.start, moves, lines: options.lines, time: 1000 * options.seconds }
		: null;
	const values = useValues(exact && canThink && canSolve(info, view), tree.game, tree.start, moves);
	const solving = canThink && !canSolve(info, view) ? TOO_COMPLEX : exactText(values);
	const engine = useAnalysis(request, options.strong);
	const book = useBook(Boolean(info?.book) && walk.fresh, tree.game, tree.start, moves);
	const notions = useNotions(info, true, { game: tree.game, position: tree.start, moves });
	const evaluation = useEvaluation(walk.fresh ? canThink && info?.seats === 2 : null, { game: tree.game, position: tree.start, moves });
	const share = shareHere();

	function shareHere(): number | null {
		if (!walk.fresh || !view)
			return null;
		if (view.over)
			return endShare(view);
		return engine.message ? firstShare(engine.message, view) : graph.shares.get(tree.cursor) ?? null;
	}

	/** The score of the best line, on the bar. */
	function barText(): string {
		const best = walk.fresh && view && !view.over ? engine.message?.lines[0] : undefined;
		return best && engine.message && view && !best.proven && !best.book && engine.message.unit
			? scoreText(best, tree.game, lookOf(tree.game, engine.message, view.seat, 2)) : "";
	}

	useEffect(() => {
		if (share !== null && walk.fresh)
			graph.remember(tree.cursor, share);
	}, [share, tree.cursor, walk.fresh]);
	useEffect(() => {
		const link = analyseLink(tree.game, tree.start, moves);
		if (link.length < 6000)
			history.replaceState(null, "", hrefOf(link));
	}, [tree.game, tree.start, moves]);
	useWalkKeys(walk, {
		e: () => setOptions((now) => ({ ...now, on: !now.on })),
		x: () => setExact((now) => !now),
		t: notions.toggle,
		v: evaluation.toggle,
		f: () => setTurned((now) => !now),
	});

	const line = mainLine(tree);
	const choose = (name: string) => onOpen(newTree(name, "start"));
	return (
		<section class="page analysis">
			<header class="analysis-head">
				<h1>Analysis</h1>
				<label><span class="unseen">Game</span>
					<select value={baseName(tree.game)} onChange={(event) => choose(event.currentTarget.value)}>
						{games.map((game) => <option key={game.name} value={game.name}>{game.title}</option>)}
					</select>
				</label>
				{tree.game !== baseName(tree.game) && <span class="quiet">{tree.game}</span>}
			</header>
			<div class="analysis-grid">
				<div class="board-column">
					<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
						{info?.seats === 2 && <EvalBar share={share} text={barText()} side={sideName(board, 1)} paints={paintsOf(board)} turned={turned} />}
						<WalkBoard walk={walk} arrows={arrowsOf(engine.message)} badges={values.badges} marks={[...evaluationMarks(evaluation), ...marksOf(notions, board)]} turned={turned} />
					</div>
					<p class="turn">{walk.error ? "" : view ? turnText(view, board) : "…"}</p>
					<WalkButtons walk={walk}>
						{board?.turnable && <button type="button" aria-pressed={turned} onClick={() => setTurned(!turned)}
							aria-label="Flip the board" title="Flip the board (f)"><Icon name="flip" /></button>}
					</WalkButtons>
				</div>
				<div class="side stack">
					<EnginePanel info={info} options={options} setOptions={setOptions} exact={exact} setExact={setExact}>
						{view?.over ? <p class="none">{turnText(view, board)}</p>
							: view?.seat === 0 ? <p class="none">Choose a dice roll first.</p>
								: options.on && !graph.running ? <Lines game={tree.game} state={engine} seat={view?.seat ?? 1} seats={info?.seats ?? 2}
									whose={sideName(board, info?.seats === 2 && baseName(tree.game) !== "backgammon" ? 1 : view?.seat ?? 1)} onLine={(list) => list.forEach(walk.play)} />
									: <p class="none">{graph.running ? "Analysing the whole game…" : "Engine is off."}</p>}
						{exact && solving && <p class="quiet small">{solving}</p>}
					</EnginePanel>
					{info?.book && <BookPanel book={book} onMove={walk.play} />}
					<NotionPanel notions={notions} board={board} />
					{info?.seats === 2 && <EvaluationPanel state={evaluation} board={board} />}
					{view && baseName(tree.game) === "starchess" && <ThinkingPanel game={tree.game} position={view.position} over={view.over} />}
					<section class="card" aria-labelledby="moves">
						<h2 id="moves">Moves</h2>
						<MoveTree tree={tree} numbered={info?.seats === 2} onChange={walk.change} />
						<TreeTools walk={walk} />
					</section>
					{info?.chance && <LineLuckPanel walk={walk} board={board} />}
					<section class="card" aria-labelledby="curve">
						<div class="card-head">
							<h2 id="curve">Evaluation graph</h2>
							<button type="button" onClick={graph.running ? graph.stop : graph.start} disabled={line.length < 2}>
								{graph.running ? `Stop (${graph.done} of ${line.length})` : "Analyse whole game"}
							</button>
						</div>
						{graph.error && <p class="failure">{graph.error}</p>}
						<EvalGraph shares={line.map((id) => graph.shares.get(id) ?? null)} side={sideName(board, 1)}
							names={line.slice(1).map((id) => moveName(nodeAt(tree, id)))}
							{...(line.includes(tree.cursor) ? { at: line.indexOf(tree.cursor) } : {})}
							onPick={(place) => walk.change((now) => goTo(now, line[place] ?? now.cursor))} />
					</section>
					<AnalyseActions walk={walk} info={info} onOpen={onOpen} />
				</div>
			</div>
		</section>
	);
}

function EnginePanel({ info, options, setOptions, exact, setExact, children }: {
	info: Game | null;
	options: EngineOptions;
	setOptions(options: EngineOptions): void;
	exact: boolean;
	setExact(exact: boolean): void;
	children: preact.ComponentChildren;
}) {
	return (
		<section class="card engine" aria-labelledby="engine">
			<div class="card-head">
				<h2 id="engine">Engine</h2>
				<button type="button" aria-pressed={options.on} title="Start or stop the engine (e)"
					onClick={() => setOptions({ ...options, on: !options.on })}>{options.on ? "Stop" : "Start"}</button>
			</div>
			<div class="engine-body">{children}</div>
			<div class="row engine-options">
				<label><span>Lines</span>
					<select value={options.lines} onChange={(event) => setOptions({ ...options, lines: Number(event.currentTarget.value) })}>
						{[1, 2, 3, 4, 5].map((number) => <option key={number} value={number}>{number}</option>)}
					</select>
				</label>
				<label><span>Time</span>
					<select value={options.seconds} onChange={(event) => setOptions({ ...options, seconds: Number(event.currentTarget.value) })}>
						{[1, 3, 10, 30].map((number) => <option key={number} value={number}>{number} s</option>)}
					</select>
				</label>
				{!STATIC_SITE && <label title="Analyse on the server instead of in this browser">
					<input type="checkbox" checked={options.strong} onChange={(event) => setOptions({ ...options, strong: event.currentTarget.checked })} />
					<span>Server engine</span>
				</label>}
				{info?.exact && <label title="Show exact values (x)">
					<input type="checkbox" checked={exact} onChange={(event) => setExact(event.currentTarget.checked)} />
					<span>Exact values</span>
				</label>}
			</div>
		</section>
	);
}

/** Note, promote and delete for the current variation. */
function TreeTools({ walk }: { walk: Walk }) {
	const { tree } = walk;
	const here = tree.cursor;
	return (
		<>
			<div class="row tree-tools">
				<button type="button" disabled={here === 0 || isMain(tree, here)}
					onClick={() => walk.change((now) => promote(now, here))}>Make main line</button>
				<button type="button" class="danger" disabled={here === 0}
					onClick={() => walk.change((now) => removeFrom(now, here))}><Icon name="trash" />Delete from here</button>
			</div>
			<label class="field">
				<span>Note on this position</span>
				<textarea rows={2} maxLength={2000} value={nodeAt(tree, here).note}
					onInput={(event) => {
						const text = event.currentTarget.value;
						walk.change((now) => setNote(now, here, text));
					}} />
			</label>
		</>
	);
}
