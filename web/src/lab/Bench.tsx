// Bench.tsx - the bench of the laboratory: a board, and beside it the search tree of one to three players, step by step.
// SPDX-License-Identifier: MIT
//
// Lessons show a bench with a preset; the page /lab (LabPage.tsx) lets the reader change everything.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { coreState } from "../engine/core";
import { t } from "../messages";
import { baseName, Failure, useBoard } from "../pages/parts";
import { useStore } from "../store/store";
import { announce } from "../ui/announce";
import { useKeys } from "../ui/keys";
import { BenchBoard } from "./BenchBoard";
import { eventAt, lastMoment, momentOf, type Pace } from "./clock";
import { Controls, ViewOptions } from "./Controls";
import { Guide, Meanings } from "./Guide";
import { isWide } from "./layout";
import { childrenOf, eventToShow, focusAt, isOnLine, isWon, moveOf, movesTo, nextCut, number, numbersAt, pathTo, movesOfWin, treeOf, type SearchLog, type SearchTree } from "./log";
import { NodePanel } from "./NodePanel";
import { ALL, Legend, LINE, Pane, type Fold } from "./Pane";
import { requestLog } from "./request";
import { seatNames } from "./seats";
import { nameOf } from "./specs";
import { useClock } from "./useClock";

export interface BenchPreset {
	game: string;
	position?: string; // missing: the start position
	moves?: string[];
	players: string[]; // one to three specs; "proof:nodes=N" is proof-number search
	names?: (string | undefined)[]; // what the reader sees instead of the specs
	view?: "tree" | "text" | "growth";
	plain?: boolean; // as in request.ts
	show?: Part[]; // missing: all
	at?: "start" | "end" | "look" | number; // the step that is shown first; look: the first cut-off; default: start
}

/** alpha, beta: windows in the tree; side: the node counters next to each other, and their comparison. */
export type Part = "alpha" | "beta" | "words" | "board" | "counters" | "side";

export interface Run {
	spec: string;
	name: string;
	log: SearchLog | null;
	tree: SearchTree | null;
	error: string | null;
}

/** What a bench lets others do with it. */
export interface BenchHandle {
	go(step: number): void;
	choose(node: number, pane?: number): void;
}

export interface BenchProps {
	preset: BenchPreset;
	guide?: boolean; // say what the first picture shows, and what the numbers mean
	onRun?(logs: SearchLog[], bench: BenchHandle): void;
	onPick?(visit: number, pane: number): void;
}

/** Runs the players one after another; the engine keeps their logs. */
function useRuns({ game, position, moves, players, names, plain }: BenchPreset): { runs: Run[]; stop(): void } {
	const key = JSON.stringify([game, position, moves, players]);
	const [state, setState] = useState<{ key: string; runs: Run[] }>({ key: "", runs: [] });
	const stop = useRef(() => {});
	useEffect(() => {
		const runs: Run[] = players.map((spec, i) => ({ spec, name: names?.[i] ?? nameOf(spec), log: null, tree: null, error: null }));
		setState({ key, runs });
		const put = (i: number, run: Partial<Run>) => {
			runs[i] = { ...runs[i]!, ...run };
			setState({ key, runs: [...runs] });
		};
		const stops = players.map((player, i) => requestLog({ game, position: position ?? "start", moves: moves ?? [], player, plain: plain ?? false },
			(log) => put(i, { log, tree: treeOf(log) }), (error) => put(i, { error })));
		const end = () => stops.forEach((one) => one());
		stop.current = () => {
			end();
			runs.forEach(({ tree, error }, i) => tree || error || put(i, { error: t("lab.stopped") }));
		};
		return end;
	}, [key]);
	return { runs: state.key === key ? state.runs : [], stop: () => stop.current() };
}

export function Bench(props: BenchProps) {
	const core = useStore(coreState);
	if (core === "none")
		return <p class="failure" role="alert">{t("lab.needsWebAssembly")}</p>;
	/* Another question is another bench. */
	const { game, position, moves, players } = props.preset;
	return <OpenBench key={JSON.stringify([game, position, moves, players])} {...props} />;
}

function OpenBench({ preset, guide, onRun, onPick }: BenchProps) {
	const { runs, stop } = useRuns(preset);
	const trees = runs.map(({ tree }) => tree);
	const ready = runs.length > 0 && runs.every(({ tree, error }) => tree || error) && trees.some(Boolean);
	const failed = runs.length > 0 && runs.every(({ error }) => error);
	if (failed)
		return <Failure error={runs[0]!.error ?? ""} />;
	if (!ready)
		return <p class="waiting row lab-waiting" role="status">{t("lab.searching")} <button type="button" onClick={stop}>{t("lab.stop")}</button></p>;
	return <RunningBench preset={preset} runs={runs} guide={guide ?? false} {...(onRun ? { onRun } : {})} {...(onPick ? { onPick } : {})} />;
}

/** Players have the names of their pieces. */
function useNamed(game: string, runs: Run[]): Run[] {
	const board = useBoard(game)?.board ?? null;
	return useMemo(() => runs.map((run) => run.tree ? { ...run, tree: { ...run.tree, seats: seatNames(board, run.tree.log.seats) } } : run),
		[runs, board]);
}

/** Where the reader begins: a moment, and the search that it is about. */
function firstLook(at: BenchPreset["at"], trees: (SearchTree | null)[], last: number): { moment: number; pane: number } {
	if (at !== "look")
		return { moment: at === "end" ? last : typeof at === "number" ? Math.min(last, Math.max(0, at)) : 0, pane: 0 };
	const looks = trees.flatMap((tree, pane) => tree ? [{ moment: eventToShow(tree), pane, hasCuts: tree.cutEvents.length > 0 }] : []);
	return looks.filter(({ hasCuts }) => hasCuts).sort((one, other) => one.moment - other.moment)[0] ?? looks[0] ?? { moment: 0, pane: 0 };
}

function RunningBench({ preset, guide, runs: found, onRun, onPick }: BenchProps & { runs: Run[] }) {
	const runs = useNamed(preset.game, found);
	const events = runs.map(({ tree }) => tree?.events ?? 0);
	const last = lastMoment(events);
	const [first] = useState(() => firstLook(preset.at, runs.map(({ tree }) => tree), last));
	const clock = useClock(last, first.moment, last > 3000 ? 100 : last > 300 ? 20 : 2);
	const [pace, setPace] = useState<Pace>("race");
	const [view, setView] = useState<"tree" | "text">(preset.view === "text" ? "text" : "tree");
	const [chosen, setChosen] = useState<{ pane: number; node: number } | null>(null);
	const [hovered, setHovered] = useState<{ pane: number; node: number } | null>(null);
	const [pane, setPane] = useState(first.pane);
	const [isNew, setNew] = useState(true); // nothing was pressed yet
	const [fold, setFold] = useState<Fold | null>(null); // null: what suits each tree
	const shows = (part: Part) => !preset.show || preset.show.includes(part);
	const eventOf = (i: number) => Math.max(0, eventAt(clock.moment, events[i] ?? 0, events, pace));

	/* A search that has ended is looked at no longer while another goes on. */
	const moved = (i: number) => clock.moment > 0 && eventOf(i) !== Math.max(0, eventAt(clock.moment - 1, events[i] ?? 0, events, pace));
	const other = runs.findIndex((_, i) => moved(i));
	const live = isNew || other < 0 || moved(pane) ? pane : other;
	const focusPane = Math.min(hovered?.pane ?? chosen?.pane ?? live, runs.length - 1);
	const focusTree = runs[focusPane]?.tree ?? null;
	const focusNode = hovered?.node ?? chosen?.node ?? (focusTree ? focusAt(focusTree, eventOf(focusPane)) : -1);
	const path = useMemo(() => focusTree && focusNode >= 0 ? pathTo(focusTree, focusNode) : [], [focusTree, focusNode]);
	const line = useMemo(() => focusTree && focusNode >= 0 ? movesTo(focusTree, focusNode) : [], [focusTree, focusNode]);

	const choose = (node: number, at = focusPane) => {
		setChosen({ pane: at, node });
		setPane(at);
		onPick?.(node, at);
	};
	/** Steps follow the search again. */
	const follow = (act: () => void) => () => {
		setChosen(null);
		setHovered(null);
		setNew(false);
		act();
	};
	const handle = useRef<BenchHandle>({ go: () => {}, choose: () => {} });
	handle.current = { go: (step) => follow(() => clock.go(step))(), choose };
	useEffect(() => {
		onRun?.(runs.flatMap(({ log }) => log ? [log] : []),
			{ go: (step) => handle.current.go(step), choose: (node, at) => handle.current.choose(node, at) });
	}, [found]);

	const toCut = () => {
		const next = runs.flatMap(({ tree }, i) => {
			const event = tree ? nextCut(tree, eventOf(i)) : -1;
			return event < 0 ? [] : [{ moment: momentOf(event, events[i]!, events, pace), pane: i }];
		}).sort((one, other) => one.moment - other.moment)[0];
		if (next) {
			clock.go(next.moment);
			setPane(next.pane);
		} else
			announce(t("lab.noMoreCuts"));
	};
	useKeys({
		"k": follow(clock.toggle), ",": follow(() => clock.step(-1)), ".": follow(() => clock.step(1)), "c": follow(toCut),
	});

	/** A move on the board: the tree shows its branch. */
	const onMove = (move: string) => {
		if (!focusTree)
			return;
		let found = -1;
		for (let child = focusTree.first[focusNode]!; child >= 0; child = focusTree.next[child]!)
			if (moveOf(focusTree, child) === move)
				found = child;
		if (found < 0)
			return announce(t("lab.notSearched", { move }));
		if (focusTree.born[found]! > eventOf(focusPane))
			clock.go(momentOf(focusTree.born[found]!, events[focusPane]!, events, pace));
		choose(found);
	};

	const isAtEnd = clock.moment >= last;
	const trees = runs.map(({ tree }) => tree), shownFold = fold ?? (trees.some((tree) => tree && isWide(tree)) ? LINE : ALL);
	const deepest = useMemo(() => Math.max(1, ...trees.map((tree) => tree?.ply.reduce((most, ply) => Math.max(most, ply), 0) ?? 0)), [runs]);
	return (
		<div class={`lab-bench panes-${runs.length}`}>
			{guide && <Guide isNew={isNew} runs={runs} pane={isNew ? first.pane : live} event={eventOf(isNew ? first.pane : live)} isPlaying={clock.playing}
				end={isAtEnd ? <Answers runs={runs} /> : null} onWatch={follow(clock.replay)} />}
			<div class="lab-trees stack">
				<Controls clock={clock} hasCuts={runs.some(({ tree }) => tree && tree.cutEvents.length > 0)} follow={follow} toCut={toCut} />
				<div class="lab-panes">
					{runs.map((run, i) => <Pane key={i} run={run} event={eventOf(i)} view={view} fold={fold ?? (run.tree && isWide(run.tree) ? LINE : ALL)} active={i === focusPane && runs.length > 1}
						chosen={chosen?.pane === i ? chosen.node : -1} windows={shows("alpha") || shows("beta")} counters={shows("counters")}
						onChoose={(node) => choose(node, i)} onHover={(node) => setHovered((now) => node >= 0 ? { pane: i, node } : now?.pane === i ? null : now)} />)}
				</div>
				{view === "tree" && <Legends trees={trees} windows={shows("alpha") || shows("beta")} isFolded={shownFold !== ALL} />}
				<ViewOptions pace={runs.length > 1 ? pace : null} setPace={setPace} view={view} setView={setView} deepest={deepest}
					fold={shownFold} setFold={setFold} clock={clock} />
				{!guide && isAtEnd && shows("side") && <Answers runs={runs} />}
				{guide && shows("counters") && <Meanings />}
			</div>
			<div class="lab-side stack">
				{shows("board") && baseName(preset.game) !== "diagram" && <BenchBoard game={preset.game} position={preset.position ?? "start"}
					moves={line === null ? null : [...preset.moves ?? [], ...line]} slow={clock.playing && clock.speed > 5} onMove={onMove} />}
				{focusTree && focusNode >= 0 && <NodePanel preset={preset} tree={focusTree} node={focusNode} path={path} line={line}
					event={eventOf(focusPane)} words={shows("words")} windows={shows("alpha") || shows("beta")} quick={clock.playing && clock.speed > 2}
					onChoose={(node) => choose(node)} />}
			</div>
		</div>
	);
}

/** One for each kind of tree. */
function Legends({ trees, windows, isFolded }: { trees: (SearchTree | null)[]; windows: boolean; isFolded: boolean }) {
	const shown = trees.filter((tree, i): tree is SearchTree => tree !== null && trees.findIndex((one) => one?.kind === tree.kind) === i);
	return <>{shown.map((tree) => <Legend key={tree.kind} tree={tree} windows={windows} isFolded={isFolded} />)}</>;
}

/** "c3 with value 3" */
function answerText(log: SearchLog): string {
	const result = log.result ?? "unknown", move = log.move || t("lab.noMove");
	if (log.growth?.kind === "proof")
		return log.move ? t("lab.answerProofBy", { result, move }) : t("lab.answerProof", { result });
	if (log.growth || log.value === null)
		return move;
	return isWon(log.value) ? t("lab.answerWon", { move, result: log.value > 0 ? "win" : "loss", n: movesOfWin(log.value) }) : t("lab.answerValue", { move, value: number(log.value) });
}

function costText({ growth, kept, seen, nodes, evaluations, cuts }: SearchLog): string {
	const cost = !growth ? t("lab.costSearch", { nodes, leaves: evaluations, cuts })
		: growth.kind === "mcts" ? t("lab.costPlayouts", { n: growth.steps.length }) : t("lab.costSteps", { n: growth.steps.length });
	return seen > kept ? `${cost} ${t("lab.costKept", { kept, all: seen })}` : cost;
}

/** "It got 173 of 400 playouts" */
function playoutsText(tree: SearchTree): string {
	const best = tree.kind === "mcts" ? childrenOf(tree, tree.roots[0] ?? 0).find((child) => isOnLine(tree, child, tree.events - 1)) : undefined;
	const pair = best === undefined ? null : numbersAt(tree, best, tree.events - 1);
	return pair && best !== undefined ? t("lab.answerPlayouts", { visits: pair[0], n: tree.events, mean: Math.round(100 * pair[1]) }) : "";
}

/** What the searches found, and what it cost them. */
function Answers({ runs }: { runs: Run[] }) {
	const logs = runs.flatMap(({ log }) => log ? [log] : []);
	const [one] = logs;
	if (!one)
		return null;
	const [tree] = runs.flatMap(({ tree: found }) => found ? [found] : []);
	if (logs.length === 1)
		return <p class="lab-answer" role="status">{`${t("lab.answer", { answer: answerText(one) })} ${(tree && playoutsText(tree)) || costText(one)}`}</p>;
	const nameIn = (log: SearchLog) => runs.find((run) => run.log === log)?.name ?? nameOf(log.player);
	const isSame = logs.every((log) => answerText(log) === answerText(one));
	const least = logs.reduce((best, log) => log.nodes < best.nodes ? log : best), most = logs.reduce((best, log) => log.nodes > best.nodes ? log : best);
	return (
		<div class="lab-answer" role="status">
			<p>{isSame ? t("lab.answerSame", { answer: answerText(one) })
				: [t("lab.answersDiffer"), ...logs.map((log) => t("lab.answerOf", { name: nameIn(log), answer: answerText(log) }))].join(" ")}</p>
			{least.nodes < most.nodes && !logs.some(({ growth }) => growth) && <p>{t("lab.costCompare", {
				least: nameIn(least), few: least.nodes, most: nameIn(most), many: most.nodes, times: (most.nodes / Math.max(1, least.nodes)).toFixed(1),
			})}</p>}
		</div>
	);
}
