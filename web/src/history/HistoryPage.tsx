// HistoryPage.tsx - "/my-games": your games in progress, your finished games, and your ratings against levels.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api";
import { LocalGameList } from "../local/GameList";
import { rich, t } from "../messages";
import { UploadOffer } from "../pages/lazy";
import { byTurn, EntryList, turnOf } from "../pages/lobby";
import { baseName, Failure, fetchGames, saveText, useGame, useLoad, useTitle, Waiting } from "../pages/parts";
import { pgnName } from "../pgn";
import type { PageProps } from "../routes";
import { hasBegun } from "../store/games";
import type { Me } from "../types";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { isFound, NO_SEARCH, sumText, type PlayedGame } from "./entries";
import { GameRow } from "./GameRow";
import { deleteGames, loadHistory, recordsOf } from "./load";
import { RatingGraph } from "./RatingGraph";
import { levelRatings, ratingCourse } from "./ratings";
import { SearchBar } from "./SearchBar";

const PAGE = 25;
const FEW = 5; // games that need no search

export function HistoryPage(_: PageProps) {
	useTitle(t("history.title"));
	const history = useLoad("history", loadHistory);
	const me = useLoad(STATIC_SITE ? "" : "me", () => get<Me>("/api/v1/me"));
	const stored = history.value?.stored ?? [], running = stored.filter((game) => game.result === null && hasBegun(game));
	const plays = (me.value?.plays ?? []).filter(({ begun, damaged }) => begun || damaged).sort((a, b) => byTurn(turnOf(a), turnOf(b)));
	return (
		<section class="page">
			<header class="lead">
				<h1>{t("history.title")}</h1>
				<p>{STATIC_SITE
					? t("history.leadStatic")
					: me.value?.account ? t("history.leadAccount", { account: me.value.account })
						: t("history.lead")}</p>
			</header>
			<Waiting loaded={history} />
			{history.value?.failed && <Failure error={t("history.unreachable")} again={history.again} />}
			{me.value?.account && <UploadOffer games={stored} account={me.value.account} onDone={history.again} />}
			{running.length + plays.length > 0 && <section aria-labelledby="running">
				<h2 id="running">{t("history.inProgress")}</h2>
				{plays.length > 0 && <EntryList entries={plays} action="Continue" />}
				{running.length > 0 && <LocalGameList games={running} onChange={history.again} />}
			</section>}
			{history.value && (history.value.games.length
				? <Finished games={history.value.games} cut={history.value.cut} onChange={history.again} />
				: <p class="none">{rich("history.none", { a: (text) => <a href="/">{text}</a> })}</p>)}
		</section>
	);
}

function Finished({ games, cut, onChange }: { games: PlayedGame[]; cut: boolean; onChange(): void }) {
	const [search, setSearch] = useState(NO_SEARCH);
	const [first, setFirst] = useState(0);
	const found = games.filter((one) => isFound(one, search));
	const start = first < found.length ? first : Math.max(0, found.length - PAGE);
	const shown = found.slice(start, start + PAGE);
	return (
		<div class="history">
			<section aria-labelledby="finished">
				<h2 id="finished" tabIndex={-1}>{t("history.finished")}</h2>
				{games.length > FEW && <SearchBar games={games} search={search} onChange={(next) => {
					setSearch(next);
					setFirst(0);
				}} />}
				<p role="status">{found.length ? sumText(found) : t("history.noMatch")}</p>
				{cut && <p class="quiet small">{t("history.cut")}</p>}
				<ul class="entries">{shown.map((game) => <GameRow key={game.id} game={game} onChange={onChange} />)}</ul>
				{found.length > PAGE && <nav class="pages" aria-label={t("history.pages")}>
					<button type="button" aria-disabled={start === 0} onClick={() => setFirst(Math.max(0, start - PAGE))}>{t("history.newer")}</button>
					<span>{t("history.fromTo", { from: start + 1, to: start + shown.length, all: found.length })}</span>
					<button type="button" aria-disabled={start + PAGE >= found.length} onClick={() => start + PAGE < found.length && setFirst(start + PAGE)}>{t("history.older")}</button>
				</nav>}
				{found.length > 1 && <AllOfThem games={found} onChange={onChange} />}
			</section>
			<Ratings games={games} chosen={search.game} />
		</div>
	);
}

/** Exports or deletes all games that were found. */
function AllOfThem({ games, onChange }: { games: PlayedGame[]; onChange(): void }) {
	const [done, setDone] = useState<number | null>(null);
	const [asking, setAsking] = useState(false);
	const stopper = useRef<AbortController | null>(null);
	const [name] = games.map(({ game }) => baseName(game));
	const { info } = useGame(name ?? "");
	const hasPgn = info?.pgn && games.every(({ game }) => baseName(game) === name);
	const pgn = pgnName(name ?? "");
	useEffect(() => () => stopper.current?.abort(), []);
	const save = (format: "record" | "pgn", ending: string) => {
		const controller = stopper.current = new AbortController();
		recordsOf(games, format, controller.signal, setDone).then((text) => saveText(`quevedo-games.${ending}`, text))
			.catch((error) => controller.signal.aborted || toastError(error)).finally(() => setDone(null));
	};
	const n = games.length;
	if (done !== null)
		return (
			<div class="row">
				<progress max={games.length} value={done} aria-label={t("history.exporting")} />
				<button type="button" onClick={() => stopper.current?.abort()}>{t("ui.stop")}</button>
			</div>
		);
	return (
		<div class="row">
			<button type="button" onClick={() => save("record", "jsonl")}><Icon name="download" />{t("history.exportAll", { n })}</button>
			{hasPgn && <button type="button" onClick={() => save("pgn", pgn.toLowerCase())}><Icon name="download" />{t("history.exportAllAs", { n, format: pgn })}</button>}
			<button type="button" onClick={() => setAsking(true)}><Icon name="trash" />{t("history.deleteAll", { n })}</button>
			{asking && <Dialog title={t("history.deleteAllQuestion", { n })} onClose={() => setAsking(false)}>
				<p>{t("history.deletionAll")}</p>
				<div class="row">
					<button type="button" class="danger" onClick={() => {
						setAsking(false);
						deleteGames(games).then(onChange, toastError);
					}}>{t("history.deleteYes")}</button>
					<button type="button" onClick={() => setAsking(false)}>{t("history.deleteAllNo")}</button>
				</div>
			</Dialog>}
		</div>
	);
}

/** The game of the search, or else the one that was played most against levels. */
function Ratings({ games, chosen }: { games: PlayedGame[]; chosen: string }) {
	/* Not a static import: the measured results are part of the pages that are kept for use without a network. */
	const all = useLoad("games", async () => ({ games: await fetchGames(), resultOf: (await import("../pages/more")).resultOf }));
	const [picked, setPicked] = useState("");
	const { value } = all;
	const rated = (value?.games ?? []).map((game) => {
		const points = levelRatings(game, value!.resultOf);
		return { game, points, course: ratingCourse(games, game, points) };
	}).filter(({ course }) => course.length).sort((a, b) => b.course.length - a.course.length);
	const one = rated.find(({ game }) => game.name === (chosen || picked)) ?? rated[0];
	if (!one)
		return null;
	return (
		<section class="card stack" aria-labelledby="ratings">
			<h2 id="ratings">{t("history.ratings")}</h2>
			<label class="field"><span>{t("history.game")}</span>
				<select value={one.game.name} onChange={(event) => setPicked(event.currentTarget.value)}>
					{rated.map(({ game }) => <option key={game.name} value={game.name}>{game.title}</option>)}
				</select>
			</label>
			<RatingGraph {...one} />
		</section>
	);
}
