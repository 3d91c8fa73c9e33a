// opponents.ts - the computer opponents of a game, by player spec: pure functions.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import type { Classic, Game, Ladder, Level } from "../types";

export const PERFECT = "perfect";
export const PERFECT_HELP = t("opponents.perfectHelp");

/** The ladder of a level; null: the game has no such level. */
export function ladderOf(game: Game, spec: string): Ladder | null {
	return game.ladders.find(({ levels }) => levels.some((level) => level.spec === spec)) ?? null;
}

/** The label of a ladder; the game's own ladder is the first one. */
export function ladderTitle(game: Game, ladder: Ladder): string {
	return ladder === game.ladders[0] ? t("opponents.levels") : ladder.title;
}

/** The default level of a ladder, for newcomers: the third of a long one, or the second, or the easier of two. */
export function easyLevel({ levels }: Ladder): string {
	return levels[levels.length >= 8 ? 2 : levels.length >= 3 ? 1 : 0]?.spec ?? "";
}

/** Whether a list needs the player "perfect": the last level of the game's own ladder may be as good. */
export function hasPerfect(game: Game): boolean {
	return game.perfect && game.ladders[0]?.levels.at(-1)?.name !== "Perfect";
}

/** The classic opponent that a spec stands for, whatever its level, or its settings if no other has this kind; null: none. */
export function classicOf(game: Game, spec: string): Classic | null {
	const ladder = ladderOf(game, spec)?.name;
	const same = game.classics.filter((one) => one.ladder ? one.ladder === ladder : kindOf(one.spec) === kindOf(spec));
	return same.find((one) => one.spec === spec) ?? (same.length === 1 ? same[0]! : null);
}

function kindOf(spec: string): string {
	return spec.split(":", 1)[0] ?? spec;
}

/** The value of each setting of a classic opponent in a spec. */
export function settingsOf(classic: Classic, spec: string): Record<string, string> {
	const items = spec.slice(kindOf(spec).length + 1).split(",");
	return Object.fromEntries(classic.settings.map(({ name, preset }) =>
		[name, items.find((item) => item.startsWith(`${name}=`))?.slice(name.length + 1) ?? String(preset)]));
}

/** The spec of a classic opponent with these settings; default values are left out. */
export function withSettings(classic: Classic, values: Record<string, string>): string {
	const changed = classic.settings.filter(({ name, preset }) => values[name] !== undefined && values[name] !== String(preset))
		.map(({ name }) => `${name}=${values[name]}`).join(",");
	return changed ? `${classic.spec}${classic.spec.includes(":") ? "," : ":"}${changed}` : classic.spec;
}

/** The classic opponents that can join a game in progress: they need no position of their own, and are not levels. */
export function joiningClassics(game: Game): Classic[] {
	return game.classics.filter(({ ladder, position }) => !ladder && !position);
}

/** The default opponent: the preferred one, if the game has it; "": the game has no computer opponents. */
export function firstOpponent(game: Game, preferred?: string): string {
	const own = game.ladders[0];
	const classic = preferred ? classicOf(game, preferred) : null;
	if (preferred && (opponentsOf(game).some(({ spec }) => spec === preferred) || (classic && !classic.ladder && !classic.position)))
		return preferred;
	return own ? easyLevel(own) : game.perfect ? PERFECT : "";
}

/** All computer opponents of a game, in display order, except classic ones that need a position of their own. */
export function opponentsOf(game: Game): Level[] {
	const all = game.ladders.flatMap(({ levels }) => levels);
	const classics = joiningClassics(game).map(({ spec, title }) => ({ spec, name: title, player: spec }));
	return [...all, ...(game.perfect ? [{ spec: PERFECT, name: t("opponents.perfect"), player: PERFECT }] : []), ...classics];
}
