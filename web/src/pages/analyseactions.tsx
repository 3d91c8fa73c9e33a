// analyseactions.tsx - the actions of the analysis board: share, copy, export, import, play from here.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { writeJournal } from "../journal";
import { t } from "../messages";
import { ExportDialog } from "../play/ExportDialog";
import { absolute } from "../play/ShareDialog";
import { AddToStudy } from "../study/lazy";
import { movesTo, type GameTree } from "../tree";
import type { Game } from "../types";
import { Dialog } from "../ui/dialog";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { OpponentOptions } from "./opponentchoice";
import { firstOpponent } from "./opponents";
import { gamesOfText } from "./gamefiles";
import { analyseLink, baseName, levelNumbers, positionLink, saveText, startPlay } from "./parts";
import { importHint, importFormats, pgnOfTree, treeOfRecord, treesOfRecords } from "./records";
import { fileText, TextSource } from "./textsource";
import type { Walk } from "./walk";

export function AnalyseActions({ walk, info, onOpen }: {
	walk: Walk; info: Game | null; onOpen(tree: GameTree): void;
}) {
	const { tree, view } = walk;
	const [isExporting, setExporting] = useState(false);
	const [importing, setImporting] = useState<string | null>(null); // the text to begin with
	const [chapters, setChapters] = useState<GameTree[] | null>(null); // for a study
	const open = async (text: string) => {
		const read = await treeOfRecord(tree.game, text);
		setImporting(null);
		onOpen(read);
	};
	useDroppedFile((text) => gamesOfText(text).length > 1 ? setImporting(text) : open(text).catch(toastError));
	const moves = movesTo(tree, tree.cursor);
	const link = () => absolute(analyseLink(tree.game, tree.start, moves));
	return (
		<section class="card" aria-labelledby="use">
			<h2 id="use">{t("actions.title")}</h2>
			{info && view && !view.over && <PlayFromHere walk={walk} info={info} />}
			<div class="row">
				<button type="button" onClick={() => void copyText(link(), t("actions.link"))}><Icon name="share" />{t("actions.shareLink")}</button>
				<button type="button" disabled={!view} onClick={() => view && void copyText(view.position, t("actions.position"))}>
					<Icon name="copy" />{t("actions.copyPosition")}
				</button>
				<a class="button" href={positionLink("/edit", tree.game, view?.position ?? tree.start)}>
					<Icon name="edit" />{t("actions.editPosition")}
				</a>
				<button type="button" onClick={() => setExporting(true)}><Icon name="download" />{t("actions.export")}</button>
				<button type="button" onClick={() => setImporting("")}><Icon name="upload" />{t("actions.import")}</button>
				<button type="button" onClick={() => setChapters([tree])}><Icon name="book" />{t("study.add")}</button>
			</div>
			{isExporting && <ExportDialog game={tree.game} record={() => writeJournal(tree)} {...(info?.pgn ? { pgn: () => pgnOfTree(tree) } : {})}
				save={(ending, text) => saveText(`${baseName(tree.game)}.${ending}`, text)} onClose={() => setExporting(false)} />}
			{importing !== null && <Dialog title={t("game.import")} onClose={() => setImporting(null)}>
				<TextSource label={importFormats(info)} hint={importHint(info)} action={t("import.open")} first={importing} onText={open}
					many={{
						action: (count) => t("study.allAsStudy", { count }),
						onTexts: async (texts) => {
							const read = await treesOfRecords(tree.game, texts);
							setImporting(null);
							setChapters(read);
						},
					}} />
			</Dialog>}
			{chapters && <Dialog title={t("study.add")} onClose={() => setChapters(null)}><AddToStudy trees={chapters} onClose={() => setChapters(null)} /></Dialog>}
		</section>
	);
}

/** A file that is dropped anywhere on the page, but not on a dialog, which has its own field. */
function useDroppedFile(onText: (text: string) => void): void {
	const latest = useRef(onText);
	latest.current = onText;
	useEffect(() => {
		const over = (event: DragEvent) => void (event.dataTransfer?.types.includes("Files") && event.preventDefault());
		const drop = (event: DragEvent) => {
			const [file] = event.dataTransfer?.files ?? [];
			if (!file || event.defaultPrevented || document.querySelector("dialog[open]"))
				return;
			event.preventDefault();
			fileText(file).then((text) => latest.current(text), toastError);
		};
		document.addEventListener("dragover", over);
		document.addEventListener("drop", drop);
		return () => {
			document.removeEventListener("dragover", over);
			document.removeEventListener("drop", drop);
		};
	}, []);
}

/** Starts a game from the current position. You play `seat`, by default the side to move; the computer plays the others. */
export function PlayFromHere({ walk, info, seat, label }: { walk: Walk; info: Game; seat?: number; label?: string }) {
	const [computer, setComputer] = useState(firstOpponent(info));
	const { tree, view } = walk;
	const play = () => {
		const mine = seat ?? (view?.seat || 1);
		const seats = levelNumbers(info.seats).map((number) => number === mine ? "human" : computer || "open");
		startPlay({ game: tree.game, position: tree.start, moves: movesTo(tree, tree.cursor), seats }).catch(toastError);
	};
	return (
		<div class="row from-here">
			<button type="button" class="primary" onClick={play}><Icon name="play" />{label ?? t("actions.playFromHere")}</button>
			{computer && <label><span class="unseen">{t("actions.computerLevel")}</span>
				<select value={computer} onChange={(event) => setComputer(event.currentTarget.value)}>
					<OpponentOptions game={info} />
				</select>
			</label>}
		</div>
	);
}
