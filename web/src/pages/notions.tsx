// notions.tsx - the strategic features of a position, which the API calls notions: loaded while they are shown, and tags on the board.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import type { CellMark } from "../board/props";
import { ask } from "../engine/ask";
import { t } from "../messages";
import type { Where } from "../play/useAdvice";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Game, Notion } from "../types";
import { NotionTable } from "./lazy";
import { Failure, useLoad } from "./parts";
import { notionTitle } from "./notionrows";

export interface Notions {
	available: boolean; // the game has them, and they may be shown
	on: boolean;
	list: Notion[] | null; // the previous ones while those of the position load; null: none yet
	fresh: boolean; // they belong to the current position
	error: string | null;
	again(): void;
	active: Notion | null; // the hovered one, else the pinned one
	pinned: Notion | null;
	hover(notion: Notion): void;
	leave(notion: Notion): void; // does nothing if another one is hovered by now
	pin(notion: Notion | null): void;
	toggle(): void;
}

/** Loads them only while they are switched on. */
export function useNotions(info: Game | null, allowed: boolean, where: Where): Notions {
	const { notions: enabled } = useStore(settings);
	const available = allowed && Boolean(info?.notions);
	const on = available && enabled;
	const key = on ? JSON.stringify(where) : "";
	const loaded = useLoad(key, async () => ({
		key, game: where.game, list: (await ask("positions", { ...where, notions: true })).notions ?? [],
	}));
	const [hovered, setHovered] = useState<Notion | null>(null);
	const [chosen, setChosen] = useState<Notion | null>(null);
	const list = on && loaded.value?.game === where.game ? loaded.value.list : null;
	/* By name, so that it stays while you navigate the moves. */
	const here = (notion: Notion | null) => notion && list?.find((one) => isSame(one, notion)) || null;
	return {
		available, on, list, fresh: loaded.value?.key === key, error: on ? loaded.error : null, again: loaded.again,
		active: here(hovered) ?? here(chosen), pinned: here(chosen), pin: setChosen,
		hover: setHovered, leave: (notion) => setHovered((now) => now && isSame(now, notion) ? null : now),
		toggle: () => available && changeSettings({ notions: !on }),
	};
}

function isSame(a: Notion, b: Notion): boolean {
	return a.name === b.name && a.seat === b.seat;
}

/** What the board shows: the tags of all, and the cells of the active one. */
export function marksOf({ list, fresh, active }: Notions, board: Board | null): CellMark[] {
	if (!fresh)
		return [];
	const title = (notion: Notion) => notionTitle(board, notion);
	const tags = (list ?? []).filter((notion) => notion.mark)
		.map((notion) => ({ cells: notion.cells, text: notion.mark, seat: notion.seat, title: title(notion) }));
	return active ? [{ cells: active.cells, text: "", seat: active.seat, title: title(active) }, ...tags] : tags;
}

export function NotionPanel({ notions, board }: { notions: Notions; board: Board | null }) {
	if (!notions.available || !board)
		return null;
	return (
		<section class="card notions" aria-labelledby="notions">
			<div class="card-head">
				<h2 id="notions">{t("theory.title")}</h2>
				<button type="button" aria-pressed={notions.on} title={t("theory.showHint")}
					onClick={notions.toggle}>{notions.on ? t("pages.hide") : t("pages.show")}</button>
			</div>
			{notions.on && (notions.error ? <Failure error={notions.error} again={notions.again} />
				: notions.list ? <NotionTable notions={notions} list={notions.list} board={board} />
					: <p class="quiet" role="status">{t("pages.loading")}</p>)}
		</section>
	);
}
