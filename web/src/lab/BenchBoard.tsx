// BenchBoard.tsx - the position of a node: a board, or for a tree that was typed its moves. A move on it selects a branch.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { BoardView } from "../board/BoardView";
import { unclicked } from "../board/entry";
import { MoveButtons } from "../board/MoveChoice";
import { numbered } from "../board/numbered";
import { withColours } from "../board/stones";
import { t } from "../messages";
import { baseName, Failure, fetchPosition, useBoard } from "../pages/parts";
import { turnText } from "../pages/walk";
import { StarBoard } from "../starchess/lazy";
import type { View } from "../types";

const KEPT = 400; // views
const SLOW_MS = 200; // while the search is played fast

/** onMove gets short notation where the game has one. moves: null: they include a null move, which no board can show. */
export function BenchBoard({ game, position, moves, slow, onMove }: {
	game: string; position: string; moves: string[] | null; slow: boolean; onMove(move: string): void;
}) {
	const loaded = useBoard(game);
	const [shown, setShown] = useState<View | null>(null);
	const [error, setError] = useState<string | null>(null);
	const views = useRef(new Map<string, View>());
	const waiting = useRef(false);
	const wanted = useRef<string[] | null>(moves);
	wanted.current = moves;
	const key = moves ? moves.join("\n") : null;

	useEffect(() => {
		if (key === null || waiting.current)
			return;
		const load = async (list: string[]) => {
			const name = list.join("\n");
			try {
				const view = views.current.get(name) ?? await fetchPosition(game, position, list);
				if (views.current.size >= KEPT)
					views.current.clear();
				views.current.set(name, view);
				setShown(view);
				setError(null);
			} catch (reason) {
				setError(sentence(reason));
			}
			/* Meanwhile the search may have moved on. */
			const now = wanted.current;
			if (now && now.join("\n") !== name) {
				if (slow)
					await new Promise((next) => setTimeout(next, SLOW_MS));
				await load(wanted.current ?? now);
			}
		};
		waiting.current = true;
		void load(moves ?? []).finally(() => void (waiting.current = false));
	}, [key]);

	if (error)
		return <Failure error={error} />;
	if (!loaded || !shown)
		return <p class="waiting" role="status">{t("lab.loading")}</p>;
	if (!loaded.board)
		return (
			<div class="stack">
				<pre class="text-board lab-typed">{shown.text ?? shown.position}</pre>
				{!shown.over && <MoveButtons moves={shown.moves} onMove={onMove} />}
			</div>
		);
	const board = numbered(withColours(loaded.board, shown.position));
	const Shown = baseName(game) === "starchess" ? StarBoard : BoardView;
	const buttons = shown.over ? [] : unclicked(shown.moves);
	const onPlayed = (played: string) => onMove(shown.moves.find(({ move }) => move === played)?.short ?? played);
	return (
		<div class="lab-board" style={{ "--aspect": board.width / board.height }}>
			<Shown board={board} view={shown} interactive={!shown.over} onMove={onPlayed} label={t("lab.nodeBoard", { game: board.title })} />
			{buttons.length > 0 && <MoveButtons moves={buttons} onMove={onPlayed} />}
			<p class="turn small">{moves === null ? t("lab.nullMove") : turnText(shown, board)}</p>
		</div>
	);
}
