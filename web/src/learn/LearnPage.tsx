// LearnPage.tsx - "/learn": the first steps of all games, and how far the reader has come.
// SPDX-License-Identifier: MIT
import { rich, t } from "../messages";
import { LivePicture } from "../pages/livepicture";
import { fetchGallery, useLoad, useTitle, Waiting } from "../pages/parts";
import { offered } from "../pages/showcase";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import type { Game, GamePicture } from "../types";
import { courseOf, courses, progress } from "./courses";

export function LearnPage(_props: PageProps) {
	useTitle(t("learn.learnToPlay"));
	const loaded = useLoad("gallery", fetchGallery);
	const done = useStore(progress);
	const finished = courses.filter(({ game, steps }) => (done[game]?.length ?? 0) >= steps.length).length;
	return (
		<section class="page learn">
			<header class="lead">
				<h1>{t("learn.learnToPlay")}</h1>
				<p>{t("learn.about")}</p>
			</header>
			<p class="quiet">{finished ? `${t("learn.known", { n: finished, all: courses.length })} ` : ""}{rich("learn.progress", { a: (text) => <a href="/lessons">{text}</a> })}</p>
			<Waiting loaded={loaded} />
			<ul class="learn-list">
				{offered(loaded.value?.games ?? []).filter(({ board }) => board).map((game) => (
					<GameCard key={game.name} game={game} picture={loaded.value?.pictures.find((one) => one.game === game.name)} done={done[game.name]?.length ?? 0} />
				))}
			</ul>
		</section>
	);
}

function GameCard({ game, picture, done }: { game: Game; picture: GamePicture | undefined; done: number }) {
	const course = courseOf(game.name);
	const count = course?.steps.length ?? 0;
	const all = count > 0 && done >= count;
	return (
		<li class="card learn-card">
			{picture && <LivePicture picture={picture} />}
			<div>
				<h2><a href={`/learn/${encodeURIComponent(game.name)}`}>{game.title}</a></h2>
				<p>{course?.about ?? t("learn.noSteps")}</p>
				{count > 0 && <p class="small learn-count">
					<progress max={count} value={done} aria-label={t("learn.stepsOf", { game: game.title })} />
					<span>{all ? t("learn.gameKnown") : done ? t("learn.doneOf", { done, all: count }) : t("learn.stepCount", { n: count })}</span>
				</p>}
			</div>
		</li>
	);
}
