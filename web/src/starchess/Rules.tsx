// Rules.tsx - all rules of Star Chess, and how it is played on the page.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";

const COMMANDS: [string, string, string][] = [
	[t("starchess.moveShips"), "move A1 B2 12", t("starchess.moveAbout")],
	[t("starchess.buildShips"), "build A1 5", t("starchess.buildAbout")],
	[t("starchess.foundColony"), "colonize B2", t("starchess.colonizeAbout")],
	[t("starchess.terraform"), "terraform C3", t("starchess.terraformAbout")],
	[t("starchess.scrapShips"), "scrap A1 3", t("starchess.scrapAbout")],
	[t("starchess.endTurn"), "end", t("starchess.endAbout")],
];

const ECONOMY: [string, string, string][] = [
	[t("starchess.materialsProduced"), t("starchess.perInhabitant200"), t("starchess.fivePerInhabitant")],
	[t("starchess.creditsProduced"), t("starchess.perInhabitant1000"), t("starchess.none")],
	[t("starchess.creditsConsumed"), t("starchess.none"), t("starchess.perInhabitant200")],
	[t("starchess.maximumPopulation"), t("starchess.populationTerran"), "200"],
	[t("starchess.growth"), t("starchess.percent", { n: 20 }), t("starchess.percent", { n: 10 })],
];

const COMBAT: [string, string, string][] = [
	[t("starchess.combatLess"), t("starchess.combatLessLoses"), t("starchess.combatLessExample")],
	[t("starchess.combatTwice"), t("starchess.combatTwiceLoses"), t("starchess.combatTwiceExample")],
	[t("starchess.combatThree"), t("starchess.none"), t("starchess.combatThreeExample")],
];

const END: string[] = [
	t("starchess.endStranded"),
	t("starchess.endBudget"),
	t("starchess.endBombs"),
	t("starchess.endDefeat"),
	t("starchess.endGrowth"),
	t("starchess.endReady"),
];

const KEYS: [string, string][] = [
	[t("starchess.keyArrows"), t("starchess.keyArrowsAbout")],
	[t("starchess.keyEnter"), t("starchess.keyEnterAbout")],
	[t("starchess.keyEscape"), t("starchess.keyEscapeAbout")],
	[", .", t("starchess.keyStepAbout")],
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
			<p>{rich("starchess.rulesStart", { b: (text) => <strong>{text}</strong> })}</p>
			<h3>{t("starchess.rulesGalaxyTitle")}</h3>
			<p>{t("starchess.rulesGalaxy")}</p>
			<h3>{t("starchess.rulesTurnTitle")}</h3>
			<p>{t("starchess.rulesTurn")}</p>
			<Table caption={t("starchess.commands")} head={[t("starchess.command"), t("starchess.asText"), t("starchess.whatItDoes")]} rows={COMMANDS} />
			<h3>{t("starchess.combat")}</h3>
			<p>{t("starchess.rulesCombat")}</p>
			<Table caption={t("starchess.losses")} head={[t("starchess.lossesHas"), t("starchess.lossesLoses"), t("starchess.example")]} rows={COMBAT} />
			<h3>{t("starchess.colonies")}</h3>
			<Table caption={t("starchess.economy")} head={["", t("starchess.terran"), t("starchess.barren")]} rows={ECONOMY} />
			<p>{rich("starchess.rulesSupport", { em: (text) => <em>{text}</em> })}</p>
			<h3>{t("starchess.rulesEndTitle")}</h3>
			<p>{t("starchess.rulesEnd")}</p>
			<ol>{END.map((text) => <li key={text}>{text}</li>)}</ol>
			<h3>{t("starchess.rulesOverTitle")}</h3>
			<p>{t("starchess.rulesOver")}</p>
			<p>{t("starchess.rulesScore")}</p>
			<h3>{t("starchess.rulesPageTitle")}</h3>
			<p>{rich("starchess.rulesPage", { b: (text) => <strong>{text}</strong> })}</p>
			<table class="rule-table"><caption>{t("starchess.keys")}</caption><tbody>{KEYS.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody></table>
			<h3>{t("starchess.rulesFirstTitle")}</h3>
			<p>{t("starchess.rulesFirst")}</p>
		</div>
	);
}
