// GameRow.tsx - a finished game in a list: to open, to review, to export, to delete.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { rich, t } from "../messages";
import { ageText } from "../pages/lobby";
import { baseName, saveText, useGame } from "../pages/parts";
import { ExportDialog } from "../play/ExportDialog";
import { hostOf } from "../play/host";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { opponentsOf, outcomeText, type PlayedGame } from "./entries";
import { deleteGames, reviewGame } from "./load";

export function GameRow({ game, onChange }: { game: PlayedGame; onChange(): void }) {
	const [open, setOpen] = useState<"" | "export" | "delete">("");
	const { info } = useGame(game.game);
	const day = new Date(game.ended * 1000).toLocaleDateString(LANGUAGE, { day: "numeric", month: "short", year: "numeric" });
	const opponent = opponentsOf(game), outcome = outcomeText(game.outcome);
	const about = t("history.about", { title: game.title, opponent, outcome: outcome.toLowerCase(), day });
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
				<span>{rich("history.outcomeAgainst", { outcome: <span class={`outcome ${game.outcome}`}>{outcome}</span>, opponent })}</span>
				<small><time dateTime={new Date(game.ended * 1000).toISOString()}>{day}</time> · {ageText(game.ended)}{game.onServer || STATIC_SITE ? "" : ` · ${t("history.inBrowser")}`}</small>
			</div>
			<div class="row">
				{game.players.length <= 2 && <button type="button" aria-label={t("history.reviewGame", { about })} onClick={() => reviewGame(game).catch(toastError)}><Icon name="analyse" />{t("history.review")}</button>}
				<a class="button" href={`/play/${encodeURIComponent(game.id)}`} aria-label={t("history.openGame", { about })}>{t("history.open")}</a>
				<button type="button" class="icon" aria-label={t("history.exportGame", { about })} title={t("history.export")} onClick={() => setOpen("export")}><Icon name="download" /></button>
				<button type="button" class="icon" aria-label={t("history.deleteGame", { about })} title={t("history.delete")} onClick={() => setOpen("delete")}><Icon name="trash" /></button>
			</div>
			{open === "export" && <ExportDialog game={game.game} record={text("record")} {...(info?.pgn ? { pgn: text("pgn") } : {})}
				save={(ending, content) => saveText(`${baseName(game.game)}-${game.id}.${ending}`, content)} onClose={() => setOpen("")} />}
			{open === "delete" && <Dialog title={t("history.deleteQuestion")} onClose={() => setOpen("")}>
				<p>{about}</p>
				<p>{game.onServer ? t("history.deletionServer") : t("history.deletionHere")}</p>
				<div class="row">
					<button type="button" class="danger" onClick={remove}>{t("history.deleteYes")}</button>
					<button type="button" onClick={() => setOpen("")}>{t("history.deleteNo")}</button>
				</div>
			</Dialog>}
		</li>
	);
}
