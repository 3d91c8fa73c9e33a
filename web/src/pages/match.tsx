// match.tsx - "/watch/NAME": one match: standings, the live game, and all games to replay.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { get, sentence } from "../api";
import { t } from "../messages";
import type { PageProps } from "../routes";
import { follow } from "../socket";
import { goTo, growMain, isMain, newTree, nodeAt, pathTo, playAll, toEnd, type GameTree } from "../tree";
import type { Match, MatchGame, MatchPlayer, MatchRecord } from "../types";
import { Icon } from "../ui/icons";
import { EloGraph, signed } from "./elograph";
import { handOver } from "./handover";
import { MoveTree } from "./movetree";
import { Failure, saveText, useGame, useLoad, useTitle, Waiting } from "./parts";
import { navigate } from "../router";
import { turnText, useWalk, useWalkKeys, WalkBoard, WalkButtons } from "./walk";

export function MatchPage({ args }: PageProps) {
	const name = args[0] ?? "";
	const path = `/api/v1/matches/${encodeURIComponent(name)}`;
	useTitle(name);
	const [match, setMatch] = useState<Match | null>(null);
	const [error, setError] = useState<string | null>(null);
	const [chosen, setChosen] = useState<number | null>(null); // a game number; null: the live game, else the newest
	useEffect(() => follow<Match>(`${path}/events`, {
		message: setMatch,
		error: (reason) => setError(sentence(reason)),
	}), [path]);
	if (!match)
		return <section class="page"><h1>{name}</h1>{error ? <><Failure error={error} /><p><a href="/watch">{t("match.all")}</a></p></> : <p class="waiting">{t("pages.loading")}</p>}</section>;
	const finished = match.list.filter((game) => game.result !== null);
	const newest = finished[finished.length - 1]?.number ?? null;
	const number = chosen ?? (match.live ? null : newest);
	return (
		<section class="page match">
			<header class="analysis-head">
				<h1>{match.name}</h1>
				{match.running ? <span class="tag live">{t("match.live")}</span> : <span class="tag">{t("match.finished")}</span>}
				<span class="quiet">{t("match.progress", { games: match.games, planned: match.planned, game: match.game })}</span>
			</header>
			<div class="analysis-grid">
				<div>
					{number !== null
						? <Recorded key={number} path={path} number={number} />
						: match.live ? <Live key="live" match={match} live={match.live} /> : <p class="none">{t("match.noGames")}</p>}
				</div>
				<div class="side stack">
					<Standings match={match} />
					<section class="card" aria-labelledby="elo">
						<h2 id="elo">{t("match.eloOf", { player: match.players[0] ?? "" })}</h2>
						<EloGraph points={match.elo} name={match.players[0] ?? ""} />
					</section>
					<GameList match={match} number={number} onChoose={setChosen} />
				</div>
			</div>
		</section>
	);
}

function Standings({ match }: { match: Match }) {
	const hasFaults = match.standings.some((one) => one.crashes + one.timeouts + one.illegal > 0);
	return (
		<section class="card" aria-labelledby="standings">
			<h2 id="standings">{t("match.standings")}</h2>
			<div class="scroll" tabIndex={0} role="group" aria-label={t("match.standingsTable")}>
				<table class="standings">
					<thead>
						<tr>
							<th scope="col">{t("match.player")}</th><th scope="col">{t("match.games")}</th>
							<th scope="col"><abbr title={t("match.wdlWords")}>{t("match.wdl")}</abbr></th>
							<th scope="col">{t("match.points")}</th><th scope="col">{t("match.elo")}</th>
							{hasFaults && <th scope="col"><abbr title={t("match.faultsWords")}>{t("match.faults")}</abbr></th>}
						</tr>
					</thead>
					<tbody>
						{match.standings.map((one) => (
							<tr key={one.name}>
								<th scope="row" title={one.spec}>{one.name}</th>
								<td>{one.games}</td>
								<td>{one.wins} {one.draws} {one.losses}</td>
								<td>{one.points}</td>
								<td>{eloText(one)}</td>
								{hasFaults && <td>{one.crashes} {one.timeouts} {one.illegal}</td>}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</section>
	);
}

function eloText(one: MatchPlayer): string {
	if (one.elo === null)
		return "–";
	return one.error === null ? signed(one.elo) : `${signed(one.elo)} ± ${Math.round(one.error)}`;
}

function resultOf(game: MatchGame): string {
	if (game.result === null)
		return t("match.inProgress");
	if (game.result === "draw")
		return t("match.draw");
	const seat = Number(/^win (\d+)$/.exec(game.result)?.[1] ?? 0);
	return t("match.wins", { player: game.seats[seat - 1] ?? t("match.nthPlayer", { n: seat }) });
}

function GameList({ match, number, onChoose }: { match: Match; number: number | null; onChoose(number: number | null): void }) {
	const newestFirst = match.list.slice().reverse();
	return (
		<section class="card" aria-labelledby="games">
			<h2 id="games">{t("match.games")}</h2>
			<ol class="gamelist" tabIndex={0} aria-label={t("match.newestFirst")}>
				{newestFirst.map((game) => {
					const isLive = game.result === null;
					const shown = isLive ? number === null && match.live?.number === game.number : game.number === number;
					return (
						<li key={game.number}>
							<button type="button" aria-current={shown ? "true" : undefined} disabled={isLive && match.live?.number !== game.number}
								onClick={() => onChoose(isLive ? null : game.number)}>
								<span class="number">{game.number}</span>
								<span class="who">{game.seats.join(" – ")}</span>
								<span class={isLive ? "how live" : "how"}>{resultOf(game)}{game.end && game.end !== "rules" ? `, ${game.end}` : ""}</span>
								<small>{t("match.plies", { n: game.plies })}</small>
							</button>
						</li>
					);
				})}
			</ol>
		</section>
	);
}

function Recorded({ path, number }: { path: string; number: number }) {
	const record = useLoad(`${path} ${number}`, () => get<MatchRecord>(`${path}/games/${number}`));
	if (!record.value)
		return <Waiting loaded={record} />;
	const { game, start, moves, seats, result, end } = record.value;
	const outcome = resultOf({ number, seats, result, end, plies: moves.length });
	return (
		<Walkable first={playAll(newTree(game, start || "start"), moves.map((move) => move.move))}
			title={t("match.game", { n: number, players: seats.join(" – ") })} word={end && end !== "rules" ? `${outcome}, ${end}` : outcome}
			record={record.value.record} />
	);
}

function lineOf(live: NonNullable<Match["live"]>, game: string): GameTree {
	return playAll(newTree(game, live.start || "start"), live.moves);
}

function Live({ match, live }: { match: Match; live: NonNullable<Match["live"]> }) {
	return (
		<Walkable key={live.number} first={lineOf(live, match.game)} moves={live.moves}
			title={t("match.game", { n: live.number, players: live.seats.join(" – ") })} word={t("match.inProgress")} />
	);
}

/** The last node on the main line before the cursor. */
function lastOnMain(tree: GameTree): number {
	return pathTo(tree, tree.cursor).filter((id) => isMain(tree, id)).pop() ?? 0;
}

/** A game to replay; your own moves become variations. */
function Walkable({ first, moves, title, word, record }: {
	first: GameTree; moves?: string[]; title: string; word: string; record?: string;
}) {
	const walk = useWalk(first);
	const { tree } = walk;
	const { info } = useGame(tree.game);
	const board = walk.found?.board ?? null;
	const isScratch = !isMain(tree, tree.cursor);
	useEffect(() => {
		if (moves)
			walk.change((now) => growMain(now, moves));
	}, [moves?.join("\n")]);
	useWalkKeys(walk);
	const analyse = () => {
		handOver(tree);
		navigate(`/analyse?game=${encodeURIComponent(tree.game)}`);
	};
	return (
		<div class="board-column">
			<h2>{title} <small class="quiet">{word}</small></h2>
			<div class="bar-and-board" style={{ "--aspect": board ? board.width / board.height : 1 }}>
				<WalkBoard walk={walk} />
			</div>
			<p class="turn">
				{isScratch ? `${t("match.variation")} ` : ""}{walk.view ? turnText(walk.view, board) : "…"}
			</p>
			<WalkButtons walk={walk}>
				{isScratch && <button type="button" class="primary" onClick={() => walk.change((now) => goTo(now, lastOnMain(now)))}>
					{t("match.back")}
				</button>}
				{moves && !isScratch && nodeAt(tree, tree.cursor).children.length > 0 &&
					<button type="button" onClick={() => walk.change(toEnd)}>{t("match.latest")}</button>}
				<button type="button" onClick={analyse}><Icon name="analyse" />{t("match.analyse")}</button>
				{record && <button type="button" onClick={() => saveText("game.jsonl", record)}><Icon name="download" />{t("match.export")}</button>}
			</WalkButtons>
			<MoveTree tree={tree} numbered={info?.seats === 2} onChange={walk.change} />
		</div>
	);
}
