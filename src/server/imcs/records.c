/*
 * records.c - the accounts and games of an IMCS server, in the store and on the page.
 * SPDX-License-Identifier: MIT
 *
 * Each account is also a user of the store, created with it, so that it can have a seat in a play.
 * All accounts are in memory, in order of registration.
 *
 * Each IMCS game gets a game of the API (a "play"), whose seats belong to users that no browser can
 * log in as: everybody else watches. Moves and results are passed on to the play as if its two
 * users had made them in the API, so that streams, the lobby and the store work as for any other
 * game. If that play cannot be created or stored, the IMCS game itself continues without it.
 *
 * Players hear of a result before it is stored. If the database is away, the result waits in memory
 * and is written again until it is stored. A game can end only once, so writing it twice is harmless.
 */
#include "server/imcs/records.h"

#include <stdlib.h>

#include "server/api/bounds.h"
#include "server/api/cluster_watch.h"
#include "server/api/inside.h"
#include "server/api/names.h"

enum { /* of one address */
	NEW_A_MINUTE = 60,
	LOGINS_A_MINUTE = 20,
	LINES_A_MINUTE = 1200,
	LINES_AT_ONCE = 100,
	CHANGES_A_MINUTE = 60, /* of those lines that have something stored */
	CHANGES_AT_ONCE = 20,
};
enum { MOVES_MOST = 128 }; /* the rules end a game after 80 */
enum {
	AGAIN_MS = 1000,    /* between two attempts to store the results that wait */
	REFUSED_MOST = 3,   /* then the game has ended without this result: another server was first */
	WAITING_MOST = 1000, /* results; further ones are given up */
};

/* An account with the user that owns its seats. */
struct stored_account {
	char user[STORE_ID];
	struct imcs_account account;
};

/* How a game has ended. */
struct ending {
	int winner; /* -1: a draw; QV_UNDECIDED: no result */
	enum imcs_end end;
};

/* What the play of a game shows, or should: the play may have been dropped from memory meanwhile. */
struct shown {
	char users[2][STORE_ID], names[2][IMCS_NAME + 1];
	int count;
	char moves[MOVES_MOST][6];
	bool ends;
	struct ending ending;
};

/* A game in progress, or one whose result is not stored yet. */
struct open_game {
	struct imcs_records *records; /* NULL: closed; then a callback of the store frees the game */
	int64_t id, began;
	int ratings[2];	     /* when it began */
	char play[API_USER]; /* id of the play that shows it; "": it is not shown */
	struct shown shown;
	struct open_game *next;
	/* Of the end. */
	int64_t ended; /* 0: in progress */
	char result[64];
	int changes[2]; /* of the ratings */
	struct string log;
	bool busy; /* the store calls back */
	int refused;
};

/* Everything that outlives a connection. */
struct imcs_records {
	struct api *api;
	struct stored_account *accounts; /* in order of registration */
	size_t count, room;
	struct map names; /* their hashes to indexes of accounts */
	int64_t version; /* of the last account that was read from the store */
	struct imcs *server;
	struct open_game *games;
	int waiting;	  /* results that the store has failed to write */
	int64_t again_ms; /* when they are written again */
};

/* ---- Accounts ---- */

/* NULL: out of memory. */
static struct stored_account *add_account(struct imcs_records *k, const char *user,
					  const struct imcs_account *account)
{
	if (!mem_reserve(&mem_malloc, &k->accounts, &k->room, k->count + 1, sizeof *k->accounts) ||
	    !map_add(&k->names, qv_hash_bytes(account->name, strlen(account->name)),
		     map_of_number(k->count)))
		return NULL;
	struct stored_account *at = &k->accounts[k->count++];
	at->account = *account;
	snprintf(at->user, sizeof at->user, "%s", user);
	return at;
}

/* Names are case-sensitive, as in the protocol. */
static struct stored_account *find(const struct imcs_records *k, const char *name)
{
	const uint64_t hash = qv_hash_bytes(name, strlen(name));
	const void *value;
	for (size_t at = 0; (value = map_next_of(&k->names, hash, &at));) {
		struct stored_account *found = &k->accounts[map_to_number(value)];
		if (strcmp(found->account.name, name) == 0)
			return found;
	}
	return NULL;
}

/* False: the row does not fit, so it was not written by this program. */
static bool account_of_row(const struct store_imcs_user *row, struct imcs_account *account)
{
	if (strlen(row->name) >= sizeof account->name ||
	    strlen(row->password_hash) >= sizeof account->hash)
		return false;
	*account = (struct imcs_account){ .rating = row->rating };
	memcpy(account->name, row->name, strlen(row->name) + 1);
	memcpy(account->hash, row->password_hash, strlen(row->password_hash) + 1);
	return true;
}

/* For store_imcs_users. */
static bool take_user(void *ctx, const struct store_imcs_user *row)
{
	struct imcs_records *k = ctx;
	struct imcs_account account;
	return !account_of_row(row, &account) || add_account(k, row->user, &account);
}

/* In order of registration, as the server had them. */
enum qv_status imcs_records_load(struct imcs_records *k, struct imcs *server)
{
	k->server = server;
	for (size_t i = 0; i < k->count; i++)
		if (imcs_add_account(server, &k->accounts[i].account) != QV_OK)
			return QV_NO_MEMORY;
	return QV_OK;
}

/* Queues a new account. It gets its user first: the row refers to it. */
static void add_row(struct imcs_records *k, const struct imcs_account *account, char user[STORE_ID],
		    bool is_admin)
{
	char skeleton[NAME_SKELETON];
	struct store_imcs_user row = { .rating = account->rating };
	secrets_user_id(user);
	snprintf(row.name, sizeof row.name, "%s", account->name);
	snprintf(row.user, sizeof row.user, "%s", user);
	snprintf(row.password_hash, sizeof row.password_hash, "%s", account->hash);
	store_put_user(k->api->store, user, account->name, api_seconds(k->api));
	name_skeleton(account->name, skeleton);
	if (is_admin)
		store_put_imcs_user(k->api->store, &row);
	else
		store_add_imcs_user(k->api->store, &row, skeleton);
}

/* ---- Changes of accounts ---- */

int64_t imcs_records_version(const struct imcs_records *k)
{
	return k->version;
}

/* Here and in the server. The user of an account never changes. */
static bool put_account(struct imcs_records *k, struct imcs *server, const char *user,
			const struct imcs_account *account)
{
	struct stored_account *known = find(k, account->name);
	if (!known && !(known = add_account(k, user, account)))
		return false;
	known->account = *account;
	return imcs_put_account(server, account) == QV_OK;
}

bool imcs_records_take(struct imcs_records *k, struct imcs *server, const struct store_rows *rows,
		       size_t row)
{
	struct store_imcs_user user;
	struct imcs_account account;
	if (!store_row_imcs_user(rows, row, &user))
		return false;
	k->version = user.version > k->version ? user.version : k->version;
	return !account_of_row(&user, &account) || put_account(k, server, user.user, &account);
}

enum qv_status imcs_records_change(struct imcs_records *k, const struct imcs_account *account,
				   enum imcs_change change, char user[STORE_ID],
				   void (*done)(void *ctx, bool ok), void *ctx)
{
	struct store *store = k->api->store;
	if (change == IMCS_ADDED)
		add_row(k, account, user, false);
	else if (change == IMCS_NEW_PASSWORD)
		store_set_imcs_password(store, account->name, account->hash);
	else
		store_set_imcs_rating(store, account->name, account->rating);
	return store_end_unit(store, done, ctx);
}

/* A new name that was refused for no other reason is somebody's, or looks like an account's. */
enum imcs_storing imcs_records_storing(const struct imcs_records *k, enum imcs_change change,
				       bool ok)
{
	if (ok)
		return IMCS_STORED;
	return change == IMCS_ADDED && !store_unit_failed(k->api->store) ? IMCS_TAKEN
									 : IMCS_NOT_STORED;
}

/* What results that are not stored yet will change a rating by. The server has done so already. */
static int pending_change(const struct imcs_records *k, const char *name)
{
	int change = 0;
	for (const struct open_game *g = k->games; g; g = g->next)
		for (int i = 0; g->ended && i < 2; i++)
			if (strcmp(g->shown.names[i], name) == 0)
				change += g->changes[i];
	return change;
}

void imcs_records_stored(struct imcs_records *k, struct imcs *server,
			 const struct imcs_account *account, const char *user,
			 enum imcs_change change)
{
	const struct imcs_account *known = imcs_find_account(server, account->name);
	struct imcs_account now = known ? *known : *account;
	if (change == IMCS_NEW_PASSWORD)
		strcpy(now.hash, account->hash);
	else if (change == IMCS_RERATED)
		now.rating = account->rating + pending_change(k, account->name);
	put_account(k, server, user, &now);
}

/* ---- The admin, and limits ---- */

/*
 * The rating of an existing admin is kept, even if another server has changed it, or created the
 * account, since the accounts were read.
 */
bool imcs_records_set_admin(struct imcs_records *k, const char *password)
{
	struct stored_account *known = find(k, "admin");
	struct imcs_account admin = { .name = "admin", .rating = IMCS_RATING };
	char user[STORE_ID];
	if (known)
		admin.rating = known->account.rating;
	if (!*password || !secrets_hash_weak(password, admin.hash))
		return false;
	if (known) {
		store_set_imcs_password(k->api->store, admin.name, admin.hash);
		known->account = admin;
	} else {
		add_row(k, &admin, user, true);
		add_account(k, user, &admin);
	}
	store_end_unit(k->api->store, NULL, NULL);
	return true;
}

bool imcs_records_is_reserved(const char *name)
{
	char skeleton[NAME_SKELETON];
	name_skeleton(name, skeleton);
	return name_is_official(skeleton) || name_is_guest(skeleton);
}

/* A rate limit of the API, with its own name, and the quota of the day. */
bool imcs_records_may_register(struct imcs_records *k, const char *address)
{
	return api_take(k->api, "imcs", address, NEW_A_MINUTE, NEW_A_MINUTE) &&
	       bounds_admit_account(k->api, address);
}

bool imcs_records_may_log_in(struct imcs_records *k, const char *address)
{
	return api_take(k->api, "imcs login", address, LOGINS_A_MINUTE, LOGINS_A_MINUTE);
}

bool imcs_records_may_go_on(struct imcs_records *k, const char *address, bool costly)
{
	return costly ? api_take(k->api, "imcs change", address, CHANGES_A_MINUTE, CHANGES_AT_ONCE)
		      : api_take(k->api, "imcs line", address, LINES_A_MINUTE, LINES_AT_ONCE);
}

void imcs_records_guess(struct imcs_records *k, const char *name, guess_fn *done, void *ctx)
{
	login_guess(k->api, name, done, ctx);
}

void imcs_records_guessed(struct imcs_records *k, const char *name)
{
	login_guessed(k->api, name);
}

/* ---- Plays, which show the games on the page ---- */

/* Stores and sends what has changed, and wakes the host for what is due. False: the room is gone. */
static bool changed(struct api *api, struct room *room, enum verdict verdict)
{
	bool good = true;
	room->shown = true;
	if (verdict == VERDICT_NO_MEMORY)
		room_break(api, room);
	else if (verdict == VERDICT_OK)
		good = room_changed(api, room);
	api->lobby_changed = true;
	api->setup.host.wake(api->setup.host.ctx);
	return good && verdict != VERDICT_NO_MEMORY;
}

/* The user of a player, with the account's name; valid until the list of accounts grows. */
static struct hosted_user player(const struct imcs_records *k, const struct imcs_news *news, int i)
{
	const struct stored_account *known = find(k, news->players[i]->name);
	return (struct hosted_user){ known ? known->user : "", news->players[i]->name };
}

/* Creates the play and fills g->play. Returns NULL if that fails. */
static struct room *make_play(const struct imcs_records *k, struct open_game *g,
			      const struct imcs_news *news)
{
	struct api *api = k->api;
	const struct hosted_callbacks host = rooms_host(api);
	const struct hosted_user white = player(k, news, 0), black = player(k, news, 1);
	struct qv_rules rules;
	struct hosted_game *play = NULL;
	struct qv_error error;
	struct hosted_setup setup = { .id = g->play,
				      .owner = white.user,
				      .rules = &rules,
				      .seat_count = 2,
				      .created = api_seconds(api) };
	struct room *room = NULL;
	secrets_play_id(g->play);
	if (qv_rules_parse(api->setup.context, "minichess", &rules, &error) == QV_OK &&
	    hosted_seat_read(&setup.seats[0], "human", &white) &&
	    hosted_seat_read(&setup.seats[1], "human", &black) &&
	    hosted_new(api->setup.context, &host, &setup, api_now(api), &play, &error) ==
		    VERDICT_OK)
		room = room_add(api, play, g->play);
	if (!room)
		g->play[0] = '\0';
	for (int i = 0; i < 2; i++) {
		const struct hosted_user *user = i ? &black : &white;
		snprintf(g->shown.users[i], sizeof g->shown.users[i], "%s", user->user);
		snprintf(g->shown.names[i], sizeof g->shown.names[i], "%s", user->name);
	}
	return room;
}

/* Fits room_fn. Does nothing if the rules have ended the game. */
static void end_room(struct api *api, struct room *room, const void *argument)
{
	static const char *const reasons[] = { [IMCS_BY_RULES] = "",
					       [IMCS_BY_RESIGNING] = "resigns",
					       [IMCS_BY_TIME] = "time",
					       [IMCS_BY_LEAVING] = "disconnect",
					       [IMCS_BY_STOP] = "server stopped" };
	const struct ending *ending = argument;
	struct qv_error error;
	if (room && !room->damaged)
		changed(api, room,
			hosted_decide(room->play, ending->winner, reasons[ending->end],
				      api_now(api), &error));
}

/* Fits room_fn. Plays the moves that the play does not have, and ends it. */
static void show(struct api *api, struct room *room, const void *argument)
{
	const struct shown *shown = argument;
	struct qv_error error;
	bool good = room && !room->damaged;
	for (int i = good ? qv_record_ply(hosted_record(room->play)) : 0; good && i < shown->count;
	     i++) {
		const struct hosted_user who = { shown->users[i % 2], shown->names[i % 2] };
		good = changed(api, room,
			       hosted_move(room->play, &who, shown->moves[i], api_now(api), &error));
	}
	if (good && shown->ends)
		end_room(api, room, &shown->ending);
}

/* The play is in memory, unless something has failed since it was. */
static void show_news(struct api *api, struct open_game *g, const struct imcs_news *news)
{
	struct shown *shown = &g->shown;
	if (news->kind == IMCS_GAME_MOVES && shown->count < MOVES_MOST)
		snprintf(shown->moves[shown->count++], sizeof *shown->moves, "%s", news->move);
	shown->ends = news->kind == IMCS_GAME_ENDS;
	shown->ending = (struct ending){ news->winner, news->end };
	if (*g->play)
		room_when_loaded(api, g->play, show, shown, sizeof *shown);
}

/* ---- Games ---- */

/*
 * PostgreSQL takes UTF-8 only, but a log has whatever the players sent: bytes of Latin-1, as IMCS
 * shows them.
 */
static void add_latin1(struct string *out, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const unsigned char c = (unsigned char)text[i];
		const char pair[2] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) };
		if (c < 0x80)
			string_add(out, &text[i], 1);
		else
			string_add(out, pair, 2);
	}
}

/* With other servers: the entry that lists the game, and what they hear of the ratings. */
static void write_entry(struct imcs_records *k, const struct open_game *g)
{
	struct store_imcs_entry entry = { .id = g->id };
	memcpy(entry.ratings, g->ratings, sizeof entry.ratings);
	snprintf(entry.node, sizeof entry.node, "%s", cluster_node(k->api));
	snprintf(entry.white, sizeof entry.white, "%s", g->shown.names[IMCS_WHITE]);
	snprintf(entry.black, sizeof entry.black, "%s", g->shown.names[IMCS_BLACK]);
	if (g->ended)
		store_drop_imcs_entry(k->api->store, g->id);
	else
		store_begin_imcs_game(k->api->store, &entry);
}

/*
 * Queues its row, once when the game begins and once when it ends; moves are stored with the play.
 * The ratings change together with the result, so that both happen once or not at all.
 */
static void write_game(struct imcs_records *k, const struct open_game *g)
{
	struct store *store = k->api->store;
	const bool has_log = g->log.length && !g->log.failed, shared = *cluster_node(k->api);
	struct store_imcs_game row = { .id = g->id,
				       .began = g->began,
				       .ended = g->ended,
				       .result = g->result,
				       .log = has_log ? g->log.data : "",
				       .log_size = has_log ? g->log.length : 0 };
	snprintf(row.white, sizeof row.white, "%s", g->shown.names[IMCS_WHITE]);
	snprintf(row.black, sizeof row.black, "%s", g->shown.names[IMCS_BLACK]);
	snprintf(row.play, sizeof row.play, "%s", g->play);
	if (shared)
		write_entry(k, g);
	store_put_imcs_game(store, &row);
	for (int i = 0; i < 2; i++)
		if (g->changes[i])
			store_change_imcs_rating(store, g->shown.names[i], g->changes[i]);
}

static void free_game(struct open_game *g)
{
	string_release(&g->log);
	free(g);
}

static void forget_game(struct imcs_records *k, struct open_game *g)
{
	struct open_game **at = &k->games;
	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	free_game(g);
}

/* ---- Results ---- */

/* The accounts of a game that has ended without this result are as in the store. */
static void on_accounts(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct open_game *g = ctx;
	struct imcs_records *k = g->records;
	(void)error;
	for (size_t i = 0; k && rows && i < rows->count; i++) {
		struct store_imcs_user user;
		struct imcs_account account;
		if (store_row_imcs_user(rows, i, &user) && account_of_row(&user, &account))
			put_account(k, k->server, user.user, &account);
	}
	store_rows_free(rows);
	if (k)
		forget_game(k, g);
	else
		free_game(g);
}

/* What was refused with the result has not happened, so the game is still listed. */
static void give_up_result(struct imcs_records *k, struct open_game *g)
{
	char text[96];
	snprintf(text, sizeof text, "imcs: the result of game %lld is lost: %s", (long long)g->id,
		 g->refused >= REFUSED_MOST ? "the game has ended without it"
					    : "too many results wait");
	api_log(k->api, "warn", text);
	if (*cluster_node(k->api)) {
		store_drop_imcs_entry(k->api->store, g->id);
		store_end_unit(k->api->store, NULL, NULL);
	}
	const struct store_value names[] = { value_text(g->shown.names[IMCS_WHITE]),
					     value_text(g->shown.names[IMCS_BLACK]) };
	g->busy = store_read(k->api->store, ASK_IMCS_PLAYERS, names, 2, on_accounts, g) == QV_OK;
	if (!g->busy)
		forget_game(k, g);
}

/* The result could not be written. It waits, unless the game itself is the reason. */
static void wait_with_result(struct imcs_records *k, struct open_game *g)
{
	g->busy = false;
	if (g->refused >= REFUSED_MOST || k->waiting >= WAITING_MOST) {
		give_up_result(k, g);
		return;
	}
	k->waiting++;
	k->again_ms = api_now(k->api) + AGAIN_MS;
}

static void on_result(void *ctx, bool ok)
{
	struct open_game *g = ctx;
	struct imcs_records *k = g->records;
	if (!k) {
		free_game(g);
		return;
	}
	if (!ok) {
		g->refused += !store_unit_failed(k->api->store);
		wait_with_result(k, g);
		return;
	}
	/* Does nothing, unless the end of the play was not stored. */
	if (*g->play)
		room_when_loaded(k->api, g->play, show, &g->shown, sizeof g->shown);
	forget_game(k, g);
}

static void write_result(struct imcs_records *k, struct open_game *g)
{
	write_game(k, g);
	g->busy = store_end_unit(k->api->store, on_result, g) == QV_OK;
	if (*cluster_node(k->api))
		cluster_send(k->api, "", json_pack("{s:s}", "imcs", "changed"), NULL, NULL);
}

bool imcs_records_has_result(const struct imcs_records *k, int64_t id)
{
	const struct open_game *g = k->games;
	while (g && (g->id != id || !g->ended))
		g = g->next;
	return g;
}

void imcs_records_sweep(struct imcs_records *k)
{
	if (!k || !k->waiting || api_now(k->api) < k->again_ms)
		return;
	k->waiting = 0;
	for (struct open_game *g = k->games, *next; g; g = next) {
		next = g->next;
		if (!g->ended || g->busy)
			continue;
		write_result(k, g);
		if (!g->busy)
			wait_with_result(k, g);
	}
}

/* ---- News of games ---- */

/* A game without memory at its beginning is not recorded; the players do not notice. */
static void begin_game(struct imcs_records *k, const struct imcs_news *news)
{
	struct open_game *g = calloc(1, sizeof *g);
	if (!g)
		return;
	g->records = k;
	g->id = news->id;
	g->began = api_seconds(k->api);
	memcpy(g->ratings, news->ratings, sizeof g->ratings);
	g->log.allocator = &mem_malloc;
	g->next = k->games;
	k->games = g;
	struct room *room = make_play(k, g, news);
	write_game(k, g);
	/* The play ends the unit, so neither is stored without the other. */
	if (!room || !changed(k->api, room, VERDICT_OK))
		store_end_unit(k->api->store, NULL, NULL);
}

static void end_game(struct imcs_records *k, struct open_game *g, const struct imcs_news *news)
{
	g->ended = api_seconds(k->api);
	memcpy(g->changes, news->changes, sizeof g->changes);
	snprintf(g->result, sizeof g->result, "%s", news->result);
	if (*cluster_node(k->api))
		add_latin1(&g->log, news->log, news->log_size);
	else
		string_add(&g->log, news->log, news->log_size);
	write_result(k, g);
	if (!g->busy)
		wait_with_result(k, g);
}

void imcs_records_store_game(struct imcs_records *k, const struct imcs_news *news)
{
	struct open_game *g = k->games;
	if (news->kind == IMCS_GAME_BEGINS) {
		begin_game(k, news);
		return;
	}
	while (g && g->id != news->id)
		g = g->next;
	if (!g)
		return;
	/* The play ends first, then the row. If only one of them is stored, see ASK_IMCS_LEFT. */
	show_news(k->api, g, news);
	if (news->kind == IMCS_GAME_ENDS)
		end_game(k, g, news);
}

/* ---- Unfinished games of a previous server ---- */

/* An unfinished game of a previous server. */
struct left {
	struct store_imcs_game game;
	char result[64];
	struct left *next;
};

/* For store_imcs_left. Of the texts only the result is needed. */
static bool take_left(void *ctx, const struct store_imcs_game *game)
{
	struct left **first = ctx, *left = malloc(sizeof *left);
	if (!left)
		return false;
	left->game = *game;
	snprintf(left->result, sizeof left->result, "%s", game->result);
	left->game.result = left->result;
	left->next = *first;
	*first = left;
	return true;
}

/* From its result, as IMCS writes it. */
static struct ending ending_of(const char *result)
{
	const bool white = strncmp(result, "W wins", 6) == 0;
	if (strcmp(result, "draw") == 0)
		return (struct ending){ -1, IMCS_BY_RULES };
	if (!white && strncmp(result, "B wins", 6) != 0)
		return (struct ending){ QV_UNDECIDED, IMCS_BY_STOP };
	return (struct ending){ white ? IMCS_WHITE : IMCS_BLACK,
				strstr(result, "resignation")  ? IMCS_BY_RESIGNING
				: strstr(result, "time")       ? IMCS_BY_TIME
				: strstr(result, "disconnect") ? IMCS_BY_LEAVING
							       : IMCS_BY_RULES };
}

void imcs_records_end_left(struct api *api, const struct store_imcs_game *game)
{
	const struct ending ending = ending_of(game->result);
	if (!game->ended) {
		store_end_imcs_left(api->store, game->id, api_seconds(api));
		store_end_unit(api->store, NULL, NULL);
	}
	/* ASK_IMCS_STALE finds a play that cannot be loaded now. */
	if (*game->play)
		room_when_loaded(api, game->play, end_room, &ending, sizeof ending);
}

/* Ends them without a result. Collects them first: the store cannot be written while it is read. */
static enum qv_status end_unfinished(struct imcs_records *k, struct qv_error *error)
{
	struct left *first = NULL;
	const enum qv_status status = store_imcs_left(k->api->store, take_left, &first, error);
	while (first) {
		struct left *left = first;
		first = left->next;
		imcs_records_end_left(k->api, &left->game);
		free(left);
	}
	return status;
}

/* ---- Opening and closing ---- */

/* Reads everything once; later the memory is ahead of the store. */
enum qv_status imcs_records_open(struct api *api, struct imcs_records **out, int64_t *next_id,
				 struct qv_error *error)
{
	struct imcs_records *k = calloc(1, sizeof *k);
	if (!k)
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	k->api = api;
	k->names.allocator = &mem_malloc;
	enum qv_status status = store_imcs_users(api->store, take_user, k, &k->version, error);
	if (status == QV_OK)
		status = store_imcs_last(api->store, next_id, error);
	/* Other servers may still have theirs: hall.c gives them time to come back. */
	if (status == QV_OK && !*cluster_node(api))
		status = end_unfinished(k, error);
	++*next_id;
	if (status == QV_OK)
		*out = k;
	else
		imcs_records_close(k);
	return status;
}

/* Games that still run have been ended by the server before. Results that wait get a last chance. */
void imcs_records_close(struct imcs_records *k)
{
	if (!k)
		return;
	while (k->games) {
		struct open_game *g = k->games;
		k->games = g->next;
		if (g->ended && !g->busy)
			write_result(k, g);
		g->records = NULL;
		if (!g->busy)
			free_game(g);
	}
	map_release(&k->names);
	free(k->accounts);
	free(k);
}
