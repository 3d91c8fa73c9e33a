// types.ts - what the server sends and takes, in TypeScript: the other side of docs/api.md and openapi.json.
// SPDX-License-Identifier: MIT
//
// Seats count from 1; 0 is chance. Cells and pieces are places in the board's lists, from 0.

// ---- Games and boards ----

export interface GameOption {
	name: string;
	help: string;
	choices: string[] | null; // else a whole number from min to max
	min: number;
	max: number;
	preset: number | string;
}

export interface Level {
	spec: string; // what a seat asks for: "level:2,ladder=lurgee"
	name: string; // what such a seat is called
	player: string; // the player that it stands for
}

export interface Ladder {
	name: string;
	title: string;
	help: string; // in one line
	levels: Level[]; // the weakest first
}

// GET /api/v1/games gives a list of these.
export interface Game {
	name: string;
	title: string;
	seats: number;
	chance: boolean;
	levels: number; // of its own ladder
	ladders: Ladder[]; // its own is the first
	perfect: boolean; // the player "perfect" is worth its name
	solved: string | null;
	help: string; // the rules for people
	options: GameOption[];
	board: boolean; // it describes a board
	editor: boolean; // positions can be set up by their pieces
	exact: boolean; // POST /api/v1/values knows it
	book: boolean; // GET /api/v1/openings has some
	notions: boolean; // POST /api/v1/positions tells some
	pgn: boolean; // its games can be had as PGN
}

export interface Cell {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
	slant: number;
	row: number;
	column: number;
	group: number; // not 0: cells of a group stand for each other when clicked
	shape: "rectangle" | "ellipse" | "hexagon" | "point";
	tone: string;
}

export interface Piece {
	name: string;
	body: string;
	detail: string | null;
	paint: string;
	seat: number | null;
	most: number; // so many may stand on one cell
}

// GET /api/v1/boards?game=NAME[:key=value,...]
export interface Board {
	game: string;
	title: string;
	width: number;
	height: number;
	ground: string;
	turnable: boolean;
	cells: Cell[];
	lines: [number, number, number, number][];
	labels: { text: string; x: number; y: number }[];
	pieces: Piece[];
}

export interface Move {
	move: string;
	short?: string; // as people write it (chess: Nf3); left out: that is the same
	clicks: number[]; // the cells that enter it, in order; none: it gets a button
	touches?: number[]; // the cells it shows on, from where to where; left out: the clicks
	max?: number; // a counted move: 1 to max
	piece?: number; // what the last cell then has, where the same clicks may lead to several pieces
}

export type Standing = [cell: number, piece: number, count: number];

// What the game's theory sees in a position.
export interface Notion {
	name: string;
	seat: number | null; // whose; null: nobody's
	value: number;
	cells: number[];
	mark: string; // to be written on the cells; empty: nothing
	text: string; // a sentence
}

// A position, looked at: POST /api/v1/positions {game, position?, moves?} or {game, standing, seat}.
export interface View {
	game: string;
	position: string;
	seat: number;
	turn: number | null; // the seat; where chance moves, who throws; null: the throw decides
	moves: Move[];
	standing: Standing[];
	marks: number[];
	scores: number[] | null; // as it stands now
	over: boolean;
	result: string | null; // "draw", "win N"; "none": broken off
	points: number[] | null; // at the end
	text: string | null; // the drawing for a terminal
	last: { move: string; short?: string; seat: number; touches: number[] } | null;
	line?: string[]; // the moves that were given, as people write them; left out: that is the same
	book?: BookPosition | null; // if asked for with book: true; null: there is no book of the game
	notions?: Notion[] | null; // if asked for; null: the game tells none
	course?: CourseStep[]; // if asked for: what each of the moves led to
}

export interface CourseStep {
	move: string;
	seat: number;
	scores: number[] | null;
	position: string;
}

// ---- Openings ----

export interface BookMove {
	move: string;
	short?: string; // as that of Move
	share: number; // how often the book plays it, 0 to 1
	name: string | null; // what it leads to
	towards: string | null; // the first name ahead
	note: string | null;
	touches: number[];
	alike: string[]; // moves that come to the same by symmetry
	lines: number[]; // of Openings that go on with it here, from 1
}

export interface BookPosition {
	known: boolean;
	opening: string | null; // the last name on the way here
	name: string | null; // of the position itself
	note: string | null;
	moves: BookMove[]; // the heaviest first
}

export interface Opening {
	name: string;
	position: string; // where it begins
	moves: string[];
	short?: string[]; // as people write them; left out: that is the same
	weight: number; // how often it is drawn, against the others
	note: string | null;
}

// GET /api/v1/openings?game=NAME
export interface Openings {
	game: string;
	title: string;
	note: string | null;
	lines: Opening[];
}

// ---- Plays: games in progress ----

export interface Seat {
	seat: number;
	kind: "person" | "computer" | "open";
	name: string; // of the person, or the level in words
	spec: string | null; // of a computer
	you: boolean;
	connected: boolean; // a person who follows the play just now
}

export interface LineMove {
	move: string;
	short?: string; // as that of Move
	seat: number;
	seconds: number | null;
}

// A node of the tree of variations; node 0 is the start. Children come after their parents.
export interface TreeNode {
	parent: number; // -1 for node 0
	move: string | null;
	short?: string; // as that of Move
	note?: string;
}

export interface Dice {
	mode: "server" | "typed";
	commit: string | null; // SHA-256 of the secret of the next throw, in hex, while one is due
	// ply: moves and throws before it; weights: of all outcomes together, number is below it
	last: { commit: string; secret: string; seed: string; ply: number; weights: number; number: number; move: string } | null;
}

export interface Clocks {
	terms: string; // "5m", "300+3"
	left: number[]; // ms of each seat, as of this message
	running: number; // the seat whose clock runs; 0: none
}

export type OfferKind = "draw" | "undo" | "rematch" | "swap";

// GET /api/v1/plays/ID, and the first message of its stream.
export interface Play {
	type: "play";
	id: string;
	url: string;
	version: number; // counts events; a message with the next number continues this one
	game: string; // with its options
	title: string;
	created: number; // seconds since 1970
	private: boolean;
	seats: Seat[];
	owner: boolean; // you made it
	view: View; // at the cursor
	start: string; // the position it began with
	line: LineMove[]; // from the start to the cursor
	redo: number; // plies that can be redone
	tree: TreeNode[];
	cursor: number; // the node
	clocks: Clocks | null;
	dice: Dice | null; // of a game with chance
	offers: { kind: OfferKind; seat: number }[];
	thinking: boolean; // a computer is at work
	result: string | null;
	reason: string | null; // "resigns", "time", "agreed"; "count", "repetition": draws by rule; null: as the board shows, or it goes on
	rematch: string | null; // the id of the next play
	seat_token?: string; // in the answer to "join": as that of Created
}

// A message of the stream GET /api/v1/plays/ID/events: the whole play, or only what a move changed.
export interface MoveMessage {
	type: "move";
	id: string;
	version: number;
	move: LineMove;
	node: number; // the cursor's node now; a new one if tree has no such place
	view: View;
	redo: number;
	clocks: Clocks | null;
	dice: Dice | null;
	thinking: boolean;
	result: string | null;
	reason: string | null;
}
// POST /api/v1/plays/ID/moves answers with the MoveMessage of that move (or the Play, if more changed);
// POST /api/v1/plays/ID/actions with the Play, as you see it.
export type PlayMessage = Play | MoveMessage;

// POST /api/v1/plays. "human": me; "open": whoever joins; else a player spec such as "level:3".
export interface NewPlay {
	game?: string; // left out: as the record says
	seats?: string[];
	position?: string;
	moves?: string[];
	record?: string; // a journal or PGN, instead of position and moves
	clock?: string; // "5m", "300+3"
	dice?: "server" | "typed";
	private?: boolean; // not in the lobby
	name?: string; // what others call me
}
// POST /api/v1/records {record}: what a journal or PGN says; nothing is kept.
export interface ReadRecord {
	game: string;
	title: string;
	start: string;
	tree: TreeNode[];
	cursor: number;
	result: string | null;
	reason: string | null;
	pgn: string | null; // null: the game is not written so
}

export interface Created {
	id: string;
	url: string;
	seat_token: string; // Authorization: Bearer ..., for programs without cookies
}

// POST /api/v1/plays/ID/actions
export type Action =
	| { action: "undo"; plies?: number } // against persons an offer
	| { action: "redo"; plies?: number }
	| { action: "goto"; node: number } // the cursor, where undo would be allowed
	| { action: "resign"; seat?: number }
	| { action: "offer"; kind: OfferKind }
	| { action: "accept"; kind: OfferKind }
	| { action: "decline"; kind: OfferKind }
	| { action: "swap" }
	| { action: "seat"; seat: number; spec: string } // "level:4", "human", "open"
	| { action: "join"; seat?: number; name?: string }
	| { action: "leave" }
	| { action: "throw"; seed?: string } // server dice: the player's own part of the luck
	| { action: "note"; text: string }
	| { action: "rematch" };

// ---- Thinking ----

// POST /api/v1/analysis: a stream of these, the last with done.
export interface AnalysisRequest {
	game: string;
	position?: string;
	moves?: string[];
	lines?: number; // 1 to 8
	time?: number; // ms, at most 30000
	player?: string; // a spec; the strongest if it is left out
}
export interface AnalysisLine {
	move: string;
	touches: number[]; // the cells it shows on: the arrow
	score: number; // for the side to move
	proven: boolean;
	in?: number; // plies to the end of a proven win or loss
	depth: number;
	nodes: number;
	pv: string[];
	short_pv?: string[]; // as people write it; left out: that is the same
}
export interface AnalysisMessage {
	type: "analysis";
	lines: AnalysisLine[]; // best first
	share: number; // of the points the side to move may hope for, 0 to 1: the evaluation bar
	depth: number;
	nodes: number;
	done: boolean;
}

// POST /api/v1/values {game, position?, moves?}: what each legal move is worth to who plays it.
export interface Values {
	exact: boolean; // false: some are unknown
	values: { move: string; value: "win" | "draw" | "loss" | "unknown"; in: number | null }[];
}

// POST /api/v1/explanations {game, position?, moves?, player?}: how the mask predictor of Star Chess comes to its turn.
export interface ThoughtRequest {
	sector: string;
	goal: string;
	priority: number; // 1 is the most important
	least: number; // ships
	most: number;
	threat: number;
}
export interface ThoughtTurn {
	seat: number;
	without: string[];
	commands: string[];
	scores: number[]; // after it
}
export interface Explanation {
	seat: number;
	turns: number; // full turns looked ahead
	levels: number; // turns of one faction each
	generated: number; // positions
	evaluated: number;
	all: number; // masks there are
	requests: ThoughtRequest[];
	masks: { without: string[]; scores: number[] | null }[]; // as they were tried
	chosen: number; // a place in masks
	line: ThoughtTurn[]; // its own turn first
}

// ---- Lobby, people ----

export interface LobbyEntry {
	id: string;
	game: string;
	title: string;
	seats: { kind: string; name: string }[];
	clock: string | null;
	created: number;
	watchers: number;
}
// GET /api/v1/lobby: {open: LobbyEntry[], going: LobbyEntry[]}; GET /api/v1/lobby/events: the same, at each change.
export interface Lobby {
	type: "lobby";
	open: LobbyEntry[];
	going: LobbyEntry[];
}

// GET /api/v1/me. POST /api/v1/me {name}: what others see. POST /api/v1/accounts and /api/v1/login {name, password};
// POST /api/v1/logout; POST /api/v1/tokens gives {token} for programs, once.
export interface Me {
	id: string;
	name: string;
	account: string | null;
	plays: LobbyEntry[]; // my games that go on
}

// ---- Matches ----

// GET /api/v1/matches
export interface MatchEntry {
	name: string;
	game: string;
	players: string[];
	games: number; // finished
	planned: number;
	running: boolean; // its journal is held by a referee
}
export interface MatchPlayer {
	name: string;
	spec: string;
	games: number;
	wins: number;
	draws: number;
	losses: number;
	points: number;
	elo: number | null;
	error: number | null;
	crashes: number;
	timeouts: number;
	illegal: number;
}
export interface MatchGame {
	number: number;
	seats: string[]; // names of players
	result: string | null; // null: it is being played
	end: string | null; // "rules", "timeout", ...
	plies: number;
}
// GET /api/v1/matches/NAME, and each message of /api/v1/matches/NAME/events.
export interface Match extends MatchEntry {
	type: "match";
	standings: MatchPlayer[];
	elo: { games: number; elo: number; error: number }[]; // of the first player, over time
	list: MatchGame[]; // the newest 500, newest last
	live: { number: number; seats: string[]; start: string; moves: string[] } | null; // the newest that goes on
}
// GET /api/v1/matches/NAME/games/NUMBER
export interface MatchRecord {
	game: string;
	number: number;
	seats: string[];
	start: string;
	moves: LineMove[];
	result: string | null;
	end: string | null;
	record: string; // the journal
}

// Every error, with its HTTP status: 400, 401, 403, 404, 405, 409, 411, 413, 415, 429, 500, 503.
export interface ApiError {
	error: { code: string; message: string };
}

// ---- The WebSocket: /api/v1/ws, subprotocol "quevedo" ----

// The same requests over one socket; a stream answers many times, until end or a cancel.
export interface SocketRequest {
	id: number; // chosen by the client, > 0, not in use
	method: "GET" | "POST" | "CANCEL"; // CANCEL ends the stream with that id
	path?: string;
	body?: unknown;
}
export type SocketAnswer =
	| { id: number; status: number; body: unknown; end: true } // the only, or the last answer
	| { id: number; status: 200; body: unknown; end: false }; // one message of a stream
