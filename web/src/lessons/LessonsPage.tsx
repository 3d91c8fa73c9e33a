// LessonsPage.tsx - "/lessons": the course, and how far the reader has come.
// SPDX-License-Identifier: MIT
import { useTitle } from "../pages/parts";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import { course, courseParts, done, forgetProgress } from "./course";

export function LessonsPage(_props: PageProps) {
	useTitle("Lessons");
	const finished = useStore(done);
	const next = course.find(({ name }) => !finished.has(name));
	return (
		<section class="page lessons">
			<header class="lead">
				<h1>How a computer plays</h1>
				<p>{course.length} short lessons, from a player that moves at random to a game that is solved. Each has an idea, an experiment
					that you watch, and a question that you answer by doing. You need no mathematics beyond plus and minus.</p>
			</header>
			<div class="lesson-progress">
				<label for="progress">{`${finished.size} of ${course.length} lessons done`}</label>
				<progress id="progress" max={course.length} value={finished.size} />
				<div class="row">
					{next && <a class="button primary" href={`/lessons/${next.name}`}>{finished.size ? `Continue with lesson ${next.number}` : "Begin with lesson 1"}</a>}
					<a class="button" href="/lessons/teacher">For teachers</a>
					{finished.size > 0 && <button type="button" onClick={forgetProgress}>Start over</button>}
				</div>
				<p class="small quiet">Your progress is kept in this browser. To learn the rules of a game, see <a href="/learn">Learn to play</a>.</p>
			</div>
			{courseParts().map(({ title, lessons }) => (
				<section key={title} aria-label={title}>
					<h2>{title}</h2>
					<ol class="lesson-list" start={lessons[0]?.number}>
						{lessons.map(({ name, number, lesson }) => (
							<li key={name}>
								<a href={`/lessons/${name}`}>
									<span class="lesson-number">{number}</span>
									<span>{lesson.title}</span>
									{finished.has(name) && <span class="lesson-done">done</span>}
								</a>
							</li>
						))}
					</ol>
				</section>
			))}
		</section>
	);
}
