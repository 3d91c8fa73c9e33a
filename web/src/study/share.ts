// share.ts - a study as a link that holds all of it, for sites without a server; and as files.
// SPDX-License-Identifier: MIT
import { writeJournal } from "../journal";
import { t } from "../messages";
import { pgnOfTree } from "../pages/records";
import { packText, unpackText } from "../ui/pack";
import { exportTree, STUDY_BYTES, studyOfText, type StudyText } from "./model";

const LINK_MOST = 30000; // characters; browsers and messengers cut longer ones

/** The part of the link after "#". Throws an Error for the reader. */
export async function packStudy({ title, about, chapters }: StudyText): Promise<string> {
	const packed = await packText(JSON.stringify({ title, about, chapters }), STUDY_BYTES);
	if (packed.length > LINK_MOST)
		throw new Error(t("study.linkTooLong"));
	return packed;
}

export async function unpackStudy(packed: string): Promise<StudyText> {
	try {
		return studyOfText(await unpackText(packed.slice(0, 4 * STUDY_BYTES), 2 * STUDY_BYTES));
	} catch {
		throw new Error(t("study.linkDamaged"));
	}
}

/** All chapters, one after another. */
export function recordsOfStudy({ title, chapters }: StudyText): string {
	return chapters.map((chapter) => writeJournal(exportTree(title, chapter))).join("");
}

export async function pgnOfStudy({ title, chapters }: StudyText): Promise<string> {
	const games: string[] = [];
	for (const chapter of chapters)
		games.push((await pgnOfTree(exportTree(title, chapter))).trimEnd());
	return `${games.join("\n\n\n")}\n`;
}
