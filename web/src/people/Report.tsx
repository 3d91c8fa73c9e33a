// Report.tsx - a button and a small form to report another player, a name or a study to the operator of the server.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { post } from "../api";
import { t } from "../messages";
import type { ReportReason } from "../types";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { toast, toastError } from "../ui/toast";

const MOST = 500; // characters

/** What can be wrong with a player, or with a study. */
const REASONS: Record<"game" | "study", ReportReason[]> = {
	game: ["name", "behaviour", "cheating", "other"],
	study: ["content", "name", "other"],
};

interface Reported {
	kind: "game" | "study";
	id: string;
	/** Of a game: who can be reported. */
	people?: { seat: number; name: string }[];
}

export function ReportButton(reported: Reported) {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" class="small" onClick={() => setOpen(true)}><Icon name="flag" />{t("report.open", { kind: reported.kind })}</button>
			{isOpen ? <Dialog title={t("report.open", { kind: reported.kind })} onClose={() => setOpen(false)}>
				<ReportForm reported={reported} onDone={() => setOpen(false)} />
			</Dialog> : null}
		</>
	);
}

function ReportForm({ reported, onDone }: { reported: Reported; onDone(): void }) {
	const { kind, id, people = [] } = reported;
	const [seat, setSeat] = useState(people[0]?.seat);
	const [reason, setReason] = useState<ReportReason | "">("");
	const [text, setText] = useState("");
	const send = async (event: Event) => {
		event.preventDefault();
		try {
			await post("/api/v1/reports", { kind, id, ...(seat ? { seat } : {}), reason, text: text.trim() });
			toast(t("report.sent"));
			onDone();
		} catch (error) {
			toastError(error);
		}
	};
	return (
		<form class="stack" onSubmit={(event) => void send(event)}>
			<p class="small quiet">{t("report.about")}</p>
			{people.length > 1 ? <label class="field"><span>{t("report.who")}</span>
				<select value={seat} onChange={(event) => setSeat(Number(event.currentTarget.value))}>
					{people.map((one) => <option value={one.seat}>{one.name}</option>)}
				</select>
			</label> : null}
			<fieldset class="group stack">
				<legend>{people.length === 1 ? t("report.whyPlayer", { name: people[0]?.name ?? "" }) : t("report.why")}</legend>
				{REASONS[kind].map((one) => <label key={one}>
					<input type="radio" name="reason" required checked={reason === one} onChange={() => setReason(one)} />
					<span>{t("report.reason", { kind, reason: one })}</span>
				</label>)}
			</fieldset>
			<label class="field"><span>{t("report.text")}</span>
				<textarea rows={4} maxLength={MOST} value={text} onInput={(event) => setText(event.currentTarget.value)} />
			</label>
			<div class="row"><button type="submit" class="primary" disabled={!reason}>{t("report.send")}</button></div>
		</form>
	);
}
