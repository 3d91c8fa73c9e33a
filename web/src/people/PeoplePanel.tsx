// PeoplePanel.tsx - a game between people: who watches, who has left, and what players say to each other.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../api";
import { t } from "../messages";
import { roleOf } from "../play/rights";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Phrase, PhraseMessage, Play } from "../types";
import { Icon } from "../ui/icons";
import { toast, toastError } from "../ui/toast";
import { hear, heard } from "./heard";
import { NotifySwitch } from "./NotifySwitch";
import { ReportButton } from "./Report";
import { PHRASES, whoIs } from "./words";

const SHOWN = 3; // phrases

interface PanelProps {
	play: Play;
	board: Board | null;
}

function pathOf(play: Play, rest: string): string {
	return `/api/v1/plays/${encodeURIComponent(play.id)}/${rest}`;
}

export function PeoplePanel({ play, board }: PanelProps) {
	const role = roleOf(play);
	const { phrases: isOpen } = useStore(settings);
	const said = useStore(heard);
	const phrases = said.id === play.id && isOpen ? said.phrases : [];
	const others = (play.watchers ?? 0) - (role.seated ? 0 : 1); // you are one of those without a seat
	const people = play.seats.filter(({ kind, you }) => kind === "person" && !you).map(({ seat, name }) => ({ seat, name: name || whoIs(play, board, seat) }));
	useSpoken(play, board, phrases);
	const mayClaim = play.claim && role.seated && !role.mine.includes(play.claim.seat);
	return (
		<>
			{mayClaim ? <Claim key={play.claim?.seat} play={play} board={board} /> : null}
			<section class="card stack people" aria-labelledby="phrases">
				<div class="row">
					<h2 id="phrases">{t("people.title")}</h2>
					{others > 0 ? <span class="small quiet watchers"><Icon name="eye" />{t("lobby.watching", { n: others })}</span> : null}
					<button type="button" class="icon" aria-pressed={!isOpen} aria-label={t("people.mute")} title={t("people.mute")}
						onClick={() => changeSettings({ phrases: !isOpen })}><Icon name="eye" /></button>
				</div>
				{!isOpen ? <p class="small quiet">{t("people.muted")}</p> : phrases.length ? (
					<ul class="said">
						{phrases.slice(-SHOWN).map(({ number, seat, phrase }) => <li key={number}><strong>{whoIs(play, board, seat)}:</strong> {PHRASES[phrase]}</li>)}
					</ul>
				) : null}
				{role.seated ? <Say play={play} /> : null}
				{role.seated && role.inProgress ? <NotifySwitch /> : null}
				{people.length ? <div class="row"><ReportButton kind="game" id={play.id} people={people} /></div> : null}
			</section>
		</>
	);
}

/** Shows a new phrase of another player for a moment, wherever the reader looks. The message is a live region. */
function useSpoken(play: Play, board: Board | null, phrases: PhraseMessage[]): void {
	const last = useRef(phrases[phrases.length - 1]?.number ?? 0);
	useEffect(() => {
		const newest = phrases[phrases.length - 1];
		if (!newest || newest.number <= last.current)
			return;
		last.current = newest.number;
		if (!roleOf(play).mine.includes(newest.seat))
			toast(t("people.says", { player: whoIs(play, board, newest.seat), phrase: PHRASES[newest.phrase] }));
	}, [phrases]);
}

function Say({ play }: { play: Play }) {
	const say = (phrase: Phrase) => post<PhraseMessage>(pathOf(play, "phrases"), { phrase }).then((message) => hear(play.id, message), toastError);
	return (
		<div class="phrases" role="group" aria-label={t("people.say")}>
			{(Object.keys(PHRASES) as Phrase[]).map((phrase) => <button type="button" key={phrase} onClick={() => void say(phrase)}>{PHRASES[phrase]}</button>)}
		</div>
	);
}

/** The opponent has left a game without a clock: after a while you may claim it. */
function Claim({ play, board }: PanelProps) {
	const [until, setUntil] = useState(0);
	const [, tick] = useState(0);
	useEffect(() => setUntil(performance.now() + (play.claim?.wait ?? 0)), [play.claim]);
	useEffect(() => {
		const timer = setInterval(() => tick((n) => n + 1), 1000);
		return () => clearInterval(timer);
	}, []);
	const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
	const claim = () => post<Play>(pathOf(play, "claim"), {}).catch(toastError); // the stream brings the end
	const player = whoIs(play, board, play.claim?.seat ?? 0);
	return (
		<div class="notice claim">
			<p>{seconds ? t("people.hasLeft", { player, minutes: Math.ceil(seconds / 60) }) : t("people.canClaim", { player })}</p>
			{seconds ? null : <button type="button" class="primary" onClick={() => void claim()}>{t("people.claim")}</button>}
		</div>
	);
}
