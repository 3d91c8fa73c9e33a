// textsource.tsx - a field for the text of a game, which also takes a file.
// SPDX-License-Identifier: MIT
import { useMemo, useState } from "preact/hooks";
import { sentence } from "../api";
import { t } from "../messages";
import { gamesOfText } from "./gamefiles";
import { Failure } from "./parts";

/** The text of a file: UTF-8, or else as old programs wrote it. Throws an Error if the file is too large. */
export async function fileText(file: File): Promise<string> {
	if (file.size > 1 << 20)
		throw new Error(t("pages.fileTooLarge"));
	const bytes = await file.arrayBuffer();
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder("windows-1252").decode(bytes);
	}
}

/** A text field that also accepts a chosen or dropped file. many: an action for all games of a file at once. */
export function TextSource({ label, hint, action, onText, second, first = "", many }: {
	label: string;
	hint: string;
	action: string;
	onText(text: string): void | Promise<void>;
	second?: { action: string; onText(text: string): void | Promise<void> };
	first?: string; // the text to begin with
	many?: { action(count: number): string; onTexts(texts: string[]): void | Promise<void> };
}) {
	const [text, setText] = useState(first);
	const [error, setError] = useState<string | null>(null);
	const [chosen, setChosen] = useState(0);
	const games = useMemo(() => gamesOfText(text), [text]);
	const take = async (to: typeof onText) => attempt(() => to(games[chosen]?.text ?? text));
	const attempt = async (work: () => void | Promise<void>) => {
		setError(null);
		try {
			await work();
		} catch (reason) {
			setError(sentence(reason));
		}
	};
	const change = (now: string) => {
		setText(now);
		setChosen(0);
	};
	const read = async (file: File | undefined) => {
		if (!file)
			return;
		await attempt(async () => change(await fileText(file)));
	};
	const drop = (event: DragEvent) => {
		if (!event.dataTransfer?.files.length)
			return;
		event.preventDefault();
		void read(event.dataTransfer.files[0]);
	};
	return (
		<form class="source stack" onSubmit={(event) => { event.preventDefault(); void take(onText); }}
			onDragOver={(event) => event.preventDefault()} onDrop={drop}>
			<label class="field">
				<span>{label}</span>
				<textarea rows={4} spellcheck={false} placeholder={hint} value={text}
					onInput={(event) => change(event.currentTarget.value)} />
			</label>
			{games.length > 1 && <label class="field"><span>{t("pages.chooseGame", { n: games.length })}</span>
				<select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
					{games.map(({ title }, i) => <option key={i} value={i}>{i + 1}. {title}</option>)}
				</select>
			</label>}
			{error && <Failure error={error} />}
			<div class="row">
				<label class="button file">
					<span>{t("pages.chooseFile")}</span>
					<input type="file" accept=".jsonl,.json,.txt,.ndjson,.pgn,.pdn,.sgf,.ggf" onChange={(event) => {
						const input = event.currentTarget;
						void read(input.files?.[0]).then(() => (input.value = ""));
					}} />
				</label>
				{second && <button type="button" disabled={text.trim() === ""} onClick={() => void take(second.onText)}>
					{second.action}
				</button>}
				{many && games.length > 1 && <button type="button" onClick={() => void attempt(() => many.onTexts(games.map((one) => one.text)))}>
					{many.action(games.length)}
				</button>}
				<button type="submit" class="primary" disabled={text.trim() === ""}>{action}</button>
			</div>
		</form>
	);
}
