// gamerules.tsx - the written rules of a game: its help text, pictures, levels and notation.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { RulePictures } from "../learn/lazy";
import { StarRules } from "../starchess/lazy";
import type { Game } from "../types";
import { solvedText } from "./parts";
import { rulesAndNotation } from "./rules";

/** Games whose rules need tables. */
const OWN_RULES: Record<string, ComponentType> = { starchess: StarRules };

export function GameRules({ game }: { game: Game }) {
	const solved = solvedText(game.solved);
	const Own = OWN_RULES[game.name];
	const { rules, notation } = rulesAndNotation(game.help);
	const paragraphs = (parts: typeof rules) => parts.map(({ head, text }) => (
		<p key={text}>{head && <strong class="head">{head}:</strong>}{text}</p>
	));
	return (
		<div class="prose">
			{Own ? <Own /> : paragraphs(rules)}
			{game.board && <RulePictures game={game.name} />}
			{!game.help && <p>This game has no written rules.</p>}
			{solved && <p><strong class="head">Solved:</strong>With perfect play: {solved}.</p>}
			<p><strong class="head">Levels:</strong>{game.levels}, from beginner to strongest.{game.ladders.slice(1).map(({ title, levels }) =>
				` ${title}: ${levels.length} more.`)}{game.perfect && " Perfect play is also available."}</p>
			{game.classics.length > 0 && <p><strong class="head">Classic opponents:</strong>
				{game.classics.map(({ title, by }) => `${title} (${by})`).join("; ")}.</p>}
			{!Own && notation.length > 0 && <details><summary>Notation</summary>{paragraphs(notation)}</details>}
		</div>
	);
}
