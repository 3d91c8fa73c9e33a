// gallery.tsx - "/": all games with live pictures, your games in progress, and open games from the lobby.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { LocalGameList } from "../local/GameList";
import type { PageProps } from "../routes";
import { follow } from "../socket";
import { storedGames } from "../store/games";
import { settings } from "../store/settings";
import type { Game, GamePicture, Lobby, Me } from "../types";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { LivePicture } from "./livepicture";
import { EntryList } from "./lobby";
import { fetchGallery, levelNumbers, solvedText, startPlay, useLoad, useTitle, Waiting } from "./parts";
import { boardsFirst } from "./rules";

export function GalleryPage(_: PageProps) {
	useTitle("Games");
	const gallery = useLoad("gallery", fetchGallery);
	return (
		<section class="page gallery">
			<header class="lead">
				<h1>Choose a game</h1>
				<p>Play against the computer at your level{STATIC_SITE ? "" : ", or against people"}. You can analyse every position. In solved games
					you can see the perfect move.</p>
			</header>
			<MyGames />
			<Waiting loaded={gallery} />
			<ul class="cards">
				{gallery.value && boardsFirst(gallery.value.games).map((game) => (
					<li key={game.name}><Card game={game} picture={gallery.value?.pictures.find((one) => one.game === game.name)} /></li>
				))}
			</ul>
			{!STATIC_SITE && <Teaser />}
		</section>
	);
}

function facts(game: Game): string[] {
	const solved = solvedText(game.solved);
	return [
		game.seats === 1 ? "1 player" : `${game.seats} players`,
		game.chance ? "dice" : "pure strategy",
		...(solved ? [`solved: ${solved}`] : []),
	];
}

function Card({ game, picture }: { game: Game; picture: GamePicture | undefined }) {
	const preferred = game.ladders[0]?.levels.findIndex(({ spec }) => spec === settings.get().computers[game.name]) ?? -1;
	const [level, setLevel] = useState(preferred < 0 ? Math.ceil(game.levels / 2) : preferred + 1);
	const [busy, setBusy] = useState(false);
	const play = () => {
		setBusy(true);
		const seats = ["human", ...Array.from({ length: game.seats - 1 }, () => `level:${level}`)];
		startPlay({ game: game.name, seats }).catch(toastError).finally(() => setBusy(false));
	};
	const page = `/games/${game.name}`;
	return (
		<article class="card">
			<a class="cover" href={page} tabIndex={-1} aria-hidden="true">{picture && <LivePicture picture={picture} />}</a>
			<h2><a href={page}>{game.title}</a></h2>
			<p class="facts">{facts(game).map((fact) => <span key={fact}>{fact}</span>)}</p>
			<div class="quick">
				{game.seats > 1 && game.levels > 0 && <label>
					<span class="unseen">Computer level for {game.title}</span>
					<select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
						{levelNumbers(game.levels).map((number) => (
							<option key={number} value={number}>Level {number}</option>
						))}
					</select>
				</label>}
				<button type="button" class="primary" disabled={busy} onClick={play}
					aria-label={`Play ${game.title} now`}>
					<Icon name="play" />Play
				</button>
				<a class="button" href={page} aria-label={`Rules and options for ${game.title}`}>Options</a>
			</div>
		</article>
	);
}

const SHOWN = 4; // of your games; the others are folded away

/** Those on the server, and those that this browser keeps. */
function MyGames() {
	const me = useLoad(STATIC_SITE ? "" : "me", () => get<Me>("/api/v1/me"));
	const stored = useLoad("stored", storedGames.list);
	const running = stored.value?.filter(({ result }) => result === null).slice(0, SHOWN) ?? [];
	return (
		<>
			{me.value && <ServerGames me={me.value} />}
			{stored.value && stored.value.length > 0 && <section class="mine" aria-labelledby="local">
				<h2 id="local">Games in this browser</h2>
				<LocalGameList games={running} onChange={stored.again} />
				<p><a href="/my-games">{stored.value.length === 1 ? "Show it" : `All ${stored.value.length} games`}</a></p>
			</section>}
		</>
	);
}

function ServerGames({ me }: { me: Me }) {
	if (!me.plays.length)
		return null;
	return (
		<section class="mine" aria-labelledby="mine">
			<h2 id="mine">Continue playing</h2>
			<EntryList entries={me.plays.slice(0, SHOWN)} action="Continue" />
			{me.plays.length > SHOWN && <details>
				<summary>{me.plays.length - SHOWN} more</summary>
				<EntryList entries={me.plays.slice(SHOWN)} action="Continue" />
			</details>}
		</section>
	);
}

function Teaser() {
	const [lobby, setLobby] = useState<Lobby | null>(null);
	useEffect(() => follow<Lobby>("/api/v1/lobby/events", { message: setLobby }), []);
	const open = lobby?.open ?? [];
	return (
		<section class="teaser" aria-labelledby="teaser">
			<h2 id="teaser">Play against people</h2>
			{open.length > 0
				? <EntryList entries={open.slice(0, 4)} action="Join" />
				: <p>Nobody is waiting for an opponent right now.</p>}
			<p><a href="/lobby">Find an opponent</a>{lobby && lobby.going.length > 0 &&
				` · ${lobby.going.length} ${lobby.going.length === 1 ? "game" : "games"} in progress`}</p>
		</section>
	);
}
