// specs.ts - player specs, and the techniques of the laboratory with their plain names.
// SPDX-License-Identifier: MIT

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
	{ family: "Full search", name: "Minimax", spec: "minimax:depth=D", about: "Looks at every move: the best for you, then the best for your opponent." },
	{ family: "Full search", name: "Negamax", spec: "negamax:depth=D", about: "Minimax with one rule: what is good for you is bad for the other." },
	{ family: "Alpha-beta", name: "Alpha-beta, plain", spec: `alphabeta:depth=D,${PLAIN}`, about: "Skips branches that cannot change the answer." },
	{ family: "Alpha-beta", name: "Alpha-beta, shallow cut-offs only", spec: `alphabeta:depth=D,${PLAIN},deep=0`, about: "Knows only the bound of the node just above." },
	{ family: "Alpha-beta", name: "Move ordering", spec: `alphabeta:depth=D,${off("sort")},sort=1`, about: "Tries the most promising moves first, so that more is cut off." },
	{ family: "Alpha-beta", name: "Killer moves", spec: `alphabeta:depth=D,${off("killers")},killers=2`, about: "A reply that refuted one move is tried first against the next." },
	{ family: "Alpha-beta", name: "History heuristic", spec: `alphabeta:depth=D,${off("history")},history=1`, about: "Moves that cut off before come early." },
	{ family: "Alpha-beta", name: "Iterative deepening", spec: `alphabeta:depth=D,${off("iterate")},iterate=1`, about: "Searches depth 1, then 2, then 3, and starts with the best line so far." },
	{ family: "Alpha-beta", name: "Aspiration window", spec: `alphabeta:depth=D,${off("iterate")},iterate=1,window=1`, about: "Guesses the value from the last depth and searches close to it." },
	{ family: "Alpha-beta", name: "Transposition table", spec: `alphabeta:depth=D,${off("tt")},tt=4`, about: "Remembers positions, so that none is searched twice." },
	{ family: "Alpha-beta", name: "Quiescence search", spec: `alphabeta:depth=D,${off("quiet")},quiet=1`, about: "Plays out captures before it judges a position.", fits: hasMaterial },
	{ family: "Alpha-beta", name: "Exchange term", spec: `alphabeta:depth=D,${PLAIN},exchange=1`, about: "Adds that the side that is ahead gains by trades.", fits: hasMaterial },
	{ family: "Alpha-beta", name: "Everything on", spec: "alphabeta:depth=D,tt=4", about: "Alpha-beta as it plays here." },
	{ family: "Null windows", name: "Negascout", spec: `negascout:depth=D,${PLAIN}`, about: "Tests later moves quickly: is it better or not?" },
	{ family: "Null windows", name: "MTD(f)", spec: "mtdf:depth=D,tt=4", about: "Finds the value by yes-or-no questions alone." },
	{ family: "Not sound", name: "Razoring", spec: `alphabeta:depth=D,${PLAIN},razor=1`, about: "Assumes that a move always improves on standing still." },
	{ family: "Not sound", name: "Hard pruning", spec: `alphabeta:depth=D,${PLAIN},hard=2`, about: "Drops moves that fall too far below the best." },
	{ family: "Not sound", name: "Top N", spec: `alphabeta:depth=D,${off("sort")},sort=1,top=3`, about: "Deep down, tries only the few moves that look best." },
	{ family: "Not sound", name: "Selective search", spec: "selective:depth=D,tt=4", about: "Searches dull moves less deep, as chess programs do.", fits: hasCaptures },
	{ family: "Chance and many players", name: "Expectimax", spec: "expectimax:depth=D,star=0", about: "Averages over the dice.", fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: "Chance and many players", name: "Expectimax with Star1", spec: "expectimax:depth=D,star=1", about: "Stops when the remaining rolls cannot matter.", fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: "Chance and many players", name: "Expectimax with Star2", spec: "expectimax:depth=D,star=2", about: "First tries one move after each roll.", fits: ({ chance, seats }) => chance && seats === 2 },
	{ family: "Chance and many players", name: "Max^n", spec: "maxn:depth=D", about: "Each player thinks of nobody else.", fits: ({ seats }) => seats > 2 },
	{ family: "Chance and many players", name: "Paranoid", spec: "paranoid:depth=D", about: "All the others play against you.", fits: ({ seats }) => seats > 2 },
	{ family: "Chance and many players", name: "Best-reply search", spec: "brs:depth=D", about: "Only the most dangerous opponent replies.", fits: ({ seats }) => seats > 2 },
	{ family: "Growing trees", name: "Monte Carlo tree search", spec: "mcts:playouts=400", about: "Plays random games and grows the tree where they go well.", fits: any },
	{ family: "Growing trees", name: "Proof-number search", spec: "proof:nodes=2000", about: "Grows the tree where a proof seems nearest.", fits: isDuel },
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
	return found ? found.name + (depth ? `, depth ${depth}` : "") : spec;
}
