// openings.tsx - the opening book: its entry of a position, the name of an opening, and a choice of openings for a new game.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, askOnce } from "../engine/ask";
import { t } from "../messages";
import type { BookPosition, Game, Opening } from "../types";
import { groupByFamily } from "./openinglines";
import { useLoad, Waiting } from "./parts";

const KEPT = 400; // positions
const DEEPEST = 24; // plies; no opening is longer, so later moves need no request

/** The book entry of the position; null: not loaded yet, or there is no book. */
export function useBook(enabled: boolean, game: string, position: string, moves: string[]): BookPosition | null {
	const [shown, setShown] = useState<{ key: string; book: BookPosition | null } | null>(null);
	const known = useRef(new Map<string, BookPosition | null>());
	const key = enabled ? [game, position, ...moves].join("\n") : "";
	useEffect(() => {
		if (!key)
			return;
		const old = known.current.get(key);
		if (old !== undefined)
			return setShown({ key, book: old });
		let current = true;
		ask("positions", { game, position, moves, book: true }).then(({ book }) => {
			if (known.current.size >= KEPT)
				known.current.clear();
			known.current.set(key, book ?? null);
			if (current)
				setShown({ key, book: book ?? null });
		}, () => undefined); // the board shows the error
		return () => void (current = false);
	}, [key]);
	return key && shown?.key === key ? shown.book : null;
}

/** The name of the opening. It stays until the next one is loaded. */
export function OpeningName({ info, where }: {
	info: Game | null; where: { game: string; position: string; moves: string[] };
}) {
	const book = useBook(Boolean(info?.book), where.game, where.position, where.moves.slice(0, DEEPEST));
	const name = useRef<string | null>(null);
	if (book)
		name.current = book.opening;
	return name.current ? <p class="small quiet">{t("analysis.opening", { name: name.current })}</p> : null;
}

/** The options of a select of lines, by opening family; their values are the numbers of the lines. */
export function OpeningOptions({ lines, numbers, label }: {
	lines: Opening[]; numbers?: number[]; label(line: Opening): string;
}) {
	const option = (number: number) => {
		const line = lines[number - 1];
		return line && <option key={number} value={number}>{label(line)}</option>;
	};
	return (
		<>
			{groupByFamily(lines, numbers ?? lines.map((_, i) => i + 1)).map((family) => family.numbers.length > 1
				? <optgroup key={family.name} label={family.name}>{family.numbers.map(option)}</optgroup>
				: family.numbers.map(option))}
		</>
	);
}

/** A select of the named lines; the first one is the default. */
export function OpeningChoice({ game, value, onChange }: {
	game: string; value: Opening | null; onChange(opening: Opening): void;
}) {
	const loaded = useLoad(game, () => askOnce("openings", game));
	const lines = loaded.value?.game === game ? loaded.value.lines : [];
	useEffect(() => {
		if (lines[0] && (!value || !lines.includes(value)))
			onChange(lines[0]);
	}, [loaded.value]);
	if (!loaded.value)
		return <Waiting loaded={loaded} />;
	return (
		<label class="field"><span>{t("openings.opening")}</span>
			<select value={value ? lines.indexOf(value) + 1 : 1}
				onChange={(event) => {
					const line = lines[Number(event.currentTarget.value) - 1];
					if (line)
						onChange(line);
				}}>
				<OpeningOptions lines={lines} label={(line) => `${line.name} (${(line.short ?? line.moves).join(" ")})`} />
			</select>
		</label>
	);
}
