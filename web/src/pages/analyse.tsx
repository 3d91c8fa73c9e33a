// analyse.tsx - "/analyse": the analysis board: try any line of any position, with the engine next to it.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { keepTree, keptTree, treeOfLink } from "../analysis/keep";
import { EvalBar } from "../board/EvalBar";
import { EvalGraph, pointText } from "../board/EvalGraph";
import { capital, paintsOf, sideName } from "../board/text";
import { afterFirstBoard } from "../engine/core";
import { t } from "../messages";
import { remarkOf } from "../note";
import { anchorHere } from "../router";
import type { PageProps } from "../routes";
import { ThinkingPanel } from "../starchess/lazy";
import { goTo, isMain, mainLine, movesTo, newTree, playAll, promote, removeFrom, type GameTree } from "../tree";
import { GameFacts } from "../study/GameFacts";
import { AnalyseActions, EvaluationPanel, ExplorerPanel, ImportDialogs, LineLuckPanel, loadStudies, ReviewLine } from "../study/lazy";
import { marked } from "../study/markup";
import { NoteEditor } from "../study/NoteEditor";
import { drawingOf, glyphsOf } from "../study/shown";
import type { AnalysisRequest, Board, Game } from "../types";
import { Icon } from "../ui/icons";
import { useMedia } from "../ui/media";
import { Tabs, type Tab } from "../ui/tabs";
import { toastError } from "../ui/toast";
import { arrowsOf, Lines, useAnalysis } from "./engine";
import { exactText, useValues } from "./exact";
import { takeOver, type Handover } from "./handover";
import type { ImportState } from "./imports";
import { canSolve, isSolvable, TOO_COMPLEX } from "../play/solvable";
import { MoveTree } from "./movetree";
import { useBook } from "./openings";
import { baseName, fetchGames, levelNumbers, splitMoves, useLoad, useTitle, Waiting } from "./parts";
import { marksOf, NotionPanel, useNotions } from "./notions";
import { numberedNames } from "./rounds";
import { offered } from "./showcase";
import { evaluationMarks, useEvaluation } from "./useevaluation";
import { endPoint, pointOf, useGraph, type Graph, type Point } from "./usegraph";
import { turnText, useWalk, useWalkKeys, WalkBoard, WalkButtons, type Walk } from "./walk";

function treeOfQuery(query: URLSearchParams, fallback: string): GameTree {
	const tree = newTree(query.get("game") || fallback, query.get("position") || "start");
	return playAll(tree, splitMoves(query.get("moves")));
}

export function AnalysePage({ query }: PageProps) {
	useTitle(t("analysis.title"));
	const games = useLoad("games", fetchGames);
	const search = query.toString(), anchor = anchorHere();
	const [opened, setOpened] = useState<Handover & { turn: number } | null>(null);
	const own = useRef(""); // the address as the board itself wrote it
	const open = (tree: GameTree, curve = false) => setOpened((now) => ({ tree, curve, turn: (now?.turn ?? 0) + 1 }));
	useEffect(() => {
		if (!games.value || own.current === location.href)
			return;
		const fallback = (games.value.find(({ name }) => name === "chess") ?? games.value[0])?.name ?? "";
		const taken = takeOver(), moves = splitMoves(query.get("moves")), kept = keptTree(moves);
		if (taken)
			return open(taken.tree, taken.curve);
		if (kept)
			return open(kept);
		const from = location.href;
		treeOfLink(moves).catch(toastError).then((tree) => from === location.href && open(tree ?? treeOfQuery(query, fallback)));
	}, [games.value, search, anchor]);
	if (opened && games.value && !games.value.some(({ name }) => name === baseName(opened.tree.game)))
		return (
			<section class="page narrow">
				<h1>{t("analysis.noGame")}</h1>
				<p>{t("analysis.noGameText", { game: baseName(opened.tree.game) })}</p>
				<div class="row">
					<button type="button" class="primary" onClick={() => open(newTree("chess", "start"))}>{t("analysis.chess")}</button>
					<a class="button" href="/">{t("analysis.allGames")}</a>
				</div>
			</section>
		);
	if (!games.value || !opened)
		return <section class="page"><h1>{t("analysis.title")}</h1><Waiting loaded={games} /></section>;
	return <Analysis key={opened.turn} first={opened.tree} curve={opened.curve} games={games.value} onOpen={open} onKept={() => (own.current = location.href)} />;
}

interface EngineOptions {
	on: boolean;
	lines: number;
	seconds: number;
	strong: boolean; // the server's engine
}

/** The side beside the board: what is always shown, and the rest in tabs. */
function Analysis({ first, curve, games, onOpen, onKept }: {
	first: GameTree; curve: boolean; games: Game[]; onOpen(tree: GameTree): void; onKept(): void;
}) {
	const walk = useWalk(first);
	const { tree, view } = walk;
	const info = games.find((game) => game.name === baseName(tree.game)) ?? null;
	const board = walk.found?.board ?? null;
	const [options, setOptions] = useState<EngineOptions>({ on: true, lines: 3, seconds: 10, strong: false });
	const [exact, setExact] = useState(isSolvable(info));
	const [turned, setTurned] = useState(false);
	const moves = useMemo(() => movesTo(tree, tree.cursor), [tree]);
	const where = { game: tree.game, position: tree.start, moves };
	const names = levelNumbers(info?.seats ?? 2).map((seat) => sideName(board, seat));
	const graph = useGraph(tree, names);
	const [importing, setImporting] = useState<ImportState>(null);
	useEffect(() => {
		if (curve)
			graph.start();
	}, []);
	const canThink = walk.fresh && view !== null && !view.over && view.seat !== 0;
	const request: AnalysisRequest | null = options.on && canThink && !graph.running
		? { ...where, lines: options.lines, time: 1000 * options.seconds }
		: null;
	const values = useValues(exact && canThink && canSolve(info, view), tree.game, tree.start, moves);
	const solving = canThink && !canSolve(info, view) ? TOO_COMPLEX : exactText(values);
	const engine = useAnalysis(request, options.strong);
	const book = useBook(Boolean(info?.book) && walk.fresh && walk.found !== null, tree.game, tree.start, moves);
	const notions = useNotions(info, true, where);
	const evaluation = useEvaluation(walk.fresh ? canThink && info?.seats === 2 : null, where);
	const point = pointHere();

	function pointHere(): Point | null {
		if (!walk.fresh || !view)
			return null;
		if (view.over)
			return endPoint(view, names);
		return engine.message ? pointOf(engine.message, view, names) : graph.points.get(tree.cursor) ?? null;
	}

	useEffect(() => {
		if (point && walk.fresh)
			graph.remember(tree.cursor, point);
	}, [point?.share, point?.spoken, tree.cursor, walk.fresh]);
	useEffect(() => keepTree(tree, onKept), [tree]);
	useEffect(() => void afterFirstBoard.then(loadStudies).catch(() => undefined), []); // so that the other panels are there at once
	useWalkKeys(walk, {
		e: () => setOptions((now) => ({ ...now, on: !now.on })),
		x: () => setExact((now) => !now),
		t: notions.toggle,
		v: evaluation.toggle,
		f: () => setTurned((now) => !now),
	});

	const openImported = (read: GameTree) => {
		shownTab = ""; // its moves
		onOpen(read);
	};
	useDroppedFile((file) => loadStudies().then(({ openDropped }) => openDropped(tree.game, file, setImporting, openImported)).catch(toastError));
	const isNarrow = useMedia("(max-width: 59.99rem)"); // as in analysis.css
	const enginePanel = (
		<EnginePanel info={info} options={options} setOptions={setOptions} exact={exact} setExact={setExact}>
			{view?.over ? <p class="none">{turnText(view, board)}</p>
				: view?.seat === 0 ? <p class="none">{t("analysis.rollFirst")}</p>
					: walk.error ? null : options.on && !graph.running ? <Lines game={tree.game} state={engine} seat={view?.seat ?? 1} names={names} onLine={(list) => list.forEach(walk.play)} />
						: <p class="none">{graph.running ? t("analysis.running") : t("analysis.engineOff")}</p>}
			{exact && solving && <p class="quiet small">{solving}</p>}
		</EnginePanel>
	);
	const tabs: Tab[] = [
		{ name: t("analysis.moves"), panel: <>{isNarrow && enginePanel}<MovesPanel walk={walk} info={info} board={board} onImport={() => setImporting({ text: "" })} /></> },
		...(info ? [{ name: t("analysis.explorer"), panel: <ExplorerPanel info={info} board={board} where={where} view={walk.fresh ? view : null} book={book} onMove={walk.play} /> }] : []),
		...(info?.seats === 2 || notions.available || baseName(tree.game) === "starchess" ? [{ name: t("analysis.theory"), panel: (
			<div class="stack">
				<NotionPanel notions={notions} board={board} />
				{info?.seats === 2 && <EvaluationPanel state={evaluation} board={board} />}
				{view && baseName(tree.game) === "starchess" && <ThinkingPanel game={tree.game} position={view.position} over={view.over} />}
			</div>
		) }] : []),
		{ name: t("analysis.graph"), panel: <GraphPanel walk={walk} graph={graph} side={sideName(board, 1)} numbered={info?.seats === 2} /> },
		{ name: t("analysis.actions"), panel: <AnalyseActions walk={walk} info={info} onImport={setImporting} /> },
	];
	return (
		<section class="page analysis analysis-room">
			<div class="analysis-grid" style={{ "--aspect": aspectOf(board) }}>
				<div class="board-column">
					<div class="bar-and-board">
						{info?.seats === 2 && <EvalBar share={point?.share ?? null} text={point?.text ?? ""} spoken={point?.spoken ?? ""} side={sideName(board, 1)} paints={paintsOf(board)} turned={turned} />}
						<WalkBoard walk={walk} arrows={arrowsOf(engine.message)} badges={values.badges} marks={[...evaluationMarks(evaluation), ...marksOf(notions, board)]} turned={turned} {...drawingOf(walk)} />
					</div>
				</div>
				<div class="side">
					<header class="analysis-head">
						<h1>{t("analysis.title")}</h1>
						<label><span class="unseen">{t("analysis.game")}</span>
							<select value={baseName(tree.game)} onChange={(event) => onOpen(newTree(event.currentTarget.value, "start"))}>
								{offered(games, tree.game).map((game) => <option key={game.name} value={game.name}>{game.title}</option>)}
							</select>
						</label>
						{tree.game !== baseName(tree.game) && <span class="quiet">{tree.game}</span>}
						<p class="turn">{walk.error ? "" : view ? turnText(view, board) : "…"}</p>
						<GameFacts tree={tree} board={board} />
						{info?.book && <p class="small quiet opening-now">{book?.opening ? t("analysis.opening", { name: book.opening }) : ""}</p>}
					</header>
					{!isNarrow && enginePanel}
					<Tabs id="analysis" label={t("analysis.panels")} tabs={tabs} first={curve ? t("analysis.graph") : shownTab} onShow={(name) => (shownTab = name)} />
					<WalkButtons walk={walk}>
						{board?.turnable && <button type="button" aria-pressed={turned} onClick={() => setTurned(!turned)}
							aria-label={t("analysis.flip")} title={t("analysis.flipTitle")}><Icon name="flip" /></button>}
					</WalkButtons>
				</div>
			</div>
			{importing && <ImportDialogs state={importing} game={tree.game} info={info} onChange={setImporting} onOpen={openImported} />}
		</section>
	);
}

/** A file that is dropped anywhere on the page, but not on a dialog, which has its own field. */
function useDroppedFile(onFile: (file: File) => void): void {
	const latest = useRef(onFile);
	latest.current = onFile;
	useEffect(() => {
		const over = (event: DragEvent) => void (event.dataTransfer?.types.includes("Files") && event.preventDefault());
		const drop = (event: DragEvent) => {
			const [file] = event.dataTransfer?.files ?? [];
			if (!file || event.defaultPrevented || document.querySelector("dialog[open]"))
				return;
			event.preventDefault();
			latest.current(file);
		};
		document.addEventListener("dragover", over);
		document.addEventListener("drop", drop);
		return () => {
			document.removeEventListener("dragover", over);
			document.removeEventListener("drop", drop);
		};
	}, []);
}

/** Width by height. The map of Star Chess has its letters below it. */
function aspectOf(board: Board | null): number {
	return !board ? 1 : baseName(board.game) === "starchess" ? 0.96 : board.width / board.height;
}

let shownTab = ""; // stays when another game is chosen

function MovesPanel({ walk, info, board, onImport }: { walk: Walk; info: Game | null; board: Board | null; onImport(): void }) {
	return (
		<>
			<section class="card" aria-labelledby="moves">
				<h2 id="moves" class="unseen">{t("analysis.moves")}</h2>
				<MoveTree tree={walk.tree} numbered={info?.seats === 2} glyphs={glyphsOf(walk.tree)} remark={remarkOf} marked={marked} onChange={walk.change} />
				{walk.tree.nodes.length === 1 && <p><button type="button" onClick={onImport}><Icon name="upload" />{t("game.import")}</button></p>}
				<TreeTools walk={walk} />
			</section>
			{info?.chance && <LineLuckPanel walk={walk} board={board} />}
		</>
	);
}

function GraphPanel({ walk, graph, side, numbered }: { walk: Walk; graph: Graph; side: string; numbered: boolean }) {
	const { tree } = walk, line = mainLine(tree);
	const points = line.map((id) => graph.points.get(id));
	const names = useMemo(() => numberedNames(tree, numbered), [tree.nodes, numbered]);
	const at = line.indexOf(tree.cursor), name = (point: number) => names.get(line[point] ?? 0) ?? "";
	return (
		<section class="card" aria-labelledby="curve">
			<div class="card-head">
				<h2 id="curve" class="unseen">{t("analysis.graphTitle")}</h2>
				<button type="button" onClick={graph.running ? graph.stop : graph.start} disabled={line.length < 2}>
					{graph.running ? t("analysis.stopGraph", { done: graph.done, all: line.length }) : t("analysis.whole")}
				</button>
				<ReviewLine tree={tree} />
			</div>
			{graph.error && <p class="failure">{graph.error}</p>}
			<EvalGraph shares={points.map((point) => point?.share ?? null)} texts={points.map((point) => point?.spoken)} side={side}
				names={line.slice(1).map((_, i) => name(i + 1))} {...(at >= 0 ? { at } : {})}
				onPick={(place) => walk.change((now) => goTo(now, line[place] ?? now.cursor))} />
			<p class="small">{at >= 0 ? capital(pointText(at, points[at]?.share ?? null, side, name(at), points[at]?.spoken)) : ""}</p>
			<p class="small quiet">{t("analysis.graphHelp", { side })}</p>
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
			<div class="card-head engine-options">
				<h2 id="engine">{t("analysis.engine")}</h2>
				<label><span>{t("analysis.lines")}</span>
					<select value={options.lines} onChange={(event) => setOptions({ ...options, lines: Number(event.currentTarget.value) })}>
						{[1, 2, 3, 4, 5].map((number) => <option key={number} value={number}>{number}</option>)}
					</select>
				</label>
				<label><span>{t("analysis.time")}</span>
					<select value={options.seconds} onChange={(event) => setOptions({ ...options, seconds: Number(event.currentTarget.value) })}>
						{[1, 3, 10, 30].map((number) => <option key={number} value={number}>{t("analysis.seconds", { number })}</option>)}
					</select>
				</label>
				<button type="button" aria-pressed={options.on} title={t("analysis.engineTitle")}
					onClick={() => setOptions({ ...options, on: !options.on })}>{options.on ? t("analysis.stop") : t("analysis.start")}</button>
			</div>
			<div class="engine-body" style={{ "--lines": String(options.lines) }}>{children}</div>
			{!STATIC_SITE || info?.exact ? <div class="row engine-options">
				{!STATIC_SITE && <label title={t("analysis.serverTitle")}>
					<input type="checkbox" checked={options.strong} onChange={(event) => setOptions({ ...options, strong: event.currentTarget.checked })} />
					<span>{t("analysis.server")}</span>
				</label>}
				{info?.exact && <label title={t("analysis.exactTitle")}>
					<input type="checkbox" checked={exact} onChange={(event) => setExact(event.currentTarget.checked)} />
					<span>{t("analysis.exact")}</span>
				</label>}
			</div> : null}
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
					onClick={() => walk.change((now) => promote(now, here))}>{t("analysis.makeMain")}</button>
				<button type="button" class="danger" disabled={here === 0}
					onClick={() => walk.change((now) => removeFrom(now, here))}><Icon name="trash" />{t("analysis.deleteFrom")}</button>
			</div>
			<NoteEditor walk={walk} />
		</>
	);
}
