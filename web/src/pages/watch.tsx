// watch.tsx - "/watch": the list of matches whose journals are on this server.
// SPDX-License-Identifier: MIT
import { get } from "../api";
import type { PageProps } from "../routes";
import type { MatchEntry } from "../types";
import { baseName, fetchGames, useLoad, useTitle, Waiting } from "./parts";

export function WatchPage(_: PageProps) {
	useTitle("Matches");
	const matches = useLoad("matches", () => get<MatchEntry[]>("/api/v1/matches"));
	const games = useLoad("games", fetchGames);
	const titleOf = (game: string) => games.value?.find((one) => one.name === baseName(game))?.title ?? game;
	return (
		<section class="page">
			<header class="lead">
				<h1>Matches</h1>
				<p>Engine matches played by <code>quevedo match</code>. Follow them live, or replay finished games.</p>
			</header>
			<Waiting loaded={matches} />
			{matches.value?.length === 0 && <p class="none">
				No matches yet. To show a match here, run <code>quevedo match</code> with <code>--journal</code> and write the journal to the server's matches folder.
			</p>}
			<ul class="entries">
				{matches.value?.map((match) => (
					<li key={match.name} class="entry">
						<div class="what">
							<strong>{match.name}</strong>
							<span>{titleOf(match.game)}: {match.players.join(", ")}</span>
							<small>{match.games} of {match.planned} games</small>
						</div>
						{match.running && <span class="tag live">live</span>}
						<a class="button" href={`/watch/${encodeURIComponent(match.name)}`} aria-label={`Watch ${match.name}`}>Watch</a>
					</li>
				))}
			</ul>
		</section>
	);
}
