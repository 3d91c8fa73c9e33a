// Controls.tsx - the controls of a game.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { LOOKS, lookWords, withWord } from "../board/looks";
import { treeOfPlay } from "../journal";
import { handOver } from "../pages/handover";
import { analyseLink, baseName, saveText } from "../pages/parts";
import { navigate } from "../router";
import { changeSettings, chooseLook, settings } from "../store/settings";
import { useStore } from "../store/store";
import type { Board, Game, Play } from "../types";
import { Dialog } from "../ui/dialog";
import { Icon, type IconName } from "../ui/icons";
import type { PlayActions } from "./actions";
import { ExportDialog } from "./ExportDialog";
import { hostOf } from "./host";
import { roleOf, type Role } from "./rights";
import { ShareDialog } from "./ShareDialog";

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
	onExact(): void;
}

interface ControlProps {
	icon: IconName;
	text: string;
	title?: string;
	pressed?: boolean;
	disabled?: boolean;
	onClick(): void;
}

/** Uses aria-disabled, because a button that is really disabled loses the focus. */
function Control({ icon, text, title, pressed, disabled, onClick }: ControlProps) {
	return (
		<button type="button" class="control" title={title ?? text} aria-pressed={pressed} aria-disabled={disabled}
			onClick={() => disabled || onClick()}>
			<Icon name={icon} /><span>{text}</span>
		</button>
	);
}

export function Controls(props: ControlsProps) {
	const { play, game, actions } = props;
	const role = roleOf(play);
	const { sound } = useStore(settings);
	const [open, setOpen] = useState<"" | "share" | "export" | "resign">("");
	const people = role.seated && !role.alone;
	const analyse = () => {
		handOver(treeOfPlay(play), !role.inProgress);
		navigate(analyseLink(play.game, play.start, play.line.map((one) => one.move)));
	};
	return (
		<div class="controls card" role="group" aria-label="Game controls">
			<Control icon="undo" text="Undo" title={people ? "Ask to take back a move" : "Take back a move"}
				disabled={!role.seated || !play.line.length} onClick={() => void actions.act({ action: "undo" })} />
			<Control icon="redo" text="Redo" disabled={!role.seated || !play.redo} onClick={() => void actions.act({ action: "redo" })} />
			<Control icon="hint" text="Hint" pressed={props.hinting}
				title={role.hintsAllowed ? "Show the best move (h)" : "No hints in games against people"}
				disabled={!role.inProgress || !role.hintsAllowed || play.view.seat === 0} onClick={props.onHint} />
			<Control icon="swap" text="Swap" title={people ? "Ask to swap sides" : "Swap sides"}
				disabled={!role.seated || !role.inProgress}
				onClick={() => void actions.act(people ? { action: "offer", kind: "swap" } : { action: "swap" })} />
			{props.board?.turnable ? (
				<Control icon="flip" text="Flip" title="Flip the board (f)" pressed={props.turned} onClick={props.onFlip} />
			) : null}
			<LookControl game={baseName(play.game)} />
			{game?.exact ? <Control icon="exact" text="Values" title="Exact values of all moves" pressed={props.exact}
				disabled={!role.hintsAllowed} onClick={props.onExact} /> : null}
			<EndControls play={play} role={role} actions={actions} onResign={() => setOpen("resign")} />
			<Control icon="analyse" text="Analyse" title="Open on the analysis board" onClick={analyse} />
			<Control icon="share" text="Share" onClick={() => setOpen("share")} />
			<Control icon="download" text="Export" title="Download or copy this game" onClick={() => setOpen("export")} />
			<Control icon={sound ? "sound" : "mute"} text="Sound" title={sound ? "Sound is on" : "Sound is off"} pressed={sound}
				onClick={() => changeSettings({ sound: !sound })} />
			<a class="button control" href={`/games/${encodeURIComponent(baseName(play.game))}`} title="Start another game">
				<Icon name="plus" /><span>New</span></a>
			{open === "share" ? <ShareDialog play={play} onClose={() => setOpen("")} /> : null}
			{open === "export" ? <PlayExport play={play} game={game} onClose={() => setOpen("")} /> : null}
			{open === "resign" ? <ResignDialog onClose={() => setOpen("")} onYes={() => void actions.act({ action: "resign" })} /> : null}
		</div>
	);
}

/** Switches to the other look of the board, if the game has one. */
function LookControl({ game }: { game: string }) {
	const { looks: chosen } = useStore(settings);
	const [look] = LOOKS[game]?.looks ?? [];
	if (!look)
		return null;
	const on = lookWords(game, chosen).includes(look.name);
	return <Control icon="look" text={look.title} title={`The other look of the board: ${look.title}`} pressed={on} onClick={() => chooseLook(game, withWord(game, chosen, look.name, !on))} />;
}

function PlayExport({ play, game, onClose }: { play: Play; game: Game | null; onClose(): void }) {
	const text = (format: "record" | "pgn") => () => hostOf(play.id).record(play.id, format);
	return (
		<ExportDialog game={play.game} record={text("record")} {...(game?.pgn ? { pgn: text("pgn") } : {})}
			save={(ending, text) => saveText(`${baseName(play.game)}-${play.id}.${ending}`, text)} onClose={onClose} />
	);
}

function EndControls({ play, role, actions, onResign }: { play: Play; role: Role; actions: PlayActions; onResign(): void }) {
	if (!role.inProgress)
		return (
			<Control icon="again" text="Rematch" disabled={!role.seated}
				onClick={() => play.rematch ? navigate(`/play/${encodeURIComponent(play.rematch)}`) : void actions.act({ action: "rematch" })} />
		);
	const offered = play.offers.some((offer) => offer.kind === "draw" && role.mine.includes(offer.seat));
	return (
		<>
			<Control icon="handshake" text="Draw" title="Offer a draw" pressed={offered} disabled={!role.seated || role.alone || offered}
				onClick={() => void actions.act({ action: "offer", kind: "draw" })} />
			<Control icon="flag" text="Resign" disabled={!role.seated} onClick={onResign} />
		</>
	);
}

function ResignDialog({ onClose, onYes }: { onClose(): void; onYes(): void }) {
	return (
		<Dialog title="Resign this game?" onClose={onClose}>
			<div class="row">
				<button type="button" class="danger" onClick={() => {
					onYes();
					onClose();
				}}>Yes, resign</button>
				<button type="button" onClick={onClose}>No, keep playing</button>
			</div>
		</Dialog>
	);
}
