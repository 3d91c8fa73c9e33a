// PuzzlesPage.tsx - "/puzzles": today's puzzle of each game, with its position, and where you stand.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { sideName } from "../board/text";
import { rich, t } from "../messages";
import { fetchGames, fetchPosition, useBoard, useLoad, useTitle, Waiting } from "../pages/parts";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { Game, View } from "../types";
import { Icon } from "../ui/icons";
import { hasLadder, loadPuzzles } from "./files";
import { puzzleGames } from "./games";
import { dailyOf, dayNumber, taskText, type Puzzle } from "./parse";
import { progress, progressIn, shownRating } from "./progress";

export function PuzzlesPage(_: PageProps) {
	useTitle(t("puzzles.puzzles"));
	const games = useLoad("games", fetchGames);
	const today = dayNumber(new Date());
	const { days } = useStore(progress);
	const running = days.last >= today - 1 ? days.count : 0;
	const listed = puzzleGames.flatMap((name) => games.value?.find((one) => one.name === name) ?? []);
	return (
		<section class="page puzzles">
			<h1>{t("puzzles.puzzles")}</h1>
			<p class="lead">{t("puzzles.about")}</p>
			{running > 0 && <p class="streak"><Icon name="exact" />{t("puzzles.daysInRow", { n: running })}</p>}
			<Waiting loaded={games} />
			<ul class="puzzle-cards">
				{listed.map((game) => <PuzzleCard key={game.name} game={game} today={today} />)}
			</ul>
			<p class="small quiet">{t("puzzles.noneFor")}</p>
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
	const done = mine.daily === today, rating = shownRating(mine);
	const named = { game: game.title, unseen: (text: ComponentChildren) => <span class="unseen">{text}</span> }; // links with the same words differ for screen readers
	return (
		<li class="card puzzle-card">
			<h2>{game.title}</h2>
			<a class="puzzle-picture" href={`/puzzles/${game.name}?daily=1`} tabIndex={-1} aria-hidden="true">
				{daily && board && <BoardPicture board={board} view={daily.view} turned={board.turnable && daily.view.seat === 2} />}
			</a>
			<p class="task-text">{daily && board ? taskText(daily.puzzle, sideName(board, daily.view.seat)) : "…"}</p>
			<div class="row">
				<a class="button primary" href={`/puzzles/${game.name}?daily=1`}>{done && <Icon name="exact" />}{done ? rich("puzzles.solvedToday", named) : rich("puzzles.today", named)}</a>
				<a class="button" href={`/puzzles/${game.name}`}>{rich("puzzles.train", named)}</a>
			</div>
			{hasLadder(game.name) && <p class="ladder-link"><a href={`/puzzles/${game.name}?ladder=1`}>{rich("puzzles.beat", named)}</a></p>}
			<p class="small quiet">{[
				...daily ? [t("puzzles.count", { n: daily.count })] : [],
				...rating !== null ? [t("puzzles.yourRating", { rating })] : [],
				...mine.tries > 0 ? [t("puzzles.solvedCount", { n: mine.solved })] : [],
			].join(" · ")}</p>
		</li>
	);
}
