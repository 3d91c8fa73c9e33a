// settings.tsx - "/settings": appearance, sound, name and login.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { browserName } from "../account/browser";
import { get, post, sentence } from "../api";
import { BoardLook } from "../board/lazy";
import { ALL_GAMES } from "../board/looks";
import { UploadOffer } from "../local/UploadOffer";
import { rich, t } from "../messages";
import { offlineState, offlineText } from "../offline/offline";
import { play as sound } from "../play/sounds";
import type { PageProps } from "../routes";
import { reopenSocket } from "../socket";
import { changeSettings, chooseLook, settings, type Settings } from "../store/settings";
import { storedGames } from "../store/games";
import { useStore } from "../store/store";
import type { Me } from "../types";
import { toast } from "../ui/toast";
import { Failure, fetchGames, Group, useLoad, useTitle, Waiting } from "./parts";
import { offered } from "./showcase";

export function SettingsPage(_: PageProps) {
	useTitle(t("settings.title"));
	return (
		<section class="page narrow stack">
			<h1>{t("settings.title")}</h1>
			<section class="card stack" aria-labelledby="page">
				<h2 id="page">{t("settings.appearance")}</h2>
				<Looks />
			</section>
			<section class="card stack" aria-labelledby="boards">
				<h2 id="boards">{t("settings.boards")}</h2>
				<Boards />
			</section>
			{!STATIC_SITE && <People />}
			<p class="quiet small">{offlineText(useStore(offlineState))}</p>
			<p><a href="/help">{t("settings.helpLink")}</a></p>
		</section>
	);
}

/** What others know of you. */
function People() {
	const me = useLoad("me", () => get<Me>("/api/v1/me"));
	return (
		<>
			<section class="card stack" aria-labelledby="name">
				<h2 id="name">{t("settings.yourName")}</h2>
				<Waiting loaded={me} />
				{me.value && <NameForm key={`${me.value.id} ${me.value.name}`} me={me.value} />}
			</section>
			<section class="card stack" aria-labelledby="account">
				<h2 id="account">{t("settings.account")}</h2>
				{me.value && <Account me={me.value} again={me.again} />}
			</section>
		</>
	);
}

function Looks() {
	const now = useStore(settings);
	return (
		<>
			<Choice title={t("settings.colours")} name="theme" value={now.theme}
				choices={[["system", t("settings.system")], ["light", t("settings.light")], ["dark", t("settings.dark")]]}
				onChange={(theme) => changeSettings({ theme })} />
			<Choice title={t("settings.animate")} name="animations" value={now.animations}
				choices={[["system", t("settings.system")], ["on", t("settings.always")], ["off", t("settings.never")]]}
				onChange={(animations) => changeSettings({ animations })} />
			{!STATIC_SITE && <Choice title={t("settings.engine")} name="engine" value={now.engine}
				choices={[["browser", t("settings.inBrowser")], ["server", t("settings.onServer")]]}
				onChange={(engine) => changeSettings({ engine })} />}
			<Switch name="sound" text={t("settings.sound")} now={now} />
			<label class="field"><span>{t("settings.volume")}</span>
				<input type="range" min={0} max={100} step={5} value={now.sound ? now.volume : 0}
					onInput={(event) => {
						const volume = event.currentTarget.valueAsNumber;
						changeSettings({ volume, sound: volume > 0 });
					}} onChange={() => sound("move")} />
			</label>
			<Switch name="hints" text={t("settings.legalMoves")} now={now} />
			<Switch name="coordinates" text={t("settings.coordinates")} now={now} />
			<Switch name="premoves" text={t("settings.premoves")} now={now} />
			<Switch name="autopass" text={t("settings.autopass")} now={now} />
			<Switch name="faceMover" text={t("settings.faceMover")} now={now} />
			{!STATIC_SITE && <Switch name="phrases" text={t("settings.phrases")} now={now} />}
			<Switch name="instant" text={t("settings.instant")} now={now} />
			<Switch name="thoughts" text={t("settings.thoughts")} now={now} />
			<Switch name="tutor" text={t("settings.tutor")} now={now} />
		</>
	);
}

/** Themes and piece sets: for all games, or for one of them. */
function Boards() {
	const games = useLoad("games", fetchGames);
	const { looks } = useStore(settings);
	const [game, setGame] = useState(ALL_GAMES);
	return (
		<>
			<label class="field"><span>{t("pages.game")}</span>
				<select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
					<option value={ALL_GAMES}>{t("pages.allGames")}</option>
					{offered(games.value ?? []).filter(({ board }) => board).map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
				</select>
			</label>
			<BoardLook key={game} game={game} />
			{game !== ALL_GAMES && looks[game]
				? <div class="row"><button type="button" onClick={() => chooseLook(game, "")}>{t("settings.sameAsAll")}</button></div> : null}
		</>
	);
}

function Choice<T extends string>({ title, name, value, choices, onChange }: {
	title: string; name: string; value: T; choices: [T, string][]; onChange(value: T): void;
}) {
	return (
		<Group title={title}>
			<div class="segments">
				{choices.map(([key, text]) => (
					<label key={key} class="segment">
						<input type="radio" name={name} checked={value === key} onChange={() => onChange(key)} />
						<span>{text}</span>
					</label>
				))}
			</div>
		</Group>
	);
}

function Switch({ name, text, now }: { name: "sound" | "premoves" | "autopass" | "faceMover" | "phrases" | "instant" | "hints" | "coordinates" | "thoughts" | "tutor"; text: string; now: Settings }) {
	return (
		<label>
			<input type="checkbox" checked={now[name]} onChange={(event) => changeSettings({ [name]: event.currentTarget.checked })} />
			<span>{text}</span>
		</label>
	);
}

/** Runs a request and keeps its error. */
export function useAttempt(): { error: string | null; busy: boolean; attempt(work: () => Promise<void>): void } {
	const [error, setError] = useState<string | null>(null);
	const [busy, setBusy] = useState(false);
	const attempt = (work: () => Promise<void>) => {
		setBusy(true);
		setError(null);
		work().catch((reason) => setError(sentence(reason))).finally(() => setBusy(false));
	};
	return { error, busy, attempt };
}

function NameForm({ me }: { me: Me }) {
	const [name, setName] = useState(me.name);
	const { error, busy, attempt } = useAttempt();
	const save = (event: Event) => {
		event.preventDefault();
		attempt(async () => {
			await post("/api/v1/me", { name: name.trim() });
			changeSettings({ name: name.trim() });
			toast(t("settings.nameSaved"));
		});
	};
	return (
		<form class="stack" onSubmit={save}>
			<label class="field"><span>{t("settings.nameShown")}</span>
				<input type="text" maxLength={24} autocomplete="nickname" required value={name}
					onInput={(event) => setName(event.currentTarget.value)} />
			</label>
			{error && <Failure error={error} />}
			<div class="row"><button type="submit" disabled={busy || !name.trim()}>{t("settings.saveName")}</button></div>
		</form>
	);
}

function Account({ me, again }: { me: Me; again(): void }) {
	const { error, busy, attempt } = useAttempt();
	const stored = useLoad("stored", storedGames.list);
	if (!me.account)
		return (
			<>
				<p class="quiet small">{t("settings.accountAbout")}</p>
				<LoginForm canCreate done={again} />
				<p class="small"><a href="/account">{t("account.forgotten")}</a></p>
			</>
		);
	return (
		<>
			<p>{rich("settings.loggedInAs", { account: me.account, strong: (text) => <strong>{text}</strong> })}</p>
			{stored.value && <UploadOffer games={stored.value} account={me.account} onDone={stored.again} />}
			{error && <Failure error={error} />}
			<p><a href="/account">{t("account.manage")}</a></p>
			<div class="row"><button type="button" disabled={busy} onClick={() => attempt(async () => {
				await post("/api/v1/logout");
				toast(t("settings.loggedOut"));
				reopenSocket();
				again();
			})}>{t("settings.logOut")}</button></div>
		</>
	);
}

/** canCreate: with a button that creates an account. */
export function LoginForm({ canCreate = false, done }: { canCreate?: boolean; done(): void }) {
	const [name, setName] = useState("");
	const [password, setPassword] = useState("");
	const { error, busy, attempt } = useAttempt();
	const enter = (path: string, text: string) => attempt(async () => {
		await post(path, { name: name.trim(), password, label: browserName() });
		setPassword("");
		toast(text);
		reopenSocket();
		done();
	});
	const isFilled = name.trim() !== "" && password.length >= 8;
	return (
		<form class="stack" onSubmit={(event) => { event.preventDefault(); enter("/api/v1/login", t("settings.loggedIn")); }}>
			<label class="field"><span>{t("settings.accountName")}</span>
				<input type="text" maxLength={24} autocomplete="username" value={name}
					onInput={(event) => setName(event.currentTarget.value)} />
			</label>
			<label class="field"><span>{t("settings.password")}</span>
				<input type="password" maxLength={128} autocomplete="current-password" value={password}
					onInput={(event) => setPassword(event.currentTarget.value)} />
			</label>
			{error && <Failure error={error} />}
			<div class="row">
				<button type="submit" class="primary" disabled={busy || !isFilled}>{t("settings.logIn")}</button>
				{canCreate && <button type="button" disabled={busy || !isFilled}
					onClick={() => enter("/api/v1/accounts", t("settings.accountCreated"))}>{t("settings.createAccount")}</button>}
			</div>
		</form>
	);
}
