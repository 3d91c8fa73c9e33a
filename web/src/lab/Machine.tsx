// Machine.tsx - the machine of 1912 that mates with king and rook: which of its six rules it follows.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { Failure, fetchPosition, useLoad, Waiting } from "../pages/parts";
import { BenchBoard } from "./BenchBoard";
import { labRequest } from "./request";

interface Ruling {
	rule: number;
	move: string;
	rules: { rule: number; text: string; applies: boolean }[];
}

const START = "8/8/8/3k4/8/R7/8/4K3 w - - 0 1";

export function Machine() {
	const [moves, setMoves] = useState<string[]>([]);
	const key = moves.join(" ") || "start";
	const loaded = useLoad(key, async () => {
		const view = await fetchPosition("chess", START, moves);
		const ruling = view.over || view.seat !== 1 ? null : await labRequest<Ruling>("machine", { game: "chess", position: view.position });
		return { key, view, ruling };
	});
	const found = loaded.value?.key === key ? loaded.value : null;
	const ruling = found?.ruling ?? null, isBlack = found?.view.seat === 2 && !found.view.over;
	return (
		<section class="card stack" aria-labelledby="machine">
			<h2 id="machine">The machine of 1912</h2>
			<p class="quiet">Leonardo Torres Quevedo built a machine that gives mate with king and rook. It does not search at all: six rules tell it what to do.
				The first rule that applies decides. You move the black king.</p>
			<div class="lab-sample">
				<BenchBoard game="chess" position={START} moves={moves} slow={false} onMove={(move) => isBlack && setMoves([...moves, move])} />
				<div class="stack">
					{found ? null : <Waiting loaded={loaded} />}
					{loaded.error && <Failure error={loaded.error} />}
					{found?.view.over && <p role="status">The game is over. The machine has done its work.</p>}
					{isBlack && <p role="status">Move the black king: click it, then its square.</p>}
					{ruling && <>
						<ol class="lab-rules">{ruling.rules.map(({ rule, text, applies }) => <li key={rule} class={rule === ruling.rule ? "decides" : applies ? "applies" : ""}>
							{text}<span class="unseen">{rule === ruling.rule ? " This rule decides." : applies ? " It applies, too." : " It does not apply."}</span></li>)}</ol>
						<button type="button" class="primary" onClick={() => setMoves([...moves, ruling.move])}>{`Let the machine move: ${ruling.move}`}</button>
					</>}
					<button type="button" disabled={!moves.length} onClick={() => setMoves([])}>Start again</button>
				</div>
			</div>
		</section>
	);
}
