// help.tsx - "/help": keys, how positions and records are shared, and how anybody can check the dice.
// SPDX-License-Identifier: MIT
import type { PageProps } from "../routes";
import { useTitle } from "./parts";

const BOARD_KEYS: [string, string][] = [
	["Tab", "to the board, and on from it"],
	["Arrow keys", "from cell to cell; Home, End, Page Up and Page Down go further"],
	["Enter, Space", "choose a cell: first what moves, then where to"],
	["Escape", "take the choice back"],
	["p", "hear the position"],
	["m", "hear the legal moves"],
];

const WALK_KEYS: [string, string][] = [
	["← →", "one move back or on, when the board has not the focus"],
	[", .", "the same, also on the board"],
	["↑ ↓", "to the variation beside this one"],
	["Home, End", "to the start, to the end of the line"],
	["e", "start or stop the engine (analysis)"],
	["x", "exact values, where the game is solved (analysis)"],
	["t", "what the game's theory sees, where it tells (games and analysis)"],
	["f", "turn the board (games and analysis)"],
	["h", "a hint (opening trainer)"],
];

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
	return (
		<table class="keys">
			<caption>{title}</caption>
			<tbody>
				{keys.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}
			</tbody>
		</table>
	);
}

export function HelpPage(_: PageProps) {
	useTitle("Help");
	return (
		<section class="page narrow prose">
			<h1>Help</h1>
			<p>Quevedo plays strategy games: against levels from weak to strong, against people, or with itself. Nothing
				here needs the internet once the server runs.</p>

			<h2>Keys</h2>
			<Keys title="On a board" keys={BOARD_KEYS} />
			<Keys title="In games, on the analysis board and in matches" keys={WALK_KEYS} />

			<h2>Links, positions, records</h2>
			<p>A link from “Share link” holds the game, the position and the moves: whoever opens it sees the same board.
				A position can also be copied as a line of text and pasted into the board editor.</p>
			<p>A record is a text of JSON lines with all moves, variations and notes. It can be exported, kept, and
				imported again, here or by the program <code>quevedo</code>. Games of two can also go out as PGN, for other
				programs, and come in as PGN.</p>

			<h2>Learning openings</h2>
			<p>Where a game has a book of openings, its page leads to the trainer: choose a line or let the lot fall, and play
				either side of it. The trainer answers as the line goes on, says what the line has where you play something
				else, and changes to another line when your move belongs to that. Where the line ends you can play on.</p>

			<h2>The computers</h2>
			<p>Each game has levels of its own, from 1 for beginners upwards. Some also have those of the Lurgee framework, as
				its documents describe them and as its release plays them. <strong>Perfect</strong> gives nothing away: it solves
				the position or looks it up; what would take more than a few seconds it plays as the strongest level. The
				computer can be changed in mid-game, in the list beside the board.</p>

			<h2>Star Chess</h2>
			<p>Its rules, with all tables, are on <a href="/games/starchess">its page</a> and behind the button Rules beside its map. A turn is many orders: each is carried out at once and can be
				taken back until the turn is ended. “See how it thinks” shows what the computer player of the game's author makes of a position: what it wants, what it tried, what
				it expects.</p>

			<h2>What the values mean</h2>
			<p><strong>W5</strong> on a move: whoever plays it wins, five plies from here if the other side resists
				best. <strong>=</strong> is a draw, <strong>L8</strong> a loss. They are exact, not estimates. A piece shows the
				best of its moves; once it is chosen, the places it can go to show their own. The bar and the curve are estimates, unless a line says “wins” or “loses”.</p>

			<h2 id="dice">How the dice can be verified</h2>
			<ol>
				<li>Before a throw the server chooses a secret of 32 random bytes and shows its SHA-256: the commitment.
					From then on it cannot change the secret without being found out.</li>
				<li>The player who throws adds a text of their own, the seed. The server did not know it when it committed
					itself.</li>
				<li>The throw is computed: SHA-256 of the secret, the seed, the id of the game and the number of the ply,
					one after the other. The first 8 bytes of it, as a number, choose among the outcomes by their weights.</li>
				<li>Afterwards the secret is shown. Your browser checks that it fits the commitment and computes the throw
					again; anybody can do the same with other tools.</li>
			</ol>
			<p>Should the number fall into the small remainder that would favour some outcomes, a byte 1 is appended and
				it is hashed again, then a byte 2, and so on. Or throw real dice, and type what they show: choose so when
				you start the game.</p>

			<h2>If the connection is lost</h2>
			<p>The page tries again by itself and shows the game where it was. Every move that was accepted is kept by
				the server, also if it is switched off.</p>
		</section>
	);
}
