// Diagrams.tsx - the book's diagrams, each with its claim, and a check mark when a run confirms it.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../messages";
import type { BenchPreset } from "./Bench";
import { CLAIMS, confirms, type Claim } from "./claims";
import { requestLog } from "./request";

type Verdict = "confirmed" | "refuted" | "running";

export function Diagrams({ onShow }: { onShow(preset: BenchPreset): void }) {
	const [verdicts, setVerdicts] = useState<ReadonlyMap<Claim, Verdict>>(new Map());
	const stop = useRef<() => void>(() => {});
	useEffect(() => () => stop.current(), []);

	function check(claims: Claim[]): void {
		const put = (claim: Claim, verdict: Verdict) => setVerdicts((now) => new Map(now).set(claim, verdict));
		const next = ([claim, ...rest]: Claim[]): void => {
			if (!claim)
				return;
			put(claim, "running");
			let left = claim.runs.length, isRight = true;
			const done = (good: boolean) => {
				isRight &&= good;
				if (--left)
					return;
				put(claim, isRight ? "confirmed" : "refuted");
				next(rest);
			};
			const stops = claim.runs.map(({ player, expected }) =>
				requestLog({ game: "diagram", position: claim.position, player }, (log) => done(confirms(log, expected)), () => done(false)));
			stop.current = () => stops.forEach((one) => one());
		};
		next(claims);
	}

	const right = CLAIMS.filter((claim) => verdicts.get(claim) === "confirmed").length;
	return (
		<section class="card stack" aria-labelledby="diagrams">
			<div class="card-head">
				<h2 id="diagrams">{t("lab.diagrams")}</h2>
				<button type="button" class="primary" onClick={() => check(CLAIMS)}>{t("lab.checkAll")}</button>
			</div>
			<p class="quiet">{t("lab.diagramsAbout")}</p>
			{right > 0 && <p role="status">{t("lab.claimsConfirmed", { right, all: CLAIMS.length })}</p>}
			<ul class="lab-claims">
				{CLAIMS.map((claim, i) => <li key={i}>
					<Mark verdict={verdicts.get(claim)} />
					<span class="lab-grow"><strong>{claim.diagram}</strong> <span>{claim.text}</span></span>
					<span class="row">
						<button type="button" aria-label={t("lab.checkClaim", { diagram: claim.diagram, claim: claim.text })} onClick={() => check([claim])}>{t("lab.check")}</button>
						<button type="button" aria-label={t("lab.watchClaim", { diagram: claim.diagram, claim: claim.text })}
							onClick={() => onShow({ game: "diagram", position: claim.position, players: claim.runs.map(({ player }) => player) })}>{t("lab.watch")}</button>
					</span>
				</li>)}
			</ul>
		</section>
	);
}

function Mark({ verdict }: { verdict: Verdict | undefined }) {
	const [sign, words, name] = verdict === "confirmed" ? ["✓", t("lab.confirmed"), "good"] : verdict === "refuted" ? ["✗", t("lab.notConfirmed"), "bad"]
		: verdict === "running" ? ["…", t("lab.running"), "quiet"] : ["", t("lab.notChecked"), "quiet"];
	return <span class={`lab-mark ${name}`}><span aria-hidden="true">{sign}</span><span class="unseen">{words}</span></span>;
}
