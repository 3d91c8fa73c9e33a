// play.tsx - "/play/ID": a game in progress.
// SPDX-License-Identifier: MIT
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { unclicked } from "../board/entry";
import { MoveButtons } from "../board/MoveChoice";
import { withColours } from "../board/stones";
import { moveName } from "../board/text";
import { Heading } from "../end/Heading";
import type { RequestError } from "../api";
import { afterFirstBoard } from "../engine/core";
import { t } from "../messages";
import { Invitation } from "../people/lazy";
import { useNotifications } from "../people/notify";
import { useHelp } from "../people/useHelp";
import { playActions } from "../play/actions";
import { AHEAD_MS, useAhead, type Ahead } from "../play/ahead";
import { useCaptures } from "../play/captures";
import { Controls } from "../play/Controls";
import { DicePanel } from "../play/DicePanel";
import { LearnedPanel } from "../play/LearnedPanel";
import { MoveField } from "../play/MoveField";
import { MoveNow } from "../play/MoveNow";
import { Notices } from "../play/Notices";
import { PlayHint } from "../play/PlayHint";
import { roleOf } from "../play/rights";
import { play as sound } from "../play/sounds";
import { lastMoveText } from "../play/status";
import { Table } from "../play/Table";
import { ThoughtsPanel } from "../play/ThoughtsPanel";
import { canSolve, TOO_COMPLEX } from "../play/solvable";
import { hintArrows, hintText, useHint } from "../play/useAdvice";
import { useComputer } from "../play/useComputer";
import { usePlayEffects } from "../play/useEffects";
import { undoneMoves, useLook } from "../play/useLook";
import { useAutoPass } from "../play/pass";
import { usePlay, type PlayStream } from "../play/usePlay";
import { usePremove } from "../play/usePremove";
import { useZen } from "../play/useZen";
import { LuckPanel } from "../play/lazy";
import { WalkBar } from "../play/WalkBar";
import { moveNumber, wordsOf, type FixedMove } from "../play/words";
import { navigate } from "../router";
import type { PageProps } from "../routes";
import { StarRoom } from "../starchess/lazy";
import { settings } from "../store/settings";
import { useStore } from "../store/store";
import { movesTo } from "../tree";
import { laterStyle } from "../ui/lazy";
import type { Board, Play } from "../types";
import { toast } from "../ui/toast";
import { exactText, useValues } from "./exact";
import { MoveTree } from "./movetree";
import { marksOf, NotionPanel, useNotions } from "./notions";
import { OpeningName } from "./openings";
import { baseName, Failure, useBoard, useGame, useTitle } from "./parts";
import { useWalkKeys } from "./walk";

export interface RoomProps {
	play: Play;
	at: number;
	board: Board | null;
	ahead: Ahead;
	receive: PlayStream["receive"];
	thoughts: PlayStream["thoughts"];
	hurry(): void; // the computer of this browser
}

/** Games with a play page of their own. */
const ROOMS: Record<string, ComponentType<RoomProps>> = { starchess: StarRoom };

function NoPlay({ error }: { error: RequestError }) {
	const missing = error.status === 404;
	const title = missing ? t("pages.gameNotFound") : t("pages.cannotShow");
	useTitle(title);
	return (
		<section class="page narrow">
			<h1>{title}</h1>
			{missing ? <p>{t("pages.noGame")}</p> : <Failure error={error.message} />}
			<p><a href="/">{t("pages.allGames")}</a></p>
		</section>
	);
}

export function PlayPage({ args }: PageProps) {
	const id = args[0] ?? "";
	const { play, at, error, receive, thoughts } = usePlay(id, useStore(settings).thoughts);
	const ahead = useAhead(play);
	const computer = useComputer(ahead.play, receive, ahead.show);
	const found = useBoard(play?.game ?? "");
	const board = found?.board && play ? withColours(found.board, play.view.position) : null;
	usePlayEffects(play, board);
	/* Panels that are opened later have their styles there. */
	useEffect(() => void afterFirstBoard.then(laterStyle).catch(() => {}), []);
	useNotifications(play);
	const [watches, setWatches] = useState(""); // the play that is watched though a seat is open
	if (error && !play)
		return <NoPlay error={error} />;
	if (!play || !found)
		return <section class="page"><p role="status">{t("pages.loading")}</p></section>;
	if (play.reason === "cancelled" && !play.line.length)
		return (
			<section class="page narrow">
				<h1>{t("people.cancelled")}</h1>
				<p>{t("people.cancelledAbout", { title: play.title })}</p>
				<div class="row"><a class="button primary" href={`/games/${encodeURIComponent(baseName(play.game))}`}>{t("people.newGame")}</a><a class="button" href="/">{t("pages.allGames")}</a></div>
			</section>
		);
	const role = roleOf(play);
	if (role.waiting && !role.seated && watches !== play.id)
		return <Invitation play={play} board={board} receive={receive} onWatch={() => setWatches(play.id)} />;
	const Own = ROOMS[baseName(play.game)] ?? Room;
	return <Own play={play} ahead={ahead} at={at} board={board} receive={receive} thoughts={play.engine === "browser" ? computer.thoughts : thoughts} hurry={computer.hurry} />;
}

/** The page, once everything is loaded. */
function Room({ play, ahead, at, board, receive, thoughts, hurry }: RoomProps) {
	const role = roleOf(play);
	const [sent, setSent] = useState(-1); // the version of the play in which your move was sent; -1: none
	const version = useRef(play.version);
	version.current = play.version;
	const ply = useRef(play.line.length);
	ply.current = play.line.length;
	const shown = useRef(ahead);
	shown.current = ahead;
	const actions = useMemo(() => {
		const { act, move } = playActions(play.id, receive, () => ply.current);
		/* Ignores a second click while the first move is being sent. */
		const moveOnce = async (text: string) => {
			setSent(version.current);
			const timer = setTimeout(() => shown.current.show(text), AHEAD_MS);
			return move(text).finally(() => {
				clearTimeout(timer);
				shown.current.clear();
				setSent(-1);
			});
		};
		return { act, move: moveOnce };
	}, [play.id, receive]);
	const { info } = useGame(play.game);
	const [flipped, setFlipped] = useState(false);
	const [exact, setExact] = useState(false);
	const [hinting, setHinting] = useState(false);
	const zen = useZen();
	const { faceMover } = useStore(settings);
	const look = useLook(play);
	const view = look.back ? look.view : ahead.play?.view ?? look.view;
	const where = { game: play.game, position: play.start, moves: movesTo(look.tree, look.node) };
	const notions = useNotions(info, role.hintsAllowed, where);
	const hint = useHint(hinting && role.hintsAllowed && !view.over, where);
	const isExact = exact && role.hintsAllowed && !view.over && view.seat !== 0, solvable = canSolve(info, view);
	const values = useValues(isExact && solvable, where.game, where.position, where.moves);
	const interactive = sent !== play.version && !look.back && (role.myTurn || role.enteringRoll);
	const premove = usePremove(!interactive && !look.back && !isExact, play, board, actions.move);
	const advice = premove.text || (hint ? hintText(hint) : hinting ? t("pages.findingHint") : lastMoveText(play, board));
	const happened = isExact ? `${advice} ${solvable ? exactText(values) : TOO_COMPLEX}` : advice;
	const isSecond = faceMover && role.alone && role.mine.length > 1 ? (view.seat || view.turn) === 2 : role.turned;
	const turned = (board?.turnable ?? false) && isSecond !== flipped;
	const home = role.mine.length === 1 ? role.mine[0] ?? 1 : 1;
	const near = board?.turnable ? (turned ? 2 : 1) : home;
	useAutoPass(interactive && role.myTurn, play, receive);
	const room = useRef<HTMLElement>(null);
	const words = wordsOf(play.game);
	const captures = useCaptures(play, board, view);
	const fixed = words && role.seated && role.inProgress ? words.fixed?.(play.game) ?? [] : [];
	const buttons = interactive && board ? unclicked(view.moves).filter(({ move }) => !fixed.some((one) => one.move === move)) : [];
	const decide = view.seat !== 0 ? words?.button : undefined;
	/* The button disappears with its move, so move the focus to the board. */
	const onButton = (move: string) => {
		void actions.move(move);
		room.current?.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
	};
	const onFixed = ({ move, none }: FixedMove) => {
		if (!interactive || !role.myTurn)
			return;
		if (view.moves.some((one) => one.move === move))
			return void actions.move(move);
		sound("refused");
		toast(none);
	};
	const canHint = role.inProgress && role.hintsAllowed && play.view.seat !== 0;
	const onHint = () => canHint && setHinting(!hinting);
	useWalkKeys(look, {
		f: () => setFlipped((now) => !now), z: zen.toggle, t: notions.toggle, h: onHint, q: onHint,
		y: () => hint && interactive && onButton(hint.move),
		...Object.fromEntries(fixed.map((one) => [one.key, () => onFixed(one)])),
		...Object.fromEntries(buttons.flatMap(({ move }) => decide && words?.keys?.[move] ? [[words.keys[move], () => onButton(move)]] : [])),
	});
	const aspect = board ? board.width / board.height : 1;
	const seen = useRef(play.rematch);
	useEffect(() => {
		if (role.seated && play.rematch && seen.current === null)
			navigate(`/play/${encodeURIComponent(play.rematch)}`);
		seen.current = play.rematch;
	}, [play.rematch]);
	useEffect(() => setHinting(false), [play.view.position]);
	useHelp(hinting || isExact, play, actions);
	return (
		<section class="play" ref={room} aria-label={play.title} style={{ "--aspect": aspect }}>
			<Table play={play} at={at} board={board} game={info} view={view} turned={turned} near={near} interactive={interactive}
				arrows={hintArrows(hint)} badges={values.badges} marks={marksOf(notions, board)} actions={actions} captures={captures} premove={premove}
				over={decide && buttons.length ? <div class={turned ? "on-board turned" : "on-board"}><MoveButtons moves={buttons} onMove={onButton} text={decide} keys={words?.keys ?? {}} /></div> : null} />
			<div class="side">
				<div class="panel">
					<Heading play={play} board={board} game={info} actions={actions}
						title={<>
							{words?.counter ? <span class="counter small quiet">{t("pages.moveNumber", { n: moveNumber(play) })}</span> : null}
							<h1>{play.title}</h1>
						</>}
						words={<>
							{role.inProgress || isExact ? <p class="small quiet happened">{happened}{hint && interactive ? <PlayHint onClick={() => onButton(hint.move)} /> : null}</p> : null}
							<OpeningName info={info} where={where} />
						</>}>
						<MoveNow play={play} hurry={hurry} />
						{zen.on ? <button type="button" class="zen-exit" title={t("pages.leaveZenTitle")} onClick={zen.toggle}>{t("pages.leaveZen")}</button> : null}
						{fixed.map((one) => (
							<button type="button" key={one.move} title={one.title} onClick={() => onFixed(one)}
								aria-disabled={!interactive || !view.moves.some(({ move }) => move === one.move)}>{one.text}</button>
						))}
						{buttons.length && !decide ? <MoveButtons moves={buttons} onMove={onButton} text={words?.choice ?? words?.outcome ?? moveName} /> : null}
					</Heading>
					<Notices play={play} board={board} actions={actions} />
					<DicePanel play={play} />
					<div class="card moves">
						<MoveTree tree={look.tree} numbered={play.seats.length === 2} undone={undoneMoves(look.tree, play.cursor)} onChange={look.change} />
						<WalkBar look={look} play={play} actions={actions} />
					</div>
				</div>
				<Controls play={play} board={board} game={info} actions={actions} hinting={hinting} onHint={() => setHinting(!hinting)}
					turned={flipped} onFlip={() => setFlipped(!flipped)} exact={exact} solvable={solvable}
					onExact={() => setExact(!exact)} onZen={zen.toggle} />
				<MoveField board={board} view={view} enabled={interactive} readOnly={!role.seated || !role.inProgress} onMove={actions.move} />
				{play.luck ? <LuckPanel play={play} board={board} /> : null}
				<ThoughtsPanel play={play} board={board} thoughts={thoughts} />
				<LearnedPanel play={play} actions={actions} />
				<NotionPanel notions={notions} board={board} />
			</div>
		</section>
	);
}
