// ChapterBoard.tsx - a chapter: its board with drawings, moves, variations and comments, to edit or to read.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { drawnOf } from "../board/drawn";
import { writeJournal } from "../journal";
import { t } from "../messages";
import { readNote, remarkOf } from "../note";
import { MoveTree } from "../pages/movetree";
import { analyseLink, baseName, Failure, useGame } from "../pages/parts";
import { handOver } from "../pages/handover";
import { turnText, useWalk, useWalkKeys, WalkBoard, WalkButtons, type Walk } from "../pages/walk";
import { navigate } from "../router";
import { goTo, isMain, movesTo, nodeAt, promote, removeFrom, type GameTree } from "../tree";
import type { Chapter } from "../types";
import { Icon } from "../ui/icons";
import { useMedia } from "../ui/media";
import { GameFacts } from "./GameFacts";
import { marked } from "./markup";
import { treeOf } from "./model";
import { FileEvaluation, NoteEditor } from "./NoteEditor";
import { drawingOf, glyphsOf } from "./shown";

interface ChapterProps {
	chapter: Chapter;
	onChange?(record: string): void; // missing: the chapter is read-only
	children: ComponentChildren; // the chapters and what can be done with them
}

/** A record that cannot be read is shown as an error; the other chapters stay usable. */
export function ChapterBoard(props: ChapterProps) {
	const first = useMemo((): GameTree | null => {
		try {
			return treeOf(props.chapter);
		} catch {
			return null;
		}
	}, []);
	if (!first)
		return <div class="study-grid"><Failure error={t("study.damaged")} /><div class="side stack">{props.children}</div></div>;
	return <ChapterOf {...props} first={first} />;
}

function ChapterOf({ first, chapter, onChange, children }: ChapterProps & { first: GameTree }) {
	const walk = useWalk(first), { tree, view } = walk;
	const { info } = useGame(tree.game);
	const board = walk.found?.board ?? null;
	const [turned, setTurned] = useState(false);
	const [pen, setPen] = useState(false);
	const written = useRef<string | null>(null);
	useEffect(() => {
		const record = writeJournal(tree), before = written.current;
		written.current = record;
		if (before !== null && before !== record)
			onChange?.(record);
	}, [tree.nodes]);
	/* Its author has changed it: a reader stays where the moves are still the same. */
	useEffect(() => {
		if (!onChange)
			walk.change((now) => sameRecord(now, chapter) ? now : placedIn(chapter, movesTo(now, now.cursor)) ?? now);
	}, [chapter.record]);
	const isNarrow = useMedia("(max-width: 59.99rem)"); // as in study.css: the moves are below the board, so the comment is beside it
	useWalkKeys(walk, { f: () => setTurned((now) => !now) });
	const { note } = nodeAt(tree, tree.cursor), hasDrawings = baseName(tree.game) !== "starchess"; // its map has none
	return (
		<div class={onChange ? "study-grid" : "study-grid reads"}>
			<div class="board-column">
				<GameFacts tree={tree} board={board} />
				<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
					{onChange ? <WalkBoard walk={walk} turned={turned} pen={pen} {...drawingOf(walk)} />
						: <WalkBoard walk={walk} turned={turned} arrows={board ? drawnOf(note, board) : []} />}
				</div>
				<p class="turn">{walk.error ? "" : view ? turnText(view, board) : "…"}</p>
				<WalkButtons walk={walk}>
					{board?.turnable && <button type="button" aria-pressed={turned} onClick={() => setTurned(!turned)}
						aria-label={t("study.flip")} title={t("study.flipKey")}><Icon name="flip" /></button>}
					{onChange && board && hasDrawings && <button type="button" aria-pressed={pen} onClick={() => setPen(!pen)}
						aria-label={t("study.draw")} title={t("study.draw")}><Icon name="edit" /></button>}
				</WalkButtons>
				{!onChange && <Comment note={note} isSeen={isNarrow} />}
			</div>
			<div class="side stack">
				{children}
				<section class="card" aria-labelledby="moves">
					<div class="card-head">
						<h2 id="moves">{t("study.moves")}</h2>
						<button type="button" onClick={() => analyse(tree)}><Icon name="analyse" />{t("study.analyse")}</button>
					</div>
					<MoveTree tree={tree} numbered={info?.seats === 2} glyphs={glyphsOf(tree)} remark={!onChange && isNarrow ? nothing : remarkOf} marked={marked} onChange={walk.change} />
					{onChange ? <Tools walk={walk} /> : null}
				</section>
				{onChange && hasDrawings && <p class="quiet small">{t("study.drawHelp")}</p>}
			</div>
		</div>
	);
}

const nothing = () => "";

function sameRecord(tree: GameTree, { record }: Chapter): boolean {
	return writeJournal(tree) === record;
}

/** The tree of a chapter, at the end of these moves as far as it has them; null: it cannot be read. */
function placedIn(chapter: Chapter, moves: string[]): GameTree | null {
	try {
		const tree = treeOf(chapter);
		let at = 0;
		for (const move of moves) {
			const next = nodeAt(tree, at).children.find((child) => nodeAt(tree, child).move === move);
			if (next === undefined)
				break;
			at = next;
		}
		return goTo(tree, at);
	} catch {
		return null;
	}
}

/** The analysis board with this tree; its address has the moves, in case the page is loaded again. */
function analyse(tree: GameTree): void {
	handOver(tree);
	navigate(analyseLink(tree.game, tree.start, movesTo(tree, tree.cursor)));
}

/** isSeen: else it is among the moves, and only read aloud here. */
function Comment({ note, isSeen }: { note: string; isSeen: boolean }) {
	const { text } = readNote(note);
	return (
		<div class="study-comment" aria-live="polite">
			{text ? <p class={isSeen ? "" : "unseen"}>{marked(text)}</p> : null}
			<FileEvaluation note={note} />
		</div>
	);
}

function Tools({ walk }: { walk: Walk }) {
	const { tree } = walk, here = tree.cursor;
	return (
		<>
			<NoteEditor walk={walk} />
			<div class="row tree-tools">
				<button type="button" disabled={here === 0 || isMain(tree, here)} onClick={() => walk.change((now) => promote(now, here))}>{t("study.promote")}</button>
				<button type="button" class="danger" disabled={here === 0} onClick={() => walk.change((now) => removeFrom(now, here))}>
					<Icon name="trash" />{t("study.deleteMoves")}
				</button>
			</div>
		</>
	);
}
