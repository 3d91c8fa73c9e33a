// usePremove.ts - enters, shows, plays and cancels a premove.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Arrow, CellMark } from "../board/props";
import { t } from "../messages";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Play, View } from "../types";
import { announce } from "../ui/announce";
import { useMedia } from "../ui/media";
import { cellsOf, legalPremove, premovesOf } from "./premove";
import { roleOf } from "./rights";

const LATER_MS = 300; // after the announcement of the opponent's move

export interface Premoving {
	view: View | null; // the position with the premoves that can be entered; null: none can
	arrows: Arrow[];
	marks: CellMark[];
	text: string; // what is queued; "": nothing
	queue(move: string): void;
}

/** on: the board shows the current position and nothing else needs it. */
export function usePremove(on: boolean, play: Play, board: Board | null, onMove: (move: string) => Promise<boolean>): Premoving {
	const role = roleOf(play);
	const { premoves } = useStore(settings);
	const coarse = useMedia("(pointer: coarse)");
	const [cells, setCells] = useState<number[]>([]);
	const [seat] = role.mine;
	const waits = on && premoves && board !== null && role.inProgress && role.mine.length === 1 && !role.myTurn && !play.dice && play.seats.every(({ kind }) => kind !== "open");
	const view = useMemo(() => waits && seat ? { ...play.view, seat, moves: premovesOf(board, play.view, seat) } : null,
		[waits, seat, board, play.view]);

	const cancel = () => {
		setCells([]);
		announce(t("play.premoveCancelled"));
	};
	useEffect(() => {
		if (!cells.length)
			return;
		const key = (event: KeyboardEvent) => {
			if (event.key !== "Escape" || event.defaultPrevented)
				return;
			event.preventDefault();
			cancel();
		};
		const press = (event: MouseEvent) => {
			if (!(event.target as Element | null)?.closest?.(".board-frame"))
				return;
			event.preventDefault();
			cancel();
		};
		/* A finger has neither of them: whatever it touches next on the board cancels. */
		const touch = (event: PointerEvent) => {
			if (event.pointerType === "touch" && (event.target as Element | null)?.closest?.(".board-frame"))
				cancel();
		};
		document.addEventListener("keydown", key);
		document.addEventListener("contextmenu", press);
		document.addEventListener("pointerdown", touch);
		return () => {
			document.removeEventListener("keydown", key);
			document.removeEventListener("contextmenu", press);
			document.removeEventListener("pointerdown", touch);
		};
	}, [cells]);
	/* A move that was taken back, a new game or the end of this one makes a premove pointless. */
	useEffect(() => setCells([]), [play.id, role.inProgress, premoves, play.redo]);
	useEffect(() => {
		if (!cells.length || !role.myTurn || !board)
			return;
		setCells([]);
		const move = legalPremove(board, play.view.moves, cells);
		if (move)
			return void onMove(move.move);
		const timer = setTimeout(() => announce(t("play.premoveIllegal")), LATER_MS);
		return () => clearTimeout(timer);
	}, [play.version, role.myTurn]);

	const moveText = (way: number[]) => way.map((cell) => board?.cells[cell]?.name ?? "?").reduce((from, to) => t("play.fromTo", { from, to }));
	const text = cells.length ? t("play.nextMove", { move: moveText(cells), touch: String(coarse) }) : "";
	return {
		view, text,
		arrows: cells.length ? [{ touches: cells, kind: "premove" }] : [],
		marks: cells.length ? [{ cells, text: "", seat: null, title: t("play.premove") }] : [],
		queue(move) {
			const queued = cellsOf(move);
			if (!queued?.length)
				return;
			setCells(queued);
			announce(t("play.premoveQueued", { move: moveText(queued) }));
		},
	};
}
