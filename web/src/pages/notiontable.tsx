// notiontable.tsx - the strategic features of a position as a table, with an explanation of each.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { sideName } from "../board/text";
import { t } from "../messages";
import type { Board, Notion } from "../types";
import { cellNames, notionTitle, rowsOfNotions } from "./notionrows";
import type { Notions } from "./notions";

export function NotionTable({ notions, list, board }: { notions: Notions; list: Notion[]; board: Board }) {
	const seats = [...new Set(board.pieces.flatMap((piece) => piece.seat ?? []))].sort();
	if (!list.length)
		return <p class="quiet">{t("theory.over")}</p>;
	return (
		<>
			<table>
				<thead>
					<tr><th scope="col">{t("theory.feature")}</th>{seats.map((seat) => <th key={seat} scope="col">{sideName(board, seat)}</th>)}</tr>
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
			<Sentence notion={notions.active} board={board} />
		</>
	);
}

/** A number that highlights its cells on hover and focus; a click pins them. */
function Value({ notions, notion, board }: { notions: Notions; notion: Notion; board: Board }) {
	const pinned = notions.pinned === notion;
	const enter = () => notions.hover(notion), leave = () => notions.leave(notion);
	return (
		<button type="button" class="value" aria-pressed={pinned}
			aria-label={[t("theory.value", { feature: notionTitle(board, notion), value: notion.value }), cellNames(board, notion), notion.text].join(" ")}
			onPointerEnter={enter} onPointerLeave={leave} onFocus={enter} onBlur={leave}
			onClick={() => notions.pin(pinned ? null : notion)}>{notion.value}</button>
	);
}

function Sentence({ notion, board }: { notion: Notion | null; board: Board }): ComponentChildren {
	if (!notion)
		return <p class="small quiet sentence">{t("theory.select")}</p>;
	const whose = notion.seat === null ? "" : `${sideName(board, notion.seat)}, `;
	return <p class="small sentence"><strong>{whose}{notion.name}.</strong> {notion.text}</p>;
}
