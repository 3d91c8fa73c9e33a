// Steps.tsx - the controls of a method: the same buttons and keys as on the bench.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { t } from "../messages";
import { Icon } from "../ui/icons";
import { useKeys } from "../ui/keys";
import { speedText } from "./clock";
import type { Clock } from "./useClock";

const SPEEDS = [0.5, 1, 2, 5, 20];

interface StepButtonsProps {
	label: string;
	isFirst: boolean;
	isLast: boolean;
	playing: boolean;
	onFirst(): void;
	onBack?(): void;
	onToggle(): void;
	onStep(): void;
	onLast?(): void;
	keys?: boolean; // false: other buttons of the page have them
	children?: ComponentChildren; // beside the buttons
}

/** First, back, play, one step, last. A button that can do nothing now keeps its focus. */
export function StepButtons({ label, isFirst, isLast, playing, onFirst, onBack, onToggle, onStep, onLast, keys = true, children }: StepButtonsProps) {
	const back = () => isFirst || onBack?.(), step = () => isLast || onStep();
	useKeys(keys ? { "k": onToggle, ",": back, ".": step } : {});
	return (
		<div class="row" role="group" aria-label={label}>
			<button type="button" aria-label={t("lab.firstStep")} title={t("lab.firstStep")} aria-disabled={isFirst} onClick={() => isFirst || onFirst()}><Icon name="first" /></button>
			{onBack && <button type="button" aria-label={t("lab.oneBack")} title={keys ? t("lab.oneBackKey") : t("lab.oneBack")} aria-disabled={isFirst} onClick={back}><Icon name="back" /></button>}
			<button type="button" class="primary" aria-label={playing ? t("lab.pause") : t("lab.play")} onClick={onToggle}
				title={playing ? keys ? t("lab.pauseKey") : t("lab.pause") : keys ? t("lab.playKey") : t("lab.play")}>
				{playing ? <span aria-hidden="true" class="pause">❚❚</span> : <Icon name="play" />}
			</button>
			<button type="button" aria-label={t("lab.oneStep")} title={keys ? t("lab.oneStepKey") : t("lab.oneStep")} aria-disabled={isLast} onClick={step}><Icon name="forward" /></button>
			{onLast && <button type="button" aria-label={t("lab.lastStep")} title={t("lab.lastStep")} aria-disabled={isLast} onClick={() => isLast || onLast()}><Icon name="last" /></button>}
			{children}
		</div>
	);
}

/** For what is known from the first step to the last. text: the step in words. */
export function Steps({ clock, label, text, keys = true }: { clock: Clock; label: string; text(step: number): string; keys?: boolean }) {
	const { moment, last, playing } = clock;
	return (
		<div class="lab-controls">
			<StepButtons label={label} isFirst={moment <= 0} isLast={moment >= last} playing={playing} onFirst={() => clock.go(0)} onBack={() => clock.step(-1)}
				onToggle={clock.toggle} onStep={() => clock.step(1)} onLast={() => clock.go(last)} keys={keys}>
				<label class="lab-speed"><span>{t("lab.speed")}</span>
					<select value={clock.speed} onChange={(event) => clock.setSpeed(Number(event.currentTarget.value))}>
						{SPEEDS.map((speed) => <option key={speed} value={speed}>{speedText(speed)}</option>)}
					</select>
				</label>
			</StepButtons>
			<label class="lab-slider"><span class="unseen">{t("lab.stepsOf", { what: label })}</span>
				<input type="range" min={0} max={Math.max(0, last)} value={moment} aria-valuetext={text(moment)}
					onInput={(event) => clock.go(Number(event.currentTarget.value))} />
				<span class="small quiet" aria-hidden="true">{text(moment)}</span>
			</label>
		</div>
	);
}
