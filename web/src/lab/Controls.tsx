// Controls.tsx - play, pause, one step, back, the next cut-off, a slider along the whole search; and how the trees are shown.
// SPDX-License-Identifier: MIT
import { number, t } from "../messages";
import { Icon } from "../ui/icons";
import { speedText, SPEEDS, type Pace } from "./clock";
import { ALL, LINE, type Fold } from "./Pane";
import type { Clock } from "./useClock";

export function Controls({ clock, hasCuts, follow, toCut }: {
	clock: Clock;
	hasCuts: boolean;
	follow(act: () => void): () => void;
	toCut(): void;
}) {
	const { moment, last, playing } = clock;
	const isFirst = moment <= 0, isLast = moment >= last;
	return (
		<div class="lab-controls lab-play" role="group" aria-label={t("lab.searchSteps")}>
			<div class="row">
				<button type="button" aria-label={t("lab.firstStep")} title={t("lab.firstStep")} aria-disabled={isFirst} onClick={follow(() => clock.go(0))}><Icon name="first" /></button>
				<button type="button" aria-label={t("lab.oneBack")} title={t("lab.oneBackKey")} aria-disabled={isFirst} onClick={follow(() => clock.step(-1))}><Icon name="back" /></button>
				<button type="button" class="primary" aria-label={playing ? t("lab.pause") : t("lab.play")} title={playing ? t("lab.pauseKey") : t("lab.playKey")} onClick={follow(clock.toggle)}>
					{playing ? <span aria-hidden="true" class="pause">❚❚</span> : <Icon name="play" />}
				</button>
				<button type="button" aria-label={t("lab.oneStep")} title={t("lab.oneStepKey")} aria-disabled={isLast} onClick={follow(() => clock.step(1))}><Icon name="forward" /></button>
				<button type="button" aria-label={t("lab.lastStep")} title={t("lab.lastStep")} aria-disabled={isLast} onClick={follow(() => clock.go(last))}><Icon name="last" /></button>
				{hasCuts && <button type="button" title={t("lab.nextCutKey")} onClick={follow(toCut)}>{t("lab.nextCut")}</button>}
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

/** Below the picture. pace: null: there is one search only. */
export function ViewOptions({ clock, pace, setPace, view, setView, deepest, fold, setFold }: {
	clock: Clock; pace: Pace | null; setPace(pace: Pace): void; view: "tree" | "text"; setView(view: "tree" | "text"): void; deepest: number; fold: Fold; setFold(fold: Fold): void;
}) {
	const plies = Array.from({ length: deepest - 1 }, (_, i) => i + 1);
	return (
		<div class="row lab-options">
			<div class="row" role="group" aria-label={t("lab.showAs")}>
				<button type="button" aria-pressed={view === "tree"} onClick={() => setView("tree")}>{t("lab.picture")}</button>
				<button type="button" aria-pressed={view === "text"} onClick={() => setView("text")}>{t("lab.text")}</button>
			</div>
			{view === "tree" && <label class="lab-speed"><span>{t("lab.branches")}</span>
				<select value={fold} onChange={(change) => setFold(Number(change.currentTarget.value))}>
					<option value={LINE}>{t("lab.branchesLine")}</option>
					{plies.map((ply) => <option key={ply} value={ply}>{t("lab.branchesTo", { ply })}</option>)}
					<option value={ALL}>{t("lab.branchesAll")}</option>
				</select>
			</label>}
			<label class="lab-speed"><span>{t("lab.speed")}</span>
				<select value={clock.speed} onChange={(change) => clock.setSpeed(Number(change.currentTarget.value))}>
					{SPEEDS.map((speed) => <option key={speed} value={speed}>{speedText(speed)}</option>)}
				</select>
			</label>
			{pace && <label class="lab-speed"><span>{t("lab.pace")}</span>
				<select value={pace} onChange={(change) => setPace(change.currentTarget.value as Pace)}>
					<option value="race">{t("lab.paceRace")}</option>
					<option value="together">{t("lab.paceTogether")}</option>
				</select>
			</label>}
		</div>
	);
}
