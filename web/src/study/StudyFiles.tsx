// StudyFiles.tsx - exports a study: all chapters in one file.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { writeJournal } from "../journal";
import { t } from "../messages";
import { baseName, fetchGames, saveText, useLoad } from "../pages/parts";
import { pgnOfTree } from "../pages/records";
import { ExportDialog } from "../play/ExportDialog";
import { Icon } from "../ui/icons";
import { exportTree, treeOf, type StudyText } from "./model";

/** The games of the chapters, without their options. */
function gamesOf({ chapters }: StudyText): string[] {
	try {
		return [...new Set(chapters.map((chapter) => baseName(treeOf(chapter).game)))];
	} catch {
		return [];
	}
}

/** All chapters, one after another. */
function recordsOfStudy({ title, chapters }: StudyText): string {
	return chapters.map((chapter) => writeJournal(exportTree(title, chapter))).join("");
}

async function pgnOfStudy({ title, chapters }: StudyText): Promise<string> {
	const games: string[] = [];
	for (const chapter of chapters)
		games.push((await pgnOfTree(exportTree(title, chapter))).trimEnd());
	return `${games.join("\n\n\n")}\n`;
}

export function StudyFiles({ study }: { study: StudyText }) {
	const [isOpen, setOpen] = useState(false);
	const games = useLoad("games", fetchGames);
	const used = isOpen ? gamesOf(study) : [];
	const hasPgn = used.length > 0 && used.every((name) => games.value?.find((one) => one.name === name)?.pgn);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}><Icon name="download" />{t("study.export")}</button>
			{isOpen && <ExportDialog game={used.length === 1 ? used[0] ?? "" : "chess"} record={() => recordsOfStudy(study)} {...(hasPgn ? { pgn: () => pgnOfStudy(study) } : {})}
				save={(ending, text) => saveText(`${study.title.replace(/[^\p{L}\p{N}]+/gu, "-") || "study"}.${ending}`, text)} onClose={() => setOpen(false)} />}
		</>
	);
}
