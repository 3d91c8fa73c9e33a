// SearchBar.tsx - selects finished games by game, opponent, result and date.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { baseName } from "../pages/parts";
import { NO_SEARCH, type PlayedGame, type Search } from "./entries";

export function SearchBar({ games, search, onChange }: { games: PlayedGame[]; search: Search; onChange(search: Search): void }) {
	const titles = new Map(games.map(({ game, title }) => [baseName(game), title]));
	const change = (part: Partial<Search>) => onChange({ ...search, ...part });
	return (
		<form class="card search" role="search" aria-label={t("history.search")} onSubmit={(event) => event.preventDefault()}>
			<label class="field"><span>{t("history.game")}</span>
				<select value={search.game} onChange={(event) => change({ game: event.currentTarget.value })}>
					<option value="">{t("history.allGames")}</option>
					{[...titles].sort(([, a], [, b]) => a.localeCompare(b)).map(([name, title]) => <option key={name} value={name}>{title}</option>)}
				</select>
			</label>
			<label class="field"><span>{t("history.opponent")}</span>
				<input type="search" value={search.opponent} onInput={(event) => change({ opponent: event.currentTarget.value })} />
			</label>
			<label class="field"><span>{t("history.result")}</span>
				<select value={search.outcome} onChange={(event) => change({ outcome: event.currentTarget.value as Search["outcome"] })}>
					<option value="">{t("history.anyResult")}</option>
					<option value="won">{t("history.won")}</option>
					<option value="draw">{t("history.draw")}</option>
					<option value="lost">{t("history.lost")}</option>
					<option value="other">{t("history.other")}</option>
				</select>
			</label>
			<label class="field"><span>{t("history.from")}</span>
				<input type="date" value={search.since} onInput={(event) => change({ since: event.currentTarget.value })} />
			</label>
			<label class="field"><span>{t("history.to")}</span>
				<input type="date" value={search.until} onInput={(event) => change({ until: event.currentTarget.value })} />
			</label>
			<button type="button" onClick={() => onChange(NO_SEARCH)}>{t("history.showAll")}</button>
		</form>
	);
}
