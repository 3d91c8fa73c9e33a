// watch.tsx - "/watch": the matches whose journals this server shows.
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
				<p>Programs and levels against each other, as <code>quevedo match</code> plays them: live, or to look back at.</p>
			</header>
			<Waiting loaded={matches} />
			{matches.value?.length === 0 && <p class="none">
				There are no matches yet. A match writes its journal with <code>--journal</code>; those in the server's folder of matches are shown here.
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
