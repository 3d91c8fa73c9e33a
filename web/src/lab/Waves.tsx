// Waves.tsx - retrograde analysis: a wave that runs from the ends of a small game back to its start.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { rich, t } from "../messages";
import { Failure, fetchPosition, useBoard, useLoad, Waiting } from "../pages/parts";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import { BenchBoard } from "./BenchBoard";
import { labRequest } from "./request";
import { Steps } from "./Steps";
import { useClock } from "./useClock";

interface Wave {
	game: string;
	positions: number;
	draws: number;
	waves: { plies: number; wins: number; losses: number }[];
}

interface WavePosition {
	position: string;
	value: string;
	in: number | null;
	moves: { move: string; value: string; in: number | null; before: boolean }[];
}

interface Space {
	game: string;
	space?: string;
}

/** Everything about a game that the waves need. */
interface Solved {
	where: Space;
	found: Wave;
	map: number[]; // the wave of each position; -1: a draw
	start: WavePosition | null; // of games with one start
}

const SPACES: { name: string; where: Space }[] = [
	{ name: t("lab.hexapawn"), where: { game: "hexapawn" } },
	{ name: t("lab.noughts"), where: { game: "noughts" } },
	{ name: t("lab.wavesKrk"), where: { game: "chess", space: "krk" } },
	{ name: t("lab.wavesKqk"), where: { game: "chess", space: "kqk" } },
];

const SHOWN = 6; // positions of a wave at a time
const WIDER = 2.6; // than high: the map

export function Waves() {
	const [which, setWhich] = useState(0);
	const { where } = SPACES[which] ?? SPACES[0]!;
	const key = JSON.stringify(where);
	const loaded = useLoad(key, async () => {
		const found = await labRequest<Wave>("wave", where);
		const { waves: map } = await labRequest<{ waves: number[] }>("wave/map", where);
		const start = where.space ? null : await labRequest<WavePosition>("wave/position", { ...where, position: "start" });
		return { key, solved: { where, found, map, start } };
	});
	const solved = loaded.value?.key === key ? loaded.value.solved : null;
	return (
		<section class="card stack" aria-labelledby="waves">
			<h2 id="waves">{t("lab.waves")}</h2>
			<p class="quiet">{t("lab.wavesAbout")}</p>
			<label class="field"><span>{t("lab.game")}</span>
				<select value={which} onChange={(event) => setWhich(Number(event.currentTarget.value))}>
					{SPACES.map(({ name }, i) => <option key={i} value={i}>{name}</option>)}
				</select>
			</label>
			{solved ? <WaveView key={key} solved={solved} /> : <Waiting loaded={loaded} />}
		</section>
	);
}

function WaveView({ solved }: { solved: Solved }) {
	const { found, where, map, start } = solved;
	const clock = useClock(found.waves.length - 1, 0, 1);
	const wave = clock.moment, { wins, losses } = found.waves[wave] ?? { wins: 0, losses: 0 };
	const done = found.waves.slice(0, wave + 1).reduce((sum, one) => sum + one.wins + one.losses, 0);
	return (
		<>
			<Steps clock={clock} label={t("lab.wavesLabel")} text={(at) => t("lab.waveOf", { at, all: found.waves.length - 1 })} />
			<p role="status">{`${t("lab.waveStatus", { wave, result: wins ? "win" : "loss", n: wins || losses })} ${wave === found.waves.length - 1
				? t("lab.waveSolvedAll", { done, all: found.positions, draws: found.draws }) : t("lab.waveSolved", { done, all: found.positions })}`}</p>
			<div class="lab-sample">
				<figure class="lab-chart">
					<WaveMap map={map} wave={wave} />
					<figcaption class="small quiet">
						{rich("lab.waveDots", { won: <span class="lab-dot win" />, lost: <span class="lab-dot loss" />, open: <span class="lab-dot" /> })}</figcaption>
					<Bars found={found} wave={wave} />
					<figcaption class="small quiet">{t("lab.waveBars")}</figcaption>
					{start && <p class="small">{start.in === null ? t("lab.waveNoStart")
						: t("lab.waveStart", { wave: start.in, value: start.value })}</p>}
				</figure>
				{wins + losses > 0 && <WavePositions key={wave} where={where} wave={wave} count={wins + losses} playing={clock.playing} />}
			</div>
		</>
	);
}

function colour(context: CanvasRenderingContext2D, name: string): number[] {
	context.fillStyle = getComputedStyle(context.canvas).getPropertyValue(name).trim();
	context.fillRect(0, 0, 1, 1);
	return [...context.getImageData(0, 0, 1, 1).data];
}

/** One dot for each position, in the order of the game's index. */
function WaveMap({ map, wave }: { map: number[]; wave: number }) {
	const { theme } = useStore(settings);
	const canvas = useRef<HTMLCanvasElement>(null);
	const wide = Math.ceil(Math.sqrt(map.length * WIDER)), high = Math.ceil(map.length / wide);
	useEffect(() => {
		const context = canvas.current?.getContext("2d", { willReadFrequently: true });
		if (!context)
			return;
		const [back, open, won, lost] = ["--card", "--edge", "--good", "--bad"].map((name) => colour(context, name));
		const picture = context.createImageData(wide, high);
		const mixed = (paint: number[], other: number[], part: number) => paint.map((value, i) => value * part + other[i]! * (1 - part));
		const old = [mixed(lost!, back!, 0.45), mixed(won!, back!, 0.45)], fresh = [lost!, won!];
		map.forEach((at, i) => picture.data.set(at < 0 || at > wave ? open! : (at === wave ? fresh : old)[at % 2]!, 4 * i));
		for (let i = map.length; i < wide * high; i++)
			picture.data.set(back!, 4 * i);
		context.putImageData(picture, 0, 0);
	}, [map, wave, theme]);
	return <canvas ref={canvas} class="lab-map" width={wide} height={high} role="img" aria-label={t("lab.waveMap")} />;
}

function Bars({ found, wave }: { found: Wave; wave: number }) {
	const most = Math.max(1, ...found.waves.map(({ wins, losses }) => wins + losses));
	const wide = 600 / found.waves.length;
	return (
		<svg class="lab-bars" viewBox="0 0 600 100" role="img" aria-label={t("lab.waveBarsOf", { n: found.waves.length })}>
			{found.waves.map(({ plies: at, wins, losses }) => {
				const high = 95 * Math.sqrt((wins + losses) / most);
				return <rect key={at} class={`${wins >= losses ? "win" : "loss"}${at > wave ? " later" : ""}`} x={at * wide + 1} y={100 - high} width={Math.max(1, wide - 2)} height={high} />;
			})}
		</svg>
	);
}

/** A way through all numbers below the count that does not take neighbours, which look alike. */
function scattered(count: number): number {
	const common = (a: number, b: number): number => b ? common(b, a % b) : a;
	let step = Math.max(1, Math.floor(count * 0.618));
	while (common(step, count) !== 1)
		step++;
	return step;
}

function WavePositions({ where, wave, count, playing }: { where: Space; wave: number; count: number; playing: boolean }) {
	const [from, setFrom] = useState(0);
	const [chosen, setChosen] = useState(0);
	const [line, setLine] = useState<string[]>([]);
	const board = useBoard(where.game)?.board ?? null;
	const step = scattered(count), shown = Math.min(SHOWN, count);
	const loaded = useLoad(`${JSON.stringify(where)} ${wave} ${from}`, () => Promise.all(Array.from({ length: shown }, async (_, i) => {
		const found = await labRequest<WavePosition>("wave/position", { ...where, wave, index: (from + i) * step % count });
		return { found, view: await fetchPosition(where.game, found.position, []) };
	})));
	const one = loaded.value?.[chosen];
	const choose = (next: number) => {
		setChosen(next);
		setLine([]);
	};
	return (
		<div class="stack">
			<h3>{t("lab.wavePositions", { wave })}</h3>
			{loaded.error && <Failure error={loaded.error} />}
			<div class="lab-thumbs" role="group" aria-label={t("lab.wavePositions", { wave })}>
				{board && loaded.value?.map(({ found, view }, i) => <button key={i} type="button" aria-pressed={i === chosen} aria-label={t("lab.positionText", { position: found.position })} onClick={() => choose(i)}>
					<BoardPicture board={board} view={view} /></button>)}
			</div>
			{count > shown && <button type="button" onClick={() => {
				setFrom((from + shown) % count);
				choose(0);
			}}>{t("lab.otherPositions", { n: count })}</button>}
			{one && !playing && <Followed where={where} position={one.found.position} line={line} onLine={setLine} />}
		</div>
	);
}

/** A position on a board. Its moves lead to the waves before, down to the end of the game. */
function Followed({ where, position, line, onLine }: { where: Space; position: string; line: string[]; onLine(line: string[]): void }) {
	const key = `${position} ${line.join(" ")}`;
	const loaded = useLoad(key, async () => {
		const view = await fetchPosition(where.game, position, line);
		return { key, over: view.over, found: view.over ? null : await labRequest<WavePosition>("wave/position", { ...where, position: view.position }) };
	});
	const { over = false, found = null } = loaded.value ?? {}; // the position before stays until the next one is ready
	const best = loaded.value?.key === key ? found?.moves.find(({ before }) => before) : undefined;
	const next = useRef<HTMLButtonElement>(null);
	const go = (move: string) => {
		next.current?.focus(); // the button of the move goes away
		onLine([...line, move]);
	};
	return (
		<>
			<BenchBoard key={position} game={where.game} position={position} moves={line} slow={false} onMove={(move) => onLine([...line, move])} />
			{loaded.error && <Failure error={loaded.error} />}
			<p role="status">{over ? line.length ? t("lab.overAfter", { n: line.length }) : t("lab.overAtOnce")
				: !found ? "…" : found.in === null ? t("lab.worthDraw", { value: found.value }) : t("lab.worthIn", { value: found.value, n: found.in })}</p>
			<div class="row">
				<button ref={next} type="button" class="primary" aria-disabled={!best} onClick={() => best && onLine([...line, best.move])}>{best ? t("lab.followMove", { move: best.move }) : t("lab.followWave")}</button>
				<button type="button" aria-disabled={!line.length} onClick={() => line.length && onLine([])}>{t("lab.backToPosition")}</button>
			</div>
			{found && <ul class="lab-moves">{found.moves.map(({ move, value, in: left, before }) => {
				const shown = { value, move: <button type="button" class="text" onClick={() => loaded.value?.key === key && go(move)}>{move}</button> };
				return <li key={move} class={before ? "before" : ""}>{left === null ? rich("lab.moveDraws", shown)
					: before ? rich("lab.moveWaveBefore", { ...shown, n: left }) : rich("lab.moveWave", { ...shown, n: left })}</li>;
			})}</ul>}
		</>
	);
}
