// analyseactions.tsx - the actions of the analysis board: share, copy, export, import, play from here.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { linkOf } from "../analysis/keep";
import { sentence } from "../api";
import { writeJournal } from "../journal";
import { t } from "../messages";
import { ExportDialog } from "../play/ExportDialog";
import { absolute } from "../play/ShareDialog";
import { ReviewLine } from "../review/ReviewLine";
import { movesTo } from "../tree";
import type { Game } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { OpponentOptions } from "./opponentchoice";
import { firstOpponent } from "./opponents";
import { baseName, Failure, levelNumbers, positionLink, saveText, startPlay } from "./parts";
import { pgnOfTree } from "./records";
import type { ImportState } from "./imports";
import type { Walk } from "./walk";

export function AnalyseActions({ walk, info, onImport }: { walk: Walk; info: Game | null; onImport(state: ImportState): void }) {
	const { tree, view } = walk;
	const [isExporting, setExporting] = useState(false);
	const [failed, setFailed] = useState<string | null>(null); // why there is no link
	const addToStudy = () => onImport({ chapters: [tree] });
	const share = () => linkOf(tree).then((link) => {
		setFailed(null);
		return copyText(absolute(link), t("actions.link"));
	}).catch((error) => setFailed(sentence(error)));
	return (
		<section class="card" aria-labelledby="use">
			<h2 id="use">{t("actions.title")}</h2>
			{failed && <Failure error={failed} />}
			{info && view && !view.over && <PlayFromHere walk={walk} info={info} />}
			<div class="row">
				{info && info.seats <= 2 && <ReviewLine tree={tree} />}
				<button type="button" title={t("analysis.linkWithAll")} onClick={() => void share()}><Icon name="share" />{t("actions.shareLink")}</button>
				<button type="button" disabled={!view} onClick={() => view && void copyText(view.position, t("actions.position"))}>
					<Icon name="copy" />{t("actions.copyPosition")}
				</button>
				<a class="button" href={positionLink("/edit", tree.game, view?.position ?? tree.start)}>
					<Icon name="edit" />{t("actions.editPosition")}
				</a>
				<button type="button" onClick={() => setExporting(true)}><Icon name="download" />{t("actions.export")}</button>
				<button type="button" onClick={() => onImport({ text: "" })}><Icon name="upload" />{t("actions.import")}</button>
				<button type="button" class={failed ? "primary" : ""} onClick={addToStudy}><Icon name="book" />{t("study.add")}</button>
			</div>
			{isExporting && <ExportDialog game={tree.game} record={() => writeJournal(tree)} {...(info?.pgn ? { pgn: () => pgnOfTree(tree) } : {})}
				save={(ending, text) => saveText(`${baseName(tree.game)}.${ending}`, text)} onClose={() => setExporting(false)} />}
		</section>
	);
}

/** Starts a game from the current position. You play `seat`, by default the side to move; the computer plays the others. */
export function PlayFromHere({ walk, info, seat, label }: { walk: Walk; info: Game; seat?: number; label?: string }) {
	const [computer, setComputer] = useState(firstOpponent(info));
	const { tree, view } = walk;
	const play = () => {
		const mine = seat ?? (view?.seat || 1);
		const seats = levelNumbers(info.seats).map((number) => number === mine ? "human" : computer || "open");
		startPlay({ game: tree.game, position: tree.start, moves: movesTo(tree, tree.cursor), seats }).catch(toastError);
	};
	return (
		<div class="row from-here">
			<button type="button" class="primary" onClick={play}><Icon name="play" />{label ?? t("actions.playFromHere")}</button>
			{computer && <label><span class="unseen">{t("actions.computerLevel")}</span>
				<select value={computer} onChange={(event) => setComputer(event.currentTarget.value)}>
					<OpponentOptions game={info} />
				</select>
			</label>}
		</div>
	);
}
