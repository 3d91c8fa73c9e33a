// palette.tsx - the tools of the board editor: each piece, the eraser and the hand; a count where a cell holds several pieces.
// SPDX-License-Identifier: MIT
import { hasPlace } from "../board/backgammon";
import { PieceShape } from "../board/drawing";
import { t } from "../messages";
import type { Board } from "../types";
import { Icon } from "../ui/icons";
import { mostOf, type Tool } from "./editing";

export function Palette({ board, tool, onTool }: { board: Board; tool: Tool; onTool(tool: Tool): void }) {
	const most = tool.kind === "piece" ? mostOf(board, tool.piece) : 1;
	return (
		<fieldset class="palette">
			<legend class="unseen">{t("edit.piece")}</legend>
			{board.pieces.map((piece, i) => hasPlace(board, piece) && (
				<label key={i} class="tool" title={piece.name}>
					<input type="radio" name="tool" checked={tool.kind === "piece" && tool.piece === i} aria-label={piece.name}
						onChange={() => onTool({ kind: "piece", piece: i, count: 1 })} />
					<svg class="board" viewBox="-56 -56 112 112" aria-hidden="true">
						<PieceShape kind={piece} />
					</svg>
				</label>
			))}
			<label class="tool" title={t("edit.eraser")}>
				<input type="radio" name="tool" checked={tool.kind === "eraser"} aria-label={t("edit.eraser")}
					onChange={() => onTool({ kind: "eraser" })} />
				<Icon name="trash" />
			</label>
			<label class="tool" title={t("edit.move")}>
				<input type="radio" name="tool" checked={tool.kind === "hand"} aria-label={t("edit.move")}
					onChange={() => onTool({ kind: "hand" })} />
				<Icon name="swap" />
			</label>
			{tool.kind === "piece" && most > 1 && <label class="count"><span>{t("edit.number")}</span>
				<input type="number" min={1} max={most} value={tool.count}
					onInput={(event) => onTool({ ...tool, count: Math.min(most, Math.max(1, Number(event.currentTarget.value) || 1)) })} />
			</label>}
		</fieldset>
	);
}
