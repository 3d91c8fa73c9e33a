// Controls.tsx - play, pause, one step, back, speed, the next cut-off, and a slider along the whole search.
// SPDX-License-Identifier: MIT
import { Icon } from "../ui/icons";
import { speedText, SPEEDS, type Pace } from "./clock";
import type { Clock } from "./useClock";

export function Controls({ clock, pace, setPace, view, setView, several, hasCuts, follow, toCut }: {
	clock: Clock;
	pace: Pace;
	setPace(pace: Pace): void;
	view: "tree" | "text";
	setView(view: "tree" | "text"): void;
	several: boolean;
	hasCuts: boolean;
	follow(act: () => void): () => void;
	toCut(): void;
}) {
	const { moment, last, playing } = clock;
	const isFirst = moment <= 0, isLast = moment >= last;
	return (
		<div class="lab-controls" role="group" aria-label="Search steps">
			<div class="row">
				<button type="button" aria-label="First step" title="First step" aria-disabled={isFirst} onClick={follow(() => clock.go(0))}><Icon name="first" /></button>
				<button type="button" aria-label="One step back" title="One step back (,)" aria-disabled={isFirst} onClick={follow(() => clock.step(-1))}><Icon name="back" /></button>
				<button type="button" class="primary" aria-label={playing ? "Pause" : "Play"} title={`${playing ? "Pause" : "Play"} (k)`} onClick={follow(clock.toggle)}>
					{playing ? <span aria-hidden="true" class="pause">❚❚</span> : <Icon name="play" />}
				</button>
				<button type="button" aria-label="One step" title="One step (.)" aria-disabled={isLast} onClick={follow(() => clock.step(1))}><Icon name="forward" /></button>
				<button type="button" aria-label="Last step" title="Last step" aria-disabled={isLast} onClick={follow(() => clock.go(last))}><Icon name="last" /></button>
				{hasCuts && <button type="button" title="Go to the next cut-off (c)" onClick={follow(toCut)}>Next cut-off</button>}
				<label class="lab-speed"><span>Speed</span>
					<select value={clock.speed} onChange={(change) => clock.setSpeed(Number(change.currentTarget.value))}>
						{SPEEDS.map((speed) => <option key={speed} value={speed}>{speedText(speed)}</option>)}
					</select>
				</label>
				{several && <label class="lab-speed"><span>Pace</span>
					<select value={pace} onChange={(change) => setPace(change.currentTarget.value as Pace)}>
						<option value="race">Race: one step each</option>
						<option value="together">In step: all end together</option>
					</select>
				</label>}
				<div class="row lab-views" role="group" aria-label="Show the tree as">
					<button type="button" aria-pressed={view === "tree"} onClick={() => setView("tree")}>Picture</button>
					<button type="button" aria-pressed={view === "text"} onClick={() => setView("text")}>Text</button>
				</div>
			</div>
			<label class="lab-slider"><span class="unseen">Step of the search</span>
				<input type="range" min={0} max={Math.max(0, last)} value={moment} aria-valuetext={`step ${moment + 1} of ${last + 1}`}
					onInput={(input) => {
						const to = Number(input.currentTarget.value);
						follow(() => clock.go(to))();
					}} />
				<span class="small quiet" aria-hidden="true">{`${(moment + 1).toLocaleString("en")} / ${(last + 1).toLocaleString("en")}`}</span>
			</label>
		</div>
	);
}
