// game.tsx - "/games/NAME": the page of a game: new-game form, rules and import.
// SPDX-License-Identifier: MIT
import { navigate } from "../router";
import type { PageProps } from "../routes";
import type { Game } from "../types";
import { Icon } from "../ui/icons";
import { looksLikeJournal, readJournal } from "../journal";
import { GameRules } from "./gamerules";
import { handOver } from "./handover";
import { GamePictureOf } from "./livepicture";
import { NewGameForm } from "./newgame";
import {
	analyseLink, baseName, Failure, positionLink, startPlay, TextSource, useGame, useTitle, Waiting,
} from "./parts";
import { asRecord, importHint, importFormats, treeOfRecord } from "./records";
import { canTrain, trainLink } from "./training";

export function GamePage({ args, query }: PageProps) {
	const name = args[0] ?? "";
	const { info, loaded } = useGame(name);
	useTitle(info?.title ?? name);
	if (!loaded.value)
		return <section class="page"><h1>{name}</h1><Waiting loaded={loaded} /></section>;
	if (!info)
		return (
			<section class="page">
				<h1>{name}</h1>
				<Failure error={`There is no game called ${name}.`} />
				<p><a href="/">All games</a></p>
			</section>
		);
	return (
		<section class="page game">
			<header class="lead">
				<h1>{info.title}</h1>
				<div class="row">
					{info.board && <a class="button" href={`/learn/${encodeURIComponent(info.name)}`}><Icon name="book" />Learn to play</a>}
					<a class="button" href={analyseLink(name, "start", [])}><Icon name="analyse" />Analysis board</a>
					<a class="button" href={positionLink("/edit", name, "start")}><Icon name="edit" />Board editor</a>
					{canTrain(info) && <a class="button" href={trainLink(name)}><Icon name="book" />Opening trainer</a>}
				</div>
			</header>
			<div class="halves">
				<section class="card" aria-labelledby="new">
					<h2 id="new">New game</h2>
					<NewGameForm game={info} named={query.get("game") ?? ""} position={query.get("position")} />
				</section>
				<div class="stack">
					<section class="card rules" aria-labelledby="rules">
						<GamePictureOf game={info.name} />
						<h2 id="rules">Rules</h2>
						<GameRules game={info} />
					</section>
					<section class="card" aria-labelledby="import">
						<h2 id="import">Import a game</h2>
						<Import game={info} />
					</section>
				</div>
			</div>
		</section>
	);
}

function Import({ game }: { game: Game }) {
	const analyse = async (text: string) => {
		const tree = await treeOfRecord(game.name, text);
		handOver(tree);
		navigate(`/analyse?game=${encodeURIComponent(tree.game)}`);
	};
	const continueGame = (text: string) => {
		const named = looksLikeJournal(text) ? baseName(readJournal(text).tree.game) : game.name;
		const seats = Array.from({ length: game.seats }, () => "human");
		return startPlay({ record: asRecord(game.name, text), ...(named === game.name ? { seats } : {}) });
	};
	return (
		<>
			<p class="quiet small">{importFormats(game)}. Open it on the analysis board, or continue the game.</p>
			<TextSource label="Game record" hint={importHint(game)}
				action="Analyse" onText={analyse} second={{ action: "Continue playing", onText: continueGame }} />
		</>
	);
}
