// Rules.tsx - all rules of Star Chess, and how it is played on the page.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";

const COMMANDS: [string, string, string][] = [
	["Move ships", "move A1 B2 12", "Moves ships to a neighbouring sector (up to eight). The sector must contain one of your colonies or be next to one. Ships that were moved or built this turn cannot move."],
	["Build ships", "build A1 5", "Builds ships in one of your colonies. Each ship costs 20 materials and 40 credits, and takes 10 colonists who have not worked this turn."],
	["Found a colony", "colonize B2", "Turns 20 ships that have not moved this turn into a colony of 20 inhabitants, on a planet without a colony."],
	["Terraform", "terraform C3", "Makes the barren planet of one of your colonies terran, for 1,000 materials."],
	["Scrap ships", "scrap A1 3", "Removes ships, first those that cannot move this turn. You get nothing back."],
	["End turn", "end", "Ends your turn, as described below. The next faction that is not defeated follows."],
];

const ECONOMY: [string, string, string][] = [
	["Materials produced", "1 per inhabitant, up to 200", "5 per inhabitant, up to 1,000"],
	["Credits produced", "1 per inhabitant, up to 1,000", "none"],
	["Credits consumed", "none", "1 per inhabitant, up to 200"],
	["Maximum population", "1,000", "200"],
	["Growth", "20%", "10%"],
];

const COMBAT: [string, string, string][] = [
	["less than twice as many", "as many as the smaller fleet had", "30 against 20: 10 survive"],
	["twice to less than three times as many", "half as many as the smaller fleet had", "40 against 20: 30 survive"],
	["at least three times as many", "none", "60 against 20: 60 survive"],
];

const END: string[] = [
	"Your fleets are scrapped if none of your colonies is in their sector or next to it.",
	"Your colonies produce and consume. Each ship then costs 10 materials and 20 credits in support. Ships that you cannot support are scrapped, in proportion from each fleet. Credits never fall below 0.",
	"Your fleets bomb enemy colonies in their sectors: each ship kills one per cent of the inhabitants, up to 50 per cent. A colony with fewer than 20 inhabitants is destroyed, and its planet becomes barren.",
	"A faction that has lost the colony on its home world is defeated. All its colonies and ships are removed.",
	"Your colonies grow, up to their maximum, unless they are blockaded.",
	"All your ships and workers are ready again.",
];

const KEYS: [string, string][] = [
	["Arrow keys", "move from sector to sector on the map"],
	["Enter, Space", "select a sector; if one is selected, send its ships here"],
	["Escape", "clear the selection"],
	[", .", "step back and forward through the game"],
];

function Table({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) {
	return (
		<table class="rule-table">
			<caption>{caption}</caption>
			<thead><tr>{head.map((text) => text ? <th key={text} scope="col">{text}</th> : <td key={text} />)}</tr></thead>
			<tbody>{rows.map(([first, ...rest]) => <tr key={first}><th scope="row">{first}</th>{rest.map((text) => <td key={text}>{text}</td>)}</tr>)}</tbody>
		</table>
	);
}

export function StarRules() {
	return (
		<div class="prose star-rules">
			<p>Four factions, Red, Yellow, Green and Blue, build empires in a galaxy of 16 sectors. <strong>A faction that loses its home world is defeated. The last faction left wins.</strong></p>
			<h3>The galaxy</h3>
			<p>Sectors are named A1 (bottom left) to D4 (top right). Each sector has one planet, terran or barren. A planet can hold one colony, and a sector one fleet of 1 to 999
				ships. Home worlds are in the corners: Red in A1, Yellow in A4, Green in D4, Blue in D1. Each is terran and starts with 1,000 inhabitants and 20 ships.
				When you start the game you choose whether the other planets are mixed at random, all barren or all terran. All factions start without reserves.</p>
			<h3>A turn</h3>
			<p>Factions take turns in the order Red, Yellow, Green, Blue. In your turn you give any number of commands, in any order, until you end it. Ships that were moved or
				built cannot move or found a colony until your next turn.</p>
			<Table caption="Commands" head={["Command", "As text", "What it does"]} rows={COMMANDS} />
			<h3>Combat</h3>
			<p>Ships that enter a sector with enemy ships, or are built there, fight at once. The smaller fleet is destroyed. Fleets of the same size destroy each other.</p>
			<Table caption="Losses of the larger fleet" head={["It has", "It loses", "Example"]} rows={COMBAT} />
			<h3>Colonies</h3>
			<Table caption="A colony's economy per turn" head={["", "Terran", "Barren"]} rows={ECONOMY} />
			<p>Each ship costs 10 materials and 20 credits per turn in support. A colony is <em>blockaded</em> while enemy ships are in its sector: it produces nothing,
				consumes nothing and does not grow.</p>
			<h3>The end of a turn</h3>
			<p>When you end your turn, the following happens in this order:</p>
			<ol>{END.map((text) => <li key={text}>{text}</li>)}</ol>
			<h3>End of the game</h3>
			<p>The last faction that is not defeated wins. After 200 full turns (or another limit that you choose at the start) the game is a draw.</p>
			<p>The score shows who is ahead. A faction's strength is its ships plus 10 for each colony. Its score is three times its own strength minus the strength of each other
				faction; stronger factions count double.</p>
			<h3>On this page</h3>
			<p>Click a sector to see it and the orders you can give there. To move ships, click their sector and then a highlighted one next to it, or drag them there. Then choose
				how many. Green frames are within reach. A dashed red frame means a fight; you see its outcome before you give the order. Orders take effect
				at once, and you can take back each one until you end your turn. <strong>Threats</strong> shows how many enemy ships could arrive in each of your sectors within a turn.</p>
			<table class="rule-table"><caption>Keys</caption><tbody>{KEYS.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody></table>
			<h3>First steps</h3>
			<p>Your 20 ships consume all the materials that your home world produces. Send them to a neighbouring planet, preferably a barren one, and end your turn. Next turn, found a colony there: a barren
				colony provides the materials for more ships. Keep ships where enemies could arrive. Count before you attack: with twice as many ships you lose only half as many.</p>
		</div>
	);
}

export function RulesButton() {
	const [open, setOpen] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>Rules</button>
			{open ? <Dialog title="Star Chess rules" onClose={() => setOpen(false)}><StarRules /><button type="button" onClick={() => setOpen(false)}>Close</button></Dialog> : null}
		</>
	);
}
