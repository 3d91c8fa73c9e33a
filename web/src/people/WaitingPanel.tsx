// WaitingPanel.tsx - while a seat is open: the invitation as a link, a button and a QR code; your name; a way to cancel.
// SPDX-License-Identifier: MIT
import { useMemo, useState } from "preact/hooks";
import { post } from "../api";
import { t } from "../messages";
import { firstOpponent } from "../pages/opponents";
import { useGame } from "../pages/parts";
import type { PlayActions } from "../play/actions";
import { roleOf } from "../play/rights";
import { absolute } from "../play/ShareDialog";
import { changeSettings, settings } from "../store/settings";
import type { Play } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { NotifySwitch } from "./NotifySwitch";
import { qrCode } from "./qr";

export function WaitingPanel({ play, actions }: { play: Play; actions: PlayActions }) {
	const link = absolute(`/play/${encodeURIComponent(play.id)}`);
	const { alone } = roleOf(play);
	const open = play.seats.filter(({ kind }) => kind === "open"), here = play.seats.length - open.length;
	const { info } = useGame(play.game);
	const computer = info && firstOpponent(info, settings.get().computers[info.name]);
	const fill = async () => {
		for (const { seat } of open)
			if (!await actions.act({ action: "seat", seat, spec: computer || "" }))
				return;
	};
	const share = () => navigator.share({ title: t("people.invitation", { title: play.title }), url: link }).catch(() => {});
	return (
		<section class="card stack waiting-panel" aria-labelledby="waiting">
			<h2 id="waiting"><span class="pulse" aria-hidden="true" />{play.private ? t("people.waitingFriend", { n: open.length }) : t("people.waitingAnyone")}</h2>
			<p>{play.private ? t("people.sendLink", { n: open.length }) : t("people.inLobby")}{play.seats.length > 2 ? ` ${t("people.playersHere", { here, all: play.seats.length })}` : ""}</p>
			<label class="field"><span>{t("play.invitation")}</span>
				<input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
			</label>
			<div class="row">
				<button type="button" class="primary" onClick={() => void copyText(link, t("play.invitation"))}><Icon name="copy" />{t("people.copyLink")}</button>
				{"share" in navigator ? <button type="button" onClick={() => void share()}><Icon name="share" />{t("people.shareLink")}</button> : null}
			</div>
			<div class="scan"><QrPicture text={link} /><p class="small quiet">{t("people.scan", { open: String(!play.private) })}</p></div>
			<OwnName play={play} actions={actions} />
			<NotifySwitch />
			{play.owner && computer ? <button type="button" onClick={() => void fill()}><Icon name="computer" />{t("people.fill", { n: open.length })}</button> : null}
			<button type="button" onClick={() => void actions.act({ action: alone ? "cancel" : "leave" })}><Icon name="close" />{alone ? t("people.cancel") : t("people.leave")}</button>
		</section>
	);
}

function QrPicture({ text }: { text: string }) {
	const modules = useMemo(() => qrCode(text), [text]);
	if (!modules)
		return null;
	const size = modules.length, path = modules.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : [])).join("");
	return (
		<svg class="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={t("people.qr")} shape-rendering="crispEdges">
			<rect x="-4" y="-4" width={size + 8} height={size + 8} /><path d={path} />
		</svg>
	);
}

/** What the others will see. */
function OwnName({ play, actions }: { play: Play; actions: PlayActions }) {
	const mine = play.seats.filter(({ you }) => you);
	const [name, setName] = useState(mine[0]?.name ?? "");
	const save = async (event: Event) => {
		event.preventDefault();
		const own = name.trim();
		try {
			await post("/api/v1/me", { name: own });
			changeSettings({ name: own });
			for (const { seat } of mine)
				await actions.act({ action: "seat", seat, spec: "human" });
		} catch (error) {
			toastError(error);
		}
	};
	if (!roleOf(play).alone || !mine.length)
		return null;
	return (
		<form class="row own-name" onSubmit={save}>
			<label class="field"><span>{t("people.seenAs")}</span>
				<input type="text" required value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
			</label>
			<button type="submit" disabled={!name.trim() || name.trim() === mine[0]?.name}>{t("people.save")}</button>
		</form>
	);
}
