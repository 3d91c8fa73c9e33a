// LabPage.tsx - "/lab": the laboratory. The address has the setup of the bench, so that it can be shared.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { boardShown, coreState, loadedCore } from "../engine/core";
import { t } from "../messages";
import { baseName, fetchGames, useLoad, useTitle, Waiting } from "../pages/parts";
import { hrefOf } from "../router";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { Game } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Bench, type BenchPreset } from "./Bench";
import { RollChoice, useRolls } from "./Dice";
import { Diagrams } from "./Diagrams";
import { draftOf, withPreset } from "./draft";
import { Families } from "./Families";
import { Measure } from "./Measure";
import { isTree, OwnTree, treePreset } from "./OwnTree";
import { firstPlayers, isSamePreset, labLink, presetOfQuery, STARTS } from "./presets";
import { Setup } from "./Setup";

const TABS = [["bench", t("lab.bench")], ["measure", t("lab.measureIt")], ["tree", t("lab.ownTree")], ["diagrams", t("lab.diagrams")], ["families", t("lab.otherMethods")]] as const;
type Tab = typeof TABS[number][0];

export function LabPage({ query }: PageProps) {
	useTitle(t("lab.laboratory"));
	const games = useLoad("games", fetchGames);
	return (
		<section class="page lab">
			<header class="lead lab-lead">
				<h1>{t("lab.laboratory")}</h1>
				<p>{t("lab.about")}</p>
			</header>
			<Waiting loaded={games} />
			{games.value && <Laboratory games={games.value} query={query} />}
		</section>
	);
}

/** A link may leave the players out. */
function complete(preset: BenchPreset, games: Game[]): BenchPreset {
	const info = infoOf(preset, games);
	return preset.players.length ? preset : { ...preset, players: info ? firstPlayers(info) : ["minimax:depth=2"] };
}

function infoOf({ game }: BenchPreset, games: Game[]): Game | undefined {
	return games.find(({ name }) => name === baseName(game));
}

/** Without those of plug-ins, as soon as that is known: the engine in the browser has none, and nobody else searches here. */
function useLabGames(games: Game[]): Game[] {
	const core = useStore(coreState) === "ready" ? loadedCore() : null;
	return core ? games.filter(({ name }) => core.games.has(name)) : games;
}

function Laboratory({ games: all, query }: { games: Game[]; query: URLSearchParams }) {
	const games = useLabGames(all);
	const [preset, setPreset] = useState<BenchPreset>(() => complete(presetOfQuery(query) ?? STARTS[0]!.preset, games));
	const [round, setRound] = useState(0);
	const [tab, setTab] = useState<Tab>("bench");
	const [isOpen, setOpen] = useState(false); // the form
	/* Kept here, because their forms come and go. */
	const [draft, setDraft] = useState(() => draftOf(preset));
	const [own, setOwn] = useState(() => draftOf(treePreset(preset)));
	useEffect(() => boardShown(), []);
	useEffect(() => {
		setDraft((now) => withPreset(now, preset));
		if (isTree(preset))
			setOwn((now) => withPreset(now, preset));
	}, [preset]);
	useEffect(() => {
		const link = labLink(preset);
		if (link.length < 6000)
			history.replaceState(null, "", hrefOf(link));
	}, [preset]);
	const { rolled, isReady } = useRolls(preset, infoOf(preset, games)?.chance ?? false, (moves) => setPreset({ ...preset, moves }));
	const run = (next: BenchPreset) => {
		setPreset(next);
		setRound(round + 1);
		setTab("bench");
	};
	return (
		<>
			<div class="row lab-tabs" role="group" aria-label={t("lab.parts")}>
				{TABS.map(([name, text]) => <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>{text}</button>)}
				<button type="button" class="lab-share" onClick={() => void copyText(new URL(hrefOf(labLink(preset)), location.href).href, t("lab.link"))}><Icon name="share" />{t("lab.shareLink")}</button>
			</div>
			{tab === "bench" && <>
				<div class="row lab-starts" role="group" aria-label={t("lab.startsLabel")}>
					<span class="small quiet" aria-hidden="true">{t("lab.startWith")}</span>
					{STARTS.map(({ name, preset: start }) => <button key={name} type="button" class="lab-start" aria-pressed={isSamePreset(preset, start)} onClick={() => run(start)}>{name}</button>)}
					<button type="button" class="lab-start" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}><Icon name="gear" />{t("lab.chooseSetup")}</button>
				</div>
				{isOpen && <div class="lab-change card"><Setup games={games} draft={draft} update={setDraft} onRun={run} /></div>}
				{rolled && <RollChoice rolled={rolled} onMoves={(moves) => run({ ...preset, moves })} />}
				{isReady ? <Bench key={round} preset={{ ...preset, at: preset.at ?? "look" }} guide /> : <p class="waiting" role="status">{t("lab.rolling")}</p>}
			</>}
			{tab === "measure" && <Measure games={games} preset={preset} onPreset={setPreset} />}
			{tab === "tree" && <OwnTree draft={own} update={setOwn} onRun={run} />}
			{tab === "diagrams" && <Diagrams onShow={run} />}
			{tab === "families" && <Families />}
		</>
	);
}
