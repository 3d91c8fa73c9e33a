// watch.tsx - "/watch": the list of matches whose journals are on this server.
// SPDX-License-Identifier: MIT
import { get } from "../api";
import { rich, t } from "../messages";
import type { PageProps } from "../routes";
import type { MatchEntry } from "../types";
import { baseName, fetchGames, useLoad, useTitle, Waiting } from "./parts";

export function WatchPage(_: PageProps) {
	useTitle(t("watch.title"));
	const matches = useLoad("matches", () => get<MatchEntry[]>("/api/v1/matches"));
	const games = useLoad("games", fetchGames);
	const titleOf = (game: string) => games.value?.find((one) => one.name === baseName(game))?.title ?? game;
	return (
		<section class="page">
			<header class="lead">
				<h1>{t("watch.title")}</h1>
				<p>{t("watch.about")}</p>
			</header>
			<Waiting loaded={matches} />
			{matches.value?.length === 0 && <p class="none">{rich("watch.none", { a: (text) => <a href="/">{text}</a> })}</p>}
			<ul class="entries">
				{matches.value?.map((match) => (
					<li key={match.name} class="entry">
						<div class="what">
							<strong>{match.name}</strong>
							<span>{titleOf(match.game)}: {match.players.join(", ")}</span>
							<small>{t("watch.games", { games: match.games, planned: match.planned })}</small>
						</div>
						{match.running && <span class="tag live">{t("match.live")}</span>}
						<a class="button" href={`/watch/${encodeURIComponent(match.name)}`} aria-label={t("watch.watchMatch", { match: match.name })}>{t("watch.watch")}</a>
					</li>
				))}
			</ul>
		</section>
	);
}
