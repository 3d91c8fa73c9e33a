// help.tsx - "/help": keyboard shortcuts, sharing, how to verify the dice, and the history of the players.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import { capital } from "../board/text";
import { askOnce } from "../engine/ask";
import { offlineState, offlineText } from "../offline/offline";
import { anchorHere } from "../router";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import { useLoad, useTitle, Waiting } from "./parts";

const BOARD_KEYS: [string, string][] = [
	["Tab", "move to the board and past it"],
	["Arrow keys", "move from square to square; Home, End, Page Up and Page Down go further"],
	["Enter, Space", "select a square: first the piece, then its destination"],
	["Escape", "clear the selection, cancel a premove, then clear your arrows; in backgammon, take back all steps of your turn"],
	["Backspace", "take back the last step of your turn (backgammon)"],
	["s", "start or end an arrow of your own; twice on one square: a circle; with Shift, in another colour"],
	["Shift ← →", "turn the stack of 3D noughts and crosses"],
	["p", "read the position aloud"],
	["m", "read the legal moves aloud"],
];

const WALK_KEYS: [string, string][] = [
	["← →", "previous or next move, unless the board has the focus"],
	[", .", "the same, also on the board"],
	["↑ ↓", "switch to another variation"],
	["Home, End", "go to the start or the end of the line"],
	["e", "start or stop the engine (analysis)"],
	["x", "show exact values, in games that can be solved (analysis)"],
	["t", "show the strategic features of the position, in games that have them (games and analysis)"],
	["f", "flip the board (games and analysis)"],
	["h", "show a hint (games and opening trainer); in games also q"],
	["y", "play the move of the hint (games)"],
	["r", "roll the dice, or pass if you have no legal move; in Warp Trog, let the next Trog land"],
	["d", "double (backgammon)"],
	["a", "take a double (backgammon)"],
	["x", "drop a double (backgammon)"],
	["b", "beaver a double (backgammon)"],
	["w", "warp (Warp Trog)"],
	["n", "let the computer move now (games)"],
	["z", "zen mode: show only the board, the clocks and the status (games); Escape leaves it"],
	["v", "show the terms of the evaluation (analysis)"],
];

const LAB_KEYS: [string, string][] = [
	["k", "play or pause the search"],
	[", .", "one step back or forward"],
	["c", "go to the next cut-off"],
	["Arrow keys", "on the tree: go to the node above, below or beside; with Shift, scroll"],
	["+ − 0", "on the picture of the tree: zoom in, zoom out, show the whole tree"],
	["Enter, Space", "on the tree: open or close the branches of a node"],
];

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
	return (
		<table class="keys">
			<caption>{title}</caption>
			<tbody>
				{keys.map(([key, what]) => <tr key={what}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}
			</tbody>
		</table>
	);
}

/** Words between backquotes are names of players and options. */
function withCode(text: string) {
	return text.split("`").map((part, i) => i % 2 ? <code key={i}>{part}</code> : part);
}

/** The people whose programs play here. The section is loaded later than the page, so a link to it scrolls then. */
function History() {
	const loaded = useLoad("history", () => askOnce("history"));
	useEffect(() => {
		if (loaded.value && anchorHere() === "#history")
			document.getElementById("history")?.scrollIntoView();
	}, [loaded.value]);
	return (
		<>
			<h2 id="history">History</h2>
			<p>Quevedo re-creates these works or builds on them. It contains none of their code.</p>
			<Waiting loaded={loaded} />
			<dl class="history">
				{loaded.value?.map(({ who, when, work, here }) => (
					<div key={who}>
						<dt>{who} <span class="quiet">{when}</span></dt>
						<dd><cite>{capital(work)}</cite><br />{withCode(here)}</dd>
					</div>
				))}
			</dl>
		</>
	);
}

export function HelpPage(_: PageProps) {
	useTitle("Help");
	return (
		<section class="page narrow prose">
			<h1>Help</h1>
			<p>Quevedo plays strategy games. Play against the computer at any level, against other people, or watch it play itself.
				Once the server runs, nothing here needs the internet.</p>

			<h2>Keyboard shortcuts</h2>
			<Keys title="On a board" keys={BOARD_KEYS} />
			<Keys title="In games, on the analysis board and in matches" keys={WALK_KEYS} />

			<Keys title="In the laboratory" keys={LAB_KEYS} />

			<h2>The laboratory</h2>
			<p>In the <a href="/lab">laboratory</a> you can watch how a computer finds its move. The tree of moves grows step by step. Each box
				is a position: select it to see it on the board, with its value and the reason why the search stopped there. You can compare
				up to three ways to search, and measure how many positions each of them needs. The text view of the tree has everything
				that the picture has.</p>

			<h2>Sharing positions and games</h2>
			<p>“Share link” copies a link that contains the game, the position and the moves. Whoever opens it sees the same board.
				You can also copy a position as a line of text and paste it into the board editor.</p>
			<p>A record is a text file (JSON lines) with all moves, variations and notes. You can export it and import it again,
				here or with the program <code>quevedo</code>. You can also export and import two-player games as PGN, and
				draughts as PDN, for other programs.</p>

			<h2>Learning openings</h2>
			<p>If a game has an opening book, its page links to the opening trainer. Choose an opening, or a random one, and play
				either side. The trainer replies with the moves of the line. If you play something else, it shows the move of the
				line. If your move belongs to another line, you can switch to that one. When the line ends you can play on.</p>

			<h2>Computer opponents</h2>
			<p>Each game has its own levels; level 1 is for beginners. <strong>Perfect</strong> always
				plays the best move: it solves the position or looks it up. If that would take more than a few seconds, it plays
				like the strongest level. You can change the computer during a game, in the list next to the board.</p>
			<p>Under <strong>Classic opponents</strong>, many games have programs from 1912 to 2017, which play here as they did
				then. Their authors are listed under <a href="/help#history">History</a>.</p>

			<h2>Star Chess</h2>
			<p>The rules, with all tables, are on <a href="/games/starchess">its page</a> and behind the Rules button below the map. In a turn you give many orders. Each takes effect at once,
				and you can take it back until you end the turn. “See how it thinks” shows how the computer player by the game's author judges a position: its requests, the plans it
				tried, and the turns it expects.</p>

			<h2>What the values mean</h2>
			<p><strong>W5</strong> on a move means that it wins, in five plies from here against the best defence.{" "}
				<strong>=</strong> is a draw, and <strong>L8</strong> loses in eight plies. These values are exact, not estimates. A piece shows the
				value of its best move; when you select it, each destination shows its own value. The evaluation bar and graph are estimates, unless a line says “wins” or “loses”.</p>

			<h2 id="dice">How to verify the dice</h2>
			<ol>
				<li>Before a roll, the server chooses a secret of 32 random bytes and shows its SHA-256 hash, the commitment.
					From then on, it cannot change the secret without being detected.</li>
				<li>The player who rolls adds a text of their own, the seed. The server did not know it when it made the
					commitment.</li>
				<li>The server computes the SHA-256 hash of the secret, the seed, the game's id and the ply number, joined
					together. The first 8 bytes, read as a number, choose an outcome according to the weights.</li>
				<li>After the roll, the server shows the secret. Your browser checks that it matches the commitment and computes
					the roll again. Anyone can do the same with other tools.</li>
			</ol>
			<p>If the number falls into the small remainder that would favour some outcomes, a byte 1 is appended and the text
				is hashed again, then a byte 2, and so on. You can also roll real dice and enter the result: choose this when
				you start the game.</p>

			<h2>If the connection is lost</h2>
			<p>The page reconnects automatically and shows the current game. The server keeps every move it has accepted,
				even if it is switched off.</p>

			<h2>Playing offline</h2>
			<p>{offlineText(useStore(offlineState))}</p>

			<History />
		</section>
	);
}
