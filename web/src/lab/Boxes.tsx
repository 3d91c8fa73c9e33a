// Boxes.tsx - the learner's matchboxes: a box for each position, a bead for each move. A lost game takes a bead away.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { middle } from "../board/geometry";
import { rich, t } from "../messages";
import { fetchPosition, useBoard, useLoad, Waiting } from "../pages/parts";
import type { Board, View } from "../types";
import { colourOf } from "./chart";
import { labRequest } from "./request";
import { Steps } from "./Steps";
import { useClock } from "./useClock";

interface Learned {
	games: number;
	results: number[];
	played: { moves: string[]; beads: { box: number; move: string }[] }[];
}

interface Box {
	position: string;
	game: number; // that opened it
	moves: { move: string; removed: number | null }[];
}

const GAMES = 100;
const FEW = 12, MOST = 60; // boxes that are drawn

export function Boxes() {
	const [game, setGame] = useState("hexapawn");
	const [opponent, setOpponent] = useState("random");
	const [seed, setSeed] = useState(1);
	const body = { game, games: GAMES, seed, opponent, seat: 2 }, key = JSON.stringify(body);
	const loaded = useLoad(key, async () => {
		const [learned, { boxes }] = [await labRequest<Learned>("learn", body), await labRequest<{ boxes: Box[] }>("boxes", body)];
		return { key, learned, boxes };
	});
	const found = loaded.value?.key === key ? loaded.value : null;
	return (
		<section class="card stack" aria-labelledby="boxes">
			<h2 id="boxes">{t("lab.boxesTitle")}</h2>
			<p class="quiet">{t("lab.boxesAbout")}</p>
			<div class="row">
				<label class="field"><span>{t("lab.game")}</span>
					<select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
						<option value="hexapawn">{t("lab.hexapawn")}</option><option value="noughts">{t("lab.noughts")}</option>
					</select>
				</label>
				<label class="field"><span>{t("lab.opponent")}</span>
					<select value={opponent} onChange={(event) => setOpponent(event.currentTarget.value)}>
						<option value="random">{t("lab.opponentRandom")}</option><option value="level:2">{t("lab.opponentLevel2")}</option><option value="perfect">{t("lab.opponentPerfect")}</option>
					</select>
				</label>
				<label class="field"><span>{t("lab.seed")}</span>
					<input type="number" min={1} max={9999} value={seed} onChange={(event) => setSeed(Number(event.currentTarget.value) || 1)} />
				</label>
			</div>
			{found ? <Series key={key} game={game} learned={found.learned} boxes={found.boxes} /> : <Waiting loaded={loaded} />}
		</section>
	);
}

function Series({ game, learned: { games, results, played }, boxes }: { game: string; learned: Learned; boxes: Box[] }) {
	const clock = useClock(games, 0, 1);
	const [drawn, setDrawn] = useState(FEW);
	const board = useBoard(game)?.board ?? null;
	const now = clock.moment, last = played[now - 1];
	const open = boxes.filter((box) => box.game <= Math.max(1, now));
	const count = (result: number, from = 0) => results.slice(from, now).filter((one) => one === result).length;
	const gone = boxes.reduce((sum, { moves }) => sum + moves.filter(({ removed }) => removed !== null && removed <= now).length, 0);
	return (
		<>
			<Steps clock={clock} label={t("lab.games")} text={(at) => t("lab.gameOf", { at, all: games })} />
			<Results results={results} played={now} />
			<p role="status">{now ? gameText(now, results[now - 1] ?? 0, boxes) : t("lab.noGame")}
				{` ${t("lab.boxesSummary", { won: count(1), drawn: count(0), lost: count(-1), recent: count(-1, Math.max(0, now - 20)), gone })}`}</p>
			{last && board && <Film key={now} game={game} board={board} moves={last.moves} beads={last.beads} boxes={boxes} />}
			<h3>{t("lab.boxesCount", { n: open.length })}</h3>
			<ul class="lab-boxes">
				{board && open.slice(0, drawn).map((box, i) => <Matchbox key={box.position} game={game} board={board} box={box} number={i + 1} played={now}
					drew={last?.beads.find((bead) => bead.box === i)?.move ?? null} />)}
			</ul>
			{open.length > drawn && <p class="small quiet">{t("lab.boxesDrawn", { n: drawn })}</p>}
			{open.length > FEW && <button type="button" onClick={() => setDrawn(drawn === FEW ? MOST : FEW)}>{drawn === FEW ? t("lab.moreBoxes") : t("lab.fewerBoxes")}</button>}
		</>
	);
}

/** "Game 7: the learner loses. The bead b3-b2 leaves box 1." */
function gameText(game: number, result: number, boxes: Box[]): string {
	const lost = boxes.flatMap(({ moves }, i) => moves.flatMap(({ move, removed }) => removed === game ? [t("lab.beadLeaves", { move, box: i + 1 })] : []));
	return [t("lab.gameResult", { game, result: result > 0 ? "win" : result < 0 ? "loss" : "draw" }), ...lost].join(" ");
}

function Results({ results, played }: { results: number[]; played: number }) {
	const wide = 600 / results.length;
	return (
		<svg class="lab-bars" viewBox="0 0 600 44" role="img" aria-label={t("lab.resultBars")}>
			<path class="axis" d="M0 22H600" />
			{results.slice(0, played).map((result, i) => <rect key={i} class={result > 0 ? "win" : result < 0 ? "loss" : "draw"}
				x={i * wide + 1} y={result > 0 ? 2 : result < 0 ? 22 : 20} width={Math.max(1, wide - 2)} height={result ? 20 : 4} />)}
		</svg>
	);
}

function Bead({ box, move }: { box: Box | undefined; move: string }) {
	return <span class="lab-bead" aria-hidden="true" style={{ background: colourOf(box?.moves.findIndex((one) => one.move === move) ?? 0) }} />;
}

/** The game that was just played, board by board. Below the learner's moves: the bead that it drew. */
function Film({ game, board, moves, beads, boxes }: { game: string; board: Board; moves: string[]; beads: { box: number; move: string }[]; boxes: Box[] }) {
	const views = useLoad(moves.join(" "), () => Promise.all(moves.map((_, i) => fetchPosition(game, "start", moves.slice(0, i + 1)))));
	return (
		<ol class="lab-film" aria-label={t("lab.filmMoves")}>
			{views.value?.map((view, i) => {
				const bead = i % 2 ? beads[(i - 1) / 2] : undefined; // the learner moves second
				return (
					<li key={i}>
						<BoardPicture board={board} view={view} />
						<p class="small">{moves[i]}{bead && <span class="quiet"><br /><Bead box={boxes[bead.box]} move={bead.move} />{t("lab.boxNumber", { n: bead.box + 1 })}</span>}</p>
					</li>
				);
			})}
		</ol>
	);
}

const unseen = (text: ComponentChildren) => <span class="unseen">{text}</span>;

interface MatchboxProps {
	game: string;
	board: Board;
	box: Box;
	number: number;
	played: number;
	drew: string | null; // in the game that was just played
}

function Matchbox({ game, board, box, number, played, drew }: MatchboxProps) {
	const view = useLoad(box.position, () => fetchPosition(game, box.position, []));
	const isGone = (removed: number | null) => removed !== null && removed <= played;
	const beads = box.moves.filter(({ removed }) => !isGone(removed)).length;
	return (
		<li class={drew ? "used" : ""}>
			<p class="small quiet">{t("lab.box", { n: number, drew: String(drew !== null), move: drew ?? "", beads })}</p>
			{view.value && <div class="lab-box-board">
				<BoardPicture board={board} view={view.value} title={box.position} />
				<BeadArrows board={board} view={view.value} moves={box.moves.map(({ move, removed }) => ({ move, shown: !isGone(removed) || removed === played }))} />
			</div>}
			<ul class="lab-beads" aria-label={t("lab.beads", { left: beads, n: box.moves.length })}>
				{box.moves.map(({ move, removed }, i) => <li key={move} class={removed === played ? "gone now" : isGone(removed) ? "gone" : move === drew ? "drew" : ""}>
					<span class="lab-bead" aria-hidden="true" style={{ background: colourOf(i) }} />
					{isGone(removed) ? rich("lab.beadRemoved", { move, game: removed, unseen }) : rich("lab.beadInBox", { move, unseen })}</li>)}
			</ul>
		</li>
	);
}

/** The moves on the board in the colours of their beads. */
function BeadArrows({ board, view, moves }: { board: Board; view: View; moves: { move: string; shown: boolean }[] }) {
	const size = board.cells[0]?.width ?? 100;
	return (
		<svg class="lab-bead-arrows" viewBox={`0 0 ${board.width} ${board.height}`} aria-hidden="true">
			{moves.map(({ move, shown }, i) => {
				const found = view.moves.find((one) => one.move === move), cells = found?.touches ?? found?.clicks ?? [];
				const [first, last] = [cells[0], cells[cells.length - 1]].map((at) => at === undefined ? undefined : board.cells[at]);
				if (!shown || !first || !last)
					return null;
				const from = middle(board, first, false), to = middle(board, last, false);
				return <g key={move} stroke={colourOf(i)} fill={colourOf(i)}>
					<path d={`M${from.x} ${from.y}L${to.x} ${to.y}`} stroke-width={size / 11} stroke-linecap="round" />
					<circle cx={to.x} cy={to.y} r={size / 7} stroke="#fff" stroke-width={size / 40} />
				</g>;
			})}
		</svg>
	);
}
