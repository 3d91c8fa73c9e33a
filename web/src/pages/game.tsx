// game.tsx - "/games/NAME": the page of a game: new-game form, rules and import.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { hasPuzzles } from "../puzzles/games";
import type { PageProps } from "../routes";
import { Icon } from "../ui/icons";
import { GameRules } from "./gamerules";
import { GamePictureOf } from "./livepicture";
import { NewGameForm } from "./newgame";
import { ImportGame } from "../study/lazy";
import { canTrain, trainLink } from "./openinglines";
import { analyseLink, positionLink, useGame, useTitle, Waiting } from "./parts";

export function GamePage({ args, query }: PageProps) {
	const name = args[0] ?? "";
	const { info, loaded } = useGame(name);
	useTitle(info?.title ?? (loaded.value ? t("game.noSuch") : name));
	if (!loaded.value)
		return <section class="page"><h1>{name}</h1><Waiting loaded={loaded} /></section>;
	if (!info)
		return (
			<section class="page">
				<h1>{t("game.noSuch")}</h1>
				<p>{t("game.none", { name })}</p>
				<p><a href="/">{t("pages.allGames")}</a></p>
			</section>
		);
	return (
		<section class="page game">
			<header class="lead">
				<h1>{info.title}</h1>
				<div class="row">
					{info.board && <a class="button" href={`/learn/${encodeURIComponent(info.name)}`}><Icon name="book" />{t("game.learn")}</a>}
					{hasPuzzles(info.name) && <a class="button" href={`/puzzles/${info.name}`}><Icon name="hint" />{t("game.puzzles")}</a>}
					<a class="button" href={analyseLink(name, "start", [])}><Icon name="analyse" />{t("game.analysisBoard")}</a>
					<a class="button" href={positionLink("/edit", name, "start")}><Icon name="edit" />{t("game.boardEditor")}</a>
					{canTrain(info) && <a class="button" href={trainLink(name)}><Icon name="book" />{t("game.openingTrainer")}</a>}
				</div>
			</header>
			<div class="halves">
				<section class="card" aria-labelledby="new">
					<h2 id="new">{t("game.newGame")}</h2>
					<NewGameForm game={info} named={query.get("game") ?? ""} position={query.get("position")} />
				</section>
				<div class="stack">
					<section class="card rules" aria-labelledby="rules">
						<GamePictureOf game={info.name} />
						<h2 id="rules">{t("game.rules")}</h2>
						<GameRules game={info} />
					</section>
					<section class="card import-game" aria-labelledby="import">
						<h2 id="import">{t("game.import")}</h2>
						<ImportGame game={info} />
					</section>
				</div>
			</div>
		</section>
	);
}
