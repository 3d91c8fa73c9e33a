// importgame.tsx - imports a game on the page of its kind: to analyse it, or to continue it.
// SPDX-License-Identifier: MIT
import { looksLikeJournal, readJournal } from "../journal";
import { t } from "../messages";
import { navigate } from "../router";
import type { Game } from "../types";
import { handOver } from "./handover";
import { baseName, startPlay } from "./parts";
import { asRecord, IMPORT_FORMATS, importHint, treeOfRecord } from "./records";
import { TextSource } from "./textsource";

export function ImportGame({ game }: { game: Game }) {
	const analyse = async (text: string) => {
		const tree = await treeOfRecord(game.name, text);
		handOver(tree);
		navigate(`/analyse?game=${encodeURIComponent(tree.game)}`);
	};
	const continueGame = async (text: string) => {
		const named = looksLikeJournal(text) ? baseName(readJournal(text).tree.game) : game.name;
		const seats = Array.from({ length: game.seats }, () => "human");
		return startPlay({ record: await asRecord(game.name, text), ...(named === game.name ? { seats } : {}) });
	};
	return (
		<>
			<p class="quiet small">{t("game.importFormats", { formats: IMPORT_FORMATS })}</p>
			<TextSource label={t("game.record")} hint={importHint(game)}
				action={t("game.analyse")} onText={analyse} second={{ action: t("game.continue"), onText: continueGame }} />
		</>
	);
}
