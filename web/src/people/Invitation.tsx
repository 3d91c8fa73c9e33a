// Invitation.tsx - the first screen of somebody who opens an invitation: which game, who invites, and a button to join.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture";
import { PieceShape } from "../board/drawing";
import { capital, sideName } from "../board/text";
import { rich, t } from "../messages";
import { clockWords } from "../pages/newplay";
import { baseName, useTitle } from "../pages/parts";
import { playActions } from "../play/actions";
import type { PlayStream } from "../play/usePlay";
import { StarPicture } from "../starchess/StarPicture";
import { changeSettings, settings } from "../store/settings";
import type { Board, Play } from "../types";
import { Icon } from "../ui/icons";

interface InvitationProps {
	play: Play;
	board: Board | null;
	receive: PlayStream["receive"];
	onWatch(): void;
}

export function Invitation({ play, board, receive, onWatch }: InvitationProps) {
	useTitle(t("people.invitation", { title: play.title }));
	const open = play.seats.filter(({ kind }) => kind === "open").map(({ seat }) => seat);
	const host = play.seats.find(({ kind }) => kind === "person");
	const [name, setName] = useState(settings.get().name);
	const [chosen, setChosen] = useState(open[0] ?? 1);
	const [busy, setBusy] = useState(false);
	const seat = open.includes(chosen) ? chosen : open[0] ?? 1; // somebody else may have taken it meanwhile
	const join = async (event: Event) => {
		event.preventDefault();
		const own = name.trim();
		setBusy(true);
		changeSettings({ name: own });
		await playActions(play.id, receive).act(own ? { action: "join", seat, name: own } : { action: "join", seat });
		setBusy(false);
	};
	const learn = (text: ComponentChildren) => <a href={`/learn/${encodeURIComponent(baseName(play.game))}`}>{text}</a>;
	return (
		<section class="page invitation">
			<form class="card stack" onSubmit={join}>
				<h1>{host ? rich("people.invites", { name: <strong>{host.name}</strong>, title: <strong>{play.title}</strong> })
					: t("people.joinGame", { title: play.title })}</h1>
				<ul class="terms">
					<li><Chip board={board} seat={seat} />{open.length > 1 ? <label>{t("people.chooseSide")} <select value={seat}
						onChange={(event) => setChosen(Number(event.currentTarget.value))}>
						{open.map((one) => <option key={one} value={one}>{sideName(board, one)}</option>)}
					</select></label> : t("people.youPlay", { side: sideName(board, seat) })}</li>
					<li><Icon name="clock" />{capital(play.clocks ? clockWords(play.clocks.terms) : t("lobby.noClock"))}</li>
					{play.dice?.mode === "typed" ? <li><Icon name="dice" />{t("people.typedDice")}</li> : null}
					{host ? <li><span class={`dot ${host.connected ? "on" : "off"}`} />{t("people.hostHere", { name: host.name, here: String(host.connected) })}</li> : null}
				</ul>
				<label class="field">
					<span>{t("people.yourName")}</span>
					<input type="text" value={name} maxLength={24} autocomplete="nickname" placeholder={t("people.guest")} onInput={(event) => setName(event.currentTarget.value)} />
				</label>
				<button type="submit" class="primary large" disabled={busy}><Icon name="play" />{t("play.join")}</button>
				<p class="small quiet">{rich("people.noAccount", { a: learn })}</p>
				<button type="button" onClick={onWatch}><Icon name="eye" />{t("people.justWatch")}</button>
			</form>
			<div class="live-picture" aria-hidden="true">
				{board && (baseName(play.game) === "starchess" ? <StarPicture standing={play.view.standing} /> : <BoardPicture board={board} view={play.view} turned={board.turnable && seat === 2} />)}
			</div>
		</section>
	);
}

function Chip({ board, seat }: { board: Board | null; seat: number }) {
	const piece = board?.pieces.find((one) => one.seat === seat);
	return piece && board ? <svg class="chip board picture" viewBox="-50 -50 100 100" aria-hidden="true"><PieceShape kind={piece} /></svg> : <Icon name="person" />;
}
