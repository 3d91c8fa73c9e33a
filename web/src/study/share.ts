// share.ts - a study as a link that holds all of it, for sites without a server.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { STUDY_BYTES, studyOfText, type StudyText } from "./model";

const LINK_MOST = 30000; // characters; browsers and messengers cut longer ones

/** The part of the link after "#". Throws an Error for the reader. */
export async function packStudy({ title, about, chapters }: StudyText): Promise<string> {
	const { packText } = await import("./pack");
	const packed = await packText(JSON.stringify({ title, about, chapters }), STUDY_BYTES);
	if (packed.length > LINK_MOST)
		throw new Error(t("study.linkTooLong"));
	return packed;
}

export async function unpackStudy(packed: string): Promise<StudyText> {
	try {
		const { unpackText } = await import("./pack");
		return studyOfText(await unpackText(packed.slice(0, 4 * STUDY_BYTES), 2 * STUDY_BYTES));
	} catch {
		throw new Error(t("study.linkDamaged"));
	}
}
