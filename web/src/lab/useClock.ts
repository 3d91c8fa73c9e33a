// useClock.ts - plays the searches of a bench.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";

export interface Clock {
	moment: number;
	last: number;
	playing: boolean;
	speed: number;
	go(moment: number): void; // stops playing
	step(by: number): void;
	toggle(): void;
	replay(): void; // from the first step
	setSpeed(speed: number): void;
}

export function useClock(last: number, first: number, speedAtFirst: number): Clock {
	const [moment, setMoment] = useState(first);
	const [playing, setPlaying] = useState(false);
	const [speed, setSpeed] = useState(speedAtFirst);
	const exact = useRef(first); // between two steps
	useEffect(() => {
		if (!playing)
			return;
		let frame = 0, before = performance.now();
		exact.current = moment;
		const advance = (now: number) => {
			exact.current = Math.min(last, exact.current + speed * Math.min(0.5, (now - before) / 1000));
			before = now;
			setMoment(Math.floor(exact.current));
			if (exact.current >= last)
				setPlaying(false);
			else
				frame = requestAnimationFrame(advance);
		};
		frame = requestAnimationFrame(advance);
		return () => cancelAnimationFrame(frame);
	}, [playing, speed, last]);
	const go = (to: number) => {
		setPlaying(false);
		setMoment(Math.min(last, Math.max(0, to)));
	};
	return {
		moment: Math.min(moment, Math.max(0, last)), last, playing, speed, go, setSpeed,
		step: (by) => go(moment + by),
		toggle: () => {
			if (!playing && moment >= last)
				setMoment(0);
			setPlaying(!playing);
		},
		replay: () => {
			exact.current = 0;
			setMoment(0);
			setPlaying(true);
		},
	};
}
