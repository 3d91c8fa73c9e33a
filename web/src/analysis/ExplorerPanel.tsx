// ExplorerPanel.tsx - the opening explorer: what was played in the position, by whom, and how those games ended; and the book.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { moveName, paintsOf, playerName, sideName } from "../board/text";
import { t } from "../messages";
import { ageText } from "../pages/lobby";
import { Failure } from "../pages/parts";
import type { Where } from "../play/useAdvice";
import { reviewLink } from "../review/link";
import type { Board, BookPosition, Explored, ExploredMove, FinishedGame, Game, View } from "../types";
import { BookMoves } from "./BookMoves";
import { openingOf, resultMark, segmentsOf, sortedMoves } from "./explore";
import { useExplorer, type Whose } from "./useExplorer";

type Source = Whose | "book";

let chosen: Source = "book"; // as long as the page is open

function sourcesOf(info: Game): Source[] {
	return [...(STATIC_SITE ? [] : ["all" as const]), "mine", ...(info.book ? ["book" as const] : [])];
}

const SOURCE_NAMES: Record<Source, () => string> = {
	all: () => t("explorer.all"), mine: () => t("explorer.mine"), book: () => t("explorer.book"),
};

interface ExplorerProps {
	info: Game;
	board: Board | null;
	where: Where;
	view: View | null; // null: it does not belong to `where` yet
	book: BookPosition | null;
	onMove(move: string): void;
}

export function ExplorerPanel(props: ExplorerProps) {
	const sources = sourcesOf(props.info);
	const [wanted, setWanted] = useState(chosen);
	const source = sources.includes(wanted) ? wanted : sources[0] as Source;
	useEffect(() => void (chosen = wanted), [wanted]);
	return (
		<section class="card explorer" aria-labelledby="explorer">
			<h2 id="explorer" class="unseen">{t("explorer.title")}</h2>
			<fieldset class="group"><legend class="unseen">{t("explorer.source")}</legend>
				<div class="segments">
					{sources.map((one) => (
						<label key={one} class="segment">
							<input type="radio" name="explorer" checked={source === one} onChange={() => setWanted(one)} />
							<span>{SOURCE_NAMES[one]()}</span>
						</label>
					))}
				</div>
			</fieldset>
			{source === "book" ? <BookMoves book={props.book} onMove={props.onMove} /> : <PlayedMoves {...props} whose={source} />}
		</section>
	);
}

function PlayedMoves({ whose, info, board, where, view, book, onMove }: ExplorerProps & { whose: Whose }) {
	const loaded = useExplorer(whose, where, view?.position ?? "", info.seats);
	const current = loaded.value?.key === JSON.stringify([whose, where]);
	if (loaded.error)
		return <Failure error={loaded.error} again={loaded.again} />;
	if (!loaded.value)
		return <p class="waiting" role="status">{t("explorer.loading")}</p>;
	const { explored } = loaded.value;
	return (
		<div class={current ? "played-moves" : "played-moves stale"} aria-busy={!current}>
			{explored.moves.length ? <MoveTable explored={explored} board={board} book={book} onMove={onMove} />
				: <p class="none">{view?.over ? t("explorer.over") : t("explorer.none", { whose })}</p>}
			{explored.complete ? null : <p class="quiet small">{t("explorer.growing")}</p>}
			{explored.recent.length > 0 && <RecentGames games={explored.recent} />}
		</div>
	);
}

function MoveTable({ explored, board, book, onMove }: { explored: Explored; board: Board | null; book: BookPosition | null; onMove(move: string): void }) {
	return (
		<table>
			<caption class="small quiet">{t("explorer.count", { n: explored.games })}</caption>
			<thead>
				<tr><th scope="col">{t("explorer.move")}</th><th scope="col">{t("explorer.games")}</th><th scope="col">{t("explorer.results")}</th><th scope="col">{t("explorer.by")}</th></tr>
			</thead>
			<tbody>
				{sortedMoves(explored.moves).map((move) => {
					const opening = openingOf(book, move.move);
					return (
						<tr key={move.move}>
							<th scope="row">
								<button type="button" class="value" onClick={() => onMove(move.move)}>{moveName(move)}</button>
								{opening && <span class="small quiet" title={opening}>{opening}</span>}
							</th>
							<td>{move.games}</td>
							<td class="result-cell"><ResultBar move={move} board={board} /></td>
							<td class="small">{playersText(move)}</td>
						</tr>
					);
				})}
			</tbody>
		</table>
	);
}

/** Who played the move: "people", "level 4.5", or both. */
function playersText({ people, games, level }: ExploredMove): string {
	const by = people && level !== null ? "both" : people ? "people" : level !== null ? "level" : "other";
	return t("explorer.players", { by, level: level === null ? "" : String(Math.round(10 * level) / 10), percent: Math.round(100 * people / games) });
}

/** The share of games that the first player won, that were drawn, and that the second one won. */
function ResultBar({ move, board }: { move: ExploredMove; board: Board | null }) {
	const [first, second] = paintsOf(board), segments = segmentsOf(move);
	const paint = (of: string) => of === "first" ? `of-${first}` : of === "second" ? `of-${second}` : "of-nobody";
	const name = (of: string) => of === "draws" ? t("explorer.draws") : of === "other" ? t("explorer.others") : t("explorer.wins", { side: sideName(board, of === "first" ? 1 : 2) });
	const text = segments.map(({ of, percent }) => `${name(of)} ${Math.round(percent)}%`).join(", ");
	return (
		<div class="result-bar" role="img" aria-label={text} title={text}>
			{segments.map(({ of, percent }) => (
				<span key={of} class={paint(of)} style={{ "--part": String(percent) }}>{percent >= 28 ? `${Math.round(percent)}%` : ""}</span>
			))}
		</div>
	);
}

function RecentGames({ games }: { games: FinishedGame[] }) {
	return (
		<>
			<h3>{t("explorer.recent")}</h3>
			<ul class="recent-games">
				{games.map(({ id, game, seats, result, ended }) => (
					<li key={id}>
						<a href={reviewLink({ id, game, start: "start", line: [] })}>{seats.map((seat) => playerName(seat) || t("explorer.someone")).join(" – ")}</a>
						<strong>{resultMark(result)}</strong>
						<span class="quiet small">{ageText(ended)}</span>
					</li>
				))}
			</ul>
		</>
	);
}
