// types.ts - the data of the API in TypeScript, as in docs/api.md and openapi.json.
// SPDX-License-Identifier: MIT
//
// Seats count from 1; 0 is chance. Cells and pieces are indexes into the board's lists, from 0.

// ---- Games and boards ----

export interface GameOption {
	name: string;
	help: string;
	choices: string[] | null; // null: an integer from min to max
	min: number;
	max: number;
	preset: number | string;
}

export interface Level {
	spec: string; // the player spec: "level:2,ladder=lurgee"
	name: string; // the name of the player in a seat
	player: string; // the full spec that the level stands for
}

export interface Ladder {
	name: string;
	title: string;
	help: string; // one line
	levels: Level[]; // weakest first
}

/** A historical player. */
export interface Classic {
	spec: string; // the player spec: "book"
	title: string;
	by: string; // author and year
	about: string; // two sentences
	ladder: string | null; // it stands for all levels of this ladder
	settings: GameOption[]; // keys of the spec that can be chosen
	position: string | null; // the start position that it needs; null: any
	seat: number | null; // the seat that it needs; null: any
	memory: boolean; // it learns: pass on "memory" from game to game
}

// GET /api/v1/history returns a list of these, by year.
export interface HistoryEntry {
	who: string;
	when: string;
	work: string;
	here: string; // what of it is in this program
}

// GET /api/v1/games returns a list of these.
export interface Game {
	name: string;
	title: string;
	seats: number;
	chance: boolean;
	levels: number; // on its own ladder
	ladders: Ladder[]; // its own ladder comes first
	classics: Classic[];
	perfect: boolean; // the player "perfect" is available
	solved: string | null;
	help: string; // the rules as text
	options: GameOption[];
	board: boolean; // it has a board description
	editor: boolean; // positions can be set up piece by piece
	exact: boolean; // POST /api/v1/values supports it
	book: boolean; // GET /api/v1/openings supports it
	notions: boolean; // POST /api/v1/positions can return notions
	pgn: boolean; // games can be exported as PGN
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
	group: number; // not 0: a click on any cell of the group counts for all of them
	shape: "rectangle" | "ellipse" | "hexagon" | "point" | "triangle" | "triangle-down" | "triangle-left" | "triangle-right"; // the last two: upright boards
	stack?: "up" | "down" | "left" | "right"; // several pieces are a row that grows this way; missing: one piece with a number
	tone: string;
	overlap?: number; // the distance of the pieces in a row, in pieces, on upright boards
	picture?: string; // drawn while the cell is empty, in some looks of the page (board/looks.ts)
	tilt?: [number, number, number, number]; // the plane of the cell, as the first four numbers of an SVG matrix (board/space.ts)
	owner?: string; // the paint of the side that the cell belongs to (board/treats.ts)
}

export interface Piece {
	name: string;
	body: string;
	detail: string | null;
	paint: string;
	seat: number | null;
	most: number; // the largest number on one cell
	set?: string; // how it is drawn, in some looks of the page (board/themes.ts)
}

// GET /api/v1/boards?game=NAME[:key=value,...]
export interface Board {
	game: string;
	title: string;
	width: number;
	height: number;
	ground: string;
	turnable: boolean;
	upright?: boolean; // for a narrow screen (board/upright.ts): the other side sees its mirror image
	label_size?: number; // missing: as in board.css
	cells: Cell[];
	lines: [number, number, number, number][];
	labels: { text: string; x: number; y: number }[];
	pieces: Piece[];
	seat_names?: string[]; // missing: by the colours of the pieces, or numbers
	/* What the page adds (board/treats.ts, board/themes.ts). */
	top?: number; // the ground begins here; missing: 0
	under?: [style: string, path: string][]; // drawn below the cells
	above?: [style: string, path: string][]; // drawn above the lines
	rows?: number[][]; // the cells of each line that counts: a full one is drawn through
	spins?: boolean; // can be turned in space
	spread?: boolean; // its levels are two by two instead of a stack
	theme?: Record<string, string>; // CSS properties
}

export interface Move {
	move: string;
	short?: string; // short notation (chess: Nf3); missing: same as move
	clicks: number[]; // the cells to click, in order; empty: the move gets a button
	touches?: number[]; // the cells where it is drawn, from start to end; missing: as clicks
	ways?: number[][]; // present: clicks are pairs, from and to, in any order; other pairs for the same move
	weight?: number; // of a dice roll: how likely it is, compared with the others; missing: 1
	max?: number; // a counted move: 1 to max
	piece?: number; // the piece on the last cell, if the same clicks allow several
}

export type Standing = [cell: number, piece: number, count: number];

// A position of a sample game: what differs from the one before it; count 0: the cell is empty.
export interface Frame {
	changes: Standing[];
	marks: number[];
	touches: number[]; // the cells of the last move
}
export interface GamePicture {
	game: string;
	board: Board | null;
	text: string | null; // without a board: a drawing of the start position
	frames: Frame[];
}
// GET /api/v1/gallery: all that the first page shows.
export interface Gallery {
	games: Game[];
	pictures: GamePicture[];
}

// A strategic feature of a position.
export interface Notion {
	name: string;
	seat: number | null; // whose; null: of neither side
	value: number;
	cells: number[];
	mark: string; // tag to draw on the cells; empty: none
	text: string; // a sentence
}

// A position: POST /api/v1/positions {game, position?, moves?} or {game, standing, seat}.
export interface View {
	game: string;
	position: string;
	seat: number;
	turn: number | null; // whose turn it is; at a chance node, who rolls; null: the roll decides
	moves: Move[];
	standing: Standing[];
	marks: number[];
	scores: number[] | null; // current
	over: boolean;
	result: string | null; // "draw", "win N"; "none": abandoned
	points: number[] | null; // at the end
	text: string | null; // text drawing, as in a terminal
	last: { move: string; short?: string; seat: number; touches: number[] } | null;
	line?: string[]; // the given moves in short notation; missing: same as the moves
	book?: BookPosition | null; // if requested with book: true; null: the game has no book
	notions?: Notion[] | null; // if requested; null: the game has none
	course?: CourseStep[]; // if requested: the position after each of the moves
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
	short?: string; // as in Move
	share: number; // how often the book plays it, 0 to 1
	name: string | null; // the opening that it leads to
	towards: string | null; // the next named opening after it
	note: string | null;
	touches: number[];
	alike: string[]; // equivalent moves by symmetry
	lines: number[]; // numbers of the lines in Openings that play it here, from 1
}

export interface BookPosition {
	known: boolean;
	opening: string | null; // the last named opening on the path
	name: string | null; // the name of this position
	note: string | null;
	moves: BookMove[]; // most frequent first
}

export interface Opening {
	name: string;
	position: string; // the start position of the line
	moves: string[];
	short?: string[]; // short notation; missing: same as moves
	weight: number; // relative frequency
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
	name: string; // of the person or of the level
	spec: string | null; // of a computer
	you: boolean;
	connected: boolean; // a person who follows the play at the moment
	account?: boolean; // a person with an account; missing: not
}

export interface LineMove {
	move: string;
	short?: string; // as in Move
	seat: number;
	seconds: number | null;
	luck?: number; // of a roll: the points that it brought to its roller
	roller?: number;
	loss?: number; // of a person's move in a game with dice: the points that it lost
	best?: string; // a better move, if the loss is 0.04 or more
}

// A node of the tree of variations; node 0 is the start. Children come after their parents.
export interface TreeNode {
	parent: number; // -1 for node 0
	move: string | null;
	short?: string; // as in Move
	note?: string;
}

export interface Dice {
	mode: "server" | "typed";
	commit: string | null; // SHA-256 (hex) of the secret of the next roll, while a roll is due
	// ply: number of moves and rolls before it; weights: sum over all outcomes; number: 0 to weights - 1
	last: { commit: string; secret: string; seed: string; ply: number; weights: number; number: number; move: string } | null;
}

// Luck along the line of a game with dice, in points. result and skill: for seat 1, after the end.
export interface Luck {
	seats: number[];
	result: number | null;
	skill: number | null;
}

// POST /api/v1/luck {game, position?, moves?}: the same of a line that is no play, with each roll and move.
export type LuckPly = Pick<LineMove, "move" | "seat" | "luck" | "roller" | "loss" | "best">;
export interface LineLuck extends Luck {
	line: LuckPly[];
}

export interface Clocks {
	terms: string; // "5m", "5m+3s", "3d/move"
	left: number[]; // ms of each seat, as of this message
	running: number; // the seat whose clock runs; 0: none
}

export type OfferKind = "draw" | "undo" | "rematch" | "swap";

// GET /api/v1/plays/ID, and the first message of its stream.
export interface Play {
	type: "play";
	id: string;
	url: string;
	version: number; // counts events; the next message has the next number
	turn: number; // the version that began the turn
	game: string; // with its options
	title: string;
	created: number; // seconds since 1970
	private: boolean;
	seats: Seat[];
	owner: boolean; // you created it
	view: View; // at the cursor
	start: string; // the start position
	line: LineMove[]; // from the start to the cursor
	redo: number; // plies that can be redone
	tree: TreeNode[];
	cursor: number; // the node
	clocks: Clocks | null;
	dice: Dice | null; // null: a game without chance
	luck: Luck | null;
	offers: { kind: OfferKind; seat: number }[];
	thinking: boolean; // a computer is thinking
	engine: "browser" | "server"; // who thinks for the computers; browser: their player sends their moves
	result: string | null;
	reason: string | null; // "resigns", "time", "agreed"; "count", "repetition": draws by rule; null: decided on the board, or in progress
	rematch: string | null; // the id of the next play
	memory: string | null; // what the player "learn" remembers, as in its file
	watchers?: number; // users without a seat who follow it; missing: this browser keeps the play
	damaged?: number; // the first stored line that cannot be read: the play cannot be changed
	claim?: Claim | null;
	seat_token?: string; // in the response to "join": as in Created
}

/** The player to move is away and there is no clock: after `wait` ms POST /api/v1/plays/ID/claim {} ends the game. */
export interface Claim {
	seat: number;
	wait: number;
}

// POST /api/v1/reports {kind,id,[seat],reason,[text]} for the operator of the server; text: at most 500 characters.
export type ReportReason = "name" | "behaviour" | "cheating" | "content" | "other";

// POST /api/v1/plays/ID/phrases {phrase}: the response, and a message of the stream. Never stored.
export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "one_moment" | "good_game" | "goodbye";
export interface PhraseMessage {
	type: "phrase";
	seat: number; // who says it
	phrase: Phrase;
	number: number; // grows from phrase to phrase of a play
}
// A message of the stream: spectators have come or gone.
export interface WatchersMessage {
	type: "watchers";
	watchers: number;
}

// A message of the stream GET /api/v1/plays/ID/events: only what a move changed. The other kind is the whole Play.
export interface MoveMessage {
	type: "move";
	id: string;
	version: number;
	turn: number;
	move: LineMove;
	node: number; // the new cursor; a new node if it is not in the tree yet
	view: View;
	redo: number;
	clocks: Clocks | null;
	dice: Dice | null;
	luck: Luck | null;
	thinking: boolean;
	result: string | null;
	reason: string | null;
	claim?: Claim | null;
}
// What a computer has found so far, in GET /api/v1/plays/ID/events?thoughts=1. Not if two people play.
export interface ThoughtsMessage {
	type: "thoughts";
	version: number; // of the play in which the computer is to move
	seat: number;
	done: boolean; // the first move of the line is its move
	line: AnalysisLine;
}
// POST /api/v1/plays/ID/moves {move, turn?} returns the MoveMessage of that move (or the Play, if more changed);
// POST /api/v1/plays/ID/actions returns the Play as you see it.
export type PlayMessage = Play | MoveMessage;

// POST /api/v1/plays. Seats: "human" is you, "open" is anyone who joins, else a player spec such as "level:3".
export interface NewPlay {
	game?: string; // missing: from the record
	seats?: string[];
	position?: string;
	moves?: string[];
	record?: string; // a journal or PGN, instead of position and moves
	clock?: string; // "5m", "300+3", "3d/move"
	dice?: "server" | "typed";
	private?: boolean; // not in the lobby
	name?: string; // your name for others
	memory?: string; // what the player "learn" remembers: as in an earlier Play
	engine?: "browser" | "server"; // as in Play; default: server
}
// POST /api/v1/records {record}: the contents of a journal, PGN, PDN, SGF or GGF; the server stores nothing.
export interface ReadRecord {
	game: string;
	title: string;
	start: string;
	tree: TreeNode[];
	cursor: number;
	result: string | null;
	reason: string | null;
	record: string; // the journal, with names and tags
	pgn: string | null; // null: the game has no PGN
}

// A part of a study.
export interface Chapter {
	name: string;
	record: string; // notes hold comments, glyphs and drawings (note.ts)
}

// GET /api/v1/studies/ID
export interface StudyMessage {
	id: string;
	title: string;
	about: string;
	chapters: Chapter[];
	version: number; // a save names the one that it replaces
	created: number; // seconds since 1970
	updated: number;
	author: string;
	own: boolean; // it is yours
}

// POST /api/v1/studies and /api/v1/studies/ID
export interface SavedStudy {
	id: string;
	version: number;
	existed?: boolean; // an earlier request with the same key created it, perhaps with another text
}

// GET /api/v1/studies: your own
export interface StudyList {
	studies: { id: string; title: string; chapters: number; version: number; created: number; updated: number }[];
}

export interface Created {
	id: string;
	url: string;
	seat_token: string; // Authorization: Bearer ..., for programs without cookies
}

// POST /api/v1/plays/ID/actions
export type Action =
	| { action: "undo"; plies?: number } // against people it is an offer
	| { action: "redo"; plies?: number }
	| { action: "goto"; node: number } // moves the cursor, if undo is allowed
	| { action: "resign"; seat?: number }
	| { action: "offer"; kind: OfferKind }
	| { action: "accept"; kind: OfferKind }
	| { action: "decline"; kind: OfferKind }
	| { action: "swap" }
	| { action: "seat"; seat: number; spec: string } // "level:4", "human", "open"
	| { action: "join"; seat?: number; name?: string }
	| { action: "leave" }
	| { action: "throw"; seed?: string } // server dice: the player's seed
	| { action: "note"; text: string }
	| { action: "move_now" } // the computer to move plays the best move it has found
	| { action: "engine"; engine: "browser" | "server" } // who thinks for the computers
	| { action: "rematch" }
	| { action: "forget" } // what the player "learn" remembers
	| { action: "cancel" } // an invitation that nobody has accepted
	| { action: "help" }; // you use hints or values: the result does not count for ratings

// ---- Thinking ----

// POST /api/v1/evaluation {game, position, moves}: the static evaluation, without a search.
export interface EvaluationTerm {
	name: string;
	counts: number[]; // for each seat
	weight: number | null; // null: the counts are values themselves
	share: number; // how much of the weight counts in this phase of the game
	value: number; // for the side to move
	cells: number[] | null; // whose pieces change a count when they are removed; null: unknown
}
export interface Evaluation {
	seat: number; // to move; values are for it
	eval: string;
	value: number; // the sum of the terms
	terms: EvaluationTerm[];
}

// POST /api/v1/analysis: a stream of AnalysisMessage; the last one has done.
export interface AnalysisRequest {
	game: string;
	position?: string;
	moves?: string[];
	lines?: number; // 1 to 8
	time?: number; // ms, at most 30000
	player?: string; // a player spec; default: the strongest
	book?: boolean; // the default player plays from the opening book first
}
export interface AnalysisLine {
	move: string;
	touches: number[]; // the cells of the arrow
	score: number; // for the side to move
	share?: number; // in an analysis: expected score of the side to move after this line, 0 to 1
	proven: boolean;
	in?: number; // plies to the end of a proven win or loss
	depth: number;
	nodes: number;
	pv: string[];
	short_pv?: string[]; // short notation; missing: same as pv
	book?: string; // the name of the opening, if the move is from a book; it has no score then
}
export interface AnalysisMessage {
	type: "analysis";
	lines: AnalysisLine[]; // best first
	share: number; // expected score of the side to move, 0 to 1: the evaluation bar
	depth: number;
	nodes: number;
	done: boolean;
	unit?: { name: string; one: number }; // "pawns", and the score that is worth one; missing: scores have no unit
}

// POST /api/v1/review {game, position?, moves?, last?}: a stream of ReviewMessage; the last one has the review.
export interface ReviewValue {
	expected: number; // expected score of the first seat, 0 to 1
	score: number | null; // for the first seat, in units; null: exact, or unknown
	depth: number;
	result: string | null; // with perfect play: "draw", "win 1", "win 2"; null: not proven
	in: number | null; // plies to the end of a proven win
}
export type MoveClass = "best" | "good" | "inaccuracy" | "mistake" | "blunder";
export interface ReviewPly extends ReviewValue {
	ply: number; // from 1; the value is that after the move
	seat: number; // 0: a dice roll, which has no class
	move: string;
	short?: string;
	class?: MoveClass;
	glyph?: string; // "", "?!", "?", "??"
	forced?: boolean; // the only legal move
	only?: boolean; // the only good move
	lost?: number; // expected score, 0 to 1
	best?: string | null;
	short_best?: string;
	text?: string | null; // a sentence about a mistake
	turn?: string; // with dice, added by the page: the number of the turn, "5…"
}
export interface Review {
	game: string;
	sides: string[];
	accuracy: (number | null)[]; // of each seat, 0 to 100
	unit: string | null; // "pawns"
	start: ReviewValue;
	plies: ReviewPly[];
}
export interface ReviewMessage {
	type: "review";
	done: number;
	of: number;
	review: Review | null;
}

// POST /api/v1/values {game, position?, moves?}: the value of each legal move for the side to move.
export interface Values {
	exact: boolean; // false: some are unknown
	values: { move: string; value: "win" | "draw" | "loss" | "unknown"; in: number | null }[];
}

// POST /api/v1/explanations {game, position?, moves?, player?}: how the mask predictor of Star Chess chooses its turn.
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
	levels: number; // single-faction turns looked ahead
	generated: number; // positions
	evaluated: number;
	all: number; // number of possible masks
	requests: ThoughtRequest[];
	masks: { without: string[]; scores: number[] | null }[]; // in the order tried
	chosen: number; // index into masks
	line: ThoughtTurn[]; // its own turn first
}

// ---- Lobby, people ----

export interface LobbyEntry {
	id: string;
	game: string;
	title: string;
	seats: { kind: string; name: string; account?: boolean }[];
	clock: string | null;
	dice: "server" | "typed" | null; // typed: the players enter the rolls, and the game is not rated
	created: number;
	watchers: number;
	damaged?: number; // as in Play
}
/** A game in progress in your own list. */
export interface MyGame extends LobbyEntry {
	turn: number; // the seat to move or to roll; 0: it waits for a player
	your_turn: boolean;
	begun: boolean; // false: against computers, and you have not moved yet
	left: number | null; // time of that seat in ms; null: no clock
	updated: number; // seconds since 1970
}
// GET /api/v1/lobby: {open: LobbyEntry[], going: LobbyEntry[]}; GET /api/v1/lobby/events: the same after each change.
export interface Lobby {
	type: "lobby";
	open: LobbyEntry[];
	going: LobbyEntry[];
}

// GET /api/v1/me. POST /api/v1/me {name}: your name for others. POST /api/v1/accounts and /api/v1/login {name, password, label};
// POST /api/v1/logout {everywhere}.
export interface Me {
	id: string;
	name: string;
	account: string | null;
	email: string | null;
	mail: boolean; // the server can send mail
	plays: MyGame[]; // your games in progress
}

// GET /api/v1/sessions: where you are logged in. POST /api/v1/sessions/ID/end. Times are seconds since 1970.
export interface SessionEntry {
	id: string;
	label: string;
	created: number;
	seen: number; // the day
	current: boolean;
}

// GET /api/v1/tokens. POST /api/v1/tokens {label} returns {token, id}, the token once; POST /api/v1/tokens/ID/revoke.
export interface TokenEntry {
	id: string;
	label: string;
	created: number;
	used: number | null; // the day
}

// GET /api/v1/account/export?after=: all that is stored about you; a long one comes in parts, of which the first has the user.
export interface AccountExport {
	user?: object;
	games: { id: string; lines: unknown[] }[];
	next: string | null; // the "after" of the next part
}

// GET /api/v1/me/games?game=&opponent=&result=&since=&until=&first=&most=&after=: your finished games, latest first, at most 100.
// POST /api/v1/me/games {delete: [id]} deletes them from your list.
export interface FinishedGame {
	id: string;
	game: string; // with its options
	title: string;
	seats: Seat[];
	created: number; // seconds since 1970
	ended: number;
	result: string | null;
	reason: string | null;
	plies: number;
	rated?: boolean; // played from the start by the same players, nothing taken back, no hints; missing: not known
}
export interface FinishedGames {
	total: number; // of the first 2000 after `after`
	more: boolean; // there are games after those
	next: string | null; // the "after" of the next response
	games: FinishedGame[];
}

// ---- Puzzles ----

/** The rating of a puzzle by the attempts of all visitors. */
export interface PuzzleRating {
	id: string;
	rating: number;
	deviation: number;
	tries: number;
	solved: number;
}
export interface PuzzleRatings {
	puzzles: PuzzleRating[];
}
/** POST /puzzles/GAME/attempts. rating: yours before it. */
export interface PuzzleAttempt {
	puzzle: string;
	solved: boolean;
	rating: number;
	deviation: number;
}

// POST /api/v1/explorer {game, position?, moves?, whose?}
export interface ExploredMove {
	move: string;
	short?: string; // as in Move
	games: number;
	wins: number[]; // of each seat
	draws: number;
	people: number; // games in which a person played it
	level: number | null; // the average of the computers that played it
}
export interface Explored {
	game: string;
	games: number; // that continued from the position
	complete: boolean; // false: older games are still being added
	moves: ExploredMove[];
	recent: FinishedGame[]; // the latest first
}

// ---- Matches ----

// GET /api/v1/matches
export interface MatchEntry {
	name: string;
	game: string;
	players: string[];
	games: number; // finished
	planned: number;
	running: boolean; // a referee is writing its journal
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
	seats: string[]; // player names
	result: string | null; // null: in progress
	end: string | null; // "rules", "timeout", ...
	plies: number;
}
// GET /api/v1/matches/NAME, and each message of /api/v1/matches/NAME/events.
export interface Match extends MatchEntry {
	type: "match";
	standings: MatchPlayer[];
	elo: { games: number; elo: number; error: number }[]; // of the first player, over time
	list: MatchGame[]; // the newest 500, newest last
	live: { number: number; seats: string[]; start: string; moves: string[] } | null; // the newest game in progress
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

// The same requests over one socket. A stream sends messages until it ends or is cancelled.
export interface SocketRequest {
	id: number; // chosen by the client: > 0 and not in use
	method: "GET" | "POST" | "CANCEL"; // CANCEL ends the stream with that id
	path?: string;
	body?: unknown;
}
export type SocketResponse =
	| { id: number; status: number; body: unknown; end: true } // the only or the last response
	| { id: number; status: 200; body: unknown; end: false }; // one message of a stream

/** GET /api/v1/privacy */
export interface Privacy {
	contact: string | null;
	logs_requests: boolean;
	/** Days after which finished games of guests are removed; 0: never. */
	keep_guests: number;
	keep_unfinished: number;
	/** Every field of the database. */
	stored: { table: string; fields: string[]; purpose: string; kept: string; days?: number }[];
	cookies: { name: string; purpose: string; days: number }[];
}
