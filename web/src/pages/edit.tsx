// edit.tsx - "/edit": the board editor: set up a position by pieces or as text; the server checks whether it is legal.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { BoardView } from "../board/BoardView";
import { cellAt } from "../board/useDrag";
import { cellText, sideName } from "../board/text";
import { ask } from "../engine/ask";
import { t } from "../messages";
import type { PageProps } from "../routes";
import type { Board, Game, Standing, View } from "../types";
import { StarEditor } from "../starchess/lazy";
import { announce } from "../ui/announce";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Castling, EnPassant, fenOf, missingRights, MoveNumber, numberOf, withNumber, withoutRights } from "./castling";
import { editCell, toMove, type Tool } from "./editing";
import { Palette } from "./palette";
import {
	analyseLink, baseName, Failure, fetchGames, levelNumbers, fetchPosition, positionLink, useBoard, useLoad, useTitle, Waiting,
} from "./parts";
import { offered } from "./showcase";

export function EditPage({ query }: PageProps) {
	useTitle(t("edit.title"));
	const games = useLoad("games", fetchGames);
	const [chosen, setChosen] = useState<string | null>(null);
	const game = chosen ?? query.get("game") ?? games.value?.find((one) => one.editor)?.name ?? "";
	const info = games.value?.find((one) => one.name === baseName(game));
	return (
		<section class="page editor">
			<header class="analysis-head">
				<h1>{t("edit.title")}</h1>
				{games.value && <label><span class="unseen">{t("edit.game")}</span>
					<select value={baseName(game)} onChange={(event) => setChosen(event.currentTarget.value)}>
						{offered(games.value, game).map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
					</select>
				</label>}
			</header>
			<Waiting loaded={games} />
			{games.value && !info && <Failure error={t("game.none", { name: game })} />}
			{info && <Editor key={game} game={game} info={info} position={chosen ? "start" : query.get("position") ?? "start"} />}
		</section>
	);
}

/** A position is one line, even if it needs more space: Enter loads it, Shift+Enter breaks the line. */
function submitOnEnter(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
	if (event.key !== "Enter" || event.shiftKey || event.isComposing)
		return;
	event.preventDefault();
	event.currentTarget.form?.requestSubmit();
}

interface SetUp {
	standing: Standing[];
	seat: number;
}

function Editor({ game, info, position }: { game: string; info: Game; position: string }) {
	const found = useBoard(game);
	const [setUp, setSetUp] = useState<SetUp | null>(null);
	const [view, setView] = useState<View | null>(null);
	const [error, setError] = useState<string | null>(null);
	const [text, setText] = useState(position);
	const [denied, setDenied] = useState(""); // castling rights that you switched off
	const [number, setNumber] = useState(1); // of the move, in chess; it stays while pieces change
	const latest = useRef(0);
	const isChess = info.name === "chess";

	/* Loads a position from text and shows it on the board. */
	const take = async (given: string) => {
		const turn = ++latest.current;
		try {
			const next = await fetchPosition(game, given.trim() || "start", []);
			if (turn !== latest.current)
				return;
			setView(next);
			setText(next.position);
			setSetUp({ standing: next.standing, seat: Math.max(1, next.seat) });
			setDenied(isChess ? missingRights(next.position) : "");
			setNumber(isChess ? numberOf(next.position) : 1);
			setError(null);
		} catch (reason) {
			if (turn === latest.current)
				setError(sentence(reason));
		}
	};
	/* Lets the server check the current board. */
	const check = async (next: SetUp) => {
		const turn = ++latest.current;
		setSetUp(next);
		try {
			let seen = await ask("positions", { game, ...next });
			/* A position given by its pieces has all castling rights that they allow, and is move 1. */
			const wanted = isChess ? withNumber(withoutRights(seen.position, denied), number) : seen.position;
			if (wanted !== seen.position)
				seen = await fetchPosition(game, wanted, []);
			if (turn !== latest.current)
				return;
			setView(seen);
			setText(seen.position);
			setError(null);
		} catch (reason) {
			if (turn === latest.current) {
				setView(null);
				/* Elsewhere only legal positions have a text. */
				setText(isChess && found?.board ? fenOf(found.board, next.standing, next.seat, number) : "");
				setError(sentence(reason));
			}
		}
	};
	useEffect(() => void take(position), []);

	const board = found?.board ?? null;
	return (
		<div class="analysis-grid">
			<div class="board-column">
				{info.name === "starchess" ? <StarEditor position={view?.position ?? ""} onText={(given) => { setText(given); void take(given); }} />
					: board && info.editor && setUp ? <EditBoard board={board} setUp={setUp} onChange={(next) => void check(next)} />
					: found && view && <Unedited board={board} view={view} />}
			</div>
			<div class="side stack">
				<Verdict error={error} view={view} board={board} />
				<div class="row">
					<Use view={error ? null : view} game={game} />
				</div>
				{info.editor && setUp && <TurnAndStart info={info} board={board} setUp={setUp}
					onChange={(next) => void check(next)} onStart={() => void take("start")}
					more={isChess && view ? <ChessOptions fen={view.position} onChange={(fen) => void take(fen)} /> : null} />}
				<form class="card stack" onSubmit={(event) => { event.preventDefault(); void take(text); }}>
					<label class="field"><span>{t("edit.text")}</span>
						<textarea rows={3} spellcheck={false} value={text} placeholder={error ? t("edit.notYet") : ""} onInput={(event) => setText(event.currentTarget.value)}
							onKeyDown={submitOnEnter} />
					</label>
					<div class="row">
						<button type="submit" disabled={text.trim() === ""}>{t("edit.load")}</button>
						<button type="button" disabled={!view} onClick={() => view && void copyText(view.position, "Position")}>
							<Icon name="copy" />{t("actions.copyPosition")}
						</button>
					</div>
				</form>
			</div>
		</div>
	);
}

function ChessOptions(props: { fen: string; onChange(fen: string): void }) {
	return <><Castling {...props} /><EnPassant {...props} /><MoveNumber {...props} /></>;
}

function Verdict({ error, view, board }: { error: string | null; view: View | null; board: Board | null }) {
	if (error)
		return <p class="verdict failure" role="status"><Icon name="close" /><span>{t("edit.illegal", { why: error.replace(/^position: /, "") })}</span></p>;
	if (!view)
		return <p class="verdict" role="status">{t("edit.checking")}</p>;
	const turn = view.over ? t("edit.over") : view.seat === 0 ? t("edit.dice") : t("edit.toMove", { side: sideName(board, view.seat) });
	return <p class="verdict fine" role="status"><Icon name="exact" /><span>{t("edit.legal", { turn })}</span></p>;
}

/** Links to analyse and play; only for a legal position. */
function Use({ view, game }: { view: View | null; game: string }) {
	if (!view)
		return <p class="quiet small">{t("edit.onceLegal")}</p>;
	return (
		<>
			<a class="button primary" href={analyseLink(game, view.position, [])}><Icon name="analyse" />{t("edit.analyse")}</a>
			{!view.over && <a class="button" href={positionLink(`/games/${baseName(game)}`, game, view.position)}>
				<Icon name="play" />{t("actions.playFromHere")}
			</a>}
		</>
	);
}

function Unedited({ board, view }: { board: Board | null; view: View }) {
	return board
		? <BoardView board={board} view={view} />
		: <pre class="text-board">{view.text ?? view.position}</pre>;
}

function TurnAndStart({ info, board, setUp, onChange, onStart, more }: {
	info: Game; board: Board | null; setUp: SetUp; onChange(next: SetUp): void; onStart(): void; more: ComponentChildren;
}) {
	return (
		<section class="card stack" aria-label={t("edit.side")}>
			<fieldset class="group"><legend>{t("edit.side")}</legend>
				<div class="segments">
					{levelNumbers(info.seats).map((seat) => (
						<label key={seat} class="segment">
							<input type="radio" name="seat" checked={setUp.seat === seat} onChange={() => onChange({ ...setUp, seat })} />
							<span>{sideName(board, seat)}</span>
						</label>
					))}
				</div>
			</fieldset>
			{more}
			<div class="row">
				<button type="button" onClick={onStart}><Icon name="again" />{t("edit.start")}</button>
				<button type="button" onClick={() => onChange({ ...setUp, standing: [] })}><Icon name="trash" />{t("edit.clear")}</button>
			</div>
		</section>
	);
}

/** The editable board. A press applies the current tool; with the hand, two presses move a piece. */
function EditBoard({ board, setUp, onChange }: { board: Board; setUp: SetUp; onChange(next: SetUp): void }) {
	const [tool, setTool] = useState<Tool>({ kind: "piece", piece: 0, count: 1 });
	const [held, setHeld] = useState<number | null>(null);
	const stroke = useRef<{ pointer: number; last: number; moved: boolean } | null>(null);
	const swallow = useRef(false);
	const view = useMemo((): View => ({
		game: board.game, position: JSON.stringify(setUp), seat: setUp.seat, turn: setUp.seat, moves: [], standing: setUp.standing,
		marks: held === null ? [] : [held], scores: null, over: false, result: null, points: null, text: null, last: null,
	}), [board, setUp, held]);

	function apply(cell: number, standing: Standing[]): void {
		if (standing === setUp.standing)
			return;
		onChange({ ...setUp, standing });
		announce(`${cellText(board, { standing }, cell)}.`);
	}

	function press(cell: number): void {
		if (swallow.current) {
			swallow.current = false;
			return;
		}
		if (tool.kind !== "hand")
			return apply(cell, editCell(board, setUp.standing, cell, tool));
		if (held === null) {
			if (setUp.standing.some(([at]) => at === cell))
				setHeld(cell);
			return;
		}
		setHeld(null);
		apply(cell, toMove(setUp.standing, held, cell));
	}

	/* Dragging paints with a piece or the eraser, and moves a piece with the hand. */
	function down(event: PointerEvent): void {
		const cell = cellAt(event.target);
		swallow.current = false;
		if (cell !== null && event.isPrimary && event.button === 0)
			stroke.current = { pointer: event.pointerId, last: cell, moved: false };
	}
	function move(event: PointerEvent): void {
		const now = stroke.current;
		if (!now || now.pointer !== event.pointerId)
			return;
		const cell = cellAt(document.elementFromPoint(event.clientX, event.clientY));
		if (cell === null || cell === now.last)
			return;
		if (tool.kind === "hand") {
			now.moved = true;
			return;
		}
		const first = now.moved ? setUp.standing : editCell(board, setUp.standing, now.last, { ...tool, over: true });
		now.moved = true;
		now.last = cell;
		apply(cell, editCell(board, first, cell, { ...tool, over: true }));
	}
	function up(event: PointerEvent): void {
		const now = stroke.current;
		stroke.current = null;
		if (!now?.moved)
			return;
		swallow.current = true;
		window.setTimeout(() => (swallow.current = false), 50);
		const cell = cellAt(document.elementFromPoint(event.clientX, event.clientY));
		if (tool.kind === "hand" && cell !== null) {
			setHeld(null);
			apply(cell, toMove(setUp.standing, now.last, cell));
		}
	}

	return (
		<>
			<div class="edit-board" style={{ "--aspect": board.width / board.height }}
				onPointerDown={down} onPointerMove={move} onPointerUp={up}>
				<BoardView board={board} view={view} onCell={press} label={t("edit.boardOf", { game: board.title })} />
			</div>
			<Palette board={board} tool={tool} onTool={(next) => { setTool(next); setHeld(null); }} />
		</>
	);
}
