// gamerules.tsx - the written rules of a game: its help text, pictures, levels and notation.
// SPDX-License-Identifier: MIT
import type { ComponentChildren, ComponentType } from "preact";
import { RulePictures } from "../learn/lazy";
import { rich, t } from "../messages";
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
	const head = (text: ComponentChildren) => <strong class="head">{text}</strong>;
	const paragraphs = (parts: typeof rules) => parts.map(({ head: title, text }) => (
		<p key={text}>{title && head(`${title}:`)}{text}</p>
	));
	return (
		<div class="prose">
			{Own ? <Own /> : paragraphs(rules)}
			{game.board && <RulePictures game={game.name} />}
			{!game.help && <p>{t("game.noRules")}</p>}
			{solved && <p>{rich("game.solved", { head, result: solved })}</p>}
			<p>{rich("game.levels", { head, n: game.levels })}{game.ladders.slice(1).map(({ title, levels }) =>
				` ${t("game.moreLevels", { title, n: levels.length })}`)}{game.perfect && ` ${t("game.perfectToo")}`}</p>
			{game.classics.length > 0 && <p>{rich("game.classics", { head, list: game.classics.map(({ title, by }) => `${title} (${by})`).join("; ") })}</p>}
			{!Own && notation.length > 0 && <details><summary>{t("game.notation")}</summary>{paragraphs(notation)}</details>}
		</div>
	);
}
