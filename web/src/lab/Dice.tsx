// Dice.tsx - the dice of the bench: a search begins where somebody is to move, so the laboratory rolls first, and you may choose the roll.
// SPDX-License-Identifier: MIT
import { useEffect } from "preact/hooks";
import { t } from "../messages";
import { fetchPosition, useLoad } from "../pages/parts";
import type { BenchPreset } from "./Bench";
import { withRolls } from "./Setup";

export interface Rolled {
	moves: string[]; // somebody is to move after them
	rolls: string[]; // what the last of them might have been; empty: it is no roll
}

async function rollFirst(preset: BenchPreset): Promise<Rolled> {
	const moves = await withRolls(preset);
	if (!moves.length)
		return { moves, rolls: [] };
	const before = await fetchPosition(preset.game, preset.position ?? "start", moves.slice(0, -1));
	return { moves, rolls: before.seat === 0 ? before.moves.map(({ move }) => move) : [] };
}

/** Rolls for a preset that lacks a roll. rolled stays while another roll of the same dice is looked at. isReady: the preset can be searched, or it has an error that the search reports. */
export function useRolls(preset: BenchPreset, hasDice: boolean, onMoves: (moves: string[]) => void): { rolled: Rolled | null; isReady: boolean } {
	const { game, position, moves } = preset, key = hasDice ? JSON.stringify([game, position, moves]) : "";
	const before = JSON.stringify([game, position, (moves ?? []).slice(0, -1)]);
	const loaded = useLoad(key, async () => {
		const found = await rollFirst(preset);
		return { key, before: JSON.stringify([game, position, found.moves.slice(0, -1)]), ...found };
	});
	const last = loaded.value, rolled = last?.key === key ? last : null;
	const kept = last && hasDice && last.before === before && last.rolls.includes(moves?.[moves.length - 1] ?? "") ? { moves: moves ?? [], rolls: last.rolls } : null;
	const isWhole = rolled !== null && rolled.moves.length === (moves ?? []).length;
	useEffect(() => {
		if (rolled && !isWhole)
			onMoves(rolled.moves);
	}, [rolled]);
	return { rolled: rolled ?? kept, isReady: !hasDice || isWhole || loaded.error !== null };
}

/** "roll 24" is 2 and 4. */
function rollText(roll: string): string {
	const rolled = roll.replace(/^roll /, ""), [, one, other] = /^(\d)(\d)$/.exec(rolled) ?? [];
	return one && other ? t("lab.twoDice", { one, other }) : rolled;
}

export function RollChoice({ rolled: { moves, rolls }, onMoves }: { rolled: Rolled; onMoves(moves: string[]): void }) {
	if (!rolls.length)
		return null;
	return (
		<label class="lab-roll"><span>{t("lab.diceShow")}</span>
			<select value={moves[moves.length - 1] ?? ""} onChange={(change) => onMoves([...moves.slice(0, -1), change.currentTarget.value])}>
				{rolls.map((roll) => <option key={roll} value={roll}>{rollText(roll)}</option>)}
			</select>
		</label>
	);
}
