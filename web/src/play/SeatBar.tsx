// SeatBar.tsx - one seat: name, connection, score and clock, and the choice of its player.
// SPDX-License-Identifier: MIT
import { PieceShape } from "../board/drawing";
import { capital, sideName, playerName } from "../board/text";
import { minus, t } from "../messages";
import { OpponentOptions } from "../pages/opponentchoice";
import { opponentsOf } from "../pages/opponents";
import type { Board, Game, Play, Seat } from "../types";
import { Icon } from "../ui/icons";
import { Member } from "../ui/member";
import type { PlayActions } from "./actions";
import type { Captures } from "./captures";
import { Captured } from "./Captured";
import { Clock } from "./clocks";
import { roleOf } from "./rights";
import { wordsOf } from "./words";

interface SeatBarProps {
	play: Play;
	at: number;
	seat: Seat;
	board: Board | null;
	game: Game | null;
	actions: PlayActions;
	captured?: Captures | undefined; // what this seat has captured
}

export function SeatBar({ play, at, seat, board, game, actions, captured }: SeatBarProps) {
	const role = roleOf(play);
	const turn = role.inProgress && play.view.turn === seat.seat;
	const won = (play.result ?? play.view.result) === `win ${seat.seat}`;
	const doing = won ? t("play.seatWon") : !turn ? "" : play.view.seat === 0 ? t("play.seatToRoll") : play.thinking ? t("play.seatThinking") : t("play.seatToMove");
	const isAway = role.inProgress && seat.kind === "person" && !seat.connected;
	const score = play.view.scores?.[seat.seat - 1]; // the result is not a score
	const side = sideName(board, seat.seat);
	const count = board ? wordsOf(play.game)?.seat?.(play.view, board, seat.seat) : undefined;
	return (
		<div class={`seat${turn ? " to-move" : ""}${won ? " won" : ""}`} role="group" aria-label={side}>
			<Chip board={board} seat={seat.seat} />
			<div class="who">
				<SeatName play={play} seat={seat} side={side} game={game} actions={actions} />
				<span class="small quiet">{side}{doing && ` · ${doing}`}{isAway && ` · ${t("play.away")}`}</span>
			</div>
			{board && captured ? <Captured board={board} captured={captured} /> : null}
			{count !== undefined ? <span class="count-text">{count}</span> : score === undefined ? null
				: <span class="score" aria-label={t("play.score", { score })}>{minus(score)}</span>}
			{play.clocks ? <Clock clocks={play.clocks} seat={seat.seat} side={side} at={at} /> : null}
		</div>
	);
}

/** A picture of the seat's piece. */
function Chip({ board, seat }: { board: Board | null; seat: number }) {
	const piece = board?.pieces.find((one) => one.seat === seat);
	if (!piece)
		return <span class="chip">{seat}</span>;
	return <svg class="chip board picture" viewBox="-50 -50 100 100" aria-hidden="true"><PieceShape kind={piece} /></svg>;
}

function SeatName({ play, seat, side, game, actions }: Omit<SeatBarProps, "at" | "board"> & { side: string }) {
	const role = roleOf(play);
	const free = role.seated && !play.result && (role.alone ? seat.kind !== "person" || seat.you : play.owner && seat.kind === "open");
	if (free && game)
		return <SeatSelect seat={seat} side={side} game={game} actions={actions} shared={role.mine.length > 1} />;
	const dot = seat.kind === "person" ? (
		<span class={`dot ${seat.connected ? "on" : "off"}`} role="img" aria-label={seat.connected ? t("play.connected") : t("play.away")}
			title={seat.connected ? t("play.connected") : t("play.away")} />
	) : <Icon name={seat.kind === "computer" ? "computer" : "person"} />;
	if (seat.you && role.mine.length > 1)
		return <span class="name">{dot}<span>{t("play.nthPlayer", { n: seat.seat })}</span></span>;
	const name = seat.kind === "open" ? t("play.openSeat") : playerName(seat);
	const text = seat.you && name !== "You" ? t("play.nameYou", { name }) : name;
	return <span class="name">{dot}<span title={text}>{text}</span><Member of={seat} /></span>;
}

/** Changes the player of the seat, also during a game: a level, you, or an open seat. shared: several people play on this screen. */
function SeatSelect({ seat, side, game, actions, shared }: { seat: Seat; side: string; game: Game; actions: PlayActions; shared: boolean }) {
	const now = seat.kind === "computer" ? seat.spec ?? "" : seat.kind === "open" ? "open" : "human";
	const odd = seat.kind === "computer" && !opponentsOf(game).some(({ spec }) => spec === now);
	return (
		<label class="name">
			<Icon name={seat.kind === "computer" ? "computer" : "person"} />
			<span class="unseen">{t("play.whoPlays", { side })}</span>
			<select value={now} onChange={(event) => {
				const select = event.currentTarget, spec = select.value;
				void actions.act({ action: "seat", seat: seat.seat, spec }).then((done) => done || (select.value = now));
			}}>
				<option value="human">{seat.you && shared ? t("play.nthPlayer", { n: seat.seat }) : seat.you && seat.name && seat.name !== "You" ? t("play.nameYou", { name: seat.name }) : t("play.you")}</option>
				<OpponentOptions game={game} />
				{odd ? <option value={now}>{capital(seat.name)}</option> : null}
				<option value="open">{t("play.openSeat")}</option>
			</select>
		</label>
	);
}
