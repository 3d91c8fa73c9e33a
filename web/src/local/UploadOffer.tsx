// UploadOffer.tsx - asks whether to copy the finished games of this browser to the account.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
import { rich, t } from "../messages";
import { Failure } from "../pages/parts";
import type { StoredGame } from "../store/games";
import { Icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { uploadable, uploadGames } from "./upload";

export function UploadOffer({ games, account, onDone }: { games: StoredGame[]; account: string; onDone(): void }) {
	const waiting = uploadable(games);
	const [sent, setSent] = useState<number | null>(null);
	const [error, setError] = useState<string | null>(null);
	if (!waiting.length)
		return null;
	const upload = async () => {
		setError(null);
		setSent(0);
		try {
			await uploadGames(waiting, setSent);
			toast(t("local.uploaded"));
		} catch (reason) {
			setError(sentence(reason));
		}
		setSent(null);
		onDone();
	};
	return (
		<div class="card stack" role="group" aria-label={t("local.uploadGames")}>
			<p>{rich("local.offer", { n: waiting.length, account: <strong>{account}</strong> })}</p>
			{error && <Failure error={error} />}
			<div class="row">
				<button type="button" class="primary" disabled={sent !== null} onClick={() => void upload()}>
					<Icon name="upload" />{sent === null ? t("local.upload") : t("local.uploading", { at: sent + 1, all: waiting.length })}
				</button>
			</div>
		</div>
	);
}
