// PuzzlesPage.tsx - "/puzzles": today's puzzle of each game, with its position, and where you stand.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { sideName } from "../board/text";
import { fetchGames, fetchPosition, useBoard, useLoad, useTitle, Waiting } from "../pages/parts";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { Game, View } from "../types";
import { Icon } from "../ui/icons";
import { hasLadder, loadPuzzles, puzzleGames } from "./files";
import { dailyOf, dayNumber, taskText, type Puzzle } from "./parse";
import { progress, progressIn } from "./progress";

export function PuzzlesPage(_: PageProps) {
	useTitle("Puzzles");
	const games = useLoad("games", fetchGames);
	const today = dayNumber(new Date());
	const { days } = useStore(progress);
	const running = days.last >= today - 1 ? days.count : 0;
	const listed = puzzleGames.flatMap((name) => games.value?.find((one) => one.name === name) ?? []);
	return (
		<section class="page puzzles">
			<h1>Puzzles</h1>
			<p class="lead">Real positions with one solution, each proved by a solver. A new one for every game every day.</p>
			{running > 0 && <p class="streak"><Icon name="exact" />{running === 1 ? "You solved a puzzle of the day: one day in a row." : `You solved puzzles of the day ${running} days in a row.`}</p>}
			<Waiting loaded={games} />
			<ul class="puzzle-cards">
				{listed.map((game) => <PuzzleCard key={game.name} game={game} today={today} />)}
			</ul>
			<p class="small quiet">Star Chess and the tree diagram have no puzzles: no solver proves a single best move there.</p>
		</section>
	);
}

function PuzzleCard({ game, today }: { game: Game; today: number }) {
	const mine = progressIn(useStore(progress), game.name);
	const [daily, setDaily] = useState<{ puzzle: Puzzle; view: View; count: number } | null>(null);
	const board = useBoard(daily?.puzzle.game ?? game.name)?.board ?? null;
	useEffect(() => {
		let current = true;
		const load = async () => {
			const puzzles = await loadPuzzles(game.name), puzzle = dailyOf(puzzles, today);
			if (!puzzle)
				return;
			const view = await fetchPosition(puzzle.game, puzzle.position, []);
			if (current)
				setDaily({ puzzle, view, count: puzzles.length });
		};
		load().catch(() => undefined); // the card works without its picture
		return () => void (current = false);
	}, [game.name, today]);
	const done = mine.daily === today;
	return (
		<li class="card puzzle-card">
			<h2>{game.title}</h2>
			<a class="puzzle-picture" href={`/puzzles/${game.name}?daily=1`} tabIndex={-1} aria-hidden="true">
				{daily && board && <BoardPicture board={board} view={daily.view} turned={board.turnable && daily.view.seat === 2} />}
			</a>
			<p class="task-text">{daily && board ? taskText(daily.puzzle, sideName(board, daily.view.seat)) : "…"}</p>
			<div class="row">
				<a class="button primary" href={`/puzzles/${game.name}?daily=1`}>{done && <Icon name="exact" />}{done ? "Solved today" : "Today's puzzle"}<span class="unseen">: {game.title}</span></a>
				<a class="button" href={`/puzzles/${game.name}`}>Train<span class="unseen">: {game.title}</span></a>
			</div>
			{hasLadder(game.name) && <p class="ladder-link"><a href={`/puzzles/${game.name}?ladder=1`}>Beat the perfect player<span class="unseen">: {game.title}</span></a></p>}
			<p class="small quiet">{daily ? daily.count === 1 ? "1 puzzle" : `${daily.count} puzzles` : ""}{mine.tries > 0 ? ` · your rating ${Math.round(mine.you.rating)} · ${mine.solved} solved` : ""}</p>
		</li>
	);
}
