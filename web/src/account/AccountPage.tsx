// AccountPage.tsx - "/account": sessions, password, tokens, e-mail address, export and deletion.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api";
import { rich, t } from "../messages";
import { Failure, useLoad, useTitle, Waiting } from "../pages/parts";
import { LoginForm, useAttempt } from "../pages/settings";
import type { PageProps } from "../routes";
import { navigate } from "../router";
import { reopenSocket } from "../socket";
import { loadStudies } from "../study/lazy";
import type { AccountExport, Me, SessionEntry, TokenEntry } from "../types";
import { copyText } from "../ui/copy";
import { Icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { browserName } from "./browser";
import { Card, day, PasswordField, TokenChoice } from "./fields";

export function AccountPage({ query }: PageProps) {
	const me = useLoad("me", () => get<Me>("/api/v1/me"));
	useTitle(t("account.title"));
	const reset = query.get("reset"), confirm = query.get("confirm");
	const [confirms, setConfirms] = useState(false); // you logged in to confirm an address
	const changed = () => {
		reopenSocket();
		me.again();
	};
	return (
		<section class="page narrow stack">
			<h1>{t("account.title")}</h1>
			<Waiting loaded={me} />
			{me.value && (confirm && !me.value.account ? <LogInFirst done={() => { setConfirms(true); me.again(); }} />
				: <Contents key={me.value.id} me={me.value} reset={reset} confirm={confirm} confirms={confirms} changed={changed} />)}
		</section>
	);
}

function Contents({ me, reset, confirm, confirms, changed }: { me: Me; reset: string | null; confirm: string | null; confirms: boolean; changed(): void }) {
	if (!me.account || reset)
		return (
			<>
				{!me.account && !reset && <Card id="login" title={t("account.logIn")}><p class="quiet small">{t("account.guest")}</p><LoginForm canCreate done={changed} /></Card>}
				{me.mail && !reset && <Forgotten />}
				<Reset code={reset ?? ""} changed={changed} />
				{!me.account && <><Tokens /><Export /></>}
			</>
		);
	return (
		<>
			<p>{rich("settings.loggedInAs", { account: me.account, strong: (text) => <strong>{text}</strong> })}</p>
			{confirm && <Confirm code={confirm} atOnce={confirms} changed={changed} />}
			<Sessions changed={changed} />
			<Password changed={changed} />
			<Tokens />
			{(me.mail || me.email) && <Email me={me} changed={changed} />}
			<Export />
			<Delete changed={changed} />
		</>
	);
}

// ---- Without the password ----

/** For the link of a mail: its code stays in the address until you are logged in. */
function LogInFirst({ done }: { done(): void }) {
	return (
		<Card id="login" title={t("account.logInToConfirm")}>
			<LoginForm done={done} />
			<p class="small"><a href="/account">{t("account.forgotten")}</a></p>
		</Card>
	);
}

function Forgotten() {
	const [name, setName] = useState("");
	const { error, busy, attempt } = useAttempt();
	const send = () => attempt(async () => {
		await post("/api/v1/password/forgotten", { name: name.trim() });
		toast(t("account.codeSent"));
	});
	return (
		<Card id="forgotten" title={t("account.forgotten")}>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); send(); }}>
				<label class="field"><span>{t("settings.accountName")}</span>
					<input type="text" maxLength={24} autocomplete="username" value={name} onInput={(event) => setName(event.currentTarget.value)} />
				</label>
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" disabled={busy || name.trim().length < 3}>{t("account.sendCode")}</button></div>
			</form>
		</Card>
	);
}

/** A new password by a code, which comes by mail or from the operator. */
function Reset({ code: given, changed }: { code: string; changed(): void }) {
	const [code, setCode] = useState(given);
	const [password, setPassword] = useState("");
	const [tokens, setTokens] = useState("keep");
	const { error, busy, attempt } = useAttempt();
	const save = () => attempt(async () => {
		await post("/api/v1/password/reset", { code: code.trim(), new: password, tokens, label: browserName() });
		toast(t("account.passwordChanged"));
		navigate("/account", true);
		changed();
	});
	return (
		<Card id="reset" title={t("account.haveCode")}>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); save(); }}>
				<label class="field"><span>{t("account.code")}</span>
					<input type="text" autocomplete="one-time-code" value={code} onInput={(event) => setCode(event.currentTarget.value)} />
				</label>
				<PasswordField text={t("account.newPassword")} value={password} set={setPassword} isNew />
				<TokenChoice value={tokens} set={setTokens} />
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" class="primary" disabled={busy || !code.trim() || password.length < 8}>{t("account.setPassword")}</button></div>
			</form>
		</Card>
	);
}

// ---- With an account ----

function Sessions({ changed }: { changed(): void }) {
	const loaded = useLoad("sessions", async () => (await get<{ sessions: SessionEntry[] }>("/api/v1/sessions")).sessions);
	const { error, busy, attempt } = useAttempt();
	const logOut = (everywhere: boolean) => attempt(async () => {
		await post("/api/v1/logout", { everywhere });
		toast(t("settings.loggedOut"));
		changed();
	});
	return (
		<Card id="sessions" title={t("account.sessions")}>
			<Waiting loaded={loaded} />
			<div class="stack">
				{loaded.value?.map(({ id, label, created, seen, current }) => (
					<div class="entry" key={id}>
						<div class="what"><span>{label || t("account.someBrowser")}{current && <> <strong>{t("account.thisBrowser")}</strong></>}</span>
							<small>{t("account.since", { created: day(created), seen: seen ? day(seen) : "" })}</small></div>
						{!current && <button type="button" disabled={busy} aria-label={t("account.endSession", { label: label || t("account.someBrowser") })}
							onClick={() => attempt(async () => {
								await post(`/api/v1/sessions/${id}/end`);
								loaded.again();
							})}>{t("settings.logOut")}</button>}
					</div>
				))}
			</div>
			{error && <Failure error={error} />}
			<div class="row">
				<button type="button" disabled={busy} onClick={() => logOut(false)}>{t("account.logOutHere")}</button>
				<button type="button" disabled={busy} onClick={() => logOut(true)}>{t("account.logOutEverywhere")}</button>
			</div>
		</Card>
	);
}

function Password({ changed }: { changed(): void }) {
	const [old, setOld] = useState("");
	const [next, setNext] = useState("");
	const [tokens, setTokens] = useState("keep");
	const { error, busy, attempt } = useAttempt();
	const save = () => attempt(async () => {
		await post("/api/v1/password", { old, new: next, tokens, label: browserName() });
		setOld("");
		setNext("");
		toast(t("account.passwordChanged"));
		changed();
	});
	return (
		<Card id="password" title={t("account.changePassword")}>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); save(); }}>
				<p class="quiet small">{t("account.passwordAbout")}</p>
				<PasswordField text={t("account.oldPassword")} value={old} set={setOld} />
				<PasswordField text={t("account.newPassword")} value={next} set={setNext} isNew />
				<TokenChoice value={tokens} set={setTokens} />
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" disabled={busy || !old || next.length < 8}>{t("account.changePassword")}</button></div>
			</form>
		</Card>
	);
}

function Tokens() {
	const loaded = useLoad("tokens", async () => (await get<{ tokens: TokenEntry[] }>("/api/v1/tokens")).tokens);
	const [label, setLabel] = useState("");
	const [token, setToken] = useState<string | null>(null);
	const { error, busy, attempt } = useAttempt();
	const create = () => attempt(async () => {
		setToken((await post<{ token: string }>("/api/v1/tokens", { label: label.trim() })).token);
		setLabel("");
		loaded.again();
	});
	return (
		<Card id="programs" title={t("settings.api")}>
			<p class="quiet small">{rich("settings.tokenAbout", {
				code: (text) => <code>{text}</code>, a: (text) => <a href="/api/v1/openapi.json">{text}</a>,
			})}</p>
			<Waiting loaded={loaded} />
			<div class="stack">
				{loaded.value?.map(({ id, label, created, used }) => (
					<div class="entry" key={id}>
						<div class="what"><span>{label || t("account.someToken")}</span>
							<small>{used ? t("account.tokenUsed", { created: day(created), used: day(used) }) : t("account.tokenUnused", { created: day(created) })}</small></div>
						<button type="button" disabled={busy} aria-label={t("account.revokeToken", { label: label || t("account.someToken") })}
							onClick={() => attempt(async () => {
								await post(`/api/v1/tokens/${id}/revoke`);
								loaded.again();
							})}>{t("account.revoke")}</button>
					</div>
				))}
			</div>
			{token && <div class="token" role="status">
				<p>{t("settings.copyNow")}</p>
				<code>{token}</code>
				<button type="button" onClick={() => void copyText(token, t("settings.token"))}><Icon name="copy" />{t("settings.copy")}</button>
			</div>}
			{error && <Failure error={error} />}
			<form class="stack" onSubmit={(event) => { event.preventDefault(); create(); }}>
				<label class="field"><span>{t("account.tokenLabel")}</span>
					<input type="text" maxLength={40} autocomplete="off" value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
				</label>
				<div class="row"><button type="submit" disabled={busy}>{t("settings.createToken")}</button></div>
			</form>
		</Card>
	);
}

/** The server uses a new address when its owner has confirmed it. */
function Email({ me, changed }: { me: Me; changed(): void }) {
	const [email, setEmail] = useState(me.email ?? "");
	const [password, setPassword] = useState("");
	const { error, busy, attempt } = useAttempt();
	const save = (address: string) => attempt(async () => {
		const { sent } = await post<{ sent: boolean }>("/api/v1/account/email", { email: address, password });
		setPassword("");
		toast(sent ? t("account.confirmSent") : t("account.emailRemoved"));
		changed();
	});
	return (
		<Card id="email" title={t("account.email")}>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); save(email.trim()); }}>
				<p class="quiet small">{t("account.emailAbout")}</p>
				<label class="field"><span>{t("account.address")}</span>
					<input type="text" inputMode="email" maxLength={254} autocomplete="email" value={email} onInput={(event) => setEmail(event.currentTarget.value)} />
				</label>
				<PasswordField text={t("account.yourPassword")} value={password} set={setPassword} />
				{error && <Failure error={error} />}
				<div class="row">
					<button type="submit" disabled={busy || !password || !email.trim() || email.trim() === me.email}>{t("account.saveEmail")}</button>
					{me.email && <button type="button" disabled={busy || !password} onClick={() => save("")}>{t("account.removeEmail")}</button>}
				</div>
			</form>
			{me.mail && <ConfirmCode changed={changed} />}
		</Card>
	);
}

async function confirmEmail(code: string, changed: () => void): Promise<void> {
	await post("/api/v1/account/email/confirm", { code });
	toast(t("account.confirmed"));
	navigate("/account", true);
	changed();
}

/** For a mail without a link: a server that was given no name of its own sends only the code. */
function ConfirmCode({ changed }: { changed(): void }) {
	const [code, setCode] = useState("");
	const { error, busy, attempt } = useAttempt();
	return (
		<details>
			<summary>{t("account.enterCode")}</summary>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); attempt(() => confirmEmail(code.trim(), changed)); }}>
				<label class="field"><span>{t("account.code")}</span>
					<input type="text" autocomplete="one-time-code" value={code} onInput={(event) => setCode(event.currentTarget.value)} />
				</label>
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" disabled={busy || !code.trim()}>{t("account.confirm")}</button></div>
			</form>
		</details>
	);
}

/** atOnce: without a click. */
function Confirm({ code, atOnce, changed }: { code: string; atOnce: boolean; changed(): void }) {
	const { error, busy, attempt } = useAttempt();
	const confirm = () => attempt(() => confirmEmail(code, changed));
	useEffect(() => void (atOnce && confirm()), []);
	return (
		<Card id="confirm" title={t("account.confirm")}>
			{error && <Failure error={error} />}
			<div class="row"><button type="button" class="primary" disabled={busy} onClick={confirm}>{t("account.confirm")}</button></div>
		</Card>
	);
}

/** All parts of the export as one. */
async function exportAll(): Promise<AccountExport> {
	const whole = await get<AccountExport>("/api/v1/account/export");
	for (let next = whole.next; next;) {
		const part = await get<AccountExport>(`/api/v1/account/export?after=${next}`);
		whole.games.push(...part.games);
		next = part.next;
	}
	whole.next = null;
	return whole;
}

function Export() {
	const { error, busy, attempt } = useAttempt();
	const save = () => attempt(async () => {
		const link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([JSON.stringify(await exportAll(), null, 1)], { type: "application/json" }));
		link.download = "quevedo-account.json";
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 60000);
	});
	return (
		<Card id="export" title={t("account.export")}>
			<p class="quiet small">{t("account.exportAbout")}</p>
			{error && <Failure error={error} />}
			<div class="row"><button type="button" disabled={busy} onClick={save}><Icon name="download" />{t("account.download")}</button></div>
		</Card>
	);
}

function Delete({ changed }: { changed(): void }) {
	const [password, setPassword] = useState("");
	const [isSure, setSure] = useState(false);
	const { error, busy, attempt } = useAttempt();
	const remove = () => attempt(async () => {
		const { removeWith } = await loadStudies();
		await removeWith(() => post("/api/v1/account/delete", { password }));
		toast(t("account.deleted"));
		changed();
	});
	return (
		<Card id="delete" title={t("account.delete")}>
			<form class="stack" onSubmit={(event) => { event.preventDefault(); remove(); }}>
				<p class="quiet small">{t("account.deleteAbout")}</p>
				<PasswordField text={t("account.yourPassword")} value={password} set={setPassword} />
				<label><input type="checkbox" checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} /><span>{t("account.deleteSure")}</span></label>
				{error && <Failure error={error} />}
				<div class="row"><button type="submit" class="danger" disabled={busy || !isSure || !password}><Icon name="trash" />{t("account.delete")}</button></div>
			</form>
		</Card>
	);
}
