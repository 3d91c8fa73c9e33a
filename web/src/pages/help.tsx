// help.tsx - "/help": keyboard shortcuts, sharing, how to verify the dice, and the history of the players.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { capital } from "../board/text";
import { askOnce } from "../engine/ask";
import { rich, t } from "../messages";
import { offlineState, offlineText } from "../offline/offline";
import { anchorHere } from "../router";
import type { PageProps } from "../routes";
import { useStore } from "../store/store";
import { Dialog } from "../ui/dialog";
import { useMedia } from "../ui/media";
import { useLoad, useTitle, Waiting } from "./parts";

const PAGE_KEYS: [string, string][] = [["?", t("help.keyHelp")]];

const BOARD_KEYS: [string, string][] = [
	[t("help.tab"), t("help.keyTab")],
	[t("help.arrowKeys"), t("help.keyArrows")],
	[t("help.enterSpace"), t("help.keySelect")],
	[t("help.escape"), t("help.keyEscape")],
	[t("help.backspace"), t("help.keyBackspace")],
	["s", t("help.keyArrow")],
	[t("help.shiftArrows"), t("help.keyTurnStack")],
	["p", t("help.keyReadPosition")],
	["m", t("help.keyReadMoves")],
];

const WALK_KEYS: [string, string][] = [
	["← →", t("help.keyWalk")],
	[", .", t("help.keyWalkOnBoard")],
	["↑ ↓", t("help.keyVariation")],
	[t("help.homeEnd"), t("help.keyEnds")],
	["e", t("help.keyEngine")],
	["x", t("help.keyExact")],
	["t", t("help.keyTheory")],
	["f", t("help.keyFlip")],
	["h", t("help.keyHint")],
	["y", t("help.keyPlayHint")],
	["r", t("help.keyRoll")],
	["d", t("help.keyDouble")],
	["a", t("help.keyTake")],
	["x", t("help.keyDrop")],
	["b", t("help.keyBeaver")],
	["w", t("help.keyWarp")],
	["n", t("help.keyMoveNow")],
	["z", t("help.keyZen")],
	["v", t("help.keyTerms")],
];

const LAB_KEYS: [string, string][] = [
	["k", t("help.keyPause")],
	[", .", t("help.keyStep")],
	["c", t("help.keyCutOff")],
	[t("help.arrowKeys"), t("help.keyNode")],
	["+ − 0", t("help.keyZoom")],
	[t("help.enterSpace"), t("help.keyBranches")],
];

const strong = (text: ComponentChildren) => <strong>{text}</strong>;
const code = (text: ComponentChildren) => <code>{text}</code>;

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
	return (
		<table class="keys">
			<caption>{title}</caption>
			<tbody>
				{keys.map(([key, what]) => <tr key={what}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}
			</tbody>
		</table>
	);
}

function AllKeys() {
	return (
		<>
			<Keys title={t("help.everywhere")} keys={PAGE_KEYS} />
			<Keys title={t("help.onBoard")} keys={BOARD_KEYS} />
			<Keys title={t("help.inGames")} keys={WALK_KEYS} />
			<Keys title={t("help.inLab")} keys={LAB_KEYS} />
		</>
	);
}

function ShortcutsPart() {
	return <><h2>{t("help.shortcuts")}</h2><AllKeys /></>;
}

/** What the key "?" shows. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
	return <Dialog title={t("help.shortcuts")} onClose={onClose}><AllKeys /></Dialog>;
}

/** The people whose programs play here. The section is loaded later than the page, so a link to it scrolls then. */
function History() {
	const loaded = useLoad("history", () => askOnce("history"));
	useEffect(() => {
		if (loaded.value && anchorHere() === "#history")
			document.getElementById("history")?.scrollIntoView();
	}, [loaded.value]);
	return (
		<>
			<h2 id="history">{t("help.history")}</h2>
			<p>{t("help.historyText")}</p>
			<Waiting loaded={loaded} />
			<dl class="history">
				{loaded.value?.map(({ who, when, work, here }) => (
					<div key={who}>
						<dt>{who} <span class="quiet">{when}</span></dt>
						<dd><cite>{capital(work)}</cite><br />{here}</dd>
					</div>
				))}
			</dl>
		</>
	);
}

export function HelpPage(_: PageProps) {
	useTitle(t("help.title"));
	const touch = useMedia("(pointer: coarse)"); // seldom with a keyboard
	return (
		<section class="page narrow prose">
			<h1>{t("help.title")}</h1>
			<p>{t("help.intro")}</p>

			{!touch && <ShortcutsPart />}

			<h2>{t("help.lab")}</h2>
			<p>{rich("help.labText", { a: (text) => <a href="/lab">{text}</a> })}</p>

			<h2>{t("help.sharing")}</h2>
			<p>{t("help.shareLink")}</p>
			<p>{rich("help.record", { code })}</p>

			<h2>{t("help.puzzles")}</h2>
			<p>{t("help.puzzlesText")}</p>

			<h2>{t("help.openings")}</h2>
			<p>{t("help.openingsText")}</p>

			<h2>{t("help.opponents")}</h2>
			<p>{rich("help.levels", { strong })}</p>
			<p>{rich("help.classics", { strong, a: (text) => <a href="/help#history">{text}</a> })}</p>

			<h2>{t("help.starChess")}</h2>
			<p>{rich("help.starChessText", { a: (text) => <a href="/games/starchess">{text}</a> })}</p>

			<h2>{t("help.values")}</h2>
			<p>{rich("help.valuesText", { strong })}</p>

			<h2 id="dice">{t("help.dice")}</h2>
			<ol>
				<li>{t("help.diceSecret")}</li>
				<li>{t("help.diceSeed")}</li>
				<li>{t("help.diceHash")}</li>
				<li>{t("help.diceCheck")}</li>
			</ol>
			<p>{t("help.diceRemainder")}</p>

			<h2>{t("help.lost")}</h2>
			<p>{t("help.lostText")}</p>

			<h2>{t("help.offline")}</h2>
			<p>{offlineText(useStore(offlineState))}</p>

			<History />
			{touch && <ShortcutsPart />}
		</section>
	);
}
