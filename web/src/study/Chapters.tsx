// Chapters.tsx - the chapters of a study: to choose from, to add, rename, reorder and delete.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { baseName, Failure, fetchPosition } from "../pages/parts";
import { offered } from "../pages/showcase";
import { IMPORT_FORMATS, importHint, treesOfRecords } from "../pages/records";
import { TextSource } from "../pages/textsource";
import { newTree, type GameTree } from "../tree";
import type { Chapter, Game } from "../types";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { MenuButton, type MenuItem } from "../ui/menu";
import { ABOUT_MOST, chapterName, chapterOf, isTooLarge, moved, nameOf, NAME_MOST, replaced, treeOf, type StudyText } from "./model";

interface ListProps {
	study: StudyText;
	at: number;
	onPick(at: number): void;
}

export function ChapterList({ study, at, onPick }: ListProps) {
	return (
		<section class="card chapters" aria-labelledby="chapters">
			<h2 id="chapters">{t("study.chapters")}</h2>
			<ol>{study.chapters.map(({ name }, i) => <li key={i}><ChapterButton name={name} isHere={i === at} onPick={() => onPick(i)} /></li>)}</ol>
		</section>
	);
}

function ChapterButton({ name, isHere, onPick }: { name: string; isHere: boolean; onPick(): void }) {
	return <button type="button" class="chapter" aria-current={isHere ? "true" : undefined} onClick={onPick}>{name}</button>;
}

interface EditProps extends ListProps {
	games: Game[];
	onChange(part: Partial<StudyText>): void;
}

export function EditChapters({ study, games, at, onPick, onChange }: EditProps) {
	const { chapters } = study;
	const [open, setOpen] = useState<"" | "add" | "rename" | "delete" | "study">("");
	const close = () => setOpen("");
	const place = (to: number) => {
		onChange({ chapters: moved(chapters, at, to) });
		onPick(to);
	};
	const items: MenuItem[] = [
		{ icon: "edit", text: t("study.rename"), onClick: () => setOpen("rename") },
		{ icon: "back", text: t("study.moveUp"), disabled: at === 0, onClick: () => place(at - 1) },
		{ icon: "forward", text: t("study.moveDown"), disabled: at === chapters.length - 1, onClick: () => place(at + 1) },
		{ icon: "trash", text: t("study.deleteChapter"), disabled: chapters.length === 1, onClick: () => setOpen("delete") },
		{ icon: "gear", text: t("study.titleAndText"), onClick: () => setOpen("study") },
	];
	const name = chapters[at]?.name ?? "";
	return (
		<section class="card chapters" aria-labelledby="chapters">
			<div class="card-head">
				<h2 id="chapters">{t("study.chapters")}</h2>
				<div class="row">
					<button type="button" onClick={() => setOpen("add")}><Icon name="plus" />{t("study.addChapter")}</button>
					<MenuButton text={t("study.edit")} icon="edit" items={items} />
				</div>
			</div>
			<ol>{chapters.map((chapter, i) => <li key={i}><ChapterButton name={chapter.name} isHere={i === at} onPick={() => onPick(i)} /></li>)}</ol>
			{open === "add" && <AddChapter chapters={chapters} games={games} game={gameOf(chapters[at])} onClose={close} onAdd={(added) => {
				onChange({ chapters: [...chapters, ...added] });
				onPick(chapters.length);
				close();
			}} />}
			{open === "rename" && <Rename title={t("study.rename")} name={name} onClose={close} onName={(text) => {
				const chapter = chapters[at];
				if (chapter)
					onChange({ chapters: replaced(chapters, at, { ...chapter, name: nameOf(text, chapter.name) }) });
				close();
			}} />}
			{open === "study" && <Rename title={t("study.titleAndText")} name={study.title} about={study.about} onClose={close} onName={(text, about) => {
				onChange({ title: nameOf(text, study.title), about });
				close();
			}} />}
			{open === "delete" && <Dialog title={t("study.deleteChapter")} onClose={close}>
				<p>{t("study.deleteChapterText", { name })}</p>
				<div class="row">
					<button type="button" class="danger" onClick={() => {
						onChange({ chapters: chapters.filter((_, i) => i !== at) });
						onPick(Math.max(0, at - 1));
						close();
					}}>{t("study.deleteYes")}</button>
					<button type="button" onClick={close}>{t("study.deleteNo")}</button>
				</div>
			</Dialog>}
		</section>
	);
}

function gameOf(chapter: Chapter | undefined): string {
	try {
		return chapter ? treeOf(chapter).game : "chess";
	} catch {
		return "chess";
	}
}

/** Of a chapter, or of the study with its description. */
function Rename({ title, name, about, onName, onClose }: { title: string; name: string; about?: string; onName(name: string, about: string): void; onClose(): void }) {
	const [text, setText] = useState(name);
	const [more, setMore] = useState(about ?? "");
	return (
		<Dialog title={title} onClose={onClose}>
			<form class="stack" onSubmit={(event) => {
				event.preventDefault();
				onName(text, more.trim());
			}}>
				<label class="field"><span>{about === undefined ? t("study.chapterName") : t("study.title")}</span>
					<input type="text" maxLength={NAME_MOST} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
				</label>
				{about !== undefined && <label class="field"><span>{t("study.about")}</span>
					<textarea rows={4} maxLength={ABOUT_MOST} value={more} onInput={(event) => setMore(event.currentTarget.value)} />
				</label>}
				<div class="row"><button type="submit" class="primary">{t("study.save")}</button></div>
			</form>
		</Dialog>
	);
}

/** From a position, or from a file with one game or many. */
function AddChapter({ chapters, games, game, onAdd, onClose }: { chapters: Chapter[]; games: Game[]; game: string; onAdd(added: Chapter[]): void; onClose(): void }) {
	const [name, setName] = useState("");
	const [chosen, setChosen] = useState(baseName(game));
	const [position, setPosition] = useState("");
	const [error, setError] = useState<string | null>(null);
	const info = games.find((one) => one.name === chosen) ?? null;
	const numbered = (number: number) => t("study.chapterNumber", { number });
	const add = (trees: GameTree[]) => {
		const added = trees.map((tree, i) => chapterOf(tree, trees.length === 1 && name.trim() ? nameOf(name, "") : chapterName(tree, chapters.length + i + 1, numbered)));
		if (isTooLarge({ chapters: [...chapters, ...added] }))
			throw new Error(t("study.tooLarge"));
		onAdd(added);
	};
	const begin = async () => {
		const rules = baseName(game) === chosen ? game : chosen;
		/* The engine says what is wrong with the position. */
		const view = await fetchPosition(rules, position.trim() || "start", []);
		add([newTree(rules, position.trim() ? view.position : "start")]);
	};
	return (
		<Dialog title={t("study.addChapter")} onClose={onClose}>
			<form class="stack" onSubmit={(event) => {
				event.preventDefault();
				begin().catch((reason) => setError(sentence(reason)));
			}}>
				<label class="field"><span>{t("study.chapterName")}</span>
					<input type="text" maxLength={NAME_MOST} value={name} placeholder={numbered(chapters.length + 1)} onInput={(event) => setName(event.currentTarget.value)} />
				</label>
				<label class="field"><span>{t("study.game")}</span>
					<select onChange={(event) => setChosen(event.currentTarget.value)}>
						{offered(games, game).map((one) => <option key={one.name} value={one.name} selected={one.name === chosen}>{one.title}</option>)}
					</select>
				</label>
				<label class="field"><span>{t("study.position")}</span>
					<input type="text" spellcheck={false} value={position} placeholder={t("study.positionHint")} onInput={(event) => setPosition(event.currentTarget.value)} />
				</label>
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" class="primary">{t("study.addChapter")}</button></div>
			</form>
			<details class="study-import">
				<summary>{t("study.fromFile")}</summary>
				<TextSource label={IMPORT_FORMATS} hint={importHint(info)} action={t("study.oneGame")} onText={async (text) => add(await treesOfRecords(chosen, [text]))}
					many={{ action: (count) => t("study.allGames", { count }), onTexts: async (texts) => add(await treesOfRecords(chosen, texts)) }} />
			</details>
		</Dialog>
	);
}
