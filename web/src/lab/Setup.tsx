// Setup.tsx - the form that sets up a bench: game, position, and one to three players.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { baseName, Failure, fetchPosition, splitMoves } from "../pages/parts";
import type { Game } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import type { BenchPreset } from "./Bench";
import type { DraftProps } from "./draft";
import { TypedTree } from "./OwnTree";
import { depthFor, firstPlayers, MOST_PLAYERS } from "./presets";
import { keyOf, specOf, techniqueOf, techniquesFor, withKey, type Technique } from "./specs";

const ROLLS_MOST = 8; // one after another
const TRIED_MOST = 12; // outcomes of one roll

/** The moves, and after them rolls of the dice until somebody is to move. Rolls that leave a choice come first. */
export async function withRolls({ game, position, moves }: Pick<BenchPreset, "game" | "position" | "moves">): Promise<string[]> {
	let all = [...moves ?? []];
	for (let i = 0; i < ROLLS_MOST; i++) {
		const view = await fetchPosition(game, position ?? "start", all);
		if (view.seat !== 0 || view.over)
			break;
		let most = -1, found = all;
		for (const { move } of view.moves.slice(0, TRIED_MOST)) {
			const { moves: list } = await fetchPosition(game, position ?? "start", [...all, move]);
			const choice = list.length === 1 && list[0]!.move === "pass" ? 0 : list.length;
			if (choice > most) {
				most = choice;
				found = [...all, move];
			}
		}
		all = found;
	}
	return all;
}

/** What the laboratory shows first of a game. The page rolls its dice. */
export function firstPreset(game: Game): BenchPreset {
	return { game: game.name, moves: [], players: firstPlayers(game) };
}

/** Plays a few random moves from the start. */
export async function randomPosition(game: string): Promise<string[]> {
	const plies = 2 + Math.floor(Math.random() * 7), moves: string[] = [];
	for (let i = 0; i < plies; i++) {
		const view = await fetchPosition(game, "start", moves);
		const move = view.moves[Math.floor(Math.random() * view.moves.length)];
		if (view.over || !move)
			break;
		moves.push(move.move);
	}
	/* Somebody must be to move. */
	for (;;) {
		const view = await fetchPosition(game, "start", moves);
		if (!view.over && view.seat !== 0 || !moves.length)
			return moves;
		moves.pop();
	}
}

export function Setup({ games, draft: whole, update, onRun }: DraftProps & { games: Game[]; onRun(preset: BenchPreset): void }) {
	const draft = whole.preset;
	const [error, setError] = useState<string | null>(null);
	const info = games.find(({ name }) => name === baseName(draft.game)) ?? null;
	const change = (part: Partial<BenchPreset>) => update((now) => ({ ...now, preset: { ...now.preset, ...part } }));
	const chooseGame = (name: string) => {
		const game = games.find((one) => one.name === name);
		if (game)
			onRun(firstPreset(game));
	};
	const setPlayer = (i: number, spec: string) => change({ players: draft.players.map((one, j) => j === i ? spec : one) });
	const atRandom = async () => {
		try {
			onRun({ ...draft, position: "start", moves: await randomPosition(draft.game) });
		} catch (reason) {
			setError(sentence(reason));
		}
	};
	return (
		<form class="lab-setup stack" aria-label={t("lab.setUp")} onSubmit={(event) => {
			event.preventDefault();
			onRun(draft);
		}}>
			<div class="row">
				<label class="field"><span>{t("lab.game")}</span>
					<select value={baseName(draft.game)} onChange={(event) => chooseGame(event.currentTarget.value)}>
						{games.map((game) => <option key={game.name} value={game.name}>{game.title}</option>)}
					</select>
				</label>
				{draft.game !== "diagram" && <button type="button" onClick={() => void atRandom()}><Icon name="dice" />{t("lab.randomPosition")}</button>}
			</div>
			{draft.game !== "diagram" && <details class="lab-asText">
				<summary>{t("lab.positionAsText")}</summary>
				<div class="row">
					<label class="field lab-grow"><span>{t("lab.position")}</span>
						<input type="text" spellcheck={false} value={draft.position ?? "start"} onInput={(event) => change({ position: event.currentTarget.value })} />
					</label>
					<label class="field lab-grow"><span>{t("lab.movesFromThere")}</span>
						<input type="text" spellcheck={false} value={(draft.moves ?? []).join(", ")} onChange={(event) => change({ moves: splitMoves(event.currentTarget.value) })} />
					</label>
				</div>
			</details>}
			{draft.game === "diagram" && <TypedTree draft={whole} update={update} />}
			{draft.players.map((spec, i) => <PlayerRow key={i} number={i + 1} spec={spec} info={info} depth={depthFor(baseName(draft.game))} setSpec={(to) => setPlayer(i, to)}
				{...(draft.players.length > 1 ? { onRemove: () => change({ players: draft.players.filter((_, j) => j !== i) }) } : {})} />)}
			{error && <Failure error={error} />}
			<div class="row">
				<button type="submit" class="primary"><Icon name="play" />{t("lab.search")}</button>
				{draft.players.length < MOST_PLAYERS && <button type="button" onClick={() => change({ players: [...draft.players, draft.players[draft.players.length - 1] ?? "minimax:depth=2"] })}>
					<Icon name="plus" />{t("lab.compare")}</button>}
			</div>
		</form>
	);
}

/** A technique by its plain name, its depth, and for those who want it the spec that they stand for. */
export function PlayerRow({ number, spec, info, depth, allDepths, setSpec, onRemove }: {
	number: number; spec: string; info: Game | null; depth: number; allDepths?: boolean; setSpec(spec: string): void; onRemove?(): void;
}) {
	const list = techniquesFor(info), chosen = techniqueOf(spec);
	const plies = keyOf(spec, "depth");
	const families = [...new Set(list.map(({ family }) => family))];
	const pick = (technique: Technique | undefined) => technique && setSpec(specOf(technique, Number(plies ?? depth)));
	return (
		<fieldset class="lab-player">
			<legend>{t("lab.player", { n: number })}</legend>
			<div class="row">
				<label class="field"><span>{t("lab.technique")}</span>
					<select value={chosen?.name ?? ""} onChange={(event) => pick(list.find(({ name }) => name === event.currentTarget.value))}>
						{!chosen && <option value="">{t("lab.yourOwn")}</option>}
						{families.map((family) => <optgroup key={family} label={family}>
							{list.filter((one) => one.family === family).map(({ name }) => <option key={name} value={name}>{name}</option>)}
						</optgroup>)}
					</select>
				</label>
				{plies !== null && !allDepths && <label class="field"><span>{t("lab.depth")}</span>
					<select value={plies} onChange={(event) => setSpec(withKey(spec, "depth", event.currentTarget.value))}>
						{[...new Set([...Array.from({ length: 8 }, (_, i) => String(i + 1)), plies])].map((one) => <option key={one} value={one}>{one}</option>)}
					</select>
				</label>}
				{onRemove && <button type="button" class="icon" aria-label={t("lab.removePlayer", { n: number })} title={t("lab.remove")} onClick={onRemove}><Icon name="close" /></button>}
			</div>
			{chosen && <p class="small quiet">{chosen.about}</p>}
			<details class="lab-asText" open={!chosen}>
				<summary>{t("lab.playerAsText")}</summary>
				<div class="row">
					<label class="field lab-grow"><span>{t("lab.playerSpec")}</span>
						<input type="text" spellcheck={false} value={spec} onInput={(event) => setSpec(event.currentTarget.value)} />
					</label>
					<button type="button" onClick={() => void copyText(spec, t("lab.playerSpec"))}><Icon name="copy" />{t("lab.copy")}</button>
				</div>
			</details>
		</fieldset>
	);
}
