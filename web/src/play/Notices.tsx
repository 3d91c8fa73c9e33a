// Notices.tsx - notices: offers, an open seat, the rematch.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { changeSettings, settings } from "../store/settings";
import type { Board, OfferKind, Play } from "../types";
import type { PlayActions } from "./actions";
import { declinedOffers } from "./offers";
import { roleOf } from "./rights";
import { absolute, CopyField } from "./ShareDialog";
import { nameOf } from "./status";

interface NoticeProps {
	play: Play;
	board: Board | null;
	actions: PlayActions;
}

const offers: Record<OfferKind, string> = {
	draw: "offers a draw", undo: "asks to take back a move", rematch: "asks for a rematch", swap: "asks to swap sides",
};

const waiting: Record<OfferKind, string> = {
	draw: "You offered a draw.", undo: "You asked to take back a move.", rematch: "You offered a rematch.", swap: "You asked to swap sides.",
};

const declined: Record<OfferKind, string> = {
	draw: "Your draw offer was declined.", undo: "Your request to take back a move was declined.",
	rematch: "Your rematch offer was declined.", swap: "Your request to swap sides was declined.",
};

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
	const open = play.seats.find((seat) => seat.kind === "open");
	const withdrawn = useRef<OfferKind | null>(null);
	const [lost, forget] = useDeclined(play, withdrawn);
	return (
		<>
			{play.offers.map((offer) => (
				<Offer key={`${offer.kind} ${offer.seat}`} kind={offer.kind} mine={role.mine.includes(offer.seat)} seated={role.seated}
					name={nameOf(play, board, offer.seat)} actions={actions} onWithdraw={() => (withdrawn.current = offer.kind)} />
			))}
			<div class="declined" role="status">
				{lost ? <p class="notice row"><span>{declined[lost]}</span><button type="button" onClick={forget}>OK</button></p> : null}
			</div>
			{open && role.inProgress && !role.seated ? <Join seat={open.seat} actions={actions} /> : null}
			{open && role.inProgress && role.seated ? (
				<div class="notice">
					<p>{play.private ? "Send this link to a friend to start the game." : "Your game is in the lobby. You can also send this link to a friend."}</p>
					<CopyField label="Invitation link" text={absolute(`/play/${encodeURIComponent(play.id)}`)} />
				</div>
			) : null}
			{play.rematch ? (
				<p class="notice">The rematch has started. <a href={`/play/${encodeURIComponent(play.rematch)}`}>{role.seated ? "Go to it" : "Watch it"}</a></p>
			) : null}
			{!role.seated && !open && role.inProgress ? <p class="notice quiet">You are watching this game.</p> : null}
		</>
	);
}

function Offer({ kind, mine, seated, name, actions, onWithdraw }: {
	kind: OfferKind; mine: boolean; seated: boolean; name: string; actions: PlayActions; onWithdraw(): void;
}) {
	if (mine)
		return (
			<div class="notice row">
				<span>{`${waiting[kind]} Waiting for a reply.`}</span>
				<button type="button" onClick={() => {
					onWithdraw();
					void actions.act({ action: "decline", kind });
				}}>Withdraw</button>
			</div>
		);
	return (
		<div class="notice" role="alert">
			<p>{`${name} ${offers[kind]}.`}</p>
			{seated ? (
				<div class="row">
					<button type="button" class="primary" onClick={() => void actions.act({ action: "accept", kind })}>Accept</button>
					<button type="button" onClick={() => void actions.act({ action: "decline", kind })}>Decline</button>
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
			<p>A seat is open. Do you want to play?</p>
			<div class="row">
				<label class="field">
					<span>Your name</span>
					<input type="text" value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
				</label>
				<button type="submit" class="primary">Join game</button>
			</div>
		</form>
	);
}
