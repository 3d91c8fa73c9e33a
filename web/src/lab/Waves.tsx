// Waves.tsx - retrograde analysis: a wave that runs from the ends of a small game back to its start.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { Failure, useLoad, Waiting } from "../pages/parts";
import { BenchBoard } from "./BenchBoard";
import { labRequest } from "./request";

interface Wave {
	game: string;
	positions: number;
	draws: number;
	waves: { plies: number; wins: number; losses: number }[];
}

interface WavePosition {
	position: string;
	value: string;
	in: number;
	moves: { move: string; value: string; in: number | null; before: boolean }[];
}

const SPACES = [
	{ name: "Hexapawn", game: "hexapawn" },
	{ name: "Noughts and crosses", game: "noughts" },
	{ name: "Chess: king and rook against king", game: "chess", space: "krk" },
	{ name: "Chess: king and queen against king", game: "chess", space: "kqk" },
] as const;

const WORTH: Record<string, string> = { win: "wins", loss: "loses", draw: "draws" };

export function Waves() {
	const [which, setWhich] = useState(0);
	const [wave, setWave] = useState(0);
	const [index, setIndex] = useState(0);
	const { name: _, ...where } = SPACES[which] ?? SPACES[0];
	const key = JSON.stringify(where);
	const loaded = useLoad(key, async () => ({ key, found: await labRequest<Wave>("wave", where) }));
	const found = loaded.value?.key === key ? loaded.value.found : null;
	const shown = found?.waves[wave], count = shown ? shown.wins + shown.losses : 0;
	const at = found && count ? JSON.stringify([where, wave, index]) : "";
	const position = useLoad(at, () => labRequest<WavePosition>("wave/position", { ...where, wave, index }));
	return (
		<section class="card stack" aria-labelledby="waves">
			<h2 id="waves">Solving backwards</h2>
			<p class="quiet">Start with every position in which the game is over. One ply before a lost position, there is a won one. If all moves lead to won
				positions of the opponent, the position is lost. Wave after wave, all positions get their value. What no wave reaches is a draw.</p>
			<label class="field"><span>Game</span>
				<select value={which} onChange={(event) => {
					setWhich(Number(event.currentTarget.value));
					setWave(0);
					setIndex(0);
				}}>
					{SPACES.map(({ name }, i) => <option key={i} value={i}>{name}</option>)}
				</select>
			</label>
			{found ? <>
				<label class="field"><span>{`Wave ${wave}: positions that end in ${wave} plies`}</span>
					<input type="range" min={0} max={found.waves.length - 1} value={wave} onInput={(event) => {
						setWave(Number(event.currentTarget.value));
						setIndex(0);
					}} />
				</label>
				<Bars found={found} wave={wave} />
				{shown && <p role="status">{`${shown.wins.toLocaleString("en")} won and ${shown.losses.toLocaleString("en")} lost for the side to move. ${
					solvedBefore(found, wave).toLocaleString("en")} of ${found.positions.toLocaleString("en")} positions are solved, ${found.draws.toLocaleString("en")} are draws.`}</p>}
				{position.error && <Failure error={position.error} />}
				{position.value && count > 0 && <div class="lab-sample">
					<BenchBoard key={position.value.position} game={where.game} position={position.value.position} moves={[]} slow={false} onMove={() => {}} />
					<div class="stack">
						<p>{`The side to move ${WORTH[position.value.value] ?? position.value.value}${position.value.in ? ` in ${position.value.in} plies` : ": the game is over"}.`}</p>
						<ul class="lab-moves">{position.value.moves.map(({ move, value, in: plies, before }) => <li key={move}>
							<strong>{move}</strong>{` the opponent ${WORTH[value] ?? value}${plies === null ? "" : ` in ${plies}`}${before ? " (the wave before)" : ""}`}</li>)}</ul>
						<button type="button" disabled={count < 2} onClick={() => setIndex((index + 1) % count)}>{`Another position (${(index + 1).toLocaleString("en")} of ${count.toLocaleString("en")})`}</button>
					</div>
				</div>}
			</> : <Waiting loaded={loaded} />}
		</section>
	);
}

function solvedBefore({ waves }: Wave, wave: number): number {
	return waves.slice(0, wave + 1).reduce((sum, { wins, losses }) => sum + wins + losses, 0);
}

function Bars({ found, wave }: { found: Wave; wave: number }) {
	const most = Math.max(1, ...found.waves.map(({ wins, losses }) => wins + losses));
	const wide = 600 / found.waves.length;
	return (
		<svg class="lab-bars" viewBox="0 0 600 110" role="img" aria-label={`Positions in each of ${found.waves.length} waves; the numbers of the chosen one stand below.`}>
			{found.waves.map(({ plies, wins, losses }) => {
				const high = 95 * Math.sqrt((wins + losses) / most);
				return <rect key={plies} class={`${wins >= losses ? "win" : "loss"}${plies > wave ? " later" : ""}`} x={plies * wide + 1} y={100 - high} width={Math.max(1, wide - 2)} height={high} />;
			})}
		</svg>
	);
}
