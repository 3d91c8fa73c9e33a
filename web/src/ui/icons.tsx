// icons.tsx - button icons: strokes in a 24 x 24 box.
// SPDX-License-Identifier: MIT

const paths = {
	logo: "M4 4h16v16H4zM8.5 8.5h.01M15.5 15.5h.01M15.5 8.5h.01M8.5 15.5h.01",
	sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
	moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.6 6.6 0 0 0 10.5 10.5z",
	gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.3 3h3.4l.6 2.6 2 .9 2.3-1.4 2.3 2.3-1.4 2.3.9 2 2.6.6v3.4l-2.6.6-.9 2 1.4 2.3-2.3 2.3-2.3-1.4-2 .9-.6 2.6h-3.4l-.6-2.6-2-.9-2.3 1.4-2.3-2.3 1.4-2.3-.9-2-2.6-.6v-3.4l2.6-.6.9-2-1.4-2.3 2.3-2.3 2.3 1.4 2-.9z",
	undo: "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 0 12",
	redo: "M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 12",
	swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
	hint: "M9.5 18h5M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.4 1.1 2.2h5c0-.8.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
	flip: "M4 9a8 8 0 0 1 14-3M18 2v4h-4M20 15a8 8 0 0 1-14 3M6 22v-4h4",
	flag: "M6 22V3M6 4h11l-2.5 4L17 12H6",
	handshake: "M2 12l4-5 4 2 2-2h4l6 5M6 7l6 6 2-2 4 4M10 13l4 4M8 15l3 3M2 12l6 6",
	again: "M4 12a8 8 0 1 0 2.4-5.7M6 2v4.5h4.5",
	plus: "M12 5v14M5 12h14",
	sound: "M4 10v4h3l5 4V6L7 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
	mute: "M4 10v4h3l5 4V6L7 10zM16 9.5l5 5M21 9.5l-5 5",
	share: "M18 8a3 3 0 1 0-3-3 3 3 0 0 0 3 3zM6 15a3 3 0 1 0-3-3 3 3 0 0 0 3 3zM18 22a3 3 0 1 0-3-3 3 3 0 0 0 3 3zM8.6 10.5l6.8-4M8.6 13.5l6.8 4",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	download: "M12 3v12M7 10l5 5 5-5M4 20h16",
	upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
	analyse: "M4 20V10M10 20V4M16 20v-7M21 20H3",
	exact: "M4 12.5l5 5L20 6.5",
	first: "M6 5v14M19 5l-9 7 9 7z",
	back: "M15 5l-8 7 8 7",
	forward: "M9 5l8 7-8 7",
	last: "M18 5v14M5 5l9 7-9 7z",
	close: "M6 6l12 12M18 6L6 18",
	dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 15.5h.01M12 12h.01",
	person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.6-4 4-6 8-6s7.400 2 8 6",
	computer: "M4 5h16v11H4zM9 20h6M12 16v4",
	link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 6 6l1.500-1.500",
	eye: "M2 12s3.500-7 10-7 10 7 10 7-3.500 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
	edit: "M4 20l1-4L16 5l3 3L8 19zM13.500 7.500l3 3",
	play: "M7 4l13 8-13 8z",
	clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2",
	readboard: "M2 6h12v12H2zM8 6v12M2 12h12M17 9a4.500 4.500 0 0 1 0 6M19.500 6.500a8 8 0 0 1 0 11",
	readmoves: "M2 7h2M6 7h8M2 12h2M6 12h8M2 17h2M6 17h8M17 9a4.500 4.500 0 0 1 0 6M19.500 6.500a8 8 0 0 1 0 11",
	menu: "M4 7h16M4 12h16M4 17h16",
	more: "M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0z",
	zen: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
	face: "M12 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6.500 18c.500-3 2.500-4 5.500-4s5 1 5.500 4M3 6V3h3M21 6V3h-3M3 18v3h3M21 18v3h-3",
	trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
	look: "M3 6h18v13H3zM8 2l4 4 4-4M7 10h4v4H7zM14.5 10h.01M14.5 14h.01M18 10h.01M18 14h.01",
	book: "M4 5a3 3 0 0 1 3-2h13v15H7a3 3 0 0 0-3 3zM4 5v16h16",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
	return (
		<svg class="glyph" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
			<path d={paths[name]} />
		</svg>
	);
}
