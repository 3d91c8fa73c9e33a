// Controls.tsx - play, pause, one step, back, speed, the next cut-off, and a slider along the whole search.
// SPDX-License-Identifier: MIT
import { number, t } from "../messages";
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
		<div class="lab-controls" role="group" aria-label={t("lab.searchSteps")}>
			<div class="row">
				<button type="button" aria-label={t("lab.firstStep")} title={t("lab.firstStep")} aria-disabled={isFirst} onClick={follow(() => clock.go(0))}><Icon name="first" /></button>
				<button type="button" aria-label={t("lab.oneBack")} title={t("lab.oneBackKey")} aria-disabled={isFirst} onClick={follow(() => clock.step(-1))}><Icon name="back" /></button>
				<button type="button" class="primary" aria-label={playing ? t("lab.pause") : t("lab.play")} title={playing ? t("lab.pauseKey") : t("lab.playKey")} onClick={follow(clock.toggle)}>
					{playing ? <span aria-hidden="true" class="pause">❚❚</span> : <Icon name="play" />}
				</button>
				<button type="button" aria-label={t("lab.oneStep")} title={t("lab.oneStepKey")} aria-disabled={isLast} onClick={follow(() => clock.step(1))}><Icon name="forward" /></button>
				<button type="button" aria-label={t("lab.lastStep")} title={t("lab.lastStep")} aria-disabled={isLast} onClick={follow(() => clock.go(last))}><Icon name="last" /></button>
				{hasCuts && <button type="button" title={t("lab.nextCutKey")} onClick={follow(toCut)}>{t("lab.nextCut")}</button>}
				<label class="lab-speed"><span>{t("lab.speed")}</span>
					<select value={clock.speed} onChange={(change) => clock.setSpeed(Number(change.currentTarget.value))}>
						{SPEEDS.map((speed) => <option key={speed} value={speed}>{speedText(speed)}</option>)}
					</select>
				</label>
				{several && <label class="lab-speed"><span>{t("lab.pace")}</span>
					<select value={pace} onChange={(change) => setPace(change.currentTarget.value as Pace)}>
						<option value="race">{t("lab.paceRace")}</option>
						<option value="together">{t("lab.paceTogether")}</option>
					</select>
				</label>}
				<div class="row lab-views" role="group" aria-label={t("lab.showAs")}>
					<button type="button" aria-pressed={view === "tree"} onClick={() => setView("tree")}>{t("lab.picture")}</button>
					<button type="button" aria-pressed={view === "text"} onClick={() => setView("text")}>{t("lab.text")}</button>
				</div>
			</div>
			<label class="lab-slider"><span class="unseen">{t("lab.searchStep")}</span>
				<input type="range" min={0} max={Math.max(0, last)} value={moment} aria-valuetext={t("lab.stepOf", { at: moment + 1, all: last + 1 })}
					onInput={(input) => {
						const to = Number(input.currentTarget.value);
						follow(() => clock.go(to))();
					}} />
				<span class="small quiet" aria-hidden="true">{`${number(moment + 1)} / ${number(last + 1)}`}</span>
			</label>
		</div>
	);
}
