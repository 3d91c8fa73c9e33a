// StarRoom.tsx - the play page of Star Chess: the map, the orders of a turn, and the information for them.
// SPDX-License-Identifier: MIT
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heading } from "../end/Heading";
import { rich, t } from "../messages";
import type { RoomProps } from "../pages/play";
import { useGame } from "../pages/parts";
import { playActions } from "../play/actions";
import { Controls } from "../play/Controls";
import { MoveField } from "../play/MoveField";
import { MoveNow } from "../play/MoveNow";
import { useHelp } from "../people/useHelp";
import { Notices } from "../play/Notices";
import { PlayHint } from "../play/PlayHint";
import { roleOf } from "../play/rights";
import { SeatBar } from "../play/SeatBar";
import { nameOf } from "../play/status";
import { ThoughtsPanel } from "../play/ThoughtsPanel";
import { useHint } from "../play/useAdvice";
import { navigate } from "../router";
import type { ThoughtTurn } from "../types";
import { announce } from "../ui/announce";
import { useKeys } from "../ui/keys";
import { Tabs } from "../ui/tabs";
import { CountDialog, type CountOrder } from "./CountDialog";
import { legalOrders, factionName, orderText, readCommand, type Command } from "./commands";
import { positionAt, turnStart, useCourse } from "./course";
import { EmpirePanel } from "./EmpirePanel";
import { readGalaxy, type Galaxy } from "./galaxy";
import { ReplayPanel, ScorePanel, ThinkingPanel, ThreatList } from "./lazy";
import { Legend } from "./Legend";
import { OrdersPanel, stepText } from "./OrdersPanel";
import { News, newsOf } from "./News";
import { RulesButton } from "./RulesButton";
import { SectorPanel } from "./SectorPanel";
import { StarMap } from "./StarMap";
import { useStepKeys } from "./useStepKeys";
import { buildOrder, guideText, moveOrder, scrapOrder } from "./orders";

/* The rate limit of the server: a burst of commands, then one at a time. */
const AT_ONCE = 12, PACE_MS = 110;

export function StarRoom({ play, at, board, receive, thoughts, hurry }: RoomProps) {
	const role = roleOf(play);
	const { info } = useGame(play.game);
	const course = useCourse(play);
	const [ply, setPly] = useState<number | null>(null); // the ply shown; null: the current position
	const [selected, setSelected] = useState<number | null>(null);
	const [threats, setThreats] = useState(false);
	const [counting, setCounting] = useState<CountOrder | null>(null);
	const [busy, setBusy] = useState(false);
	const [hinting, setHinting] = useState(false);
	const [plan, setPlan] = useState<ThoughtTurn | null>(null); // the turn that the computer would play, while its explanation is open
	const actions = useMemo(() => playActions(play.id, receive), [play.id, receive]);
	const room = useRef<HTMLElement>(null);

	const position = ply === null ? play.view.position : positionAt(course, ply) ?? play.view.position;
	const galaxy = useMemo(() => readGalaxy(position), [position]);
	const me = role.mine.includes(play.view.seat) || !role.seated ? play.view.seat : role.mine[0] ?? play.view.seat;
	const ordering = role.myTurn && ply === null && !play.view.over;
	const interactive = ordering && !busy;
	const legal = useMemo(() => legalOrders(play.view.moves), [play.view.moves]);
	const hint = useHint(hinting && role.hintsAllowed && !play.view.over, { game: play.game, position: play.view.position, moves: [] });

	useStepKeys(ply ?? play.line.length, play.line.length, setPly);
	const canHint = role.inProgress && role.hintsAllowed && play.view.seat !== 0;
	useKeys({ h: () => canHint && setHinting(!hinting), y: () => hint && interactive && void order(hint.move) });
	useEffect(() => setPly(null), [play.version]);
	/* A new turn clears the selection. */
	const turn = galaxy ? `${galaxy.turn} ${galaxy.mover}` : "";
	useEffect(() => setSelected(null), [turn]);
	/* On a phone you may have scrolled to a table below: your turn begins with the orders. */
	useEffect(() => {
		const [frame, side] = [".board-frame", ".side"].map((name) => room.current?.querySelector(name));
		const map = frame?.getBoundingClientRect(), orders = side?.getBoundingClientRect();
		if (role.myTurn && map && orders && orders.top < map.bottom && orders.left < map.right)
			side?.scrollIntoView();
	}, [role.myTurn, play.view.seat]);
	useEffect(() => setHinting(false), [play.view.position]);
	useHelp(hinting, play, actions);
	useEffect(() => room.current?.style.setProperty("--aspect", "1"), []);
	const seen = useRef(play.rematch);
	useEffect(() => {
		if (role.seated && play.rematch && seen.current === null)
			navigate(`/play/${encodeURIComponent(play.rematch)}`);
		seen.current = play.rematch;
	}, [play.rematch]);

	/** Sends one request at a time. */
	async function once<T>(what: () => Promise<T>): Promise<T> {
		setBusy(true);
		try {
			return await what();
		} finally {
			setBusy(false);
		}
	}
	const order = (command: string) => once(() => actions.move(command));
	const backToMap = () => room.current?.querySelector<SVGElement>("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
	const end = async () => {
		if (await order("end"))
			backToMap();
	};

	/** Takes back one order and gives the later ones again, if they are still legal. */
	const revoke = (which: number) => once(async () => {
		const later = play.line.slice(which + 1).map(({ move }) => move);
		if (!await actions.act({ action: "undo", plies: later.length + 1 }))
			return;
		let lost = 0;
		for (const command of later) {
			lost += await actions.move(command) ? 0 : 1;
			if (later.length > AT_ONCE)
				await new Promise((next) => window.setTimeout(next, PACE_MS));
		}
		announce(t("starchess.orderTakenBack", { n: lost }));
	});
	const revokeAll = () => once(() => actions.act({ action: "undo", plies: play.line.length - turnStart(play.line, play.line.length) }));

	if (!galaxy)
		return <section class="play"><p role="alert">{t("starchess.cannotShow", { position })}</p></section>;
	const targets = (from: number) => interactive ? legal.moves.filter((move) => move.from === from).map(({ to }) => to) : [];
	const send = (from: number, to: number) => {
		const way = legal.moves.find((move) => move.from === from && move.to === to);
		if (way)
			setCounting(moveOrder(galaxy, me, from, to, way.most));
	};
	const asking = (make: (galaxy: Galaxy, most: number) => CountOrder, most: number | undefined) => most && setCounting(make(galaxy, most));
	const done = ply === null ? ordersOf(play.line) : stepOf(play.line, ply);
	const advice = plan ?? (hint && ply === null ? { seat: play.view.seat, commands: turnOf(hint.pv) } : null);
	const arrows = [...done, ...shown(advice?.commands.map((move) => ({ move, seat: advice.seat })) ?? []).map((one) => ({ ...one, planned: true }))];
	const last = play.line[play.line.length - 1];
	const before = ply === null ? undefined : play.line[ply - 1];
	const happened = ply !== null ? before ? t("starchess.lookingBack", { faction: factionName(before.seat), step: stepText(course, ply - 1, before.seat, before.move) }) : t("starchess.lookingBackStart")
		: hint ? planText(turnOf(hint.pv)) : hinting ? t("starchess.findingHint")
			: last ? t("starchess.lastStep", { player: nameOf(play, board, last.seat), step: stepText(course, play.line.length - 1, last.seat, last.move) }) : "";
	const tabs = [
		{ name: t("starchess.resources"), panel: <EmpirePanel game={play.game} position={position} galaxy={galaxy} me={me} over={play.view.over && ply === null} scores={scoresAt(play.view.scores, course.steps, ply)} /> },
		{ name: t("starchess.history"), panel: <>
			<ReplayPanel line={play.line} course={course} me={me} ply={ply} onPly={setPly} />
			<ScorePanel course={course} ply={ply} onPly={(point) => setPly(point === play.line.length ? null : point)} />
		</> },
		...(role.hintsAllowed ? [{ name: t("starchess.thinking"), panel: <ThinkingPanel game={play.game} position={position} over={play.view.over && ply === null} isOpen
			onSector={setSelected} onPlan={setPlan} /> }] : []),
	];
	const guide = interactive ? guideText(galaxy, me, legal) : null;
	const news = ply === null && !hinting ? newsOf(play.line, course, me) : [];
	return (
		<section class="play starchess" ref={room} aria-label={play.title}>
			<div class="table">
				<div class="four-seats">
					{play.seats.map((seat) => <SeatBar key={seat.seat} play={play} at={at} seat={seat} board={board} game={info} actions={actions} />)}
				</div>
				<div class="board-frame">
					<StarMap galaxy={galaxy} me={me} targets={targets} selected={selected} onSelect={setSelected} onSend={send}
						threats={threats} arrows={arrows} label={t("starchess.map", { turn: galaxy.turn })} />
				</div>
				<div class="row map-tools">
					<button type="button" aria-pressed={threats} onClick={() => setThreats(!threats)}>{t("starchess.threats")}</button>
					<Legend />
					<RulesButton />
				</div>
			</div>
			<div class="side">
				<Heading play={play} board={board} game={info} actions={actions} title={<h1>{t("starchess.heading", { title: play.title, turn: galaxy.turn })}</h1>}
					words={<>
						{news.length ? <News news={news} /> : <p class="small quiet happened">{happened}{hint && interactive ? <PlayHint onClick={() => void order(hint.move)} /> : null}</p>}
						{ply !== null ? <button type="button" onClick={() => setPly(null)}>{t("starchess.backToGame")}</button> : null}
					</>}>
					<MoveNow play={play} hurry={hurry} />
				</Heading>
				{threats ? <ThreatList galaxy={galaxy} me={me} /> : null}
				<Notices play={play} board={board} actions={actions} />
				{guide ? <p class="notice quiet guide">{rich("starchess.guide", { b: (text) => <strong>{text}</strong>, guide })}</p> : null}
				{guide && selected === null ? null : <SectorPanel galaxy={galaxy} me={me} sector={selected} legal={interactive ? legal : null} onSend={send}
					onBuild={(where) => asking((now, most) => buildOrder(now, me, where, most), legal.builds.get(where))}
					onScrap={(where) => asking((now, most) => scrapOrder(now, where, most), legal.scraps.get(where))}
					onOrder={(command) => void order(command)} />}
				{ordering ? <OrdersPanel line={play.line} course={course} galaxy={galaxy} me={me} busy={busy}
					onRevoke={(which) => void revoke(which)} onRevokeAll={() => void revokeAll()} onEnd={() => void end()} /> : null}
				<Controls play={play} board={board} game={info} actions={actions} hinting={hinting} onHint={() => setHinting(!hinting)}
					turned={false} onFlip={() => {}} exact={false} onExact={() => {}} />
				<Tabs id="star" label={t("starchess.panels")} tabs={tabs} onShow={() => setPlan(null)} />
				<MoveField board={board} view={play.view} enabled={interactive} readOnly={!role.seated || !role.inProgress} onMove={order} />
				<ThoughtsPanel play={play} board={board} thoughts={thoughts} />
			</div>
			{counting ? <CountDialog order={counting} onClose={() => setCounting(null)} onOrder={(command) => {
				setCounting(null);
				void order(command);
			}} /> : null}
		</section>
	);
}

function scoresAt(now: number[] | null, steps: { scores: number[] | null }[], ply: number | null): number[] | null {
	return ply === null ? now : steps[ply - 1]?.scores ?? null;
}

interface Shown {
	command: Command;
	faction: number;
}

function shown(line: { move: string; seat: number }[]): Shown[] {
	return line.flatMap(({ move, seat }) => {
		const command = readCommand(move);
		return command ? [{ command, faction: seat }] : [];
	});
}

/** The orders of the current turn. */
function ordersOf(line: { move: string; seat: number }[]): Shown[] {
	return shown(line.slice(turnStart(line, line.length)));
}

/** The commands of the first turn of a line. */
function turnOf(line: string[]): string[] {
	const end = line.indexOf("end");
	return end < 0 ? line : line.slice(0, end);
}

/** A suggested turn in words. */
function planText(commands: string[]): string {
	const orders = commands.flatMap((move) => readCommand(move) ?? []).map(orderText);
	return orders.length ? t("starchess.hintOrders", { orders: orders.join(". ") }) : t("starchess.hintEnd");
}

/** The command that led to the ply shown. */
function stepOf(line: { move: string; seat: number }[], ply: number): Shown[] {
	return shown(line.slice(Math.max(0, ply - 1), ply));
}
