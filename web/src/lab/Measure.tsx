// Measure.tsx - "Measure it": nodes against depth for the players of the bench, as a chart that grows while the engine counts.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { number, t } from "../messages";
import { baseName, Failure, saveText } from "../pages/parts";
import type { Game } from "../types";
import { Icon } from "../ui/icons";
import type { BenchPreset } from "./Bench";
import { chartCsv, chartJson, chartSvg, COUNTED_NAMES, type Counted, type Measured, type Point, type Series } from "./chart";
import { requestCounts, requestPerft } from "./request";
import { PlayerRow, randomPosition } from "./Setup";
import { depthFor, isSamePreset, STARTS } from "./presets";
import { keyOf, PLAIN, techniqueOf, withKey } from "./specs";

const MOST = 6; // series
const LONG_MS = 3000; // after a run as long as this, the next depth would take too long
const N_MOST = 3e7; // positions that are counted for N

function nameWithout(spec: string): string {
	return techniqueOf(spec)?.name ?? spec;
}

function countsOf(spec: string, where: BenchPreset, depth: number): { result: Promise<Point>; stop(): void } {
	let stop = () => {};
	const result = new Promise<Point>((done, failed) => {
		stop = requestCounts({ ...where, player: withKey(spec, "depth", depth) },
			({ nodes, evaluations, cuts, value, move }) => done({ depth, nodes, evaluations, cuts, value, move }), (error) => failed(new Error(error)));
	});
	return { result, stop: () => stop() };
}

function perftOf(where: BenchPreset, depth: number): { result: Promise<number>; stop(): void } {
	let stop = () => {};
	const result = new Promise<number>((done, failed) => {
		stop = requestPerft(where, depth, ({ nodes }) => done(nodes), (error) => failed(new Error(error)));
	});
	return { result, stop: () => stop() };
}

/** An example whose curves say something. */
const EXAMPLE: BenchPreset = { game: "connect4", players: ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`, `alphabeta:depth=2,${PLAIN.replace("sort=0", "sort=1")}`] };

/** Of the bench, unless nothing was chosen there yet. */
function presetFor(preset: BenchPreset): BenchPreset {
	return STARTS.some((start) => isSamePreset(start.preset, preset)) ? EXAMPLE : preset;
}

export function Measure({ games, preset: given, onPreset }: { games: Game[]; preset: BenchPreset; onPreset(preset: BenchPreset): void }) {
	const preset = presetFor(given);
	const [specs, setSpecs] = useState(() => preset.players.filter((spec) => keyOf(spec, "depth") !== null));
	const [deepest, setDeepest] = useState(5);
	const [counted, setCounted] = useState<Counted>("evaluations");
	const [measured, setMeasured] = useState<Measured | null>(null);
	const [running, setRunning] = useState(false);
	const [error, setError] = useState<string | null>(null);
	const stop = useRef<() => void>(() => {});
	const info = games.find(({ name }) => name === baseName(preset.game)) ?? null;
	useEffect(() => {
		if (specs.length)
			void measure(preset);
		return () => stop.current();
	}, []);

	async function measure(where: BenchPreset): Promise<void> {
		stop.current();
		let isStopped = false, halt = () => {};
		stop.current = () => {
			isStopped = true;
			halt();
			setRunning(false);
		};
		setRunning(true);
		setError(null);
		const series: Series[] = specs.map((spec) => ({ name: nameWithout(spec), spec, points: [], end: "" }));
		const all: Measured["all"] = [];
		const show = () => setMeasured({ game: where.game, position: where.position ?? "start", moves: where.moves ?? [], series: series.map((one) => ({ ...one })), all: [...all] });
		show();
		let isCounted = false; // no more of N
		for (let depth = 1; depth <= deepest && !isStopped; depth++) {
			const before = all[all.length - 1]?.nodes ?? 1, first = all[0]?.nodes ?? 1;
			if (!isCounted && before * first < N_MOST) {
				const count = perftOf(where, depth);
				halt = count.stop;
				const nodes = await count.result.catch(() => 0);
				isCounted = !nodes || nodes === all[all.length - 1]?.nodes && series.every(({ end }) => end);
				if (!isCounted && !isStopped)
					all.push({ depth, nodes });
				show();
			} else
				isCounted = true;
			for (const one of series) {
				if (one.end || isStopped)
					continue;
				const begun = performance.now(), count = countsOf(one.spec, where, depth);
				halt = count.stop;
				try {
					const point = await count.result, before = one.points[one.points.length - 1];
					if (before && point.nodes === before.nodes && point.evaluations <= before.evaluations)
						one.end = t("lab.allOver", { depth: before.depth });
					else
						one.points = [...one.points, point];
				} catch (reason) {
					one.end = sentence(reason);
				}
				if (performance.now() - begun > LONG_MS)
					one.end = t("lab.tooLong");
				if (!isStopped)
					show();
			}
		}
		if (!isStopped)
			setRunning(false);
	}

	const repeat = async () => {
		try {
			const moves = await randomPosition(preset.game), next = { ...preset, position: "start", moves };
			onPreset(next);
			await measure(next);
		} catch (reason) {
			setError(sentence(reason));
		}
	};
	return (
		<section class="card stack lab-measure" aria-labelledby="measure">
			<h2 id="measure">{t("lab.measureIt")}</h2>
			<p class="quiet">{t("lab.measureAbout")}</p>
			<div class="row">
				<label><span>{t("lab.upToDepth")}</span>
					<select value={deepest} onChange={(event) => setDeepest(Number(event.currentTarget.value))}>
						{[2, 3, 4, 5, 6, 7, 8, 10, 12].map((depth) => <option key={depth} value={depth}>{depth}</option>)}
					</select>
				</label>
				<label><span>{t("lab.count")}</span>
					<select value={counted} onChange={(event) => setCounted(event.currentTarget.value as Counted)}>
						{(["evaluations", "nodes"] as const).map((one) => <option key={one} value={one}>{COUNTED_NAMES[one]}</option>)}
					</select>
				</label>
				<button type="button" class="primary" disabled={!specs.length} onClick={() => running ? stop.current() : void measure(preset)}>{running ? t("lab.stop") : t("lab.measure")}</button>
				{preset.game !== "diagram" && <button type="button" disabled={running || !specs.length} onClick={() => void repeat()}><Icon name="dice" />{t("lab.repeatElsewhere")}</button>}
			</div>
			{error && <Failure error={error} />}
			{measured && <Chart measured={measured} counted={counted} title={info?.title ?? preset.game} />}
			<h3>{t("lab.measured")}</h3>
			{specs.map((spec, i) => <PlayerRow key={i} number={i + 1} spec={spec} info={info} depth={depthFor(baseName(preset.game))} allDepths
				setSpec={(to) => setSpecs(specs.map((one, j) => j === i ? to : one))} {...(specs.length > 1 ? { onRemove: () => setSpecs(specs.filter((_, j) => j !== i)) } : {})} />)}
			<div class="row">
				{specs.length < MOST && <button type="button" onClick={() => setSpecs([...specs, specs[specs.length - 1] ?? "minimax:depth=2"])}><Icon name="plus" />{t("lab.anotherTechnique")}</button>}
			</div>
		</section>
	);
}

function countText(count: number | undefined): string {
	return count === undefined ? "–" : number(count);
}

function Chart({ measured, counted, title }: { measured: Measured; counted: Counted; title: string }) {
	const svg = useMemo(() => chartSvg(measured, counted, "currentColor", "none"), [measured, counted]);
	const name = `${baseName(measured.game)}-nodes`;
	const depths = [...new Set([...measured.all, ...measured.series.flatMap(({ points }) => points)].map(({ depth }) => depth))].sort((a, b) => a - b);
	const where = measured.moves.length ? "moves" : measured.position === "start" ? "start" : "position";
	return (
		<figure class="lab-chart">
			<div class="lab-plot" role="img" aria-label={t("lab.chartAbout", { what: COUNTED_NAMES[counted] })} dangerouslySetInnerHTML={{ __html: svg }} />
			<figcaption class="small quiet">{t("lab.chartWhere", { where, game: title, moves: measured.moves.join(", "), position: measured.position })}</figcaption>
			<div class="lab-wide" tabIndex={0} role="region" aria-label={t("lab.chartNumbers")}>
				<table>
					<thead><tr><th scope="col">{t("lab.depth")}</th><th scope="col">N</th><th scope="col">2√N</th>{measured.series.map((one, i) => <th key={i} scope="col">{one.name}</th>)}</tr></thead>
					<tbody>
						{depths.map((depth) => {
							const all = measured.all.find((one) => one.depth === depth)?.nodes;
							return (
								<tr key={depth}><th scope="row">{depth}</th>
									<td>{countText(all)}</td><td>{countText(all && Math.round(2 * Math.sqrt(all)))}</td>
									{measured.series.map(({ points }, i) => <td key={i}>{countText(points.find((point) => point.depth === depth)?.[counted])}</td>)}
								</tr>
							);
						})}
					</tbody>
				</table>
			</div>
			{measured.series.filter(({ end }) => end).map(({ name: who, end }, i) => <p key={i} class="small quiet">{t("lab.endOf", { player: who, end })}</p>)}
			<div class="row" role="group" aria-label={t("lab.export")}>
				<button type="button" onClick={() => saveText(`${name}.svg`, chartSvg(measured, counted, "#2a2824", "#ffffff"))}><Icon name="download" />SVG</button>
				<button type="button" onClick={() => saveText(`${name}.csv`, chartCsv(measured))}><Icon name="download" />CSV</button>
				<button type="button" onClick={() => saveText(`${name}.json`, chartJson(measured))}><Icon name="download" />JSON</button>
			</div>
		</figure>
	);
}
