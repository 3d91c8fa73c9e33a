// fields.tsx - what the forms of the account page share.
// SPDX-License-Identifier: MIT
import type { ComponentChildren } from "preact";
import { t } from "../messages";

export function Card({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
	return (
		<section class="card stack" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{children}
		</section>
	);
}

/** A day, as the reader's language writes it. */
export function day(seconds: number): string {
	return new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
}

export function PasswordField({ text, value, set, isNew = false }: { text: string; value: string; set(value: string): void; isNew?: boolean }) {
	return (
		<label class="field"><span>{text}</span>
			<input type="password" maxLength={128} autocomplete={isNew ? "new-password" : "current-password"} value={value}
				onInput={(event) => set(event.currentTarget.value)} />
		</label>
	);
}

/** What a new password does to the tokens of programs. */
export function TokenChoice({ value, set }: { value: string; set(value: string): void }) {
	return (
		<label>
			<input type="checkbox" checked={value === "revoke"} onChange={(event) => set(event.currentTarget.checked ? "revoke" : "keep")} />
			<span>{t("account.revokeAll")}</span>
		</label>
	);
}
