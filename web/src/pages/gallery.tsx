// gallery.tsx - "/": what this is, a game at once, your games in progress, all games, and the doors to the laboratory and the lessons.
// SPDX-License-Identifier: MIT
//
// Nothing moves once it is shown: what is below the first lines waits until all of it is known.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { playerName } from "../board/text";
import { rich, t } from "../messages";
import { addressOf } from "../play/local";
import type { PageProps } from "../routes";
import { follow } from "../socket";
import { hasBegun, storedGames, type StoredGame } from "../store/games";
import { settings } from "../store/settings";
import type { Game, GamePicture, Lobby, Me } from "../types";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { LivePicture } from "./livepicture";
import { byTurn, EntryList, timeText, TurnTag, turnOf, type Turn } from "./lobby";
import { fetchGallery, fetchGames, solvedText, startPlay, useLoad, useTitle, Waiting } from "./parts";
import { DOORS, gameToPlay, quickPlay, shelvesOf } from "./showcase";

export function GalleryPage(_: PageProps) {
	useTitle(t("gallery.title"));
	const gallery = useLoad("gallery", fetchGallery);
	const running = useLoad("running", runningGames);
	const [waits, setWaits] = useState(true);
	useEffect(() => {
		if (gallery.error || (gallery.value && running.value))
			setWaits(false);
	});
	return (
		<section class="page gallery">
			<Hero games={gallery.value?.games ?? []} />
			{waits || !gallery.value
				? <div class="whole-screen"><Waiting loaded={gallery} /></div>
				: <Shelves games={gallery.value.games} pictures={gallery.value.pictures} running={running.value ?? []} />}
		</section>
	);
}

// ---- The first lines ----

function Hero({ games }: { games: Game[] }) {
	const [busy, setBusy] = useState(false);
	const { last, computers } = settings.get();
	const title = games.find(({ name }) => name === last)?.title;
	const play = () => {
		setBusy(true);
		fetchGames().then((all) => {
			const game = gameToPlay(all, last);
			return game && startPlay(quickPlay(game, computers));
		}).catch(toastError).finally(() => setBusy(false));
	};
	return (
		<header class="hero">
			<div class="promise">
				<h1>{t("gallery.heading")}</h1>
				<p>{STATIC_SITE ? t("gallery.promiseAlone") : t("gallery.promise")}</p>
				<div class="row">
					<button type="button" class="primary now" disabled={busy} onClick={play}><Icon name="play" />{t("gallery.playNow")}</button>
					<span class="quiet">{last ? title && t("gallery.asLastTime", { title }) : t("gallery.firstGame")}</span>
				</div>
			</div>
			<p class="story">{rich("gallery.story", { a: (text) => <a href="/lab">{text}</a> })}</p>
		</header>
	);
}

// ---- Games in progress ----

const SHOWN = 4; // the others are folded away

interface Running {
	href: string;
	title: string;
	players: string;
	turn: Turn;
}

function playersText(seats: { kind: string; name: string }[]): string {
	return seats.map((seat) => seat.kind === "open" ? t("lobby.openSeat") : playerName(seat) || t("gallery.you")).join(" – ");
}

/** Against computers it is your turn: they move as soon as the page is open. */
function runningHere(games: StoredGame[]): Running[] {
	return games.filter((game) => game.result === null && hasBegun(game)).map(({ id, title, seats, updated }) => {
		const isOne = seats.filter(({ kind }) => kind === "person").length === 1;
		return { href: addressOf(id), title, players: playersText(seats), turn: { kind: isOne ? "yours" : "none", left: null, updated: updated / 1000 } };
	});
}

/** Those on the server and those that this browser keeps, with yours to move first. What cannot be loaded is left out. */
async function runningGames(): Promise<Running[]> {
	const [me, stored] = await Promise.all([STATIC_SITE ? null : get<Me>("/api/v1/me").catch(() => null), storedGames.list().catch(() => [])]);
	const there = me?.plays.filter(({ begun, damaged }) => begun || damaged).map((play) =>
		({ href: `/play/${encodeURIComponent(play.id)}`, title: play.title, players: playersText(play.seats), turn: turnOf(play) })) ?? [];
	return [...runningHere(stored), ...there].sort((a, b) => byTurn(a.turn, b.turn));
}

function RunningList({ games }: { games: Running[] }) {
	return (
		<ul class="running">
			{games.map(({ href, title, players, turn }) => (
				<li key={href}>
					<a href={href}>
						<strong><span class="unseen">{t("gallery.continueGame")}</span> {title}</strong> <TurnTag turn={turn} /> <span class="who-plays">{players}</span> <small>{timeText(turn)}</small>
					</a>
				</li>
			))}
		</ul>
	);
}

function Continue({ games }: { games: Running[] }) {
	if (!games.length)
		return null;
	return (
		<section class="mine" aria-labelledby="mine">
			<h2 id="mine">{t("gallery.continue")}</h2>
			<RunningList games={games.slice(0, SHOWN)} />
			{games.length > SHOWN && <details>
				<summary>{t("gallery.moreRunning", { n: games.length - SHOWN })}</summary>
				<RunningList games={games.slice(SHOWN)} />
			</details>}
		</section>
	);
}

// ---- All games ----

function Shelves({ games, pictures, running }: { games: Game[]; pictures: GamePicture[]; running: Running[] }) {
	const { best, others } = shelvesOf(games);
	const card = (game: Game) => <li key={game.name}><Card game={game} picture={pictures.find((one) => one.game === game.name)} /></li>;
	return (
		<>
			<Continue games={running} />
			<h2 class="unseen">{t("gallery.title")}</h2>
			<ul class="cards">{best.map(card)}</ul>
			<Doors />
			{others.map(({ title, games: list }) => (
				<section key={title} aria-label={title}>
					<h2>{title}</h2>
					<ul class="cards small-cards">{list.map(card)}</ul>
				</section>
			))}
			{!STATIC_SITE && <Teaser />}
		</>
	);
}

function facts(game: Game): string[] {
	const solved = solvedText(game.solved);
	return [
		t("gallery.players", { n: game.seats }),
		game.chance ? t("gallery.dice") : t("gallery.pureStrategy"),
		...(solved ? [t("gallery.solved", { result: solved })] : []),
	];
}

function Card({ game, picture }: { game: Game; picture: GamePicture | undefined }) {
	const [busy, setBusy] = useState(false);
	const play = () => {
		setBusy(true);
		startPlay(quickPlay(game, settings.get().computers)).catch(toastError).finally(() => setBusy(false));
	};
	const page = `/games/${game.name}`;
	return (
		<article class="card">
			<a class="cover" href={page} tabIndex={-1} aria-hidden="true">{picture && <LivePicture picture={picture} />}</a>
			<div class="about-game">
				<h3><a href={page} aria-label={t("gallery.rulesOf", { game: game.title })}>{game.title}</a></h3>
				<p class="facts">{facts(game).map((fact) => <span key={fact}>{fact}</span>)}</p>
			</div>
			<button type="button" disabled={busy} onClick={play} aria-label={t("gallery.playGameNow", { game: game.title })}><Icon name="play" />{t("gallery.play")}</button>
		</article>
	);
}

// ---- More to do ----

function Doors() {
	return (
		<section aria-labelledby="doors">
			<h2 id="doors">{t("gallery.lookInside")}</h2>
			<ul class="doors">
				{DOORS.map(({ to, title, text }) => (
					<li key={to}><a class="card" href={to}><strong>{title}</strong><span>{text}</span></a></li>
				))}
			</ul>
		</section>
	);
}

function Teaser() {
	const [lobby, setLobby] = useState<Lobby | null>(null);
	useEffect(() => follow<Lobby>("/api/v1/lobby/events", { message: setLobby }), []);
	const open = lobby?.open ?? [];
	return (
		<section class="teaser" aria-labelledby="teaser">
			<h2 id="teaser">{t("gallery.people")}</h2>
			{open.length > 0
				? <EntryList entries={open.slice(0, 4)} action="Join" />
				: <p>{t("gallery.nobodyWaits")}</p>}
			<p><a href="/lobby">{t("gallery.findOpponent")}</a>{lobby && lobby.going.length > 0 &&
				` · ${t("gallery.inProgress", { n: lobby.going.length })}`}</p>
		</section>
	);
}
