// confetti.ts - a small celebration: paper falls over the page for two seconds.
// SPDX-License-Identifier: MIT

const PIECES = 120, SECONDS = 2.4;
const COLOURS = ["--paint-red", "--paint-yellow", "--paint-blue", "--paint-green", "--accent"];

interface Piece {
	x: number; // 0 to 1
	y: number;
	drift: number;
	speed: number;
	size: number;
	turn: number;
	colour: string;
}

function pieceOf(style: CSSStyleDeclaration): Piece {
	return {
		x: Math.random(), y: -0.5 * Math.random(), drift: 0.2 * (Math.random() - 0.5), speed: 0.45 + 0.4 * Math.random(),
		size: 7 + 8 * Math.random(), turn: 6 * (Math.random() - 0.5),
		colour: style.getPropertyValue(COLOURS[Math.floor(Math.random() * COLOURS.length)] ?? "--accent"),
	};
}

/** Returns a function that ends it. Nobody can click or read it. */
export function celebrate(): () => void {
	const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
	if (!context)
		return () => {};
	const style = getComputedStyle(document.documentElement);
	const pieces = Array.from({ length: PIECES }, () => pieceOf(style));
	canvas.className = "confetti";
	canvas.setAttribute("aria-hidden", "true");
	canvas.width = window.innerWidth;
	canvas.height = window.innerHeight;
	document.body.append(canvas);
	const began = performance.now();
	let frame = 0;
	const draw = () => {
		const seconds = (performance.now() - began) / 1000;
		context.clearRect(0, 0, canvas.width, canvas.height);
		context.globalAlpha = Math.max(0, Math.min(1, 2 * (SECONDS - seconds)));
		for (const piece of pieces) {
			context.save();
			context.translate((piece.x + piece.drift * seconds) * canvas.width, (piece.y + piece.speed * seconds) * canvas.height);
			context.rotate(piece.turn * seconds);
			context.fillStyle = piece.colour;
			context.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * Math.abs(Math.cos(4 * seconds + piece.turn)));
			context.restore();
		}
		if (seconds < SECONDS)
			frame = requestAnimationFrame(draw);
		else
			canvas.remove();
	};
	draw();
	return () => {
		cancelAnimationFrame(frame);
		canvas.remove();
	};
}
