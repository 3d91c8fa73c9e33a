// specs.ts - player specs, and the techniques of the laboratory with their plain names.
// SPDX-License-Identifier: MIT
import { t } from "../messages";

export interface Spec {
	kind: string;
	keys: [string, string][];
}

export function parseSpec(text: string): Spec {
	const at = text.indexOf(":");
	const kind = at < 0 ? text.trim() : text.slice(0, at).trim();
	const rest = at < 0 ? "" : text.slice(at + 1);
	return { kind, keys: rest.split(",").map((pair) => pair.trim()).filter(Boolean).map((pair) => {
		const [key = "", ...value] = pair.split("=");
		return [key.trim(), value.join("=").trim()];
	}) };
}

export function specText({ kind, keys }: Spec): string {
	return keys.length ? `${kind}:${keys.map(([key, value]) => value === "" ? key : `${key}=${value}`).join(",")}` : kind;
}

/** The same player with one setting changed. */
export function withKey(text: string, key: string, value: string | number): string {
	const spec = parseSpec(text);
	const keys = spec.keys.filter(([name]) => name !== key);
	return specText({ ...spec, keys: [[key, String(value)], ...keys] });
}

export function keyOf(text: string, key: string): string | null {
	return parseSpec(text).keys.find(([name]) => name === key)?.[1] ?? null;
}

export interface Technique {
	name: string;
	spec: string; // "D" stands for the depth
	about: string; // one sentence
	family: string;
	fits?(game: Players): boolean; // missing: two seats, no dice
}

/** What a game must have for a technique. */
export interface Players {
	name: string;
	seats: number;
	chance: boolean;
}

/** Alpha-beta without anything else. */
export const PLAIN = "iterate=0,sort=0,killers=0,history=0,tt=0,quiet=0";

const isDuel = ({ seats, chance }: Players) => seats === 2 && !chance;
const any = () => true;
const only = (...names: string[]) => ({ name }: Players) => names.includes(name);
const hasMaterial = only("chess", "minichess", "draughts", "morris", "hexapawn", "reversi");
const hasCaptures = only("chess", "minichess", "draughts");

/** The same without one of its settings. */
function off(key: string): string {
	return PLAIN.split(",").filter((pair) => !pair.startsWith(`${key}=`)).join(",");
}

/** Each on its own, so that two of them side by side differ in one thing. */
export const TECHNIQUES: Technique[] = [
	{ family: t("lab.familyFull"), name: t("lab.minimax"), spec: "minimax:depth=D", about: t("lab.minimaxAbout") },
	{ family: t("lab.familyFull"), name: t("lab.negamax"), spec: "negamax:depth=D", about: t("lab.negamaxAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.plain"), spec: `alphabeta:depth=D,${PLAIN}`, about: t("lab.plainAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.shallow"), spec: `alphabeta:depth=D,${PLAIN},deep=0`, about: t("lab.shallowAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.ordering"), spec: `alphabeta:depth=D,${off("sort")},sort=1`, about: t("lab.orderingAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.killers"), spec: `alphabeta:depth=D,${off("killers")},killers=2`, about: t("lab.killersAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.history"), spec: `alphabeta:depth=D,${off("history")},history=1`, about: t("lab.historyAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.deepening"), spec: `alphabeta:depth=D,${off("iterate")},iterate=1`, about: t("lab.deepeningAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.aspiration"), spec: `alphabeta:depth=D,${off("iterate")},iterate=1,window=1`, about: t("lab.aspirationAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.table"), spec: `alphabeta:depth=D,${off("tt")},tt=4`, about: t("lab.tableAbout") },
	{ family: t("lab.familyAlphabeta"), name: t("lab.quiescence"), spec: `alphabeta:depth=D,${off("quiet")},quiet=1`, about: t("lab.quiescenceAbout"), fits: hasMaterial },
	{ family: t("lab.familyAlphabeta"), name: t("lab.exchange"), spec: `alphabeta:depth=D,${PLAIN},exchange=1`, about: t("lab.exchangeAbout"), fits: hasMaterial },
	{ family: t("lab.familyAlphabeta"), name: t("lab.everything"), spec: "alphabeta:depth=D,tt=4", about: t("lab.everythingAbout") },
	{ family: t("lab.familyNull"), name: t("lab.negascout"), spec: `negascout:depth=D,${PLAIN}`, about: t("lab.negascoutAbout") },
	{ family: t("lab.familyNull"), name: t("lab.mtdf"), spec: "mtdf:depth=D,tt=4", about: t("lab.mtdfAbout") },
	{ family: t("lab.familyUnsound"), name: t("lab.razoring"), spec: `alphabeta:depth=D,${PLAIN},razor=1`, about: t("lab.razoringAbout") },
	{ family: t("lab.familyUnsound"), name: t("lab.hardPruning"), spec: `alphabeta:depth=D,${PLAIN},hard=2`, about: t("lab.hardPruningAbout") },
	{ family: t("lab.familyUnsound"), name: t("lab.topN"), spec: `alphabeta:depth=D,${off("sort")},sort=1,top=3`, about: t("lab.topNAbout") },
	{ family: t("lab.familyUnsound"), name: t("lab.selective"), spec: "selective:depth=D,tt=4", about: t("lab.selectiveAbout"), fits: hasCaptures },
	{ family: t("lab.familyChance"), name: t("lab.expectimax"), spec: "expectimax:depth=D,star=0", about: t("lab.expectimaxAbout"), fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: t("lab.familyChance"), name: t("lab.star1"), spec: "expectimax:depth=D,star=1", about: t("lab.star1About"), fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: t("lab.familyChance"), name: t("lab.star2"), spec: "expectimax:depth=D,star=2", about: t("lab.star2About"), fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: t("lab.familyChance"), name: t("lab.maxn"), spec: "maxn:depth=D", about: t("lab.maxnAbout"), fits: ({ seats }) => seats > 2 },
	{ family: t("lab.familyChance"), name: t("lab.paranoid"), spec: "paranoid:depth=D", about: t("lab.paranoidAbout"), fits: ({ seats }) => seats > 2 },
	{ family: t("lab.familyChance"), name: t("lab.bestReply"), spec: "brs:depth=D", about: t("lab.bestReplyAbout"), fits: ({ seats }) => seats > 2 },
	{ family: t("lab.familyGrowing"), name: t("lab.mcts"), spec: "mcts:playouts=400", about: t("lab.mctsAbout"), fits: any },
	{ family: t("lab.familyGrowing"), name: t("lab.proof"), spec: "proof:nodes=2000", about: t("lab.proofAbout"), fits: isDuel },
];

export function techniquesFor(game: Players | null): Technique[] {
	return TECHNIQUES.filter(({ fits }) => !game || (fits ?? isDuel)(game));
}

export function specOf({ spec }: Technique, depth: number): string {
	return spec.replace("depth=D", `depth=${depth}`);
}

/** The technique that a spec belongs to, whatever its depth. */
export function techniqueOf(spec: string): Technique | null {
	const plain = withoutDepth(spec);
	return TECHNIQUES.find((technique) => withoutDepth(technique.spec) === plain) ?? null;
}

function withoutDepth(text: string): string {
	const { kind, keys } = parseSpec(text);
	return specText({ kind, keys: keys.filter(([key]) => key !== "depth" && key !== "playouts" && key !== "nodes").sort(([a], [b]) => a < b ? -1 : 1) });
}

/** A short name for a spec, for headings and charts. */
export function nameOf(spec: string): string {
	const found = techniqueOf(spec), depth = keyOf(spec, "depth");
	return found && depth ? t("lab.atDepth", { name: found.name, depth }) : found?.name ?? spec;
}
