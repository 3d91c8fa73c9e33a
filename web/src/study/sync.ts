// sync.ts - studies here and on the server: this browser keeps every study of yours, and the server has a copy for others.
// SPDX-License-Identifier: MIT
//
// Each save goes to the browser first. A save on the server names the version that it replaces, so a study that was changed on another
// device or in another tab is never overwritten: see `conflict`.
import { get, post, RequestError } from "../api";
import type { SavedStudy, StudyList, StudyMessage } from "../types";
import type { StoredStudy, StudyText } from "./model";
import { findStored, forgetStudy, keepStudy, listStored } from "./store";

export interface OpenStudy {
	study: StoredStudy;
	own: boolean; // you can change it
	author: string; // of somebody else's study
	conflict: StudyMessage | null; // the server has a version that this browser's changes do not know
	missing?: boolean; // the server has had it and deleted it
}

export interface StudyEntry {
	id: string; // for its address
	title: string;
	chapters: number;
	updated: number; // ms since 1970
	here: boolean; // this browser has it
	shared: boolean; // the server has it
}

function newId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(9));
	return `my-${[...bytes].map((byte) => (byte % 36).toString(36)).join("")}`;
}

export function addressOf({ id, server }: Pick<StoredStudy, "id" | "server">): string {
	return `/study/${encodeURIComponent(server || id)}`;
}

/** A new study of yours, on the server too if it can be reached. */
export async function createStudy(text: StudyText): Promise<StoredStudy> {
	const now = Date.now();
	const study: StoredStudy = { ...text, id: newId(), created: now, updated: now, version: 0, server: "", changed: true };
	await keepStudy(study);
	return uploadStudy(study).catch(() => study);
}

function isMissing(error: unknown): boolean {
	return error instanceof RequestError && error.status === 404;
}

function contents({ title, about, chapters }: StudyText): StudyText {
	return { title, about, chapters: chapters.map(({ name, record }) => ({ name, record })) };
}

/** If the server has just what was sent, it was saved before, and only the response was lost. Otherwise throws the error. */
async function savedBefore(study: StoredStudy, error: unknown): Promise<SavedStudy> {
	const there = error instanceof RequestError && error.status === 409 && await serverStudy(study.server).catch(() => null);
	if (there && JSON.stringify(contents(there)) === JSON.stringify(contents(study)))
		return there;
	throw error;
}

/**
 * Saves it on the server; one that was deleted there becomes a new one. It is still `changed` if the server has created it before, perhaps
 * with an earlier text: then save it again. Throws a RequestError, with status 409 if the server has another version.
 */
export async function uploadStudy(study: StoredStudy): Promise<StoredStudy> {
	if (STATIC_SITE)
		return study;
	/* The key is another one for a study that was deleted, and the same as long as there is no response. */
	const create = () => post<SavedStudy>("/api/v1/studies", { key: study.server || study.id, ...contents(study) });
	const replace = () => post<SavedStudy>(`/api/v1/studies/${study.server}`, { version: study.version, ...contents(study) });
	const saved = await (study.server ? replace().catch((error) => isMissing(error) ? create() : savedBefore(study, error)) : create());
	const done = { ...study, server: saved.id, version: saved.version, changed: saved.existed ?? false };
	await keepStudy(done);
	return done;
}

function ofMessage({ id, title, about, chapters, created, updated, version }: StudyMessage): StoredStudy {
	return { id, title, about, chapters, created: created * 1000, updated: updated * 1000, version, server: id, changed: false };
}

/** null: there is no such study. Throws a RequestError if it is not here and the server cannot be reached. */
export async function openStudy(id: string): Promise<OpenStudy | null> {
	const here = await findStored(id);
	if (STATIC_SITE || (here && !here.server))
		return here && { study: here, own: true, author: "", conflict: null };
	let there: StudyMessage;
	try {
		there = await get<StudyMessage>(`/api/v1/studies/${encodeURIComponent(here?.server ?? id)}`);
	} catch (error) {
		if (here)
			return { study: here, own: true, author: "", conflict: null, missing: isMissing(error) };
		if (isMissing(error))
			return null;
		throw error;
	}
	/* The browser has forgotten who you are, but not the study. */
	if (!there.own && here)
		return { study: { ...here, server: "", version: 0, changed: true }, own: true, author: "", conflict: null };
	if (!there.own)
		return { study: ofMessage(there), own: false, author: there.author, conflict: null };
	if (here && (here.changed || here.version >= there.version))
		return { study: here, own: true, author: "", conflict: there.version > here.version ? there : null };
	return { study: await takeTheirs(there, here), own: true, author: "", conflict: null };
}

/** Replaces the copy of this browser by the server's. */
export async function takeTheirs(there: StudyMessage, here: StoredStudy | null): Promise<StoredStudy> {
	const study = { ...ofMessage(there), ...(here ? { id: here.id } : {}) };
	await keepStudy(study);
	return study;
}

/** The server's current version of a study. */
export function serverStudy(id: string): Promise<StudyMessage> {
	return get<StudyMessage>(`/api/v1/studies/${encodeURIComponent(id)}`);
}

/** The same as a study. */
export async function studyOfServer(id: string): Promise<StoredStudy> {
	return ofMessage(await serverStudy(id));
}

export async function deleteStudy({ id, server }: Pick<StudyEntry, "id"> & { server?: string }): Promise<void> {
	const here = await findStored(id), there = server ?? here?.server ?? (STATIC_SITE ? "" : id);
	if (there && !STATIC_SITE)
		await post(`/api/v1/studies/${encodeURIComponent(there)}/delete`).catch((error) => {
			if (!isMissing(error) && !(error instanceof RequestError && error.status === 403)) // then only the copy here is yours
				throw error;
		});
	if (here)
		await forgetStudy(here.id);
}

/** Removes your studies from the server by `remove`, and then their copies from this browser. */
export async function removeWith(remove: () => Promise<unknown>): Promise<void> {
	const { studies } = await get<StudyList>("/api/v1/studies").catch((): StudyList => ({ studies: [] }));
	await remove();
	const gone = new Set(studies.map(({ id }) => id));
	for (const { id, server } of await listStored())
		if (gone.has(server))
			await forgetStudy(id);
}

/** Your studies, here and on the server; failed: the server could not be reached. */
export async function listStudies(): Promise<{ entries: StudyEntry[]; failed: boolean }> {
	const here = await listStored();
	let there: StudyList["studies"] = [], failed = false;
	if (!STATIC_SITE)
		await get<StudyList>("/api/v1/studies").then(({ studies }) => (there = studies), () => (failed = true));
	const known = new Set(here.map(({ server }) => server));
	const entries: StudyEntry[] = [
		...here.map((one) => ({ id: one.server || one.id, title: one.title, chapters: one.chapters.length, updated: one.updated, here: true, shared: one.server !== "" })),
		...there.filter(({ id }) => !known.has(id)).map((one) => ({ id: one.id, title: one.title, chapters: one.chapters, updated: one.updated * 1000, here: false, shared: true })),
	];
	return { entries: entries.sort((a, b) => b.updated - a.updated), failed };
}
