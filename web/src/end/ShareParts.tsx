// ShareParts.tsx - what can be shared of a game: links, its record, a picture of the position, an animation of the game.
// SPDX-License-Identifier: MIT
import { useEffect, useRef, useState } from "preact/hooks";
import { sentence } from "../api";
import { withColours } from "../board/stones";
import { t } from "../messages";
import { analyseLink, baseName, Failure, saveText, useBoard, useGame } from "../pages/parts";
import { pgnName } from "../pgn";
import { hostOf } from "../play/host";
import { isLocal } from "../play/local";
import { roleOf } from "../play/rights";
import { absolute, CopyField } from "../play/ShareDialog";
import type { Play } from "../types";
import { announce } from "../ui/announce";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { saveBlob } from "./files";
import { gifOfGame, pngPicture, svgPicture, type PictureOf } from "./picture";
import { captionOf } from "./caption";

const SHOWN_MOST = 4 << 20; // bytes of an animation that is also shown here

export function ShareParts({ play }: { play: Play }) {
	const { info } = useGame(play.game);
	const name = pgnName(play.game);
	const moves = play.line.map(({ move }) => move);
	const text = (format: "record" | "pgn", how: (content: string) => void) =>
		void hostOf(play.id).record(play.id, format).then(how).catch(toastError);
	const file = `${baseName(play.game)}-${play.id}`;
	return (
		<div class="stack">
			<CopyField label={t("end.linkToGame")}
				text={absolute(isLocal(play.id) ? analyseLink(play.game, play.start, moves) : `/play/${encodeURIComponent(play.id)}`)} />
			<CopyField label={t("end.linkToPosition")} text={absolute(analyseLink(play.game, play.view.position, []))} />
			<CopyField label={t("end.positionText")} text={play.view.position} />
			<div class="row" role="group" aria-label={t("end.moves")}>
				{info?.pgn ? <>
					<button type="button" onClick={() => text("pgn", (content) => void copyText(content, name))}><Icon name="copy" />{t("end.copy", { format: name })}</button>
					<button type="button" onClick={() => text("pgn", (content) => saveText(`${file}.${name.toLowerCase()}`, content))}><Icon name="download" />{name}</button>
				</> : null}
				<button type="button" onClick={() => text("record", (content) => saveText(`${file}.jsonl`, content))}><Icon name="download" />{t("end.record")}</button>
			</div>
			<Pictures play={play} file={file} />
		</div>
	);
}

function Pictures({ play, file }: { play: Play; file: string }) {
	const found = useBoard(play.game);
	const board = found?.board ? withColours(found.board, play.view.position) : null;
	const what: PictureOf = { board, turned: (board?.turnable ?? false) && roleOf(play).turned, caption: captionOf(play, board) };
	const [error, setError] = useState<string | null>(null);
	const save = (ending: string, make: () => Promise<Blob>) => {
		setError(null);
		make().then((blob) => saveBlob(`${file}.${ending}`, blob)).catch((reason) => setError(sentence(reason)));
	};
	if (!found)
		return null;
	return (
		<div class="stack" role="group" aria-label={t("end.pictures")}>
			<div class="row">
				<button type="button" onClick={() => save("png", () => pngPicture(play.view, what))}><Icon name="download" />{t("end.picturePng")}</button>
				<button type="button" onClick={() => save("svg", () => svgPicture(play.view, what))}><Icon name="download" />{t("end.pictureSvg")}</button>
			</div>
			{play.line.length ? <Animation play={play} what={what} file={file} onError={setError} /> : null}
			{error ? <Failure error={error} /> : null}
		</div>
	);
}

function Animation({ play, what, file, onError }: { play: Play; what: PictureOf; file: string; onError(error: string | null): void }) {
	const [done, setDone] = useState<number | null>(null);
	const [shown, setShown] = useState("");
	const stopper = useRef<AbortController | null>(null);
	useEffect(() => () => stopper.current?.abort(), []);
	const make = async () => {
		const controller = stopper.current = new AbortController();
		onError(null);
		setDone(0);
		announce(t("end.makingAnimation"));
		try {
			const gif = await gifOfGame(play, what, controller.signal, setDone);
			saveBlob(`${file}.gif`, gif);
			announce(t("end.animationSaved"));
			if (gif.size < SHOWN_MOST)
				setShown(await dataAddress(gif));
		} catch (reason) {
			if (!controller.signal.aborted)
				onError(sentence(reason));
		}
		setDone(null);
	};
	return (
		<>
			<div class="row">
				{done === null
					? <button type="button" onClick={() => void make()}><Icon name="download" />{t("end.animation")}</button>
					: <>
						<progress max={1} value={done} aria-label={t("end.animationProgress")} />
						<button type="button" onClick={() => stopper.current?.abort()}>{t("ui.stop")}</button>
					</>}
			</div>
			{shown ? <img class="animation" src={shown} alt={t("end.animationAlt")} /> : null}
		</>
	);
}

/** The page may load images from data: addresses, not from blob: ones. */
function dataAddress(blob: Blob): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error);
		reader.readAsDataURL(blob);
	});
}
