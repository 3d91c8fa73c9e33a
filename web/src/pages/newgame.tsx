// newgame.tsx - the new-game form: opponent, side, time control, dice and start position.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { sideName } from "../board/text";
import { useEngineData } from "../engine/core";
import { t } from "../messages";
import { LearnedChoice } from "../play/LearnedPanel";
import { levelResults, suggestLevel } from "../play/suggest";
import { DICE, wordsOf } from "../play/words";
import { storedGames } from "../store/games";
import { learnedOf } from "../store/learned";
import { changeSettings, settings } from "../store/settings";
import type { Game } from "../types";
import { Icon, type IconName } from "../ui/icons";
import { OpeningChoice } from "./openings";
import { ClassicSettings, OpponentOptions, OpponentPicker } from "./opponentchoice";
import { classicOf } from "./opponents";
import { Option } from "./optionfield";
import { Failure, Group, levelNumbers, positionLink, startPlay, useBoard, useLoad } from "./parts";
import { chooseComputer, defaultChoices, FORMATS, formatOf, formatOptions, gameText, isPrivate, playRequest, type Opponent, type NewGameChoices } from "./newplay";
import { TimeControl } from "./timecontrol";

const OPPONENTS: { kind: Opponent; icon: IconName; text: string; more: string }[] = [
	{ kind: "level", icon: "computer", text: t("newgame.computer"), more: t("newgame.computerMore") },
	{ kind: "link", icon: "link", text: t("newgame.friend"), more: t("newgame.friendMore") },
	{ kind: "lobby", icon: "person", text: t("newgame.anyone"), more: t("newgame.anyoneMore") },
	{ kind: "screen", icon: "swap", text: t("newgame.screen"), more: t("newgame.screenMore") },
	{ kind: "levels", icon: "eye", text: t("newgame.twoComputers"), more: t("newgame.twoComputersMore") },
	{ kind: "mix", icon: "person", text: t("newgame.custom"), more: t("newgame.customMore") },
];

/** Games with more than two players use other labels for some choices, and have one more. */
function opponentsFor(game: Game): typeof OPPONENTS {
	const fit = OPPONENTS.filter(({ kind }) => (game.levels > 0 || (kind !== "level" && kind !== "levels")) &&
		!(STATIC_SITE && (kind === "link" || kind === "lobby")));
	if (game.seats <= 2)
		return fit.filter(({ kind }) => kind !== "mix");
	const names: Partial<Record<Opponent, string>> = { level: t("newgame.computers"), link: t("newgame.friends"), levels: t("newgame.watchComputers") };
	return fit.map((one) => ({ ...one, text: names[one.kind] ?? one.text }));
}

const drawBelow = (below: number) => Math.floor(Math.random() * below);

/** named: the game with its options, if they are known. */
export function NewGameForm({ game, named, position }: { game: Game; named: string; position: string | null }) {
	const [choices, setChoices] = useState(() => defaultChoices(game, named, position, settings.get().computers[game.name]));
	useEngineData(game.name);
	const [error, setError] = useState<string | null>(null);
	const [busy, setBusy] = useState(false);
	const change = (part: Partial<NewGameChoices>) => setChoices((now) => ({ ...now, ...part }));
	const submit = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		setError(null);
		const name = settings.get().name;
		const play = playRequest(game, choices, drawBelow);
		const memory = play.seats?.some((spec) => classicOf(game, spec)?.memory) ? learnedOf(gameText(game, choices.options)) : "";
		if (memory)
			play.memory = memory;
		try {
			await startPlay(name ? { ...play, name } : play);
			if (choices.opponent === "level")
				changeSettings({ computers: { ...settings.get().computers, [game.name]: choices.computer } });
		} catch (reason) {
			setError(sentence(reason));
			setBusy(false);
		}
	};
	return (
		<form class="newgame stack" onSubmit={submit}>
			{game.seats > 1 && <Opponents game={game} choices={choices} change={change} />}
			{(choices.opponent === "level" || choices.opponent === "levels") && <Computers game={game} choices={choices} change={change} />}
			{choices.opponent === "level" && classicOf(game, choices.computer)?.memory && <LearnedChoice game={gameText(game, choices.options)} />}
			{choices.opponent === "mix" && <Mix game={game} choices={choices} change={change} />}
			{game.seats > 1 && (choices.opponent === "level" || choices.opponent === "link" || choices.opponent === "lobby") &&
				<SeatChoice game={game} choices={choices} change={change} />}
			{game.options.length > 0 && <Options game={game} choices={choices} change={change} />}
			<Terms game={game} choices={choices} change={change} />
			<StartPosition game={game} choices={choices} change={change} />
			<div class="newgame-end stack">
				{error && <Failure error={error} />}
				<button type="submit" class="primary large" disabled={busy}><Icon name="play" />{t("newgame.start")}</button>
			</div>
		</form>
	);
}

interface PartProps {
	game: Game;
	choices: NewGameChoices;
	change(part: Partial<NewGameChoices>): void;
}

function Opponents({ game, choices, change }: PartProps) {
	return (
		<Group title={game.seats > 2 ? t("newgame.opponents") : t("newgame.opponent")} name="choices">
			{opponentsFor(game).map(({ kind, icon, text, more }) => (
				<label key={kind} class="choice">
					<input type="radio" name="opponent" checked={choices.opponent === kind}
						onChange={() => change({ opponent: kind })} />
					<Icon name={icon} />
					<span><strong>{text}</strong><small>{more}</small></span>
				</label>
			))}
		</Group>
	);
}

function Computers({ game, choices, change }: PartProps) {
	const board = useBoard(game.name)?.board ?? null;
	const stored = useLoad("stored", storedGames.list);
	if (choices.opponent === "level") {
		const choose = (spec: string) => change(chooseComputer(game, choices, spec, null));
		const suggestion = stored.value && suggestLevel(game, levelResults(game, stored.value));
		return (
			<>
				{suggestion && suggestion.from.spec === choices.computer && <p class="suggestion" role="status">
					<span>{suggestion.text}</span>
					<button type="button" onClick={() => choose(suggestion.to.spec)}>{t("newgame.chooseLevel", { level: suggestion.to.name })}</button>
				</p>}
				<OpponentPicker game={game} seat={null} value={choices.computer} onChange={choose} />
			</>
		);
	}
	return (
		<>
			{choices.computers.map((value, i) => (
				<OpponentPicker key={i} game={game} seat={{ number: i + 1, side: sideName(board, i + 1) }} value={value}
					onChange={(spec) => change(chooseComputer(game, choices, spec, i + 1))} />
			))}
		</>
	);
}

/** Chooses the player of each seat: you, anyone who joins, or a computer. */
function Mix({ game, choices, change }: PartProps) {
	const board = useBoard(game.name)?.board ?? null;
	const set = (i: number, spec: string) => change({ mix: choices.mix.map((old, at) => at === i ? spec : old) });
	return (
		<Group title={t("newgame.players")}>
			{choices.mix.map((value, i) => {
				const classic = classicOf(game, value);
				return (
					<div key={i} class="stack">
						<label class="field"><span>{sideName(board, i + 1)}</span>
							<select value={classic && !classic.ladder ? classic.spec : value} onChange={(event) => set(i, event.currentTarget.value)}>
								<option value="human">{t("newgame.youHere")}</option>
								{!STATIC_SITE && <option value="open">{t("newgame.open")}</option>}
								<OpponentOptions game={game} />
							</select>
						</label>
						{classic && <ClassicSettings classic={classic} side={sideName(board, i + 1)} value={value} onChange={(spec) => set(i, spec)} />}
					</div>
				);
			})}
		</Group>
	);
}

function SeatChoice({ game, choices, change }: PartProps) {
	const board = useBoard(game.name)?.board ?? null;
	const seats = [...levelNumbers(game.seats), 0];
	return (
		<Group title={t("pages.yourSide")}>
			<div class="segments">
				{seats.map((seat) => (
					<label key={seat} class="segment">
						<input type="radio" name="seat" checked={choices.seat === seat} onChange={() => change({ seat })} />
						<span>{seat ? sideName(board, seat) : t("newgame.random")}</span>
					</label>
				))}
			</div>
		</Group>
	);
}

function Options({ game, choices, change }: PartProps) {
	const set = (name: string, value: string) => change({ options: { ...choices.options, [name]: value } });
	const format = formatOf(game, choices.options), formats = FORMATS[game.name] ?? [];
	const shown = format ? game.options.filter(({ name }) => format.more.includes(name)) : game.options;
	return (
		<Group title={t("newgame.options")}>
			{format && (
				<select aria-label={t("newgame.format")} value={format.text} onChange={(event) => {
					const chosen = formats.find(({ text }) => text === event.currentTarget.value);
					change({ options: chosen ? formatOptions(game, chosen, drawBelow) : {} });
				}}>
					{formats.map(({ text }) => <option key={text} value={text}>{text}</option>)}
				</select>
			)}
			{shown.map((option) => (
				<Option key={option.name} option={option} value={choices.options[option.name] ?? String(option.preset)}
					onChange={(value) => set(option.name, value)} />
			))}
		</Group>
	);
}

function Terms({ game, choices, change }: PartProps) {
	const chance = wordsOf(game.name)?.chance ?? DICE;
	return (
		<>
			<Group title={t("pages.timeControl")}>
				<TimeControl clock={choices.clock} onChange={(clock) => change({ clock })} />
			</Group>
			{game.chance && <Group title={chance.title}>
				<select aria-label={chance.title} value={choices.typedDice ? "typed" : "server"}
					onChange={(event) => change({ typedDice: event.currentTarget.value === "typed" })}>
					<option value="server">{chance.server}</option>
					<option value="typed">{chance.typed}</option>
				</select>
			</Group>}
			{!STATIC_SITE && <label>
				<input type="checkbox" checked={isPrivate(choices)}
					disabled={choices.opponent === "link"}
					onChange={(event) => change({ isPrivate: event.currentTarget.checked })} />
				<span>{t("newgame.private")}</span>
			</label>}
		</>
	);
}

function StartPosition({ game, choices, change }: PartProps) {
	const name = gameText(game, choices.options);
	const hasBook = game.book && name === game.name; // the book is for the default options
	return (
		<Group title={t("newgame.startPosition")}>
			<div class="segments">
				<label class="segment">
					<input type="radio" name="from" checked={choices.from === "start"} onChange={() => change({ from: "start" })} />
					<span>{t("newgame.standardStart")}</span>
				</label>
				<label class="segment">
					<input type="radio" name="from" checked={choices.from === "text"} onChange={() => change({ from: "text" })} />
					<span>{t("newgame.customPosition")}</span>
				</label>
				{hasBook && <label class="segment">
					<input type="radio" name="from" checked={choices.from === "opening"} onChange={() => change({ from: "opening" })} />
					<span>{t("newgame.opening")}</span>
				</label>}
			</div>
			{hasBook && choices.from === "opening" &&
				<OpeningChoice game={game.name} value={choices.opening} onChange={(opening) => change({ opening })} />}
			{choices.from === "text" && <>
				<label class="field"><span>{t("newgame.positionText")}</span>
					<textarea rows={2} spellcheck={false} value={choices.position}
						onInput={(event) => change({ position: event.currentTarget.value })} />
				</label>
				<a class="button" href={positionLink("/edit", name, choices.position.trim() || "start")}>
					<Icon name="edit" />{t("newgame.setUp")}
				</a>
			</>}
		</Group>
	);
}
