// Rules.tsx - all rules of Star Chess, and how it is played on the page.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";

const COMMANDS: [string, string, string][] = [
	["Move ships", "move A1 B2 12", "Ships that have neither moved nor been built this turn go to one of the up to eight sectors around theirs. It must hold a colony of yours, or be beside one."],
	["Build ships", "build A1 5", "In a colony of yours. Each takes 20 materials, 40 credits, and 10 colonists who have not worked this turn."],
	["Found a colony", "colonize B2", "On a planet without one: 20 ships that have not moved this turn become a colony of 20 inhabitants."],
	["Terraform", "terraform C3", "1,000 materials make the barren planet of a colony of yours terran."],
	["Scrap ships", "scrap A1 3", "They vanish, those that cannot move first, and nothing is paid back."],
	["End the turn", "end", "What follows is below; then the next faction that is not defeated has its turn."],
];

const ECONOMY: [string, string, string][] = [
	["Materials produced", "1 per inhabitant, up to 200", "5 per inhabitant, up to 1,000"],
	["Credits produced", "1 per inhabitant, up to 1,000", "none"],
	["Credits consumed", "none", "1 per inhabitant, up to 200"],
	["Most inhabitants", "1,000", "200"],
	["Growth", "20 %", "10 %"],
];

const COMBAT: [string, string, string][] = [
	["less than twice as many", "as many as the smaller fleet had", "30 against 20: 10 are left"],
	["twice to less than three times", "half as many", "40 against 20: 30 are left"],
	["three times or more", "none", "60 against 20: 60 are left"],
];

const END: string[] = [
	"Your fleets with no colony of yours in their sector or beside it are scrapped.",
	"Your colonies produce and consume. Each ship takes 10 materials and 20 credits of what there is; ships for which that does not suffice are scrapped, of each fleet its share. Credits never fall below 0.",
	"Your fleets bomb the colonies of others in their sectors: one per cent of the inhabitants dies for each ship, up to 50. A colony of less than 20 is gone, and its planet is barren.",
	"A faction that has lost the colony on its home world is defeated: all its colonies and ships vanish.",
	"Your colonies grow, up to their most, unless they are blockaded.",
	"All your ships are ready and all workers free again.",
];

const KEYS: [string, string][] = [
	["Arrow keys", "from sector to sector of the map"],
	["Enter, Space", "choose a sector; with one chosen, send its ships to this one"],
	["Escape", "choose none"],
	[", .", "look back and on through the commands of the game"],
];

function Table({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) {
	return (
		<table class="rule-table">
			<caption>{caption}</caption>
			<thead><tr>{head.map((text) => <th key={text} scope="col">{text}</th>)}</tr></thead>
			<tbody>{rows.map(([first, ...rest]) => <tr key={first}><th scope="row">{first}</th>{rest.map((text) => <td key={text}>{text}</td>)}</tr>)}</tbody>
		</table>
	);
}

export function StarRules() {
	return (
		<div class="prose star-rules">
			<p>Four factions, Red, Yellow, Green and Blue, build empires in a galaxy of 16 sectors. <strong>Who loses the home world is defeated; the last faction left wins.</strong></p>
			<h3>The galaxy</h3>
			<p>Sectors are called A1 (bottom left) to D4 (top right). Each has one planet, terran or barren, with a colony of at most one faction; and at most one fleet, of 1 to 999
				ships of one faction. Home worlds are in the corners: Red's in A1, Yellow's in A4, Green's in D4, Blue's in D1. Each begins terran, with 1,000 inhabitants and 20 ships;
				the other planets are mixed by chance, or all barren, or all terran, as you choose when you start. Nobody has reserves at first.</p>
			<h3>A turn</h3>
			<p>Factions have their turns in the order Red, Yellow, Green, Blue. A turn is any number of commands, in any order, until you end it. Ships that have moved or were
				built can neither move nor found a colony until your next turn.</p>
			<Table caption="Commands" head={["Command", "As text", "What it does"]} rows={COMMANDS} />
			<h3>Combat</h3>
			<p>Ships that come into a sector with enemy ships, or are built there, fight them at once. The smaller fleet is destroyed; fleets of the same size destroy each other.</p>
			<Table caption="What the larger fleet loses" head={["It has", "It loses", "For example"]} rows={COMBAT} />
			<h3>Colonies</h3>
			<Table caption="What a colony does each turn" head={["", "Terran", "Barren"]} rows={ECONOMY} />
			<p>A ship needs 10 materials and 20 credits each turn as support. While ships of another faction are in its sector a colony is <em>blockaded</em>: it produces nothing,
				consumes nothing and does not grow.</p>
			<h3>The end of a turn</h3>
			<p>When you end your turn, this happens, in this order:</p>
			<ol>{END.map((text) => <li key={text}>{text}</li>)}</ol>
			<h3>How it ends</h3>
			<p>The last faction that is not defeated wins. After 200 full turns (or as many as you choose at the start) the game is a draw.</p>
			<p>The score says who is ahead: a faction's strength is its ships and 10 for each colony; its score is three times its own strength, less the strength of each other
				faction, twice that of a stronger one.</p>
			<h3>On this page</h3>
			<p>Click a sector to see it and what you can order there. To move ships, click their sector and then one of the marked ones beside it, or drag them there; then say
				how many. Green frames are within reach; in sectors with a broken red frame there would be a fight, and what would come of it is told before you order it. Orders are carried out
				at once, and each can be taken back until you end your turn. <strong>Threats</strong> shows how many enemy ships could be in each of your sectors within a turn.</p>
			<table class="rule-table"><caption>Keys</caption><tbody>{KEYS.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody></table>
			<h3>First steps</h3>
			<p>Your 20 ships use up all that your home world gives in materials. Send them to a planet beside it, best a barren one, end your turn, and found a colony there in the next: a barren
				colony gives the materials for more ships. Keep ships where enemies could come, and count before you attack: twice as many ships lose half as much.</p>
		</div>
	);
}

export function RulesButton() {
	const [open, setOpen] = useState(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>Rules</button>
			{open ? <Dialog title="The rules of Star Chess" onClose={() => setOpen(false)}><StarRules /><button type="button" onClick={() => setOpen(false)}>Close the rules</button></Dialog> : null}
		</>
	);
}
