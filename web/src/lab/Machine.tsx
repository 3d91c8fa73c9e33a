// Machine.tsx - the machine of 1912 that mates with king and rook: which of its six rules it follows.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import { Failure, fetchPosition, useLoad, Waiting } from "../pages/parts";
import { announce } from "../ui/announce";
import { BenchBoard } from "./BenchBoard";
import { labRequest } from "./request";
import { StepButtons } from "./Steps";

interface Ruling {
	rule: number;
	move: string;
	rules: { rule: number; text: string; applies: boolean }[];
}

/** A move, and the rule that it follows; 0: of the black king. */
interface Made {
	move: string;
	rule: number;
}

const STARTS = [
	{ name: t("lab.machineMiddle"), position: "8/8/8/3k4/8/R7/8/4K3 w - - 0 1" },
	{ name: t("lab.machineCorner"), position: "7k/8/8/8/8/R7/8/4K3 w - - 0 1" },
	{ name: t("lab.machineDanger"), position: "8/8/8/8/2k5/R7/8/K7 w - - 0 1" },
] as const;
const MOVE_MS = 900;
const WHITE = t("lab.machineWhite");

export function Machine() {
	const [start, setStart] = useState(0);
	const [made, setMade] = useState<Made[]>([]);
	const [playing, setPlaying] = useState(false);
	const [refused, setRefused] = useState(""); // where somebody tried to move a white piece
	const { position } = STARTS[start] ?? STARTS[0];
	const moves = made.map(({ move }) => move), key = `${start} ${moves.join(" ")}`;
	const loaded = useLoad(key, async () => {
		const view = await fetchPosition("chess", position, moves);
		const ruling = view.over || view.seat !== 1 ? null : await labRequest<Ruling>("machine", { game: "chess", position: view.position });
		/* The move that lasts longest. */
		const reply = view.over || view.seat !== 2 ? null : (await labRequest<{ move: string }>("solve", { game: "chess", position: view.position, distance: true })).move;
		const brief = (move: string) => view.moves.find((one) => one.move === move)?.short ?? move;
		return { key, view, ruling: ruling && { ...ruling, move: brief(ruling.move) }, reply: reply && brief(reply) };
	});
	const found = loaded.value?.key === key ? loaded.value : null;
	const over = found?.view.over ?? false, isBlack = found?.view.seat === 2 && !over;
	const next = found?.ruling ? { move: found.ruling.move, rule: found.ruling.rule } : found?.reply ? { move: found.reply, rule: 0 } : null;
	const step = () => next && setMade([...made, next]);
	const go = (to: number, play = false) => {
		setMade(made.slice(0, to));
		setPlaying(play);
	};
	useEffect(() => {
		if (!playing || !found)
			return;
		if (over)
			return setPlaying(false);
		const timer = setTimeout(step, MOVE_MS);
		return () => clearTimeout(timer);
	}, [playing, found]);

	const rules = found?.ruling?.rules ?? null, decides = found?.ruling?.rule ?? 0;
	const before = made[made.length - 1];
	return (
		<section class="card stack" aria-labelledby="machine">
			<h2 id="machine">{t("lab.machine")}</h2>
			<p class="quiet">{t("lab.machineAbout")}</p>
			<label class="field"><span>{t("lab.startLabel")}</span>
				<select value={start} onChange={(event) => {
					setStart(Number(event.currentTarget.value));
					go(0);
				}}>{STARTS.map(({ name }, i) => <option key={i} value={i}>{name}</option>)}</select>
			</label>
			<div class="lab-sample">
				<BenchBoard key={start} game="chess" position={position} moves={moves} slow={false} onMove={(move) => {
					setPlaying(false);
					if (isBlack)
						return setMade([...made, { move, rule: 0 }]);
					setRefused(key);
					announce(WHITE);
				}} />
				<div class="stack">
					<StepButtons label={t("lab.moves")} isFirst={!made.length} isLast={over} playing={playing} onFirst={() => go(0)} onBack={() => go(made.length - 1)}
						onToggle={() => over ? go(0, true) : setPlaying(!playing)} onStep={() => void step()}>
						<span class="small quiet">{t("lab.machineMoves", { n: Math.ceil(made.length / 2) })}</span>
					</StepButtons>
					{loaded.error ? <Failure error={loaded.error} again={loaded.again} /> : !found && !made.length && <Waiting loaded={loaded} />}
					<p role="status">{over ? t("lab.machineEnd", { result: /^win 1/.test(found?.view.result ?? "") ? "win" : "draw", n: Math.ceil(made.length / 2) })
						: isBlack ? t("lab.machineBlack", { rule: before?.rule ?? 0, move: before?.move ?? "" })
							: found?.ruling ? t("lab.machineRule", { rule: decides, move: found.ruling.move }) : "…"}</p>
					{refused === key && <p>{WHITE}</p>}
					<Rules rules={rules} decides={decides} last={before?.rule ?? 0} />
					{made.length > 0 && <p class="small">{madeText(made)}</p>}
				</div>
			</div>
		</section>
	);
}

/** "1. Ra4 (rule 2) Kc5" */
function madeText(made: Made[]): string {
	return made.map(({ move, rule }, i) => i % 2 ? move : t("lab.machineMade", { n: i / 2 + 1, move, rule })).join(" ");
}

/** While Black is to move, the list stays as it was. */
function Rules({ rules, decides, last }: { rules: Ruling["rules"] | null; decides: number; last: number }) {
	const [shown, setShown] = useState<Ruling["rules"]>([]);
	useEffect(() => void (rules && setShown(rules)), [rules]);
	const now = decides || last;
	return (
		<ol class="lab-rules">{shown.map(({ rule, text, applies }) => <li key={rule} class={rule === now ? "decides" : rules && applies ? "applies" : ""}>
			{text}<span class="unseen">{rule === now ? ` ${t("lab.ruleDecides")}` : !rules ? "" : applies ? ` ${t("lab.ruleApplies")}` : ` ${t("lab.ruleNot")}`}</span></li>)}</ol>
	);
}
