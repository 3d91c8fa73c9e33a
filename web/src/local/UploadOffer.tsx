// UploadOffer.tsx - asks whether to copy the finished games of this browser to the account.
// SPDX-License-Identifier: MIT
import { useState } from "preact/hooks";
import { sentence } from "../api";
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
	const what = waiting.length === 1 ? "one finished game" : `${waiting.length} finished games`;
	const upload = async () => {
		setError(null);
		setSent(0);
		try {
			await uploadGames(waiting, setSent);
			toast("Your games are on the server.");
		} catch (reason) {
			setError(sentence(reason));
		}
		setSent(null);
		onDone();
	};
	return (
		<div class="card stack" role="group" aria-label="Upload games">
			<p>This browser has {what} that the server does not have. Do you want to copy them to your account <strong>{account}</strong>?</p>
			{error && <Failure error={error} />}
			<div class="row">
				<button type="button" class="primary" disabled={sent !== null} onClick={() => void upload()}>
					<Icon name="upload" />{sent === null ? "Upload" : `Uploading ${sent + 1} of ${waiting.length}…`}
				</button>
			</div>
		</div>
	);
}
