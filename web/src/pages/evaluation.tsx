// evaluation.tsx - the static evaluation of a position, term by term; a term highlights its squares on the board.
// SPDX-License-Identifier: MIT
import { sideName } from "../board/text";
import { rich, t } from "../messages";
import type { Where } from "../play/useAdvice";
import type { Board, Evaluation, EvaluationTerm } from "../types";
import { Failure, useBoard } from "./parts";
import { useEvaluation, type EvaluationState } from "./useevaluation";

/** Those that decide come first. */
export function sortedTerms(terms: EvaluationTerm[]): EvaluationTerm[] {
	return [...terms].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

function signed(value: number): string {
	return value > 0 ? `+${value}` : String(value).replace("-", "−");
}

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

function Terms({ state, found, board }: { state: EvaluationState; found: Evaluation; board: Board | null }) {
	const terms = sortedTerms(found.terms);
	const decide = terms.filter(({ value }) => value !== 0), cancel = terms.filter(({ value }) => value === 0);
	const whose = sideName(board, found.seat);
	const table = (list: EvaluationTerm[]) => <TermTable state={state} list={list} board={board} />;
	return (
		<>
			<p class="small">{rich("terms.sum", { eval: found.eval, value: <strong>{signed(found.value)}</strong>, side: whose, n: terms.length })}</p>
			{decide.length ? table(decide) : null}
			{cancel.length ? <details><summary>{t("terms.idle", { n: cancel.length })}</summary>{table(cancel)}</details> : null}
			{terms.length ? <p class="small quiet sentence">{sentenceOf(state.active, board)}</p> : null}
		</>
	);
}

function sentenceOf(term: EvaluationTerm | null, board: Board | null): string {
	if (!term)
		return t("terms.select");
	if (!term.cells)
		return t("terms.unknown", { term: term.name });
	const names = term.cells.map((cell) => board?.cells[cell]?.name ?? "").join(", ");
	return names ? t("terms.squares", { term: term.name, squares: names }) : t("terms.none", { term: term.name });
}

function TermTable({ state, list, board }: { state: EvaluationState; list: EvaluationTerm[]; board: Board | null }) {
	const seats = list[0]?.counts.map((_, i) => i + 1) ?? [];
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">{t("terms.term")}</th>
					{seats.map((seat) => <th key={seat} scope="col">{sideName(board, seat)}</th>)}
					<th scope="col">{t("terms.weight")}</th><th scope="col">{t("terms.value")}</th>
				</tr>
			</thead>
			<tbody>
				{list.map((term) => (
					<tr key={term.name}>
						<th scope="row"><TermName state={state} term={term} /></th>
						{term.counts.map((count, i) => <td key={i}>{count}</td>)}
						<td title={term.share < 1 ? t("terms.share", { percent: Math.round(100 * term.share) }) : ""}>{term.weight ?? "–"}</td>
						<td><strong>{signed(term.value)}</strong></td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** Highlights its squares on hover and focus; a click pins them. */
function TermName({ state, term }: { state: EvaluationState; term: EvaluationTerm }) {
	const pinned = state.pinned === term;
	const enter = () => state.hover(term.name), leave = () => state.leave(term.name);
	return (
		<button type="button" class="value" aria-pressed={pinned} onPointerEnter={enter} onPointerLeave={leave} onFocus={enter} onBlur={leave}
			onClick={() => state.pin(pinned ? null : term.name)}>{term.name}</button>
	);
}
