// Table.tsx - the board with both seats, or a text drawing where a game has no board.
// SPDX-License-Identifier: MIT
import { BoardView } from "../board/BoardView";
import { MoveButtons } from "../board/MoveChoice";
import type { Arrow, Badge, CellMark } from "../board/props";
import type { ComponentChildren } from "preact";
import type { Board, Game, Play, View } from "../types";
import type { PlayActions } from "./actions";
import type { Captures } from "./captures";
import { SeatBar } from "./SeatBar";
import type { Premoving } from "./usePremove";

interface TableProps {
	play: Play;
	at: number;
	board: Board | null;
	game: Game | null;
	view: View;
	turned: boolean;
	near: number; // the seat at the bottom
	interactive: boolean;
	arrows: Arrow[];
	badges: Badge[];
	marks: CellMark[];
	actions: PlayActions;
	over?: ComponentChildren; // on the board
	captures: Record<number, Captures>; // by the seat that captured them
	premove: Premoving;
}

export function Table({ play, at, board, game, view, turned, near, interactive, arrows, badges, marks, actions, over, captures, premove }: TableProps) {
	const above = play.seats.filter((seat) => seat.seat !== near);
	const below = play.seats.filter((seat) => seat.seat === near);
	const seats = (list: typeof above) => list.map((seat) => (
		<SeatBar key={seat.seat} play={play} at={at} seat={seat} board={board} game={game} actions={actions}
			captured={captures[seat.seat]} />
	));
	const onMove = (move: string) => void actions.move(move);
	return (
		<div class="table">
			{seats(above)}
			<div class="board-frame">
				{board
					? <BoardView board={board} view={premove.view ?? view} turned={turned} interactive={interactive || premove.view !== null}
						premoving={premove.view !== null} onMove={premove.view ? premove.queue : onMove} explains={!premove.view}
						arrows={[...arrows, ...premove.arrows]} badges={badges} marks={[...marks, ...premove.marks]} />
					: <pre class="text-board" tabIndex={0} role="img" aria-label={view.position}>{view.text ?? view.position}</pre>}
				{over}
			</div>
			{interactive && !board ? <MoveButtons moves={view.moves} onMove={onMove} /> : null}
			{seats(below)}
		</div>
	);
}
