// EndPanel.tsx - the end of a game: result, score, and what to do next. It is beside the board, which stays visible.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { PieceShape } from "../board/drawing";
import { capital } from "../board/text";
import { t } from "../messages";
import { opponentsOf } from "../pages/opponents";
import { baseName, startPlay } from "../pages/parts";
import { roleOf } from "../play/rights";
import { levelResults, suggestLevel } from "../play/suggest";
import { ShareDialog } from "../play/ShareDialog";
import { navigate } from "../router";
import { storedGames } from "../store/games";
import { animationsOn } from "../store/settings";
import type { Board, Game, Level, NewPlay, Play } from "../types";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { celebrate } from "./confetti";
import type { EndProps } from "./GameEnd";
import { reviewOf } from "./review";
import { endingOf, scoreRows, winnerOf, type Mood } from "./words";

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

export function EndPanel({ play, board, game, actions, onClose }: EndProps & { onClose(): void }) {
	const panel = useRef<HTMLDivElement>(null);
	const { mood, title, detail } = endingOf(play, board);
	const suggestion = useSuggestion(game);
	useEffect(() => {
		if (!document.querySelector("dialog[open]"))
			panel.current?.focus({ preventScroll: true });
		panel.current?.scrollIntoView({ block: "nearest" });
		return mood === t("end.won") && animationsOn() ? celebrate() : undefined;
	}, []);
	/* What had the focus before may be gone, since the controls change when a game ends. */
	const close = () => {
		document.querySelector<SVGElement>(".play [role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
		onClose();
	};
	return (
		<div ref={panel} class={`card end-panel ${mood}`} role="dialog" aria-labelledby="end-title" aria-describedby="end-words" tabIndex={-1}
			onKeyDown={(event) => event.key === "Escape" && !(event.target as Element).closest("dialog") && close()}>
			<header>
				<Medal mood={mood} isWon={mood === "other" && winnerOf(play) > 0} />
				<h2 id="end-title">{title}</h2>
				<button type="button" class="icon" aria-label={t("ui.close")} title={t("ui.close")} onClick={close}><Icon name="close" /></button>
			</header>
			<div id="end-words">
				{detail ? <p class="detail">{detail}</p> : null}
				<Scores play={play} board={board} />
				{suggestion ? <p>{suggestion}</p> : null}
			</div>
			<Choices play={play} board={board} game={game} actions={actions} mood={mood} />
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

/** A cup, a handshake or a flag: the words say the same. */
function Medal({ mood, isWon }: { mood: Mood; isWon: boolean }) {
	if (mood === t("end.won") || isWon)
		return (
			<svg class="medal" viewBox="0 0 24 24" width="34" height="34" aria-hidden="true">
				<path d="M7 4h10v6a5 5 0 0 1-10 0zM7 6H4c0 3 1 5 3.5 5.500M17 6h3c0 3-1 5-3.5 5.500M12 15v3M8 20h8M10 18h4" />
			</svg>
		);
	return <span class="medal"><Icon name={mood === "draw" ? "handshake" : "flag"} /></span>;
}

function Scores({ play, board }: { play: Play; board: Board | null }) {
	const rows = scoreRows(play, board), winner = winnerOf(play);
	return (
		<ul class="end-scores">
			{rows.map(({ seat, name, side, score }) => {
				const piece = board?.pieces.find((one) => one.seat === seat);
				return (
					<li key={seat} class={seat === winner ? "winner" : ""}>
						{piece ? <svg class="board picture" viewBox="-50 -50 100 100" aria-hidden="true"><PieceShape kind={piece} /></svg> : null}
						<span class="name">{name} {side ? <small>{side}</small> : null}</span>
						{score ? <span class="points">{score}</span> : null}
						{seat === winner ? <span class="small">{t("end.won")}</span> : null}
					</li>
				);
			})}
		</ul>
	);
}

function Choices({ play, game, actions, mood }: EndProps & { mood: Mood }) {
	const role = roleOf(play);
	const [sharing, setSharing] = useState(false);
	const [busy, setBusy] = useState(false);
	const isOffered = !play.rematch && play.offers.some(({ kind, seat }) => kind === "rematch" && role.mine.includes(seat));
	const next = mood === t("end.won") ? nextLevel(play, game) : null;
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
					<Icon name="again" />{isOffered ? t("end.rematchOffered") : t("end.rematch")}
				</button>
			) : null}
			<button type="button" onClick={() => reviewOf(play)}><Icon name="analyse" />{t("end.review")}</button>
			<button type="button" onClick={() => setSharing(true)}><Icon name="share" />{t("end.share")}</button>
			{next
				? <button type="button" aria-disabled={busy} onClick={() => busy || climb(next)}><Icon name="computer" />{t("end.next", { level: capital(next.name) })}</button>
				: <a class="button" href={`/games/${encodeURIComponent(baseName(play.game))}`}><Icon name="plus" />{t("end.newOpponent")}</a>}
			{sharing ? <ShareDialog play={play} onClose={() => setSharing(false)} /> : null}
		</div>
	);
}
