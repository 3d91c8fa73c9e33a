// mygames.tsx - "/my-games": the games that this browser keeps itself.
// SPDX-License-Identifier: MIT
import { get } from "../api";
import { LocalGameList } from "../local/GameList";
import { UploadOffer } from "../local/UploadOffer";
import type { PageProps } from "../routes";
import { storedGames } from "../store/games";
import type { Me } from "../types";
import { useLoad, useTitle, Waiting } from "./parts";

export function MyGamesPage(_: PageProps) {
	useTitle("Games in this browser");
	const games = useLoad("games", storedGames.list);
	const me = useLoad(STATIC_SITE ? "" : "me", () => get<Me>("/api/v1/me"));
	const running = games.value?.filter(({ result }) => result === null) ?? [];
	const finished = games.value?.filter(({ result }) => result !== null) ?? [];
	return (
		<section class="page">
			<header class="lead">
				<h1>Games in this browser</h1>
				<p>{STATIC_SITE
					? "This browser keeps your games. They are lost if you delete its data for this site."
					: "Games that you have played without a connection. This browser keeps them, and the server does not know them."}</p>
			</header>
			<Waiting loaded={games} />
			{games.value && me.value?.account && <UploadOffer games={games.value} account={me.value.account} onDone={games.again} />}
			{games.value?.length === 0 && <p class="none">There are none. <a href="/">Choose a game</a></p>}
			{running.length > 0 && <section aria-labelledby="running">
				<h2 id="running">In progress</h2>
				<LocalGameList games={running} onChange={games.again} />
			</section>}
			{finished.length > 0 && <section aria-labelledby="finished">
				<h2 id="finished">Finished</h2>
				<LocalGameList games={finished} onChange={games.again} />
			</section>}
		</section>
	);
}
