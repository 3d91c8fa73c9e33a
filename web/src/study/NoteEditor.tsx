// NoteEditor.tsx - the comment and the glyphs of the current position.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { evaluationOf, OFFERED, readNote, signOf, writeNote, type Note } from "../note";
import type { TreeWalk } from "../pages/walk";
import { nodeAt, setNote } from "../tree";

/** "Evaluation: −1.50"; nothing if the file has none. */
export function FileEvaluation({ note }: { note: string }) {
	const value = evaluationOf(note);
	return value ? <p class="quiet small">{t("study.evaluation", { value })}</p> : null;
}

export function NoteEditor({ walk }: { walk: TreeWalk }) {
	const here = walk.tree.cursor, { note, move } = nodeAt(walk.tree, here);
	const { glyphs, text } = readNote(note);
	const change = (step: (now: Note) => Partial<Note>) => walk.change((now) => {
		const old = readNote(nodeAt(now, here).note);
		return setNote(now, here, writeNote({ ...old, ...step(old) }));
	});
	/* One glyph of the six at a time; others that a file has stay. */
	const toggle = (glyph: number) => change(({ glyphs: old }) => ({
		glyphs: [...(old.includes(glyph) ? [] : [glyph]), ...old.filter((one) => !OFFERED.includes(one as 1))],
	}));
	return (
		<div class="note-editor">
			<FileEvaluation note={note} />
			<div class="glyphs" role="group" aria-label={t("study.glyphs")}>
				{OFFERED.map((glyph) => {
					const sign = signOf(glyph);
					return <button key={glyph} type="button" disabled={move === null} aria-pressed={glyphs.includes(glyph)} aria-label={sign.title} title={sign.title}
						onClick={() => toggle(glyph)}>{sign.text}</button>;
				})}
			</div>
			<label class="field">
				<span>{t("study.comment")}</span>
				<TextField key={here} text={text} onText={(now) => change(() => ({ text: now }))} />
			</label>
		</div>
	);
}

/** Keeps blanks at its ends while you type; the note has none. */
function TextField({ text, onText }: { text: string; onText(text: string): void }) {
	return <textarea rows={3} maxLength={2000} defaultValue={text} onInput={(event) => onText(event.currentTarget.value)} />;
}
