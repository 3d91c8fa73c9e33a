// GameList.tsx - games in progress that this browser keeps: to continue, to export, to delete.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { playerName } from "../board/text";
import { t } from "../messages";
import { ageText } from "../pages/lobby";
import { baseName, saveText, useGame } from "../pages/parts";
import { ExportDialog } from "../play/ExportDialog";
import { addressOf, forgetPlay, localHost, localId } from "../play/local";
import type { StoredGame } from "../store/games";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { gameResult } from "./result";

export function LocalGameList({ games, onChange }: { games: StoredGame[]; onChange(): void }) {
	return <ul class="entries">{games.map((game) => <Entry key={game.id} game={game} onChange={onChange} />)}</ul>;
}

function Entry({ game, onChange }: { game: StoredGame; onChange(): void }) {
	const [open, setOpen] = useState<"" | "export" | "delete">("");
	const { info } = useGame(game.game);
	const id = localId(game.id);
	const players = game.seats.map((seat) => playerName(seat) || t("local.you")).join(" – ");
	const about = `${game.title}, ${players}, ${gameResult(game)}`;
	const text = (format: "record" | "pgn") => () => localHost.record(id, format);
	const remove = () => {
		setOpen("");
		forgetPlay(game.id).then(onChange, toastError);
	};
	return (
		<li class="entry local">
			<div class="what">
				<strong>{game.title}</strong>
				<span>{players}</span>
				<small>{gameResult(game)} · {ageText(game.updated / 1000)}{game.uploaded && <> · <a href={`/play/${encodeURIComponent(game.uploaded)}`}>{t("local.onServer")}</a></>}</small>
			</div>
			<div class="row">
				<a class="button" href={addressOf(game.id)} aria-label={t("local.continueGame", { about })}>{t("local.continue")}</a>
				<button type="button" class="icon" aria-label={t("local.exportGame", { about })} title={t("local.export")} onClick={() => setOpen("export")}><Icon name="download" /></button>
				<button type="button" class="icon" aria-label={t("local.deleteGame", { about })} title={t("local.delete")} onClick={() => setOpen("delete")}><Icon name="trash" /></button>
			</div>
			{open === "export" && <ExportDialog game={game.game} record={text("record")} {...(info?.pgn ? { pgn: text("pgn") } : {})}
				save={(ending, content) => saveText(`${baseName(game.game)}-${game.id}.${ending}`, content)} onClose={() => setOpen("")} />}
			{open === "delete" && <Dialog title={t("local.deleteQuestion")} onClose={() => setOpen("")}>
				<p>{about}</p>
				<div class="row">
					<button type="button" class="danger" onClick={remove}>{t("local.deleteYes")}</button>
					<button type="button" onClick={() => setOpen("")}>{t("local.deleteNo")}</button>
				</div>
			</Dialog>}
		</li>
	);
}
