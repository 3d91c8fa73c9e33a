// AddToStudy.tsx - adds games as chapters to one of your studies, or to a new one.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { Failure, useLoad, Waiting } from "../pages/parts";
import { navigate } from "../router";
import type { GameTree } from "../tree";
import { gameTitle } from "./GameFacts";
import { chapterName, chapterOf, isTooLarge, nameOf, NAME_MOST, type StoredStudy } from "./model";
import { keepStudy } from "./store";
import { addressOf, createStudy, listStudies, openStudy, uploadStudy } from "./sync";

export function AddToStudy({ trees, onClose }: { trees: GameTree[]; onClose(): void }) {
	const mine = useLoad("studies", listStudies);
	const [chosen, setChosen] = useState("");
	const [title, setTitle] = useState("");
	const [name, setName] = useState(() => trees[0] ? nameOf(gameTitle(trees[0]), "") : "");
	const [error, setError] = useState<string | null>(null);
	const [busy, setBusy] = useState(false);

	async function add(): Promise<void> {
		const opened = chosen ? await openStudy(chosen) : null;
		const old = opened?.study.chapters ?? [];
		const added = trees.map((tree, i) => chapterOf(tree,
			trees.length === 1 && name.trim() ? nameOf(name, "") : chapterName(tree, old.length + i + 1, (number) => t("study.chapterNumber", { number }))));
		const chapters = [...old, ...added];
		if (isTooLarge({ chapters }))
			throw new Error(t("study.tooLarge"));
		const study = opened
			? await addTo({ ...opened.study, chapters, changed: true, updated: Date.now() })
			: await createStudy({ title: nameOf(title, t("study.untitled")), about: "", chapters });
		onClose();
		navigate(`${addressOf(study)}?chapter=${old.length + 1}`);
	}

	return (
		<form class="stack" onSubmit={(event) => {
			event.preventDefault();
			setBusy(true);
			add().catch((reason) => {
				setError(sentence(reason));
				setBusy(false);
			});
		}}>
			<Waiting loaded={mine} />
			{mine.value && <>
				<label class="field"><span>{t("study.study")}</span>
					<select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
						<option value="">{t("study.new")}</option>
						{mine.value.entries.map((one) => <option key={one.id} value={one.id}>{one.title}</option>)}
					</select>
				</label>
				{!chosen && <label class="field"><span>{t("study.title")}</span>
					<input type="text" maxLength={NAME_MOST} placeholder={t("study.untitled")} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
				</label>}
				{trees.length === 1
					? <label class="field"><span>{t("study.chapterName")}</span>
						<input type="text" maxLength={NAME_MOST} value={name} placeholder={t("study.chapterNumber", { number: 1 })} onInput={(event) => setName(event.currentTarget.value)} />
					</label>
					: <p>{t("study.manyChapters", { count: trees.length })}</p>}
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" class="primary" disabled={busy}>{t("study.addButton")}</button></div>
			</>}
		</form>
	);
}

async function addTo(study: StoredStudy): Promise<StoredStudy> {
	await keepStudy(study);
	return uploadStudy(study);
}
