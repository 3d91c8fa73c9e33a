// privacy.tsx - "/privacy": what this server stores about its visitors, as the server itself tells it.
// SPDX-License-Identifier: MIT
import { get } from "../api";
import { t } from "../messages";
import type { PageProps } from "../routes";
import type { Privacy } from "../types";
import { useLoad, useTitle, Waiting } from "./parts";

export function PrivacyPage(_: PageProps) {
	const privacy = useLoad("privacy", () => get<Privacy>("/api/v1/privacy"));
	useTitle(t("privacy.title"));
	return (
		<section class="page narrow stack">
			<h1>{t("privacy.title")}</h1>
			<Waiting loaded={privacy} />
			{privacy.value && <Contents privacy={privacy.value} />}
		</section>
	);
}

function Contents({ privacy }: { privacy: Privacy }) {
	return (
		<>
			<p>{t("privacy.summary", { days: privacy.keep_guests, idle: privacy.keep_unfinished })}</p>
			<p>{privacy.contact ? t("privacy.contact", { contact: privacy.contact }) : t("privacy.noContact")}</p>
			<h2>{t("privacy.stored")}</h2>
			<div class="scroll">
				<table class="keys stored">
					<thead>
						<tr><th scope="col">{t("privacy.fields")}</th><th scope="col">{t("privacy.purposeTitle")}</th><th scope="col">{t("privacy.keptTitle")}</th></tr>
					</thead>
					<tbody>
						{privacy.stored.map(({ table, fields, purpose, kept, days = privacy.keep_guests }) => (
							<tr key={`${table} ${fields[0]}`}>
								<th scope="row"><code>{table}</code> <span class="quiet small">{fields.join(", ")}</span></th>
								<td>{t("privacy.purpose", { purpose })}</td>
								<td>{t("privacy.kept", { kept, days })}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			<p>{t("privacy.backups")}</p>
			<h2>{t("privacy.cookies")}</h2>
			<ul>
				{privacy.cookies.map(({ name, purpose, days }) => <li key={name}><code>{name}</code>: {t("privacy.cookie", { purpose, days })}</li>)}
			</ul>
			<p>{t("privacy.allCookies")}</p>
			<p>{t("privacy.browser")}</p>
			<h2>{t("privacy.logs")}</h2>
			<p>{privacy.logs_requests ? t("privacy.logRequests") : t("privacy.logFailures")}</p>
			<p>{t("privacy.memory")}</p>
			<h2>{t("privacy.others")}</h2>
			<p>{t("privacy.noOthers")}</p>
			<h2>{t("privacy.rights")}</h2>
			<p>{t("privacy.delete")}</p>
		</>
	);
}
