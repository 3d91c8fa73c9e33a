// TryBoard.tsx - a board to try moves on, for both sides, with dice by chance: for games without steps, such as plug-ins.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { moveName } from "../board/text";
import { t } from "../messages";
import { fetchPosition, useBoard, useLoad, Waiting } from "../pages/parts";
import { turnText } from "../pages/walk";
import type { Game, Move } from "../types";
import { announce } from "../ui/announce";
import { StepBoard } from "./StepBoard";

/** A roll, each as likely as its weight. */
function rollOf(moves: Move[], random: number): string {
	let left = random * moves.reduce((sum, { weight = 1 }) => sum + weight, 0);
	return (moves.find(({ weight = 1 }) => (left -= weight) < 0) ?? moves[0])?.move ?? "";
}

export function TryBoard({ game }: { game: Game }) {
	const [moves, setMoves] = useState<string[]>([]);
	const found = useBoard(game.name);
	const loaded = useLoad(`${game.name} ${moves.join(",")}`, () => fetchPosition(game.name, "start", moves));
	const view = loaded.value;
	const play = (move: string) => {
		setMoves([...moves, move]);
		announce(`${moveName({ move })}.`);
	};
	return (
		<section class="learn-try" aria-labelledby="try">
			<h2 id="try">{t("learn.tryMoves")}</h2>
			<p>{t("learn.tryAbout")}</p>
			<Waiting loaded={loaded} />
			{view && found && <>
				<StepBoard game={game.name} board={found.board} view={view} interactive={!view.over} onMove={play} />
				<p class="small quiet" role="status">{turnText(view, found.board)}</p>
				<div class="row">
					{view.seat === 0 && !view.over && <button type="button" class="primary" onClick={() => play(rollOf(view.moves, Math.random()))}>{t("learn.roll")}</button>}
					<button type="button" disabled={!moves.length} onClick={() => setMoves(moves.slice(0, -1))}>{t("learn.takeBack")}</button>
					<button type="button" disabled={!moves.length} onClick={() => setMoves([])}>{t("learn.startAgain")}</button>
					<a class="button" href={`/games/${encodeURIComponent(game.name)}`}>{t("learn.newGame")}</a>
				</div>
			</>}
		</section>
	);
}
