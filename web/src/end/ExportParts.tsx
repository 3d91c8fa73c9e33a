// ExportParts.tsx - a game as a record or as PGN, to download or to copy.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { pgnName } from "../pgn";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";

export interface ExportProps {
	game: string;
	/** Both return the text; pgn is missing if the game has no PGN. */
	record(): Promise<string> | string;
	pgn?: () => Promise<string>;
	save(ending: string, text: string): void;
}

export function ExportParts({ game, record, pgn, save }: ExportProps) {
	const name = pgnName(game);
	return (
		<div class="stack">
			{pgn && <Kind name={name} about={t("play.forPrograms")} text={pgn} onSave={(text) => save(name.toLowerCase(), text)} />}
			<Kind name={t("play.record")} about={t("play.recordAbout")} text={record} onSave={(text) => save("jsonl", text)} />
		</div>
	);
}

function Kind({ name, about, text, onSave }: {
	name: string; about: string; text(): Promise<string> | string; onSave(text: string): void;
}) {
	const use = (how: (content: string) => void) => void Promise.resolve(text()).then(how).catch(toastError);
	return (
		<div class="export" role="group" aria-label={name}>
			<p><strong>{name}</strong> <span class="quiet small">{about}</span></p>
			<div class="row">
				<button type="button" onClick={() => use(onSave)} aria-label={t("play.downloadOf", { name })}><Icon name="download" />{t("play.download")}</button>
				<button type="button" onClick={() => use((content) => void copyText(content, name))} aria-label={t("play.copyOf", { name })}>
					<Icon name="copy" />{t("ui.copy")}
				</button>
			</div>
		</div>
	);
}
