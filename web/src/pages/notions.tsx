// notions.tsx - what the game's theory sees in a position: a table, tags on the board, and a sentence for each.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { post } from "../api";
import type { CellMark } from "../board/props";
import { seatWords } from "../board/words";
import type { Where } from "../play/useAdvice";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Game, Notion, View } from "../types";
import { Failure, useLoad } from "./parts";
import { cellNames, notionTitle, rowsOfNotions } from "./notionrows";

export interface Notions {
	told: boolean; // the game tells some, and they may be shown
	on: boolean;
	list: Notion[] | null; // until those of the position are there, the last ones; null: none yet
	fresh: boolean; // they are those of the position
	error: string | null;
	again(): void;
	looked: Notion | null; // pointed at, or else held
	held: Notion | null;
	point(notion: Notion | null): void;
	hold(notion: Notion | null): void;
	toggle(): void;
}

/** Asks for them only while they are switched on. */
export function useNotions(info: Game | null, allowed: boolean, where: Where): Notions {
	const { notions: wished } = useStore(settings);
	const told = allowed && Boolean(info?.notions);
	const on = told && wished;
	const key = on ? JSON.stringify(where) : "";
	const loaded = useLoad(key, async () => ({
		key, game: where.game, list: (await post<View>("/api/v1/positions", { ...where, notions: true })).notions ?? [],
	}));
	const [pointed, setPointed] = useState<Notion | null>(null);
	const [wanted, setWanted] = useState<Notion | null>(null);
	const list = on && loaded.value?.game === where.game ? loaded.value.list : null;
	/* By name, so that it stays while the moves are walked. */
	const here = (notion: Notion | null) => notion && list?.find((one) => isSame(one, notion)) || null;
	return {
		told, on, list, fresh: loaded.value?.key === key, error: on ? loaded.error : null, again: loaded.again,
		looked: here(pointed) ?? here(wanted), held: here(wanted), point: setPointed, hold: setWanted,
		toggle: () => told && changeSettings({ notions: !on }),
	};
}

function isSame(a: Notion, b: Notion): boolean {
	return a.name === b.name && a.seat === b.seat;
}

/** What the board shows of them: the tags of all, and the cells of the one that is looked at. */
export function marksOf({ list, fresh, looked }: Notions, board: Board | null): CellMark[] {
	if (!fresh)
		return [];
	const title = (notion: Notion) => notionTitle(board, notion);
	const tags = (list ?? []).filter((notion) => notion.mark)
		.map((notion) => ({ cells: notion.cells, text: notion.mark, seat: notion.seat, title: title(notion) }));
	return looked ? [{ cells: looked.cells, text: "", seat: looked.seat, title: title(looked) }, ...tags] : tags;
}

export function NotionPanel({ notions, board }: { notions: Notions; board: Board | null }) {
	if (!notions.told || !board)
		return null;
	return (
		<section class="card notions" aria-labelledby="notions">
			<div class="card-head">
				<h2 id="notions">Theory</h2>
				<button type="button" aria-pressed={notions.on} title="Show the strategic features of the position (t)"
					onClick={notions.toggle}>{notions.on ? "Hide" : "Show"}</button>
			</div>
			{notions.on && (notions.error ? <Failure error={notions.error} again={notions.again} />
				: notions.list ? <NotionTable notions={notions} list={notions.list} board={board} />
					: <p class="quiet" role="status">Loading…</p>)}
		</section>
	);
}

function NotionTable({ notions, list, board }: { notions: Notions; list: Notion[]; board: Board }) {
	const seats = [...new Set(board.pieces.flatMap((piece) => piece.seat ?? []))].sort();
	if (!list.length)
		return <p class="quiet">The game is over.</p>;
	return (
		<>
			<table>
				<thead>
					<tr><th scope="col">Feature</th>{seats.map((seat) => <th key={seat} scope="col">{seatWords(board, seat)}</th>)}</tr>
				</thead>
				<tbody>
					{rowsOfNotions(list).map(({ name, of }) => {
						const only = of.length === 1 ? of[0]! : null;
						const value = (notion: Notion) => <Value notions={notions} notion={notion} board={board} />;
						if (only && !only.cells.length)
							return <tr key={name}><td colSpan={1 + seats.length} class="said"><strong>{name}</strong> {only.text}</td></tr>;
						return (
							<tr key={name}>
								<th scope="row">{name}</th>
								{only?.seat === null ? <td colSpan={seats.length}>{value(only)}</td>
									: seats.map((seat) => {
										const notion = of.find((one) => one.seat === seat);
										return <td key={seat}>{notion ? value(notion) : <span class="quiet">0</span>}</td>;
									})}
							</tr>
						);
					})}
				</tbody>
			</table>
			<Sentence notion={notions.looked} board={board} />
		</>
	);
}

/** A number that shows its cells while it is pointed at or has the focus; a click keeps them shown. */
function Value({ notions, notion, board }: { notions: Notions; notion: Notion; board: Board }) {
	const held = notions.held === notion;
	const leave = () => notions.point(null);
	const enter = () => notions.point(notion);
	return (
		<button type="button" class="value" aria-pressed={held}
			aria-label={[`${notionTitle(board, notion)}: ${notion.value}.`, cellNames(board, notion), notion.text].join(" ")}
			onPointerEnter={enter} onPointerLeave={leave} onFocus={enter} onBlur={leave}
			onClick={() => notions.hold(held ? null : notion)}>{notion.value}</button>
	);
}

function Sentence({ notion, board }: { notion: Notion | null; board: Board }): ComponentChildren {
	if (!notion)
		return <p class="small quiet sentence">Select a number to see its squares.</p>;
	const whose = notion.seat === null ? "" : `${seatWords(board, notion.seat)}, `;
	return <p class="small sentence"><strong>{whose}{notion.name}.</strong> {notion.text}</p>;
}
