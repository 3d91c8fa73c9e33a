// clocks.tsx - the clock of a seat, which keeps running between messages of the server.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { t } from "../messages";
import type { Clocks } from "../types";

interface ClockProps {
	clocks: Clocks;
	seat: number;
	side: string; // the name of the seat's side
	at: number; // performance.now() when the clocks were received
}

const LOW_MS = 20000;
const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400 };

/** Whether the clocks can show hours: all of them are wider then, for the whole game. */
function isLong({ terms }: Clocks): boolean {
	const [, time = "", unit = "s"] = /^(\d+)([smhd])?/.exec(terms) ?? [];
	return Number(time) * (SECONDS[unit] ?? 1) >= 3600;
}

export function clockText(ms: number): string {
	const left = Math.max(0, ms);
	if (left < 10000)
		return (Math.floor(left / 100) / 10).toFixed(1);
	const seconds = Math.ceil(left / 1000), minutes = Math.floor(seconds / 60);
	const two = (n: number) => String(n).padStart(2, "0");
	if (minutes >= 24 * 60) {
		const days = Math.floor(minutes / 60 / 24), hours = Math.floor(minutes / 60) % 24;
		return t("play.daysHours", { days, hours });
	}
	if (minutes < 60)
		return `${minutes}:${two(seconds % 60)}`;
	return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function Clock({ clocks, seat, side, at }: ClockProps) {
	const running = clocks.running === seat;
	const [, tick] = useState(0);
	useEffect(() => {
		if (!running)
			return;
		const timer = setInterval(() => tick((n) => n + 1), 100);
		return () => clearInterval(timer);
	}, [running, clocks]);
	const left = (clocks.left[seat - 1] ?? 0) - (running ? performance.now() - at : 0);
	return (
		<span class={`clock${running ? " running" : ""}${left < LOW_MS ? " short" : ""}${isLong(clocks) ? " long" : ""}`} role="timer"
			aria-label={t("play.clockOf", { side })}>{clockText(left)}</span>
	);
}
