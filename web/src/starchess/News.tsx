// News.tsx - what each other faction did since your last turn, in a line each.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { factionName } from "./commands";
import { sinceMine, type Course } from "./course";
import { Mark } from "./EmpirePanel";
import { stepText } from "./OrdersPanel";

export type PlayLine = { move: string; seat: number }[];

/** Consecutive commands of one faction. */
interface Part {
	seat: number;
	from: number;
	moves: string[];
}

export function partsOf(line: PlayLine, from: number, to: number): Part[] {
	const parts: Part[] = [];
	for (let i = from; i < to; i++) {
		const { move, seat } = line[i]!, last = parts[parts.length - 1];
		if (last && last.seat === seat && last.moves[last.moves.length - 1] !== "end")
			last.moves.push(move);
		else
			parts.push({ seat, from: i, moves: [move] });
	}
	return parts;
}

const NEWS_MOST = 3; // orders of a faction

/** What each other faction did since the last turn of `me`. */
export function newsOf(line: PlayLine, course: Course, me: number): { seat: number; text: string }[] {
	const { from, to } = sinceMine(line, [me]);
	return partsOf(line, from, to).map(({ seat, from: first, moves }) => {
		const steps = moves.map((move, i) => stepText(course, first + i, seat, move)).filter((text) => ![t("starchess.endOfTurn"), t("starchess.endTurn")].includes(text));
		const told = steps.slice(0, steps.length > NEWS_MOST + 1 ? NEWS_MOST : steps.length), n = steps.length - told.length;
		return { seat, text: [...told, ...(n ? [t("starchess.moreOrders", { n })] : [])].join(". ") || t("starchess.noNews") };
	});
}

export function News({ news }: { news: { seat: number; text: string }[] }) {
	return (
		<ul class="small quiet happened news" aria-label={t("starchess.news")}>
			{news.map(({ seat, text }, i) => <li key={i}><Mark faction={seat} /><span>{factionName(seat)}: {text}</span></li>)}
		</ul>
	);
}
