// OrdersPanel.tsx - the orders of this turn, which can be taken back one by one, and the end of the turn.
// SPDX-License-Identifier: MIT
import { t } from "../messages";
import { Icon } from "../ui/icons";
import { outcomeText, orderText, readCommand } from "./commands";
import { galaxyAt, turnStart, type Course } from "./course";
import { budgetOf, sectorName, type Galaxy } from "./galaxy";
import { strandedAt } from "./orders";

interface OrdersProps {
	line: { move: string; seat: number }[];
	course: Course;
	galaxy: Galaxy;
	me: number;
	busy: boolean;
	onRevoke(ply: number): void; // only this one; later orders are given again if they are still legal
	onRevokeAll(): void;
	onEnd(): void;
}

/** Warnings before the end of the turn. */
export function warningsOf(galaxy: Galaxy, me: number): string[] {
	const warnings: string[] = [];
	const { excess } = budgetOf(galaxy, me);
	const stranded = strandedAt(galaxy, me);
	if (excess)
		warnings.push(t("starchess.warnExcess", { n: excess }));
	if (stranded.length)
		warnings.push(t("starchess.warnStranded", { sectors: stranded.map(sectorName).join(", ") }));
	return warnings;
}

export function OrdersPanel({ line, course, galaxy, me, busy, onRevoke, onRevokeAll, onEnd }: OrdersProps) {
	const first = turnStart(line, line.length);
	const orders = line.slice(first);
	return (
		<section class="card orders" aria-labelledby="orders">
			<div class="card-head">
				<h2 id="orders">{t("starchess.orders")}</h2>
				{orders.length > 1 ? <button type="button" disabled={busy} onClick={onRevokeAll}>{t("starchess.takeBackAll")}</button> : null}
			</div>
			{orders.length ? (
				<ol class="order-list">
					{orders.map(({ move }, i) => (
						<li key={`${i} ${move}`}>
							<span>{stepText(course, first + i, me, move)}</span>
							<button type="button" class="icon" disabled={busy} title={t("starchess.takeBack")} aria-label={t("starchess.takeBackOrder", { order: stepText(course, first + i, me, move) })}
								onClick={() => onRevoke(first + i)}><Icon name="undo" /></button>
						</li>
					))}
				</ol>
			) : <p class="small quiet">{t("starchess.noOrders")}</p>}
			{warningsOf(galaxy, me).map((text) => <p key={text} class="small warning" role="alert">{text}</p>)}
			<button type="button" class="primary large" disabled={busy} onClick={onEnd}><Icon name="play" />{t("starchess.endTurn")}</button>
		</section>
	);
}

/** A command as text, with its outcome once that is known. */
export function stepText(course: Course, ply: number, faction: number, move: string): string {
	const command = readCommand(move);
	if (!command)
		return move;
	const before = galaxyAt(course, ply), after = galaxyAt(course, ply + 1);
	return before && after ? outcomeText(before, after, faction, command) : orderText(command);
}
