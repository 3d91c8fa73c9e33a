// tree.ts - a game with its variations: pure functions on an immutable tree.
// SPDX-License-Identifier: MIT
//
// Node 0 is the start. The first child of a node is its main line; `recent` is the child visited
// last, where forward leads. Every function returns a new tree and leaves the old one unchanged.

export interface GameNode {
	parent: number; // -1 for node 0
	move: string | null; // null for node 0
	short: string; // short notation (chess: Nf3); empty: the same as the move, or unknown
	seat: number; // who played it; -1: unknown
	seconds: number | null;
	note: string;
	children: number[];
	recent: number; // a child; -1: none visited yet
}

/** What a record has about the whole game. */
export interface GameAbout {
	seats: string[]; // the names of the players; empty: unknown
	tags: Record<string, string>; // as in PGN: Event, Date
	result: string | null; // "win 1"
	reason: string | null; // null: the rules ended the game, or it goes on
	end: number; // the node with the result
}

export interface GameTree {
	about?: GameAbout;
	game: string; // with its options
	start: string; // "start" or the position's text
	nodes: (GameNode | null)[]; // null where one was deleted
	cursor: number;
}

function emptyNode(parent: number, move: string | null, seat: number): GameNode {
	return { parent, move, short: "", seat, seconds: null, note: "", children: [], recent: -1 };
}

export function newTree(game: string, start: string): GameTree {
	return { game, start, nodes: [emptyNode(-1, null, -1)], cursor: 0 };
}

export function nodeAt(tree: GameTree, id: number): GameNode {
	const node = tree.nodes[id];
	if (!node)
		throw new Error(`tree: no node ${id}`);
	return node;
}

function withNode(tree: GameTree, id: number, change: Partial<GameNode>): GameTree {
	const nodes = tree.nodes.slice();
	nodes[id] = { ...nodeAt(tree, id), ...change };
	return { ...tree, nodes };
}

// The nodes from the start to this one, both included.
export function pathTo(tree: GameTree, id: number): number[] {
	const path: number[] = [];
	for (let at = id; at >= 0; at = nodeAt(tree, at).parent)
		path.push(at);
	return path.reverse();
}

export function movesTo(tree: GameTree, id: number): string[] {
	return pathTo(tree, id).slice(1).map((at) => nodeAt(tree, at).move as string);
}

export function depthOf(tree: GameTree, id: number): number {
	return pathTo(tree, id).length - 1;
}

// The nodes of the main line, from the start to the end.
export function mainLine(tree: GameTree): number[] {
	const line = [0];
	for (let node = nodeAt(tree, 0); node.children.length > 0;) {
		const next = node.children[0] as number;
		line.push(next);
		node = nodeAt(tree, next);
	}
	return line;
}

export function isMain(tree: GameTree, id: number): boolean {
	return pathTo(tree, id).every((at) => {
		const parent = nodeAt(tree, at).parent;
		return parent < 0 || nodeAt(tree, parent).children[0] === at;
	});
}

// Sets the cursor. Forward will follow the path to it.
export function goTo(tree: GameTree, id: number): GameTree {
	const path = pathTo(tree, id);
	const nodes = tree.nodes.slice();
	for (let i = 0; i + 1 < path.length; i++) {
		const at = path[i] as number;
		nodes[at] = { ...nodeAt(tree, at), recent: path[i + 1] as number };
	}
	return { ...tree, nodes, cursor: id };
}

// Plays a move at the cursor: enters an existing variation or adds one.
export function playMove(tree: GameTree, move: string, seat = -1, seconds: number | null = null, short = ""): GameTree {
	const here = nodeAt(tree, tree.cursor);
	const known = here.children.find((child) => nodeAt(tree, child).move === move);
	if (known !== undefined)
		return goTo(tree, known);
	const id = tree.nodes.length;
	const nodes = tree.nodes.slice();
	nodes[tree.cursor] = { ...here, children: [...here.children, id], recent: id };
	nodes.push({ ...emptyNode(tree.cursor, move, seat), seconds, short });
	return { ...tree, nodes, cursor: id };
}

export function playAll(tree: GameTree, moves: string[]): GameTree {
	return moves.reduce((grown, move) => playMove(grown, move), tree);
}

// Sets the short notation of the moves of a line, as far as the tree contains it.
export function nameMoves(tree: GameTree, moves: string[], names: string[]): GameTree {
	let named = tree, at = 0;
	for (const [i, move] of moves.entries()) {
		const next = nodeAt(named, at).children.find((child) => nodeAt(named, child).move === move);
		if (next === undefined)
			break;
		at = next;
		if (nodeAt(named, at).short !== names[i])
			named = withNode(named, at, { short: names[i] ?? "" });
	}
	return named;
}

// The end of a line with moves whose short notation is unknown; -1: no such line.
export function unnamedEnd(tree: GameTree): number {
	let at = tree.nodes.findIndex((node) => node && node.move !== null && !node.short);
	while (at >= 0 && nodeAt(tree, at).children.length)
		at = nodeAt(tree, at).children[0] as number;
	return at;
}

export function back(tree: GameTree): GameTree {
	const parent = nodeAt(tree, tree.cursor).parent;
	return parent < 0 ? tree : { ...tree, cursor: parent };
}

// Where forward leads from a node; -1: the line ends here.
export function nextOf(tree: GameTree, id: number): number {
	const node = nodeAt(tree, id);
	if (node.recent >= 0 && node.children.includes(node.recent))
		return node.recent;
	return node.children[0] ?? -1;
}

export function forward(tree: GameTree): GameTree {
	const next = nextOf(tree, tree.cursor);
	return next < 0 ? tree : goTo(tree, next);
}

export function toStart(tree: GameTree): GameTree {
	return { ...tree, cursor: 0 };
}

export function toEnd(tree: GameTree): GameTree {
	let at = tree;
	while (nextOf(at, at.cursor) >= 0)
		at = forward(at);
	return at;
}

// The next (step 1) or previous (-1) sibling variation of the cursor.
export function sideways(tree: GameTree, step: number): GameTree {
	const parent = nodeAt(tree, tree.cursor).parent;
	if (parent < 0)
		return tree;
	const siblings = nodeAt(tree, parent).children;
	const place = siblings.indexOf(tree.cursor);
	const other = siblings[(place + step + siblings.length) % siblings.length] as number;
	return goTo(tree, other);
}

export function setNote(tree: GameTree, id: number, note: string): GameTree {
	return withNode(tree, id, { note });
}

export function setSeat(tree: GameTree, id: number, seat: number): GameTree {
	return nodeAt(tree, id).seat === seat ? tree : withNode(tree, id, { seat });
}

// Makes the line through this node the main line, all the way from the start.
export function promote(tree: GameTree, id: number): GameTree {
	const nodes = tree.nodes.slice();
	const path = pathTo(tree, id);
	for (let i = 0; i + 1 < path.length; i++) {
		const at = path[i] as number;
		const first = path[i + 1] as number;
		const node = nodeAt(tree, at);
		nodes[at] = { ...node, children: [first, ...node.children.filter((child) => child !== first)] };
	}
	return { ...tree, nodes };
}

// Removes a node and everything after it. A cursor inside moves to the parent.
export function removeFrom(tree: GameTree, id: number): GameTree {
	const parent = nodeAt(tree, id).parent;
	if (parent < 0)
		return { ...newTree(tree.game, tree.start), ...(tree.about ? { about: tree.about } : {}) };
	const cursor = pathTo(tree, tree.cursor).includes(id) ? parent : tree.cursor;
	const nodes = tree.nodes.slice();
	const doomed = [id];
	for (let at = doomed.pop(); at !== undefined; at = doomed.pop()) {
		doomed.push(...nodeAt(tree, at).children);
		nodes[at] = null;
	}
	const left = nodeAt(tree, parent);
	const children = left.children.filter((child) => child !== id);
	nodes[parent] = { ...left, children, recent: left.recent === id ? -1 : left.recent };
	return { ...tree, nodes, cursor };
}

// Makes these moves the main line, for a game that is followed live. A cursor at the end follows.
export function growMain(tree: GameTree, moves: string[]): GameTree {
	const line = mainLine(tree);
	const follows = tree.cursor === line[line.length - 1];
	const grown = playAll({ ...tree, cursor: 0 }, moves);
	const main = promote(grown, grown.cursor);
	return follows ? main : { ...main, cursor: tree.cursor };
}
