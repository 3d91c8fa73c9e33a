// EndPanel.tsx - below the result of a game: the standing of several players, and what you can do next.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { PieceShape } from "../board/drawing";
import { capital, playerName, sideName } from "../board/text";
import { minus, t } from "../messages";
import { opponentsOf } from "../pages/opponents";
import { baseName, startPlay } from "../pages/parts";
import { roleOf } from "../play/rights";
import { levelResults, suggestLevel } from "../play/suggest";
import { ShareDialog } from "../play/ShareDialog";
import { wordsOf } from "../play/words";
import { reviewLink } from "../review/link";
import { navigate } from "../router";
import { storedGames } from "../store/games";
import { animationsOn } from "../store/settings";
import type { Board, Game, Level, NewPlay, Play } from "../types";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { celebrate } from "./confetti";
import type { EndProps } from "./Heading";
import { setResigned } from "./resigned";
import type { Mood } from "./words";

/** The next stronger opponent on the ladder of the only computer; null: none. */
export function nextLevel(play: Pick<Play, "seats">, game: Game | null): Level | null {
	const [computer, more] = play.seats.filter(({ kind }) => kind === "computer");
	const all = game ? opponentsOf(game) : [];
	const ladder = game?.ladders[0]?.levels ?? [], at = ladder.findIndex(({ spec }) => spec === computer?.spec);
	if (more || at < 0)
		return null;
	return ladder[at + 1] ?? all.find(({ spec }) => spec === "perfect") ?? null;
}

/** The same game against another computer. */
export function playAgainst(play: Play, spec: string): NewPlay {
	return {
		game: play.game,
		seats: play.seats.map(({ kind }) => kind === "computer" ? spec : "human"),
		...(play.start !== "start" ? { position: play.start } : {}),
		...(play.clocks ? { clock: play.clocks.terms } : {}),
		...(play.dice ? { dice: play.dice.mode } : {}),
		private: play.private,
	};
}

export function EndPanel({ fresh, ...props }: EndProps & { mood: Mood; fresh: boolean }) {
	const { play, board, game, mood } = props;
	const here = useRef<HTMLDivElement>(null);
	const suggestion = useSuggestion(play.result ? game : null);
	/* What had the focus before may be gone, since the controls change when a game ends. */
	useEffect(() => {
		const card = fresh ? here.current?.closest<HTMLElement>(".end-panel") : null;
		if (card && !document.querySelector("dialog[open]"))
			card.focus({ preventScroll: true });
		card?.scrollIntoView({ block: "nearest" });
		return fresh && mood === "won" && animationsOn() ? celebrate() : undefined;
	}, [fresh]);
	return (
		<div class="end-more" ref={here}>
			{play.seats.length > 2 ? <Standing play={play} board={board} /> : null}
			{suggestion ? <p class="small">{suggestion}</p> : null}
			{play.result ? <Choices {...props} /> : <AfterResigning play={play} />}
		</div>
	);
}

/** A sentence about the next level, after some games that went alike. */
function useSuggestion(game: Game | null): string | null {
	const [text, setText] = useState<string | null>(null);
	useEffect(() => {
		if (game)
			void storedGames.list().then((stored) => setText(suggestLevel(game, levelResults(game, stored))?.text ?? null), () => {});
	}, [game]);
	return text;
}

export interface ScoreRow {
	seat: number;
	name: string;
	side: string;
	score: string; // "": the game has none
}

/** The players with their real scores, not the result, the best one first. */
export function scoreRows(play: Play, board: Board | null): ScoreRow[] {
	const words = wordsOf(play.game), points = (seat: number) => play.view.scores?.[seat - 1] ?? 0;
	return play.seats.map((seat) => ({
		seat: seat.seat,
		name: seat.you ? t("end.you") : playerName(seat),
		side: sideName(board, seat.seat),
		score: board && words?.seat ? words.seat(play.view, board, seat.seat) : minus(play.view.scores?.[seat.seat - 1] ?? ""),
	})).sort((a, b) => points(b.seat) - points(a.seat));
}

function Standing({ play, board }: { play: Play; board: Board | null }) {
	return (
		<ol class="end-scores" aria-label={t("end.standing")}>
			{scoreRows(play, board).map(({ seat, name, side, score }) => {
				const piece = board?.pieces.find((one) => one.seat === seat);
				return (
					<li key={seat}>
						{piece ? <svg class="board picture" viewBox="-50 -50 100 100" aria-hidden="true"><PieceShape kind={piece} /></svg> : null}
						<span class="name">{side} <small>{name}</small></span>
						{score ? <span class="points">{score}</span> : null}
					</li>
				);
			})}
		</ol>
	);
}

/** The others go on without you. */
function AfterResigning({ play }: { play: Play }) {
	return (
		<div class="end-choices">
			<a class="button primary" href={`/games/${encodeURIComponent(baseName(play.game))}`}><Icon name="plus" />{t("end.newGame")}</a>
			<button type="button" onClick={() => setResigned(null)}><Icon name="eye" />{t("end.keepWatching")}</button>
		</div>
	);
}

function Choices({ play, game, actions, mood }: EndProps & { mood: Mood }) {
	const role = roleOf(play);
	const [sharing, setSharing] = useState(false);
	const [busy, setBusy] = useState(false);
	const asked = play.rematch ? undefined : play.offers.find(({ kind }) => kind === "rematch"), isOffered = Boolean(asked && role.mine.includes(asked.seat));
	const next = mood === "won" ? nextLevel(play, game) : null;
	/* After a win the review says whether there is anything to learn. */
	const reviewed = play.line.length > 0 && play.seats.length <= 2; // nothing tells what a move in a game of more is worth
	const learner = mood !== "won" && play.seats.length === 2 && role.mine.length === 1 ? role.mine[0] : null;
	const rematch = () => play.rematch ? navigate(`/play/${encodeURIComponent(play.rematch)}`)
		: void actions.act({ action: "rematch" }); // that also accepts the offer of another player
	const climb = (level: Level) => {
		setBusy(true);
		startPlay(playAgainst(play, level.spec)).catch(toastError).finally(() => setBusy(false));
	};
	return (
		<div class="end-choices">
			{role.seated ? (
				<button type="button" class="primary large" aria-disabled={isOffered} onClick={() => isOffered || rematch()}>
					<Icon name="again" />{isOffered ? t("end.rematchOffered") : asked ? t("end.rematchAccept") : t("end.rematch")}
				</button>
			) : null}
			{reviewed && learner ? <a class="button wide" href={`${reviewLink(play)}?learn=${learner}`}><Icon name="hint" />{t("end.learn")}</a> : null}
			{reviewed ? <a class="button" href={reviewLink(play)}><Icon name="analyse" />{t("end.review")}</a> : null}
			<button type="button" onClick={() => setSharing(true)}><Icon name="share" />{t("end.share")}</button>
			{next
				? <button type="button" aria-disabled={busy} onClick={() => busy || climb(next)}><Icon name="computer" />{t("end.next", { level: capital(next.name) })}</button>
				: <a class="button" href={`/games/${encodeURIComponent(baseName(play.game))}`}><Icon name="plus" />{t("end.newOpponent")}</a>}
			{sharing ? <ShareDialog play={play} onClose={() => setSharing(false)} /> : null}
		</div>
	);
}
