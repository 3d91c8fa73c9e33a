// lineluck.tsx - on the analysis board, in games with dice: luck and errors of the line, and the largest errors.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sideName } from "../board/text";
import { ask } from "../engine/ask";
import { t } from "../messages";
import { lossName, luckRows, signed, splitText, tutorText } from "../play/luck";
import { LuckTable } from "../play/LuckPanel";
import { depthOf, goTo, movesTo, pathTo, toEnd, type GameTree } from "../tree";
import type { Board, LineLuck, LuckPly } from "../types";
import type { TreeWalk } from "./walk";
import { Failure, useLoad } from "./parts";

const MOST_ERRORS = 5;

export function LineLuckPanel({ walk, board }: { walk: TreeWalk; board: Board | null }) {
	const [on, setOn] = useState(false);
	return (
		<section class="card luck" aria-labelledby="luck">
			<div class="card-head">
				<h2 id="luck">{t("luck.title")}</h2>
				<button type="button" aria-pressed={on} onClick={() => setOn(!on)}>{on ? t("pages.hide") : t("pages.show")}</button>
			</div>
			{on ? <LineLuckBody walk={walk} board={board} /> : null}
		</section>
	);
}

/** The line through the cursor, to its end. */
function useLineLuck(tree: GameTree): { luck: LineLuck | null; error: string | null; again(): void } {
	const where = { game: tree.game, position: tree.start, moves: movesTo(tree, toEnd(tree).cursor) };
	const key = where.moves.length ? JSON.stringify(where) : "";
	const loaded = useLoad(key, async () => ({ key, luck: await ask("luck", where) }));
	return { luck: loaded.value?.key === key ? loaded.value.luck : null, error: loaded.error, again: loaded.again };
}

function LineLuckBody({ walk, board }: { walk: TreeWalk; board: Board | null }) {
	const { tree } = walk, { luck, error, again } = useLineLuck(tree);
	const name = (seat: number) => sideName(board, seat);
	if (error)
		return <Failure error={error} again={again} />;
	if (!movesTo(tree, toEnd(tree).cursor).length)
		return <p class="quiet small">{t("luck.playFirst")}</p>;
	if (!luck)
		return <p class="quiet small" role="status">{t("pages.loading")}</p>;
	const at = luck.line[depthOf(tree, tree.cursor) - 1], split = splitText(luck, name(1));
	return (
		<div class="small">
			<LuckTable rows={luckRows(luck, luck.line, name)} errors />
			{split ? <p>{split}</p> : null}
			<LargestErrors walk={walk} line={luck.line} name={name} />
			{at ? <p role="status">{plyText(at, name)}</p> : null}
		</div>
	);
}

/** What is known of one roll or move. */
export function plyText(ply: LuckPly, name: (seat: number) => string): string | null {
	return ply.luck === undefined ? tutorText([ply]) : t("luck.ofRoll", { player: name(ply.roller ?? 1), roll: ply.move, luck: signed(ply.luck) });
}

/** The plies, from 1, of the largest errors, the largest first. */
export function largestErrors(line: LuckPly[]): number[] {
	const loss = (ply: number) => line[ply - 1]?.loss ?? 0;
	return line.map((_, i) => i + 1).filter((ply) => lossName(loss(ply))).sort((a, b) => loss(b) - loss(a) || a - b).slice(0, MOST_ERRORS);
}

function LargestErrors({ walk, line, name }: { walk: TreeWalk; line: LuckPly[]; name(seat: number): string }) {
	const errors = largestErrors(line);
	if (!errors.length)
		return <p>{t("luck.noErrors")}</p>;
	return (
		<>
			<h3>{t("luck.largest")}</h3>
			<ul class="errors">
				{errors.map((ply) => {
					const { move, seat, loss = 0 } = line[ply - 1]!;
					return (
						<li key={ply}>
							<button type="button" title={t("luck.goToMove")}
								onClick={() => walk.change((now) => goTo(now, pathTo(now, toEnd(now).cursor)[ply] ?? now.cursor))}>
								{name(seat)} {move}
							</button>
							<span>{`${lossName(loss)?.join(" (")}) ${signed(-loss)}`}</span>
						</li>
					);
				})}
			</ul>
		</>
	);
}
