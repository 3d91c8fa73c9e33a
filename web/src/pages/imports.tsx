// imports.tsx - imports on the analysis board: a dialog, a file dropped on the page, and games that become chapters of a study.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import { AddToStudy } from "../study/lazy";
import type { GameTree } from "../tree";
import type { Game } from "../types";
import { Dialog } from "../ui/dialog";
import { toastError } from "../ui/toast";
import { gamesOfText } from "./gamefiles";
import { importFormats, importHint, treeOfRecord, treesOfRecords } from "./records";
import { fileText, TextSource } from "./textsource";

export interface Imports {
	begin(): void;
	addToStudy(trees: GameTree[]): void;
	dialogs: ComponentChildren;
}

/** game: with its options, for texts that do not name theirs. */
export function useImports(game: string, info: Game | null, onOpen: (tree: GameTree) => void): Imports {
	const [importing, setImporting] = useState<string | null>(null); // the text to begin with
	const [chapters, setChapters] = useState<GameTree[] | null>(null); // for a study
	const open = async (text: string) => {
		const read = await treeOfRecord(game, text);
		setImporting(null);
		onOpen(read);
	};
	useDroppedFile((text) => gamesOfText(text).length > 1 ? setImporting(text) : open(text).catch(toastError));
	const dialogs = (
		<>
			{importing !== null && <Dialog title={t("game.import")} onClose={() => setImporting(null)}>
				<TextSource label={importFormats(info)} hint={importHint(info)} action={t("import.open")} first={importing} onText={open}
					many={{
						action: (count) => t("study.allAsStudy", { count }),
						onTexts: async (texts) => {
							const read = await treesOfRecords(game, texts);
							setImporting(null);
							setChapters(read);
						},
					}} />
			</Dialog>}
			{chapters && <Dialog title={t("study.add")} onClose={() => setChapters(null)}><AddToStudy trees={chapters} onClose={() => setChapters(null)} /></Dialog>}
		</>
	);
	return { begin: () => setImporting(""), addToStudy: setChapters, dialogs };
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
