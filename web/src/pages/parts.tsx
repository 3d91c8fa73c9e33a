// parts.tsx - what several pages share: loading data, showing errors, exporting text.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { inLook, needsParts, useLookParts } from "../board/looks";
import { FIRST_ANGLE, inSpace } from "../board/space";
import { uprightBoard } from "../board/upright";
import { ask, askOnce, engineFor, keepResponse } from "../engine/ask";
import { t } from "../messages";
import { createPlay } from "../play/host";
import { canThinkInNew, needsOf } from "../play/ownengine";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Gallery, Game, NewPlay, View } from "../types";
import { navigate } from "../router";
import { LOW, useMedia } from "../ui/media";

export function useTitle(title: string): void {
	useEffect(() => void (document.title = `${title} · Quevedo`), [title]);
}

export interface Loaded<T> {
	value: T | null;
	error: string | null;
	again(): void;
}

/** Loads again whenever the key changes and keeps the old value meanwhile. An empty key loads nothing. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
	const [state, setState] = useState<{ key: string; value: T | null; error: string | null }>(
		{ key: "", value: null, error: null });
	const [round, setRound] = useState(0);
	useEffect(() => {
		if (!key)
			return;
		let current = true;
		load().then(
			(value) => current && setState({ key, value, error: null }),
			(error) => current && setState({ key, value: null, error: sentence(error) }));
		return () => void (current = false);
	}, [key, round]);
	const again = useCallback(() => setRound((now) => now + 1), []);
	return { value: state.value, error: state.key === key ? state.error : null, again };
}

export function Failure({ error, again }: { error: string; again?: () => void }) {
	return (
		<p class="failure" role="alert">
			<span>{error}</span>
			{again && <button type="button" onClick={again}>{t("pages.tryAgain")}</button>}
		</p>
	);
}

/** Shows that something is loading or why it failed; nothing once it is loaded. */
export function Waiting({ loaded }: { loaded: Loaded<unknown> }) {
	if (loaded.error)
		return <Failure error={loaded.error} again={loaded.again} />;
	return loaded.value === null ? <p class="waiting" role="status">{t("pages.loading")}</p> : null;
}

/** A named group of controls. */
export function Group({ title, children, name }: { title: string; children: ComponentChildren; name?: string }) {
	return (
		<fieldset class={name ? `group ${name}` : "group"}>
			<legend>{title}</legend>
			{children}
		</fieldset>
	);
}

// ---- Games ----

export function fetchGames(): Promise<Game[]> {
	return askOnce("games");
}

/** It contains the games and their boards, which are then not requested again. */
export async function fetchGallery(): Promise<Gallery> {
	const gallery = await askOnce("gallery");
	keepResponse("games", "", gallery.games);
	for (const { game, board } of gallery.pictures)
		if (board)
			keepResponse("boards", game, board);
	return gallery;
}

/** null: the game has no board description. */
export async function fetchBoard(game: string): Promise<Board | null> {
	const info = (await fetchGames()).find((one) => one.name === baseName(game));
	return info?.board === false ? null : askOnce("boards", game);
}

/** "gomoku" of "gomoku:size=19". */
export function baseName(game: string): string {
	return game.split(":", 1)[0] ?? game;
}

export function useGame(game: string): { info: Game | null; loaded: Loaded<Game[]> } {
	const loaded = useLoad("games", fetchGames);
	const info = loaded.value?.find((one) => one.name === baseName(game)) ?? null;
	return { info, loaded };
}

const NARROW = "(max-width: 599px) and (orientation: portrait)";

/**
 * In the look that is chosen in the settings, and upright on a phone or spread on one that lies on its side. null: not loaded yet;
 * {board: null}: the game has no board description.
 */
export function useBoard(game: string): { board: Board | null } | null {
	const loaded = useLoad(game, async () => ({ game, board: await fetchBoard(game) }));
	const { looks } = useStore(settings);
	const found = loaded.value?.game === game ? loaded.value : null;
	const upright = useMedia(NARROW), low = useMedia(LOW);
	const parts = useLookParts(needsParts(baseName(game), looks));
	const before = useRef<{ game: string; board: Board } | null>(null);
	return useMemo(() => {
		if (!found?.board)
			return found;
		const board = parts && inLook(found.board, baseName(game), looks, parts);
		if (board)
			before.current = { game, board: upright ? uprightBoard(board) : low && board.spins ? inSpace(board, FIRST_ANGLE, true) : board };
		return before.current?.game === game ? before.current : null; // while a new look is loading, the page stays as it is
	}, [found, looks, parts, upright, low]);
}

export function fetchPosition(game: string, position: string, moves: string[]): Promise<View> {
	return ask("positions", { game, position, moves });
}

/** Creates a play and opens it, unless the reader has gone elsewhere meanwhile. */
export async function startPlay(request: NewPlay): Promise<void> {
	const from = location.href;
	const isOwn = canThinkInNew(request) && engineFor(request.game ?? "", needsOf(request.seats ?? [])) === "browser";
	const made = await createPlay(isOwn ? { ...request, engine: "browser" } : request);
	if (request.game && request.seats?.includes("human") && !request.seats.includes("open"))
		changeSettings({ last: baseName(request.game) });
	if (location.href === from)
		navigate(`/play/${encodeURIComponent(made.id)}`);
}

export function levelNumbers(count: number): number[] {
	return Array.from({ length: count }, (_, i) => i + 1);
}

export function solvedText(solved: string | null): string | null {
	switch (solved) {
	case "win": return t("pages.solvedWin");
	case "loss": return t("pages.solvedLoss");
	case "draw": return t("pages.solvedDraw");
	default: return null;
	}
}

// ---- Links ----

/** Moves are separated by commas; no move contains one. */
export function analyseLink(game: string, position: string, moves: string[]): string {
	const query = new URLSearchParams({ game });
	if (position !== "start")
		query.set("position", position);
	if (moves.length)
		query.set("moves", moves.join(","));
	return `/analyse?${query}`;
}

export function positionLink(page: string, game: string, position: string): string {
	const query = new URLSearchParams({ game });
	if (position !== "start")
		query.set("position", position);
	return `${page}?${query}`;
}

export function splitMoves(text: string | null): string[] {
	return (text ?? "").split(",").map((move) => move.trim()).filter((move) => move !== "");
}

// ---- Texts ----

export function saveText(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" })); // saved, not shown
	link.download = name;
	link.click();
	window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
