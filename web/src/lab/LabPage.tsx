// LabPage.tsx - "/lab": the laboratory. The address has the setup of the bench, so that it can be shared.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { boardShown } from "../engine/core";
import { fetchGames, useLoad, useTitle, Waiting } from "../pages/parts";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import type { Game } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Bench, type BenchPreset } from "./Bench";
import { Diagrams } from "./Diagrams";
import { Families } from "./Families";
import { Measure } from "./Measure";
import { firstPlayers, labLink, presetOfQuery } from "./presets";
import { Setup } from "./Setup";
import { PLAIN } from "./specs";

const FIRST: BenchPreset = { game: "diagram", position: "3-1", players: ["minimax:depth=2", `alphabeta:depth=2,${PLAIN}`] };

const TABS = [["bench", "Bench"], ["measure", "Measure it"], ["diagrams", "The book's diagrams"], ["families", "Other methods"]] as const;
type Tab = typeof TABS[number][0];

export function LabPage({ query }: PageProps) {
	useTitle("Laboratory");
	const games = useLoad("games", fetchGames);
	return (
		<section class="page lab">
			<header class="lead">
				<h1>Laboratory</h1>
				<p>Watch a computer think. Choose a game and one or more ways to search, press Play, and see the tree of moves grow.
					Select any box of the tree to see its position on the board.</p>
			</header>
			<Waiting loaded={games} />
			{games.value && <Laboratory games={games.value} query={query} />}
		</section>
	);
}

/** A link may leave the players out. */
function complete(preset: BenchPreset, games: Game[]): BenchPreset {
	const info = games.find(({ name }) => name === preset.game.split(":", 1)[0]);
	return preset.players.length ? preset : { ...preset, players: info ? firstPlayers(info) : ["minimax:depth=2"] };
}

function Laboratory({ games, query }: { games: Game[]; query: URLSearchParams }) {
	const [preset, setPreset] = useState<BenchPreset>(() => complete(presetOfQuery(query) ?? FIRST, games));
	const [round, setRound] = useState(0);
	const [tab, setTab] = useState<Tab>("bench");
	useEffect(() => boardShown(), []);
	useEffect(() => {
		const link = labLink(preset);
		if (link.length < 6000)
			history.replaceState(null, "", hrefOf(link));
	}, [preset]);
	const run = (next: BenchPreset) => {
		setPreset(next);
		setRound(round + 1);
		setTab("bench");
	};
	return (
		<>
			<div class="row lab-tabs" role="group" aria-label="Parts of the laboratory">
				{TABS.map(([name, text]) => <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>{text}</button>)}
				<button type="button" class="lab-share" onClick={() => void copyText(new URL(hrefOf(labLink(preset)), location.href).href, "Link")}><Icon name="share" />Share link</button>
			</div>
			{tab === "bench" && <>
				<details class="lab-change card">
					<summary>Choose the game, the position and the techniques</summary>
					<Setup games={games} preset={preset} onRun={run} />
				</details>
				<Bench key={round} preset={preset} />
			</>}
			{tab === "measure" && <Measure games={games} preset={preset} onPreset={setPreset} />}
			{tab === "diagrams" && <Diagrams onShow={run} />}
			{tab === "families" && <Families />}
		</>
	);
}
