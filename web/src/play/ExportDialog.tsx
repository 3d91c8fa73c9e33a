// ExportDialog.tsx - a game to take away: the journal, or PGN for other programs.
// SPDX-License-Identifier: MIT
import { copyText } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";

interface ExportProps {
	/** Both give the text; PGN is left out where a game cannot be written so. */
	record(): Promise<string> | string;
	pgn?: () => Promise<string>;
	save(ending: string, text: string): void;
	onClose(): void;
}

export function ExportDialog({ record, pgn, save, onClose }: ExportProps) {
	return (
		<Dialog title="Export" onClose={onClose}>
			<div class="stack">
				{pgn && <Kind name="PGN" about="for other programs" text={pgn} onSave={(text) => save("pgn", text)} />}
				<Kind name="Record" about="moves, variations and notes (JSON lines)" text={record} onSave={(text) => save("jsonl", text)} />
			</div>
		</Dialog>
	);
}

function Kind({ name, about, text, onSave }: {
	name: string; about: string; text(): Promise<string> | string; onSave(text: string): void;
}) {
	const use = (how: (words: string) => void) => void Promise.resolve(text()).then(how).catch(toastError);
	return (
		<div class="export" role="group" aria-label={name}>
			<p><strong>{name}</strong> <span class="quiet small">{about}</span></p>
			<div class="row">
				<button type="button" onClick={() => use(onSave)} aria-label={`Download: ${name}`}><Icon name="download" />Download</button>
				<button type="button" onClick={() => use((words) => void copyText(words, name))} aria-label={`Copy: ${name}`}>
					<Icon name="copy" />Copy
				</button>
			</div>
		</div>
	);
}
