// GameRow.tsx - a finished game in a list: to open, to review, to export, to delete.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { ageText } from "../pages/lobby";
import { baseName, saveText, useGame } from "../pages/parts";
import { ExportDialog } from "../play/ExportDialog";
import { hostOf } from "../play/host";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { opponentsOf, outcomeText, type PlayedGame } from "./entries";
import { deleteGames, reviewGame } from "./load";

/** What deleting does, in words. */
export function deletionText(games: PlayedGame[]): string {
	if (!games.some(({ onServer }) => onServer))
		return "This browser is the only place that has it. It can't be restored.";
	return "It is removed from your list. Your opponents keep it in theirs, and whoever has its link can still open it.";
}

export function GameRow({ game, onChange }: { game: PlayedGame; onChange(): void }) {
	const [open, setOpen] = useState<"" | "export" | "delete">("");
	const { info } = useGame(game.game);
	const day = new Date(game.ended * 1000).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
	const about = `${game.title} against ${opponentsOf(game)}, ${outcomeText(game.outcome).toLowerCase()}, ${day}`;
	const text = (format: "record" | "pgn") => () => hostOf(game.id).record(game.id, format);
	const remove = () => {
		setOpen("");
		deleteGames([game]).then(() => {
			document.getElementById("finished")?.focus(); // the button disappears with its game
			onChange();
		}, toastError);
	};
	return (
		<li class="entry local">
			<div class="what">
				<strong>{game.title}</strong>
				<span><span class={`outcome ${game.outcome}`}>{outcomeText(game.outcome)}</span> against {opponentsOf(game)}</span>
				<small><time dateTime={new Date(game.ended * 1000).toISOString()}>{day}</time> · {ageText(game.ended)}{game.onServer || STATIC_SITE ? "" : " · in this browser"}</small>
			</div>
			<div class="row">
				<button type="button" aria-label={`Review: ${about}`} onClick={() => reviewGame(game).catch(toastError)}><Icon name="analyse" />Review</button>
				<a class="button" href={`/play/${encodeURIComponent(game.id)}`} aria-label={`Open: ${about}`}>Open</a>
				<button type="button" class="icon" aria-label={`Export: ${about}`} title="Export" onClick={() => setOpen("export")}><Icon name="download" /></button>
				<button type="button" class="icon" aria-label={`Delete: ${about}`} title="Delete" onClick={() => setOpen("delete")}><Icon name="trash" /></button>
			</div>
			{open === "export" && <ExportDialog game={game.game} record={text("record")} {...(info?.pgn ? { pgn: text("pgn") } : {})}
				save={(ending, content) => saveText(`${baseName(game.game)}-${game.id}.${ending}`, content)} onClose={() => setOpen("")} />}
			{open === "delete" && <Dialog title="Delete this game?" onClose={() => setOpen("")}>
				<p>{about}</p>
				<p>{deletionText([game])}</p>
				<div class="row">
					<button type="button" class="danger" onClick={remove}>Yes, delete</button>
					<button type="button" onClick={() => setOpen("")}>No, keep it</button>
				</div>
			</Dialog>}
		</li>
	);
}
