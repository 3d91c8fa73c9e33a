// imports.tsx - imports on the analysis board: a dialog, a file dropped on the page, and games that become chapters of a study.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { AddToStudy } from "../study/AddToStudy";
import type { GameTree } from "../tree";
import type { Game } from "../types";
import { Dialog } from "../ui/dialog";
import { gamesOfText } from "./gamefiles";
import { IMPORT_FORMATS, importHint, treeOfRecord, treesOfRecords } from "./records";
import { fileText, TextSource } from "./textsource";

/** What is open: a text to import, which may be empty, or games for a study. */
export type ImportState = { text: string } | { chapters: GameTree[] } | null;

interface ImportProps {
	state: ImportState;
	game: string; // with its options, for texts that do not name theirs
	info: Game | null;
	onChange(state: ImportState): void;
	onOpen(tree: GameTree): void;
}

export function ImportDialogs({ state, game, info, onChange, onOpen }: ImportProps) {
	const close = () => onChange(null);
	if (!state)
		return null;
	if ("chapters" in state)
		return <Dialog title={t("study.add")} onClose={close}><AddToStudy trees={state.chapters} onClose={close} /></Dialog>;
	return (
		<Dialog title={t("game.import")} onClose={close}>
			<TextSource label={IMPORT_FORMATS} hint={importHint(info)} action={t("import.open")} first={state.text}
				onText={async (text) => {
					const read = await treeOfRecord(game, text);
					close();
					onOpen(read);
				}}
				many={{
					action: (count) => t("study.allAsStudy", { count }),
					onTexts: async (texts) => onChange({ chapters: await treesOfRecords(game, texts) }),
				}} />
		</Dialog>
	);
}

/** A file that was dropped on the page: one game is opened, several are offered. */
export async function openDropped(game: string, file: File, onChange: (state: ImportState) => void, onOpen: (tree: GameTree) => void): Promise<void> {
	const text = await fileText(file);
	if (gamesOfText(text).length > 1)
		onChange({ text });
	else
		onOpen(await treeOfRecord(game, text));
}
