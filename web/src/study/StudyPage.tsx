// StudyPage.tsx - "/study/ID": a study, to edit if it is yours, else to read; "/study/shared": one that its link holds.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import { ReportButton } from "../people/lazy";
import { absolute, CopyField } from "../play/ShareDialog";
import { fetchGames, useLoad, useTitle, Waiting } from "../pages/parts";
import { anchorHere, hrefOf, navigate } from "../router";
import type { PageProps } from "../routes";
import { copyText } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { ChapterBoard } from "./ChapterBoard";
import { ChapterList, EditChapters } from "./Chapters";
import { marked } from "./markup";
import { replaced, type StudyText } from "./model";
import { packStudy, unpackStudy } from "./share";
import { StudyFiles } from "./StudyFiles";
import { addressOf, createStudy, openStudy, type OpenStudy } from "./sync";
import { useLiveStudy } from "./useLiveStudy";
import { useSaving, type SaveState, type Saving } from "./useSaving";

export function StudyPage({ args, query }: PageProps) {
	const id = args[0] ?? "";
	useTitle(t("study.study"));
	const loaded = useLoad(id, async () => ({ id, opened: await openStudy(id) }));
	if (loaded.value?.id !== id)
		return <section class="page"><h1>{t("study.study")}</h1><Waiting loaded={loaded} /></section>;
	const { opened } = loaded.value;
	if (!opened)
		return <section class="page narrow"><h1>{t("study.notFound")}</h1><p>{t("study.notFoundText")} <a href="/study">{t("study.yours")}</a></p></section>;
	const kept = (history.state as { chapter?: number } | null)?.chapter, at = Number(query.get("chapter") ?? kept ?? 1) - 1;
	return opened.own ? <OwnStudy key={id} opened={opened} first={at} /> : <LiveStudy key={id} id={id} opened={opened} first={at} />;
}

export function SharedStudyPage({ query }: PageProps) {
	useTitle(t("study.study"));
	const packed = anchorHere().slice(1);
	const loaded = useLoad(packed || "-", () => unpackStudy(packed));
	if (!loaded.value)
		return <section class="page"><h1>{t("study.study")}</h1><Waiting loaded={loaded} /></section>;
	return <ReadStudy study={loaded.value} author="" first={Number(query.get("chapter") ?? 1) - 1} />;
}

const within = (at: number, count: number) => Math.min(Math.max(0, at || 0), count - 1);

// ---- Reading ----

/** Somebody else's study, with the changes that its author makes meanwhile. */
function LiveStudy({ id, opened, first }: { id: string; opened: OpenStudy; first: number }) {
	const study = useLiveStudy(opened.study);
	return <ReadStudy id={id} study={study} author={opened.author} first={first} />;
}

/** id: on the server; undefined: the link holds it. */
function ReadStudy({ id, study, author, first }: { id?: string; study: StudyText; author: string; first: number }) {
	const [chosen, setAt] = useState(within(first, study.chapters.length));
	const at = within(chosen, study.chapters.length), chapter = study.chapters[at];
	useTitle(study.title);
	const copy = () => createStudy({ title: study.title, about: study.about, chapters: study.chapters }).then((made) => navigate(addressOf(made)), toastError);
	return (
		<section class="page study">
			<StudyHead study={study} at={at} onPick={setAt}>
				{author && <span class="quiet">{t("study.by", { author })}</span>}
				<button type="button" onClick={copy}><Icon name="copy" />{t("study.copyMine")}</button>
				<StudyFiles study={study} />
				{id ? <ReportButton kind="study" id={id} /> : null}
			</StudyHead>
			{chapter && <ChapterBoard key={at} chapter={chapter}>
				<ChapterList study={study} at={at} onPick={setAt} />
			</ChapterBoard>}
		</section>
	);
}

/** Title, description, and the way through the chapters. */
function StudyHead({ study, at, onPick, children }: { study: StudyText; at: number; onPick(at: number): void; children: preact.ComponentChildren }) {
	const { chapters } = study;
	return (
		<header class="study-head">
			<div class="study-name">
				<h1>{study.title}</h1>
				{study.about && <p class="study-about">{marked(study.about)}</p>}
			</div>
			{chapters.length > 1 && <nav class="row chapter-nav" aria-label={t("study.chapters")}>
				<button type="button" aria-label={t("study.previousChapter")} title={t("study.previousChapter")} disabled={at === 0} onClick={() => onPick(at - 1)}><Icon name="back" /></button>
				<span>{t("study.chapterOf", { at: at + 1, count: chapters.length, name: chapters[at]?.name ?? "" })}</span>
				<button type="button" aria-label={t("study.nextChapter")} title={t("study.nextChapter")} disabled={at === chapters.length - 1} onClick={() => onPick(at + 1)}><Icon name="forward" /></button>
			</nav>}
			<div class="row study-actions">{children}</div>
		</header>
	);
}

// ---- Editing ----

function OwnStudy({ opened, first }: { opened: OpenStudy; first: number }) {
	const saving = useSaving(opened);
	const { study } = saving;
	const [at, setAt] = useState(within(first, study.chapters.length));
	const [round, setRound] = useState(0); // grows when chapters change places, so that the board shows the right one
	const games = useLoad("games", fetchGames);
	const chapter = study.chapters[within(at, study.chapters.length)];
	useTitle(study.title);
	/* The address becomes the one to share as soon as the server has it. It leads to the whole study; only this browser keeps the chapter. */
	useEffect(() => history.replaceState({ chapter: at + 1 }, "", hrefOf(addressOf(study))), [study.server, at]);
	const [links, setLinks] = useState<Links | null>(null);
	const share = async () => {
		const found = await linksOf(saving, at);
		return study.chapters.length > 1 ? setLinks(found) : copyText(found.whole, t("study.link"));
	};
	const pick = (to: number) => {
		setAt(to);
		setRound((now) => now + 1);
	};
	return (
		<section class="page study">
			<StudyHead study={study} at={at} onPick={pick}>
				<SavedText state={saving.state} />
				<button type="button" onClick={() => share().catch(toastError)}><Icon name="share" />{t("study.share")}</button>
				<StudyFiles study={study} />
			</StudyHead>
			{links && <Dialog title={t("study.share")} onClose={() => setLinks(null)}>
				<div class="stack">
					<CopyField label={t("study.linkWhole")} text={links.whole} />
					<CopyField label={t("study.linkChapter", { name: chapter?.name ?? "" })} text={links.chapter} />
				</div>
			</Dialog>}
			{saving.conflict && <Conflict saving={saving} onDone={() => pick(0)} />}
			{chapter && <ChapterBoard key={`${at} ${round}`} chapter={chapter}
				onChange={(record) => saving.change({ chapters: replaced(saving.study.chapters, at, { name: chapter.name, record }) })}>
				<EditChapters study={study} games={games.value ?? []} at={at} onPick={pick} onChange={saving.change} />
			</ChapterBoard>}
		</section>
	);
}

interface Links {
	whole: string; // begins with the first chapter
	chapter: string; // begins with this one
}

/** Links that everybody can read: to the server's copy, or with the whole study in them. */
async function linksOf(saving: Saving, at: number): Promise<Links> {
	const link = (path: string, end = "") => ({ whole: absolute(path + end), chapter: absolute(`${path}?chapter=${at + 1}${end}`) });
	if (STATIC_SITE)
		return link("/study/shared", `#${await packStudy(saving.study)}`);
	const saved = await saving.flush();
	if (!saved.server)
		throw new Error(t("study.notShared"));
	return link(addressOf(saved));
}

function SavedText({ state }: { state: SaveState }) {
	const text = state === "saved" ? t("study.saved") : state === "saving" ? t("study.saving") : state === "here" ? t("study.savedHere") : t("study.tooLarge");
	return <span class={state === "large" ? "save-state bad" : "save-state quiet"} role="status">{text}</span>;
}

function Conflict({ saving, onDone }: { saving: Saving; onDone(): void }) {
	return (
		<div class="failure" role="alert">
			<span>{t("study.conflict")}</span>
			<button type="button" onClick={() => saving.takeTheirs().then(onDone, toastError)}>{t("study.takeTheirs")}</button>
			<button type="button" onClick={() => saving.keepMine().then((mine) => navigate(addressOf(mine)), toastError)}>{t("study.keepMine")}</button>
		</div>
	);
}
