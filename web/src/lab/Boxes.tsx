// Boxes.tsx - the learner's matchboxes: a box for each position, a bead for each move. A lost game takes a bead away.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { fetchPosition, useBoard, useLoad, Waiting } from "../pages/parts";
import { labRequest } from "./request";

interface Learned {
	games: number;
	results: number[];
}

interface Box {
	position: string;
	game: number; // that opened it
	moves: { move: string; removed: number | null }[];
}

const MOST = 60; // boxes that are drawn

export function Boxes() {
	const [game, setGame] = useState("hexapawn");
	const [opponent, setOpponent] = useState("random");
	const [seed, setSeed] = useState(1);
	const [played, setPlayed] = useState<number | null>(null); // null: all
	const [drawn, setDrawn] = useState(12);
	const body = { game, games: 60, seed, opponent, seat: 2 }, key = JSON.stringify(body);
	const loaded = useLoad(key, async () => {
		const [learned, { boxes }] = [await labRequest<Learned>("learn", body), await labRequest<{ boxes: Box[] }>("boxes", body)];
		return { key, learned, boxes };
	});
	const found = loaded.value?.key === key ? loaded.value : null;
	const now = played ?? 0;
	const open = found?.boxes.filter((box) => box.game <= Math.max(1, now)) ?? [];
	const count = (result: number) => found?.learned.results.slice(0, now).filter((one) => one === result).length ?? 0;
	return (
		<section class="card stack" aria-labelledby="boxes">
			<h2 id="boxes">Matchboxes that learn</h2>
			<p class="quiet">The learner moves second. For each position it has a matchbox with one bead for each move, and it draws a bead at random.
				When it loses, it throws away the bead of its last move. If that box is empty now, the bead of the move before goes, too. Nobody explains the
				game to it.</p>
			<div class="row">
				<label class="field"><span>Game</span>
					<select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
						<option value="hexapawn">Hexapawn</option><option value="noughts">Noughts and crosses</option>
					</select>
				</label>
				<label class="field"><span>Opponent</span>
					<select value={opponent} onChange={(event) => setOpponent(event.currentTarget.value)}>
						<option value="random">plays at random</option><option value="level:2">level 2</option><option value="perfect">plays perfectly</option>
					</select>
				</label>
				<label class="field"><span>Seed</span>
					<input type="number" min={1} max={9999} value={seed} onChange={(event) => setSeed(Number(event.currentTarget.value) || 1)} />
				</label>
			</div>
			{found ? <>
				<label class="field"><span>{`After ${now} of ${found.learned.games} games`}</span>
					<input type="range" min={0} max={found.learned.games} value={now} onInput={(event) => setPlayed(Number(event.currentTarget.value))} />
				</label>
				<Results results={found.learned.results} played={now} />
				<p role="status">{`The learner has won ${count(1)}, drawn ${count(0)} and lost ${count(-1)} games. It has ${open.length} boxes.`}</p>
				<ul class="lab-boxes">
					{open.slice(0, drawn).map((box) => <Matchbox key={box.position} game={game} box={box} played={now} />)}
				</ul>
				{open.length > drawn && drawn < MOST && <button type="button" onClick={() => setDrawn(MOST)}>Show more boxes</button>}
			</> : <Waiting loaded={loaded} />}
		</section>
	);
}

function Results({ results, played }: { results: number[]; played: number }) {
	const wide = 600 / results.length;
	return (
		<svg class="lab-bars" viewBox="0 0 600 44" role="img" aria-label="Results of the games: bars up are wins, bars down are losses.">
			<path class="axis" d="M0 22H600" />
			{results.map((result, i) => <rect key={i} class={`${result > 0 ? "win" : result < 0 ? "loss" : "draw"}${i >= played ? " later" : ""}`}
				x={i * wide + 1} y={result > 0 ? 2 : result < 0 ? 22 : 20} width={Math.max(1, wide - 2)} height={result ? 20 : 4} />)}
		</svg>
	);
}

function Matchbox({ game, box, played }: { game: string; box: Box; played: number }) {
	const board = useBoard(game)?.board ?? null;
	const view = useLoad(box.position, () => fetchPosition(game, box.position, []));
	const beads = box.moves.filter(({ removed }) => removed === null || removed > played).length;
	return (
		<li>
			{board && view.value && <BoardPicture board={board} view={view.value} title={box.position} />}
			<ul class="lab-beads" aria-label={`${beads} of ${box.moves.length} beads`}>
				{box.moves.map(({ move, removed }) => {
					const isGone = removed !== null && removed <= played;
					return <li key={move} class={isGone ? "gone" : ""}>{move}<span class="unseen">{isGone ? `, removed in game ${removed}` : ", in the box"}</span></li>;
				})}
			</ul>
		</li>
	);
}
