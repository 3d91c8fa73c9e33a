// Families.tsx - "Other methods": what computers can do without a search tree.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { t } from "../messages";
import { Boxes } from "./Boxes";
import { Learning } from "./Learning";
import { Machine } from "./Machine";
import { Predictor } from "./Predictor";
import { Waves } from "./Waves";

/** Each by its name in a lesson (docs/lessons.md). */
const METHODS = { waves: Waves, boxes: Boxes, learning: Learning, machine: Machine, masks: Predictor };
export type MethodName = keyof typeof METHODS;

export function Method({ name }: { name: MethodName }) {
	const View = METHODS[name];
	return <View />;
}

const VIEWS = [
	[t("lab.waves"), Waves], [t("lab.matchboxes"), Boxes], [t("lab.learningWeights"), Learning], [t("lab.machine"), Machine], [t("lab.starChess"), Predictor],
] as const;

export function Families() {
	const [at, setAt] = useState(0);
	const View = VIEWS[at]![1];
	return (
		<>
			<div class="row lab-tabs" role="group" aria-label={t("lab.otherMethods")}>
				{VIEWS.map(([name], i) => <button key={name} type="button" aria-pressed={i === at} onClick={() => setAt(i)}>{name}</button>)}
			</div>
			<View />
		</>
	);
}
