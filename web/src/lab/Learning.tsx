// Learning.tsx - temporal-difference learning of the weights of Race!: the curve while it learns.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { Failure } from "../pages/parts";
import { labRequest } from "./request";

interface TdPoint {
	games: number;
	error: number | null;
	won: number;
	tested: number;
	weights: Record<string, number>;
}

interface Td {
	curve: TdPoint[];
	weights: Record<string, number>;
}

const POINTS = 20;

export function Learning() {
	const [games, setGames] = useState(1000);
	const [rate, setRate] = useState<number | null>(null);
	const [seed, setSeed] = useState(1);
	const [found, setFound] = useState<Td | null>(null);
	const [running, setRunning] = useState(false);
	const [error, setError] = useState<string | null>(null);
	const round = useRef(0);
	useEffect(() => () => void round.current++, []);

	/** The same seed gives the same games, so longer and longer runs show the curve grow. */
	async function learn(): Promise<void> {
		const mine = ++round.current, every = Math.max(1, Math.round(games / POINTS));
		setRunning(true);
		setError(null);
		setFound(null);
		try {
			for (let part = every; round.current === mine; part = Math.min(games, 2 * part)) {
				const next = await labRequest<Td>("td", { game: "race", games: part, every, seed, test: 60, ...(rate ? { rate } : {}) });
				if (round.current !== mine)
					return;
				setFound(next);
				if (part >= games)
					break;
			}
		} catch (reason) {
			setError(sentence(reason));
		}
		if (round.current === mine)
			setRunning(false);
	}
	return (
		<section class="card stack" aria-labelledby="learning">
			<h2 id="learning">Learning from its own games</h2>
			<p class="quiet">The player of Race! begins with all weights at zero and plays against itself. After each move it compares what it expected with what came,
				and changes its weights a little: temporal-difference learning. Now and then it is tested against the player of the 1983 book.</p>
			<div class="row">
				<label class="field"><span>Games</span>
					<select value={games} onChange={(event) => setGames(Number(event.currentTarget.value))}>
						{[200, 500, 1000, 2000, 5000].map((one) => <option key={one} value={one}>{one.toLocaleString("en")}</option>)}
					</select>
				</label>
				<label class="field"><span>Learning rate</span>
					<select value={rate ?? 0} onChange={(event) => setRate(Number(event.currentTarget.value) || null)}>
						<option value={0}>default</option><option value={2}>very slow</option><option value={50}>fast</option><option value={500}>much too fast</option>
					</select>
				</label>
				<label class="field"><span>Seed</span>
					<input type="number" min={1} max={9999} value={seed} onChange={(event) => setSeed(Number(event.currentTarget.value) || 1)} />
				</label>
				<button type="button" class="primary" disabled={running} onClick={() => void learn()}>{running ? "Learning…" : "Learn"}</button>
			</div>
			{error && <Failure error={error} />}
			{found && <Curve found={found} games={games} />}
		</section>
	);
}

function Curve({ found: { curve, weights }, games }: { found: Td; games: number }) {
	const share = ({ won, tested }: TdPoint) => tested ? won / tested : 0;
	const x = (at: number) => 50 + 540 * at / games, y = (value: number) => 10 + 150 * (1 - value);
	const last = curve[curve.length - 1];
	return (
		<figure class="lab-chart">
			<svg class="lab-curve" viewBox="0 0 600 190" role="img" aria-label={last ? `After ${last.games} games it wins ${Math.round(100 * share(last))} % of the test games.` : "No games yet."}>
				{[0, 0.25, 0.5, 0.75, 1].map((value) => <g key={value}>
					<path class="axis" d={`M50 ${y(value)}H590`} /><text x={44} y={y(value) + 4} text-anchor="end">{`${100 * value} %`}</text></g>)}
				<path class="curve" d={`M${curve.map((point) => `${x(point.games).toFixed(1)} ${y(share(point)).toFixed(1)}`).join("L")}`} />
				{curve.map((point) => <circle key={point.games} cx={x(point.games)} cy={y(share(point))} r={3.5} />)}
				<text x={50} y={182}>0</text><text x={590} y={182} text-anchor="end">{`${games.toLocaleString("en")} games`}</text>
			</svg>
			<figcaption class="small">{last ? `After ${last.games.toLocaleString("en")} games it wins ${last.won} of ${last.tested} test games.` : ""}</figcaption>
			<dl class="lab-numbers">{Object.entries(weights).map(([name, weight]) => <div key={name}><dt>{name}</dt><dd>{weight}</dd></div>)}</dl>
		</figure>
	);
}
