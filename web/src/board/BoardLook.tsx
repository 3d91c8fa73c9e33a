// BoardLook.tsx - the choice of board theme, piece set and other looks of a game, shown on small boards.
// SPDX-License-Identifier: MIT
import { useMemo } from "preact/hooks";
import { fetchBoard, fetchPosition, Group, useLoad } from "../pages/parts";
import { chooseLook, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, View } from "../types";
import { BoardPicture } from "./BoardPicture";
import { ALL_GAMES, inLook, LOOKS, lookWords } from "./looks";
import { PARTS } from "./parts";
import { SETS, THEMES, type LookPart } from "./themes";

const EXAMPLE = "chess"; // is drawn where all games are meant

/** game: a name without options, or ALL_GAMES. */
export function BoardLook({ game }: { game: string }) {
	const { looks } = useStore(settings);
	const words = lookWords(game, looks), shown = game === ALL_GAMES ? EXAMPLE : game;
	const { value } = useLoad(`look ${shown}`, async () => ({ board: await fetchBoard(shown), view: await fetchPosition(shown, "", []) }));
	const own = LOOKS[game];
	const plain = { name: "", title: "Standard" };
	const of = (list: { name: string }[]) => list.find(({ name }) => words.includes(name))?.name ?? list[0]?.name ?? "";
	const chosen = { theme: of(THEMES), set: of(SETS), own: of([plain, ...own?.looks ?? []]) };
	const choose = (change: Partial<typeof chosen>) => chooseLook(game, Object.values({ ...chosen, ...change }).filter(Boolean).join(" "));
	const picture = (change: Partial<typeof chosen>) => value?.board
		? <Picture board={value.board} view={value.view} game={shown} look={Object.values({ ...chosen, ...change }).join(" ")} /> : null;
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
			{own ? choices(`${own.title} board`, "own", [plain, ...own.looks]) : null}
			{choices("Board theme", "theme", THEMES)}
			{choices("Pieces", "set", SETS)}
		</div>
	);
}

function Picture({ board, view, game, look }: { board: Board; view: View; game: string; look: string }) {
	const drawn = useMemo(() => inLook(board, game, { [game]: look }, PARTS), [board, game, look]);
	return <BoardPicture board={drawn} view={view} />;
}
