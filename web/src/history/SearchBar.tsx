// SearchBar.tsx - selects finished games by game, opponent, result and date.
// SPDX-License-Identifier: MIT
import { baseName } from "../pages/parts";
import { NO_SEARCH, type PlayedGame, type Search } from "./entries";

export function SearchBar({ games, search, onChange }: { games: PlayedGame[]; search: Search; onChange(search: Search): void }) {
	const titles = new Map(games.map(({ game, title }) => [baseName(game), title]));
	const change = (part: Partial<Search>) => onChange({ ...search, ...part });
	return (
		<form class="card search" role="search" aria-label="Your games" onSubmit={(event) => event.preventDefault()}>
			<label class="field"><span>Game</span>
				<select value={search.game} onChange={(event) => change({ game: event.currentTarget.value })}>
					<option value="">All games</option>
					{[...titles].sort(([, a], [, b]) => a.localeCompare(b)).map(([name, title]) => <option key={name} value={name}>{title}</option>)}
				</select>
			</label>
			<label class="field"><span>Opponent</span>
				<input type="search" value={search.opponent} onInput={(event) => change({ opponent: event.currentTarget.value })} />
			</label>
			<label class="field"><span>Result</span>
				<select value={search.outcome} onChange={(event) => change({ outcome: event.currentTarget.value as Search["outcome"] })}>
					<option value="">Any result</option>
					<option value="won">Won</option>
					<option value="draw">Draw</option>
					<option value="lost">Lost</option>
					<option value="other">Other</option>
				</select>
			</label>
			<label class="field"><span>From</span>
				<input type="date" value={search.since} onInput={(event) => change({ since: event.currentTarget.value })} />
			</label>
			<label class="field"><span>To</span>
				<input type="date" value={search.until} onInput={(event) => change({ until: event.currentTarget.value })} />
			</label>
			<button type="button" onClick={() => onChange(NO_SEARCH)}>Show all</button>
		</form>
	);
}
