// lobbypage.tsx - "/lobby": open games to join and games in progress to watch.
// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { get, sentence } from "../api";
import { t } from "../messages";
import type { PageProps } from "../routes";
import { follow } from "../socket";
import { settings } from "../store/settings";
import type { Lobby, Me } from "../types";
import { Icon } from "../ui/icons";
import { toastError } from "../ui/toast";
import { EntryList } from "./lobby";
import { Failure, fetchGames, startPlay, useLoad, useTitle } from "./parts";
import { gameToPlay, offered } from "./showcase";
import { TimeControl } from "./timecontrol";

export function LobbyPage(_: PageProps) {
	useTitle(t("lobby.title"));
	const me = useLoad("me", () => get<Me>("/api/v1/me"));
	const [lobby, setLobby] = useState<Lobby | null>(null);
	const [error, setError] = useState<string | null>(null);
	useEffect(() => follow<Lobby>("/api/v1/lobby/events", {
		message: setLobby,
		error: (reason) => setError(sentence(reason)),
	}), []);
	return (
		<section class="page lobby">
			<header class="lead">
				<h1>{t("lobby.title")}</h1>
				<p>{t("lobby.about")}</p>
			</header>
			{error && <Failure error={error} />}
			<Create />
			<section aria-labelledby="open">
				<h2 id="open">{t("lobby.waiting")}</h2>
				<div aria-live="polite">
					{lobby?.open.length ? <EntryList entries={lobby.open} action="Join" own={me.value?.plays.map(({ id }) => id) ?? []} />
						: <p class="none">{lobby ? t("lobby.noneOpen") : t("pages.loading")}</p>}
				</div>
			</section>
			<section aria-labelledby="going">
				<h2 id="going">{t("lobby.inProgress")}</h2>
				{lobby?.going.length ? <EntryList entries={lobby.going} action="Watch" />
					: <p class="none">{lobby ? t("lobby.noneGoing") : t("pages.loading")}</p>}
			</section>
		</section>
	);
}

/** Creates an open game with few options; the game's own page has all of them. */
function Create() {
	const [seat, setSeat] = useState(1);
	const games = useLoad("games", fetchGames);
	const fit = offered(games.value ?? []).filter((game) => game.seats > 1);
	const [name, setName] = useState("");
	const [clock, setClock] = useState("");
	const game = gameToPlay(fit, name || settings.get().last);
	const offer = (event: Event) => {
		event.preventDefault();
		if (!game)
			return;
		const mine = seat || 1 + Math.floor(2 * Math.random());
		const seats = Array.from({ length: game.seats }, (_, i) => i + 1 === mine ? "human" : "open");
		const own = settings.get().name;
		startPlay({ game: game.name, seats, ...(clock ? { clock } : {}), ...(own ? { name: own } : {}) })
			.catch(toastError);
	};
	return (
		<form class="offer" onSubmit={offer} aria-label={t("lobby.create")}>
			<label><span>{t("pages.game")}</span>
				<select value={game?.name ?? ""} onChange={(event) => setName(event.currentTarget.value)}>
					{fit.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
				</select>
			</label>
			<div class="field"><span aria-hidden="true">{t("pages.timeControl")}</span><TimeControl clock={clock} onChange={setClock} /></div>
			<label><span>{t("lobby.youMove")}</span>
				<select value={seat} onChange={(event) => setSeat(Number(event.currentTarget.value))}>
					{[1, 2, 0].map((one) => <option key={one} value={one}>{t("lobby.moveOrder", { one: String(one) })}</option>)}
				</select>
			</label>
			<button type="submit" class="primary" disabled={!game}><Icon name="plus" />{t("lobby.create")}</button>
		</form>
	);
}
