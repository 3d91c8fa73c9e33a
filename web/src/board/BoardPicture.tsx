// BoardPicture.tsx - a static board for the gallery and lists.
// SPDX-License-Identifier: MIT
import { CellPictures, Front, Ground, PieceGroup } from "./drawing";
import { fullRows } from "./marks";
import { RowLines } from "./Rings";
import type { PictureProps } from "./props";
import { StoneMarks } from "./StoneLayer";
import { hasManyPoints } from "./stones";

export function BoardPicture({ board, view, turned = false, title }: PictureProps) {
	const stones = hasManyPoints(board);
	return (
		<svg class={stones ? "board picture stones" : "board picture"} viewBox={`0 ${board.top ?? 0} ${board.width} ${board.height - (board.top ?? 0)}`} style={board.theme}
			role={title ? "img" : undefined} aria-label={title} aria-hidden={title ? undefined : true}>
			<Ground board={board} view={view} turned={turned} coordinates={false} />
			<CellPictures board={board} view={view} turned={turned} />
			{view.standing.map(([cell, piece, count]) => (
				<PieceGroup key={cell} board={board} cell={cell} piece={piece} count={count} turned={turned} />
			))}
			<Front board={board} />
			<RowLines board={board} rows={fullRows(board, view)} kind="won" turned={turned} />
			{stones ? <StoneMarks board={board} view={view} turned={turned} /> : null}
		</svg>
	);
}
