// StudiesPage.tsx - "/study": your studies; a new one, empty or from a file.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { ageText } from "../pages/lobby";
import { Failure, fetchGames, useLoad, useTitle, Waiting } from "../pages/parts";
import { offered } from "../pages/showcase";
import { IMPORT_FORMATS, importHint, treesOfRecords } from "../pages/records";
import { TextSource } from "../pages/textsource";
import { navigate } from "../router";
import type { PageProps } from "../routes";
import { lastAnalysed } from "../analysis/keep";
import { settings } from "../store/settings";
import { newTree, type GameTree } from "../tree";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { AddToStudy } from "./AddToStudy";
import { chapterOf, nameOf, NAME_MOST } from "./model";
import { addressOf, createStudy, deleteStudy, listStudies, type StudyEntry } from "./sync";

export function StudiesPage(_: PageProps) {
	useTitle(t("study.studies"));
	const list = useLoad("studies", listStudies);
	const [open, setOpen] = useState<"" | "new" | "import">("");
	const [imported, setImported] = useState<GameTree[] | null>(null);
	const close = () => setOpen("");
	return (
		<section class="page studies">
			<header class="lead">
				<h1>{t("study.studies")}</h1>
				<p>{STATIC_SITE ? t("study.leadHere") : t("study.lead")}</p>
			</header>
			<div class="row">
				<button type="button" class="primary" onClick={() => setOpen("new")}><Icon name="plus" />{t("study.new")}</button>
				<button type="button" onClick={() => setOpen("import")}><Icon name="upload" />{t("study.import")}</button>
			</div>
			<Waiting loaded={list} />
			{list.value?.failed && <Failure error={t("study.offline")} again={list.again} />}
			{list.value && (list.value.entries.length
				? <ul class="study-list">{list.value.entries.map((one) => <StudyRow key={one.id} study={one} onChange={list.again} />)}</ul>
				: <p class="none">{t("study.none")}</p>)}
			{open === "new" && <NewStudy onClose={close} />}
			{open === "import" && <Dialog title={t("study.import")} onClose={close}>
				<TextSource label={IMPORT_FORMATS} hint={importHint({ pgn: true, name: "chess" })} action={t("study.oneGame")}
					onText={async (text) => {
						setImported(await treesOfRecords("chess", [text]));
						close();
					}}
					many={{
						action: (count) => t("study.allGames", { count }),
						onTexts: async (texts) => {
							setImported(await treesOfRecords("chess", texts));
							close();
						},
					}} />
			</Dialog>}
			{imported && <Dialog title={t("study.add")} onClose={() => setImported(null)}><AddToStudy trees={imported} onClose={() => setImported(null)} /></Dialog>}
		</section>
	);
}

function StudyRow({ study, onChange }: { study: StudyEntry; onChange(): void }) {
	const [asking, setAsking] = useState(false);
	return (
		<li class="card study-row">
			<a href={`/study/${encodeURIComponent(study.id)}`}><Icon name="book" /><strong>{study.title}</strong></a>
			<span class="quiet small">{t("study.facts", { count: study.chapters, age: ageText(study.updated / 1000) })}</span>
			<button type="button" class="icon" aria-label={t("study.deleteOf", { title: study.title })} title={t("study.delete")} onClick={() => setAsking(true)}><Icon name="trash" /></button>
			{asking && <Dialog title={t("study.deleteQuestion")} onClose={() => setAsking(false)}>
				<p>{t("study.deleteText", { title: study.title })}</p>
				<div class="row">
					<button type="button" class="danger" onClick={() => {
						setAsking(false);
						deleteStudy(study).then(onChange, toastError);
					}}>{t("study.deleteYes")}</button>
					<button type="button" onClick={() => setAsking(false)}>{t("study.deleteNo")}</button>
				</div>
			</Dialog>}
		</li>
	);
}

/** The game that was analysed or played last. */
function lastGame(): string {
	return lastAnalysed() || settings.get().last || "chess";
}

function NewStudy({ onClose }: { onClose(): void }) {
	const games = useLoad("games", fetchGames);
	const [title, setTitle] = useState("");
	const [game, setGame] = useState(lastGame());
	const make = async () => {
		const study = await createStudy({
			title: nameOf(title, t("study.untitled")), about: "", chapters: [chapterOf(newTree(game, "start"), t("study.chapterNumber", { number: 1 }))],
		});
		onClose();
		navigate(addressOf(study));
	};
	return (
		<Dialog title={t("study.new")} onClose={onClose}>
			<form class="stack" onSubmit={(event) => {
				event.preventDefault();
				make().catch(toastError);
			}}>
				<label class="field"><span>{t("study.title")}</span>
					<input type="text" maxLength={NAME_MOST} value={title} placeholder={t("study.untitled")} onInput={(event) => setTitle(event.currentTarget.value)} />
				</label>
				<label class="field"><span>{t("study.game")}</span>
					<select onChange={(event) => setGame(event.currentTarget.value)}>
						{offered(games.value ?? []).map((one) => <option key={one.name} value={one.name} selected={one.name === game}>{one.title}</option>)}
					</select>
				</label>
				<div class="row"><button type="submit" class="primary">{t("study.create")}</button></div>
			</form>
		</Dialog>
	);
}
