// Notices.tsx - notices: offers, an open seat, the rematch.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { rich, t } from "../messages";
import { DamagedNotice, PeoplePanel, WaitingPanel } from "../people/lazy";
import { changeSettings, settings } from "../store/settings";
import type { Board, OfferKind, Play } from "../types";
import type { PlayActions } from "./actions";
import { isLocal } from "./local";
import { declinedOffers } from "./offers";
import { roleOf } from "./rights";
import { nameOf } from "./status";

interface NoticeProps {
	play: Play;
	board: Board | null;
	actions: PlayActions;
}

/** The last offer of yours that was declined, until the game goes on. withdrawn: the one that you have withdrawn yourself. */
function useDeclined(play: Play, withdrawn: { current: OfferKind | null }): [OfferKind | null, () => void] {
	const before = useRef(play);
	const [kind, setKind] = useState<OfferKind | null>(null);
	useEffect(() => {
		const old = before.current;
		before.current = play;
		if (old.line.length !== play.line.length || old.offers.length < play.offers.length || old.id !== play.id || play.rematch)
			setKind(null);
		const lost = declinedOffers(old, play).find((one) => one !== withdrawn.current);
		if (lost)
			setKind(lost);
		if (old.offers.length > play.offers.length)
			withdrawn.current = null;
	}, [play]);
	return [kind, () => setKind(null)];
}

export function Notices({ play, board, actions }: NoticeProps) {
	const role = roleOf(play);
	const people = new Set(play.seats.filter(({ kind }) => kind === "person").map(({ name, you }) => you || name)).size;
	const open = play.seats.find((seat) => seat.kind === "open");
	const withdrawn = useRef<OfferKind | null>(null);
	const [lost, forget] = useDeclined(play, withdrawn);
	return (
		<>
			{play.damaged ? <DamagedNotice /> : null}
			{play.offers.map((offer) => (
				<Offer key={`${offer.kind} ${offer.seat}`} kind={offer.kind} mine={role.mine.includes(offer.seat)} seated={role.seated}
					name={nameOf(play, board, offer.seat)} actions={actions} onWithdraw={() => (withdrawn.current = offer.kind)} canAccept={offer.kind !== "rematch" || role.inProgress} />
			))}
			<div class="declined" role="status">
				{lost && role.inProgress ? <p class="notice row"><span>{t("play.declined", { kind: lost })}</span><button type="button" onClick={forget}>{t("ui.ok")}</button></p> : null}
			</div>
			{open && role.inProgress && !role.seated ? <Join seat={open.seat} actions={actions} /> : null}
			{open && role.inProgress && role.seated ? <WaitingPanel play={play} actions={actions} /> : null}
			{open || people < 2 || isLocal(play.id) ? null : <PeoplePanel play={play} board={board} />}
			{play.rematch ? (
				<p class="notice">{rich("play.rematchStarted",
					{ a: (text) => <a href={`/play/${encodeURIComponent(play.rematch ?? "")}`}>{text}</a>, seated: String(role.seated) })}</p>
			) : null}
			{!role.seated && !open && role.inProgress ? <p class="notice quiet">{t("play.watching")}</p> : null}
		</>
	);
}

/** canAccept: no other button accepts it. That of the rematch is at the end of the game. */
function Offer({ kind, mine, seated, name, actions, onWithdraw, canAccept }: {
	kind: OfferKind; mine: boolean; seated: boolean; name: string; actions: PlayActions; onWithdraw(): void; canAccept: boolean;
}) {
	if (mine)
		return (
			<div class="notice row">
				<span>{t("play.offered", { kind })}</span>
				<button type="button" onClick={() => {
					onWithdraw();
					void actions.act({ action: "decline", kind });
				}}>{t("play.withdraw")}</button>
			</div>
		);
	return (
		<div class="notice" role="alert">
			<p>{t("play.offers", { kind, player: name })}</p>
			{seated ? (
				<div class="row">
					{canAccept ? <button type="button" class="primary" onClick={() => void actions.act({ action: "accept", kind })}>{t("play.accept")}</button> : null}
					<button type="button" onClick={() => void actions.act({ action: "decline", kind })}>{t("play.decline")}</button>
				</div>
			) : null}
		</div>
	);
}

function Join({ seat, actions }: { seat: number; actions: PlayActions }) {
	const [name, setName] = useState(settings.get().name);
	return (
		<form class="notice" onSubmit={(event) => {
			event.preventDefault();
			changeSettings({ name: name.trim() });
			void actions.act(name.trim() ? { action: "join", seat, name: name.trim() } : { action: "join", seat });
		}}>
			<p>{t("play.seatOpen")}</p>
			<div class="row">
				<label class="field">
					<span>{t("play.yourName")}</span>
					<input type="text" value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
				</label>
				<button type="submit" class="primary">{t("play.join")}</button>
			</div>
		</form>
	);
}
