// termgroups.ts - the terms of an evaluation by plain names, and what each of them is worth for each side: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Evaluation, EvaluationTerm } from "../types";
import { signedText } from "./score";
import { familyOf } from "./useevaluation";

/** All terms of one name: "pawn-squares[9]" and "pawn-squares[31]". */
export interface TermFamily {
	name: string; // "pawn-squares"
	terms: EvaluationTerm[];
	sides: number[]; // what it is worth for each seat
	value: number; // from the first player's point of view
}

export interface TermGroup {
	title: string;
	families: TermFamily[];
	value: number;
}

/** Chess has hundreds of terms; those of a group are about the same thing. */
const CHESS: [title: string, names: RegExp][] = [
	[t("terms.material"), /^(material|bishop-pair)$/],
	[t("terms.placement"), /-squares$/],
	[t("terms.mobility"), /-mobility$/],
	[t("terms.passed"), /^passed/],
	[t("terms.pawns"), /^(connected|isolated|doubled|backward)$/],
	[t("terms.king"), /^(shelter|storm|storm-blocked|king-open|danger)$/],
	[t("terms.threats"), /^(threat-|hanging$|push-threat$)/],
	[t("terms.pieces"), /^(bishop-pawns|long-diagonal|outpost|behind-pawn|rook-file|rook-seventh|queen-exposed)$/],
	[t("terms.space"), /^space$/],
	[t("terms.tempo"), /^tempo$/],
];

/** "Back row" of "back-row". */
export function plainName(name: string): string {
	const text = name.replaceAll("-", " ");
	return text.charAt(0).toUpperCase() + text.slice(1);
}

const worth = ({ counts, weight, share }: EvaluationTerm, seat: number) => (counts[seat] ?? 0) * (weight === null ? 1 : weight * share);
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const byValue = (a: { value: number }, b: { value: number }) => Math.abs(b.value) - Math.abs(a.value);

/** Values are for the side to move; everywhere else the page shows them for the first player. */
export function forFirst(value: number, { seat }: Pick<Evaluation, "seat">): number {
	return seat === 2 ? -value : value;
}

function familiesOf(found: Evaluation): TermFamily[] {
	const names = [...new Set(found.terms.map(familyOf))];
	return names.map((name) => {
		const terms = found.terms.filter((term) => familyOf(term) === name), seats = terms[0]?.counts ?? [];
		return {
			name, terms, sides: seats.map((_, seat) => sum(terms.map((term) => worth(term, seat)))),
			value: forFirst(sum(terms.map(({ value }) => value)), found),
		};
	});
}

/** The groups of an evaluation. Those that decide come first, also within a group. */
export function groupsOf(found: Evaluation, isChess: boolean): TermGroup[] {
	const groups = new Map<string, TermFamily[]>();
	for (const family of familiesOf(found)) {
		const title = (isChess && CHESS.find(([, names]) => names.test(family.name))?.[0]) || plainName(family.name);
		groups.set(title, [...(groups.get(title) ?? []), family]);
	}
	return [...groups].map(([title, families]) => ({ title, families: families.sort(byValue), value: sum(families.map(({ value }) => value)) })).sort(byValue);
}

/** The unit of an evaluation: 100 points are a pawn or a man in these games. */
const UNITS: Record<string, "pawns" | "men"> = { chess: "pawns", minichess: "pawns", draughts: "men" };

export interface TermUnit {
	name: "pawns" | "men" | "points";
	text(value: number): string; // "+0.28"
}

/** game: without its options. */
export function unitOf(game: string): TermUnit {
	const name = UNITS[game];
	return name ? { name, text: (value) => signedText(value / 100, 2) } : { name: "points", text: (value) => signedText(value, 0) };
}
