// evaluation.tsx - the static evaluation of a position by plain names; a term highlights its squares on the board.
// SPDX-License-Identifier: MIT
import { sideName } from "../board/text";
import { rich, t } from "../messages";
import type { Where } from "../play/useAdvice";
import type { Board, Evaluation, EvaluationTerm } from "../types";
import { baseName, Failure, useBoard } from "./parts";
import { familyOf, useEvaluation, type EvaluationState } from "./useevaluation";
import { forFirst, groupsOf, plainName, unitOf, type TermFamily, type TermGroup, type TermUnit } from "./termgroups";

export function EvaluationPanel({ state, board }: { state: EvaluationState; board: Board | null }) {
	const { on, found, error } = state;
	return (
		<section class="card notions evaluation" aria-labelledby="evaluation">
			<div class="card-head">
				<h2 id="evaluation">{t("terms.title")}</h2>
				<button type="button" aria-pressed={on} title={t("terms.about")}
					onClick={state.toggle}>{on ? t("ui.hide") : t("ui.show")}</button>
			</div>
			{!on ? null : error ? <Failure error={error} /> : found ? <Terms state={state} found={found} board={board} />
				: <p class="quiet small">{state.waiting ? t("terms.evaluating") : t("terms.nothing")}</p>}
		</section>
	);
}

/** The panel of any position in which a player is to move. */
export function EvaluationOf({ where }: { where: Where }) {
	const board = useBoard(where.game);
	return <EvaluationPanel state={useEvaluation(true, where)} board={board?.board ?? null} />;
}

interface TableProps {
	state: EvaluationState;
	board: Board | null;
	unit: TermUnit;
}

/** In chess, which has many terms, by groups. */
function Terms({ state, found, board }: { state: EvaluationState; found: Evaluation; board: Board | null }) {
	const game = baseName(board?.game ?? ""), isChess = game === "chess", unit = unitOf(game), groups = groupsOf(found, isChess);
	const isIdle = ({ families }: TermGroup) => families.every(({ value }) => value === 0);
	const decide = groups.filter((group) => !isIdle(group));
	const idle = groups.filter(isIdle).flatMap(({ families }) => families), rest = { state, board, unit };
	return (
		<>
			<p class="small">{rich("terms.sum", { value: <strong>{unit.text(forFirst(found.value, found))}</strong>, unit: unit.name, side: sideName(board, 1) })}</p>
			{!isChess && decide.length > 0 && <TermTable {...rest} list={decide.flatMap(({ families }) => families)} />}
			{isChess && decide.map((group) => (
				<details key={group.title} class="terms">
					<summary><span>{group.title}</span><strong>{unit.text(group.value)}</strong></summary>
					<TermTable {...rest} list={group.families} />
				</details>
			))}
			{idle.length > 0 && <details class="terms"><summary><span class="quiet">{t("terms.idle", { n: idle.length })}</span></summary><TermTable {...rest} list={idle} /></details>}
			{groups.length > 0 && <p class="small quiet sentence">{sentenceOf(state.active, board)}</p>}
		</>
	);
}

const MANY = 12;

/** "Knight squares: 1–2 × 30. Pieces that count: b1, g1." */
function sentenceOf(terms: EvaluationTerm[], board: Board | null): string {
	const [first] = terms;
	if (!first)
		return t("terms.select");
	const term = plainName(familyOf(first)), counts = terms.slice(0, MANY).map(countText).join(", ") + (terms.length > MANY ? ", …" : "");
	if (!first.cells)
		return t("terms.unknown", { term, counts });
	const names = [...new Set(terms.flatMap(({ cells }) => cells ?? []))].map((cell) => board?.cells[cell]?.name ?? "").join(", ");
	return names ? t("terms.squares", { term, counts, squares: names }) : t("terms.none", { term, counts });
}

/** What each side has of it, times its weight: "2 – 1 × 318". */
function countText({ counts, weight, share }: EvaluationTerm): string {
	return `${counts.join(" – ")}${weight === null ? "" : ` × ${Math.round(weight * share)}`}`;
}

/** What each term is worth for each side, and for the first player. */
function TermTable({ state, list, board, unit }: TableProps & { list: TermFamily[] }) {
	const seats = list[0]?.sides.map((_, i) => i + 1) ?? [];
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">{t("terms.term")}</th>
					{seats.map((seat) => <th key={seat} scope="col">{sideName(board, seat)}</th>)}
					<th scope="col">{t("terms.difference")}</th>
				</tr>
			</thead>
			<tbody>
				{list.map((family) => (
					<tr key={family.name}>
						<th scope="row"><TermName state={state} name={family.name} /></th>
						{family.sides.map((value, i) => <td key={i}>{unit.text(value)}</td>)}
						<td><strong>{unit.text(family.value)}</strong></td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** Highlights its squares on hover and focus; a click pins them. */
function TermName({ state, name }: { state: EvaluationState; name: string }) {
	const pinned = state.pinned === name;
	const enter = () => state.hover(name), leave = () => state.leave(name);
	return (
		<button type="button" class="value" aria-pressed={pinned} onPointerEnter={enter} onPointerLeave={leave} onFocus={enter} onBlur={leave}
			onClick={() => state.pin(pinned ? null : name)}>{plainName(name)}</button>
	);
}
