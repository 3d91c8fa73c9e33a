// Controls.tsx - the controls of a game: six buttons, and the others in a menu.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { BoardLook } from "../board/lazy";
import { setResigned } from "../end/resigned";
import { treeOfPlay } from "../journal";
import { t } from "../messages";
import { handOver } from "../pages/handover";
import { analyseLink, baseName, saveText } from "../pages/parts";
import { navigate } from "../router";
import { changeSettings, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Game, Play } from "../types";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { MenuButton, type MenuItem } from "../ui/menu";
import type { PlayActions } from "./actions";
import { ExportDialog } from "./ExportDialog";
import { hostOf } from "./host";
import { AskFirst } from "./lazy";
import { roleOf, type Role } from "./rights";
import { ShareDialog } from "./ShareDialog";
import { whyUnsolved } from "./solvable";

interface ControlsProps {
	play: Play;
	board: Board | null;
	game: Game | null;
	actions: PlayActions;
	hinting: boolean;
	onHint(): void;
	turned: boolean;
	onFlip(): void;
	exact: boolean;
	solvable?: boolean; // exact values can be found in this position
	onExact(): void;
	onZen?(): void; // missing: there is no zen mode
}

/** Uses aria-disabled, because a button that is really disabled loses the focus. */
function Control({ icon, text, title, pressed, disabled, href, onClick }: MenuItem) {
	const inside = <><Icon name={icon} /><span>{text}</span></>;
	return href ? <a class="button control" href={href} title={title ?? text}>{inside}</a> : (
		<button type="button" class="control" title={title ?? text} aria-pressed={pressed} aria-disabled={disabled}
			onClick={() => disabled || onClick?.()}>{inside}</button>
	);
}

type Name = "undo" | "redo" | "hint" | "swap" | "flip" | "board" | "face" | "values" | "draw" | "resign" | "analyse" | "share" |
	"export" | "sound" | "zen" | "new";

/** The six that are always visible; the others are in the menu. None of them is a switch that is usually on: its colour would stand out. */
function mainControls(role: Role, turnable: boolean): Name[] {
	const board = turnable ? "flip" : "swap";
	if (!role.inProgress)
		return ["undo", turnable ? "flip" : "zen", "analyse", "export", "new"]; // more is below the result
	if (!role.seated)
		return ["hint", "analyse", turnable ? "flip" : "zen", "share", "export", "new"];
	if (role.waiting)
		return [board, "share", "new"];
	return role.alone ? ["undo", "redo", "hint", board, "resign", "analyse"] : ["undo", board, "draw", "resign", "share"];
}

type Panel = "share" | "export" | "resign" | "draw" | "board";

const NO_HELP = t("play.noHelp");

export function Controls(props: ControlsProps) {
	const { play, game, actions } = props;
	const role = roleOf(play);
	const [open, setOpen] = useState<"" | Panel>("");
	const items = useItems(props, role, setOpen);
	if (role.waiting)
		items.resign = null; // there is nobody to resign to
	const main = mainControls(role, props.board?.turnable ?? false).filter((name) => items[name]);
	/* A game of several players goes on without you. */
	const resign = async () => {
		const seat = role.mine.includes(play.view.seat) ? play.view.seat : role.mine[0] ?? 0;
		if (await actions.act({ action: "resign" }) && play.seats.length > 2)
			setResigned({ id: play.id, seat });
	};
	const rest = (Object.keys(items) as Name[]).filter((name) => items[name] && !main.includes(name));
	return (
		<div class="controls card" role="group" aria-label={t("play.controls")}>
			{main.map((name) => <Control key={name} {...items[name] as MenuItem} />)}
			<MenuButton text={t("play.more")} icon="more" items={rest.map((name) => items[name] as MenuItem)} />
			{open === "share" ? <ShareDialog play={play} onClose={() => setOpen("")} /> : null}
			{open === "export" ? <PlayExport play={play} game={game} onClose={() => setOpen("")} /> : null}
			{open === "board" ? <Dialog title={t("play.boardAndPieces")} onClose={() => setOpen("")}><BoardLook game={baseName(play.game)} /></Dialog> : null}
			{open === "resign" && items.resign ? <AskFirst title={t("play.resignQuestion")} yes={t("play.resignYes")} kind="danger" onClose={() => setOpen("")} onYes={() => void resign()} /> : null}
			{open === "draw" && items.draw ? <AskFirst title={t("play.drawQuestion")} yes={t("play.drawYes")} kind="primary" onClose={() => setOpen("")} onYes={() => void actions.act({ action: "offer", kind: "draw" })} /> : null}
		</div>
	);
}

/** The last move of yours can be taken back, or the dice that you entered; after the end only if nobody else has played. */
export function canUndo(play: Play, role: Role): boolean {
	const own = ({ seat }: { seat: number }) => seat ? role.mine.includes(seat) : play.dice?.mode === "typed";
	return role.seated && (role.inProgress ? play.line.some(own) : role.alone && play.line.length > 0);
}

/** All controls, in the order of the menu; null: not in this game. */
function useItems(props: ControlsProps, role: Role, open: (dialog: Panel) => void): Record<Name, MenuItem | null> {
	const { play, board, game, actions } = props;
	const { sound, volume, faceMover } = useStore(settings);
	const people = role.seated && !role.alone, name = baseName(play.game);
	const analyse = () => {
		if (role.seated && role.inProgress && play.seats.some(({ kind }) => kind === "computer"))
			void actions.act({ action: "help" });
		handOver(treeOfPlay(play), !role.inProgress);
		navigate(analyseLink(play.game, play.start, play.line.map((one) => one.move)));
	};
	const offered = play.offers.some((offer) => offer.kind === "draw" && role.mine.includes(offer.seat));
	return {
		undo: {
			icon: "undo", text: t("play.undo"), title: people ? t("play.askUndo") : t("play.takeBack"), disabled: !canUndo(play, role),
			onClick: () => void actions.act({ action: "undo" }),
		},
		redo: { icon: "redo", text: t("play.redo"), disabled: !role.seated || !play.redo, onClick: () => void actions.act({ action: "redo" }) },
		hint: {
			icon: "hint", text: t("play.hintButton"), title: role.hintsAllowed ? t("play.hintAbout") : NO_HELP, pressed: props.hinting,
			disabled: !role.inProgress || !role.hintsAllowed || play.view.seat === 0, onClick: props.onHint,
		},
		swap: {
			icon: "swap", text: t("play.swap"), title: people ? t("play.askSwap") : t("play.swapAbout"), disabled: !role.seated || !role.inProgress,
			onClick: () => void actions.act(people ? { action: "offer", kind: "swap" } : { action: "swap" }),
		},
		flip: board?.turnable ? { icon: "flip", text: t("play.flip"), title: t("play.flipAbout"), pressed: props.turned, onClick: props.onFlip } : null,
		face: board?.turnable && role.alone && role.mine.length > 1 ? {
			icon: "face", text: t("play.face"), title: t("play.faceAbout"), pressed: faceMover,
			onClick: () => changeSettings({ faceMover: !faceMover }),
		} : null,
		values: game?.exact ? {
			icon: "exact", text: t("play.values"), title: !role.hintsAllowed ? NO_HELP : props.solvable || props.exact ? t("play.valuesAbout") : whyUnsolved(game),
			pressed: props.exact, disabled: !role.hintsAllowed || (!props.solvable && !props.exact), onClick: props.onExact,
		} : null,
		draw: people && role.inProgress ? {
			icon: "handshake", text: t("play.draw"), title: t("play.offerDraw"), pressed: offered, disabled: offered,
			onClick: () => open("draw"),
		} : null,
		resign: role.seated && role.inProgress ? { icon: "flag", text: t("play.resign"), onClick: () => open("resign") } : null,
		analyse: {
			icon: "analyse", text: t("play.analyse"), title: role.hintsAllowed ? t("play.analyseAbout") : NO_HELP, disabled: !role.hintsAllowed, onClick: analyse,
		},
		share: role.inProgress ? { icon: "share", text: t("play.share"), onClick: () => open("share") } : null,
		export: { icon: "download", text: t("play.export"), title: t("play.exportAbout"), onClick: () => open("export") },
		board: board ? { icon: "look", text: t("play.boardAndPieces"), title: t("play.boardAbout"), onClick: () => open("board") } : null,
		sound: {
			icon: sound ? "sound" : "mute", text: t("play.sound"), title: sound ? t("play.soundOn") : t("play.soundOff"), pressed: sound,
			onClick: () => changeSettings(sound ? { sound: false } : { sound: true, volume: volume || 100 }),
		},
		zen: props.onZen ? { icon: "zen", text: t("play.zenMode"), title: t("play.zenAbout"), onClick: props.onZen } : null,
		new: { icon: "plus", text: t("play.new"), title: t("play.newAbout"), href: `/games/${encodeURIComponent(name)}` },
	};
}

function PlayExport({ play, game, onClose }: { play: Play; game: Game | null; onClose(): void }) {
	const text = (format: "record" | "pgn") => () => hostOf(play.id).record(play.id, format);
	return (
		<ExportDialog game={play.game} record={text("record")} {...(game?.pgn ? { pgn: text("pgn") } : {})}
			save={(ending, text) => saveText(`${baseName(play.game)}-${play.id}.${ending}`, text)} onClose={onClose} />
	);
}
