// sounds.ts - short synthesised sounds; nothing is loaded.
// SPDX-License-Identifier: MIT
import { settings } from "../store/settings";

export type Sound = "move" | "capture" | "turn" | "win" | "loss" | "draw" | "dice" | "warp" | "refused";

/** A note: frequency in Hz, start and length in seconds, volume. */
type Note = [hz: number, at: number, length: number, volume: number];

const tunes: Record<Exclude<Sound, "move" | "capture" | "dice">, Note[]> = {
	turn: [[660, 0, 0.12, 0.08], [880, 0.09, 0.16, 0.08]],
	win: [[523, 0, 0.18, 0.11], [659, 0.13, 0.18, 0.11], [784, 0.26, 0.18, 0.11], [1047, 0.39, 0.4, 0.12]],
	loss: [[392, 0, 0.22, 0.1], [330, 0.18, 0.22, 0.1], [262, 0.36, 0.45, 0.1]],
	draw: [[440, 0, 0.2, 0.09], [440, 0.2, 0.3, 0.07]],
	warp: [220, 277, 349, 440, 554, 698].map((hz, i): Note => [hz, 0.05 * i, 0.07, 0.05]),
	refused: [[208, 0, 0.1, 0.12], [165, 0.1, 0.18, 0.12]],
};

let context: AudioContext | null = null;
let master: GainNode | null = null; // sets the volume of all sounds

/** A wooden knock: a burst of noise through a narrow filter. */
function knock(audio: AudioContext, at: number, hz: number, volume: number): void {
	const length = 0.08, rate = audio.sampleRate;
	const buffer = audio.createBuffer(1, Math.ceil(length * rate), rate);
	const data = buffer.getChannelData(0);
	for (let i = 0; i < data.length; i++)
		data[i] = (Math.random() * 2 - 1) * Math.exp(-i / (0.012 * rate));
	const source = audio.createBufferSource(), filter = audio.createBiquadFilter(), gain = audio.createGain();
	source.buffer = buffer;
	filter.type = "bandpass";
	filter.frequency.value = hz;
	filter.Q.value = 2.5;
	gain.gain.value = volume;
	source.connect(filter).connect(gain).connect(master ?? audio.destination);
	source.start(at);
}

function note(audio: AudioContext, start: number, [hz, at, length, volume]: Note): void {
	const voice = audio.createOscillator(), gain = audio.createGain();
	voice.type = "triangle";
	voice.frequency.value = hz;
	gain.gain.setValueAtTime(0.0001, start + at);
	gain.gain.exponentialRampToValueAtTime(volume, start + at + 0.015);
	gain.gain.exponentialRampToValueAtTime(0.0001, start + at + length);
	voice.connect(gain).connect(master ?? audio.destination);
	voice.start(start + at);
	voice.stop(start + at + length + 0.05);
}

/** Does nothing if sound is off, or before the first click, when browsers allow no sound. */
export function play(sound: Sound): void {
	const { sound: on, volume } = settings.get();
	if (!on || volume <= 0 || typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false)
		return;
	try {
		context ??= new AudioContext();
		if (!master) {
			master = context.createGain();
			master.connect(context.destination);
		}
		master.gain.value = Math.min(1, volume / 100);
		if (context.state === "suspended")
			void context.resume();
		const at = context.currentTime;
		if (sound === "move")
			knock(context, at, 620, 1.1);
		else if (sound === "capture")
			[0, 0.06].forEach((later, i) => knock(context!, at + later, i ? 480 : 900, 1.2));
		else if (sound === "dice")
			[0, 0.07, 0.13, 0.22].forEach((later) => knock(context!, at + later, 900 + 500 * Math.random(), 0.7));
		else
			tunes[sound].forEach((one) => note(context!, at, one));
	} catch {
		// No audio available: continue without sound.
	}
}
