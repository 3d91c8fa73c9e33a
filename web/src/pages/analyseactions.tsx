// analyseactions.tsx - the actions of the analysis board: share, copy, export, import, play from here.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { writeJournal } from "../journal";
import { ExportDialog } from "../play/ExportDialog";
import { absolute } from "../play/ShareDialog";
import { movesTo, type GameTree } from "../tree";
import type { Game } from "../types";
import { Dialog } from "../ui/dialog";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { OpponentOptions } from "./opponentchoice";
import { firstOpponent } from "./opponents";
import { analyseLink, baseName, levelNumbers, positionLink, saveText, startPlay, TextSource } from "./parts";
import { importHint, importFormats, pgnOfTree, treeOfRecord } from "./records";
import type { Walk } from "./walk";

export function AnalyseActions({ walk, info, onOpen }: {
	walk: Walk; info: Game | null; onOpen(tree: GameTree): void;
}) {
	const { tree, view } = walk;
	const [isExporting, setExporting] = useState(false);
	const [isImporting, setImporting] = useState(false);
	const moves = movesTo(tree, tree.cursor);
	const link = () => absolute(analyseLink(tree.game, tree.start, moves));
	return (
		<section class="card" aria-labelledby="use">
			<h2 id="use">Actions</h2>
			{info && view && !view.over && <PlayFromHere walk={walk} info={info} />}
			<div class="row">
				<button type="button" onClick={() => void copyText(link(), "Link")}><Icon name="share" />Share link</button>
				<button type="button" disabled={!view} onClick={() => view && void copyText(view.position, "Position")}>
					<Icon name="copy" />Copy position
				</button>
				<a class="button" href={positionLink("/edit", tree.game, view?.position ?? tree.start)}>
					<Icon name="edit" />Edit position
				</a>
				<button type="button" onClick={() => setExporting(true)}><Icon name="download" />Export</button>
				<button type="button" onClick={() => setImporting(true)}><Icon name="upload" />Import</button>
			</div>
			{isExporting && <ExportDialog game={tree.game} record={() => writeJournal(tree)} {...(info?.pgn ? { pgn: () => pgnOfTree(tree) } : {})}
				save={(ending, text) => saveText(`${baseName(tree.game)}.${ending}`, text)} onClose={() => setExporting(false)} />}
			{isImporting && <Dialog title="Import a game" onClose={() => setImporting(false)}>
				<TextSource label={importFormats(info)} hint={importHint(info)} action="Open"
					onText={async (text) => {
						const read = await treeOfRecord(tree.game, text);
						setImporting(false);
						onOpen(read);
					}} />
			</Dialog>}
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
			<button type="button" class="primary" onClick={play}><Icon name="play" />{label ?? "Play from here"}</button>
			{computer && <label><span class="unseen">Computer level</span>
				<select value={computer} onChange={(event) => setComputer(event.currentTarget.value)}>
					<OpponentOptions game={info} />
				</select>
			</label>}
		</div>
	);
}
