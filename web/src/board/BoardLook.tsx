// BoardLook.tsx - the choice of board theme, piece set and other looks of a game, shown on small boards.
// SPDX-License-Identifier: MIT
import { useMemo } from "preact/hooks";
import { t } from "../messages";
import { fetchBoard, fetchPosition, Group, useLoad } from "../pages/parts";
import { chooseLook, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, View } from "../types";
import { BoardPicture } from "./BoardPicture";
import { PieceShape } from "./drawing";
import { StarPicture } from "../starchess/StarPicture";
import { ALL_GAMES, inLook, LOOKS, lookWords, mapLook } from "./looks";
import { PARTS } from "./parts";
import { SETS, THEMES, type LookPart } from "./themes";

const EXAMPLE = "chess"; // is drawn where all games are meant

/** game: a name without options, or ALL_GAMES. */
export function BoardLook({ game }: { game: string }) {
	const { looks } = useStore(settings);
	const words = lookWords(game, looks), shown = game === ALL_GAMES ? EXAMPLE : game;
	const { value } = useLoad(`look ${shown}`, async () => ({ board: await fetchBoard(shown), view: await fetchPosition(shown, "", []) }));
	const own = LOOKS[game];
	const plain = { name: "", title: own?.usual ?? t("board.standard") };
	const of = (list: { name: string }[]) => list.find(({ name }) => words.includes(name))?.name ?? list[0]?.name ?? "";
	const chosen = { theme: of(THEMES), set: of(SETS), own: of([plain, ...own?.looks ?? []]) };
	const choose = (change: Partial<typeof chosen>) => chooseLook(game, Object.values({ ...chosen, ...change }).filter(Boolean).join(" "));
	const picture = (change: Partial<typeof chosen>) => value?.board ? (
		<Picture board={value.board} view={value.view} game={shown} look={Object.values({ ...chosen, ...change }).join(" ")} isOfPieces={change.set !== undefined} />
	) : null;
	const choices = (title: string, part: keyof typeof chosen, list: Pick<LookPart, "name" | "title">[]) => (
		<Group title={title}>
			<div class="look-choices">
				{list.map((one) => (
					<label key={one.name}>
						<input type="radio" name={`${part}-${game}`} checked={chosen[part] === one.name} onChange={() => choose({ [part]: one.name })} />
						{picture({ [part]: one.name })}
						<span>{one.title}</span>
					</label>
				))}
			</div>
		</Group>
	);
	return (
		<div class="stack">
			{own ? choices(own.title, "own", [plain, ...own.looks]) : null}
			{choices(t("board.theme"), "theme", THEMES)}
			{choices(t("board.pieces"), "set", SETS)}
		</div>
	);
}

interface PictureProps {
	board: Board;
	view: View;
	game: string;
	look: string;
	isOfPieces: boolean;
}

function Picture({ board, view, game, look, isOfPieces }: PictureProps) {
	const drawn = useMemo(() => inLook(board, game, { [game]: look }, PARTS), [board, game, look]);
	if (game === "starchess") // has a map of its own
		return <StarPicture standing={view.standing} look={mapLook(drawn)} {...(isOfPieces ? { only: 0 } : {})} />;
	return isOfPieces ? <Pieces board={drawn} /> : <BoardPicture board={drawn} view={view} />;
}

const MOST = 4; // pieces of a side in a picture

/** Some pieces of each side, large enough to be told apart; the most valuable come last in most games. */
function Pieces({ board }: { board: Board }) {
	const seats = [...new Set(board.pieces.flatMap(({ seat }) => seat ?? []))].slice(0, 2);
	const sides = seats.map((seat) => board.pieces.filter((piece) => piece.seat === seat).slice(-MOST));
	const rows = sides.every(({ length }) => length === 1) ? [sides.flat()] : sides;
	const wide = Math.max(...rows.map(({ length }) => length), 1);
	const tone = (i: number) => (board.ground === "wood" ? (i % 2 ? "dark" : "light") : board.ground === "frame" ? "hole" : board.ground === "felt" ? "tray" : board.ground);
	return (
		<svg class="board picture" viewBox={`0 0 ${100 * wide} ${100 * rows.length}`} style={board.theme} aria-hidden="true">
			{rows.flatMap((row, y) => row.map((kind, x) => (
				<g key={`${x} ${y}`} transform={`translate(${100 * x + 50} ${100 * y + 50})`}>
					<rect class={`ground tone-${tone(x + y)}`} x="-50" y="-50" width="100" height="100" />
					<PieceShape kind={kind} />
				</g>
			)))}
		</svg>
	);
}
