/*
 * commands.c - the commands of IMCS: a table, and the replies to them.
 * SPDX-License-Identifier: MIT
 *
 * Replies are those of the original server to the letter, because clients compare texts. Hashing a
 * password takes long, so the host does it elsewhere: the peer waits in PEER_HASHING, and
 * imcs_hash_done continues the command.
 */
#include "imcs/inside.h"

enum { MOST_WORDS = 8, MOST_ID_DIGITS = 8 };

/* A line split into words. MOST_WORDS is more than any command takes; the rest is only counted. */
struct order {
	const struct imcs_order *row;
	char *words[MOST_WORDS];
	int count;
};

/* A row of the table of commands. */
struct imcs_order {
	const char *name;
	void (*run)(struct imcs *s, struct imcs_peer *p, const struct order *o); /* NULL: help */
	int least, most; /* words after the name */
	const char *arguments, *help;
	const char *login; /* the reply to a peer that is not logged in; NULL: it need not be */
	bool admin;	   /* only for the admin */
	/* With other servers: what has to be up to date before it runs. */
	enum { NOTHING, ACCOUNTS, ENTRIES } needs; /* ENTRIES: and accounts */
	bool costly; /* it has something stored: see imcs_host */
};

#define ME_FIRST "403 please use the me command first"
#define NAME_FIRST "406 must set name first using me command"

/* NULL: the peer is not logged in. */
static struct imcs_account *account_of(struct imcs *s, const struct imcs_peer *p)
{
	return p->account < 0 ? NULL : &s->accounts[p->account];
}

/* The admin is the account of that name, which cannot be registered: the host creates it. */
static bool is_admin(struct imcs *s, const struct imcs_peer *p)
{
	const struct imcs_account *account = account_of(s, p);
	return account && strcmp(account->name, "admin") == 0;
}

/* What all users of names and passwords must be told. */
static const char taken[] = "402 username already exists: please use password command to change";

/* Has the host store a change of the account; the response follows when it is stored. */
static void store(struct imcs *s, struct imcs_peer *p, const struct imcs_account *account,
		  enum imcs_change change)
{
	const struct imcs_host *host = &s->setup.host;
	snprintf(p->hash_name, sizeof p->hash_name, "%s", account->name);
	p->change = change;
	p->mode = PEER_WAITING;
	p->wait = WAIT_STORE;
	host->store(host->ctx, p->conn, account, change);
}

static void no_memory(struct imcs *s, struct imcs_peer *p)
{
	imcs_say(s, p, "499 internal error: out of memory");
}

/* The number of words, or their form, does not fit. */
static void usage(struct imcs *s, struct imcs_peer *p, const struct imcs_order *row)
{
	imcs_say(s, p, "409 %s: usage: %s%s", row->name, row->name, row->arguments);
}

/* ---- Accounts ---- */

static const char too_many[] = "503 too many attempts, come back later";

/* Words are separated by blanks, so a password cannot contain one. */
static bool is_good_password(const char *password)
{
	size_t length = 0;
	for (; password[length]; length++)
		if (password[length] <= ' ' || password[length] > '~')
			return false;
	return length > 0 && length <= IMCS_PASSWORD;
}

/* Has the host hash the password, or check it against the hash; the peer waits meanwhile. */
static void start_hash(struct imcs *s, struct imcs_peer *p, enum hash_purpose purpose,
		       const char *name, const char *password, const char *hash)
{
	const struct imcs_host *host = &s->setup.host;
	p->mode = PEER_HASHING;
	p->purpose = purpose;
	snprintf(p->hash_name, sizeof p->hash_name, "%s", name);
	if (hash)
		host->check(host->ctx, p->conn, password, hash);
	else
		host->hash(host->ctx, p->conn, password);
}

/*
 * A password that cannot be one is wrong, without the cost of hashing it. The host limits attempts
 * before the name is looked at: the original's replies tell whether it exists, so at least not often.
 * It may also limit those at one name, when it checks the password.
 */
static void do_me(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const bool may = s->setup.host.may_log_in(s->setup.host.ctx, p->conn, o->words[1]);
	const struct imcs_account *account = may ? imcs_find_account(s, o->words[1]) : NULL;
	if (!may)
		imcs_say(s, p, too_many);
	else if (!account)
		imcs_say(s, p, "400 no such username: please use register command");
	else if (!is_good_password(o->words[2]))
		imcs_say(s, p, "401 wrong password");
	else
		start_hash(s, p, HASH_LOGIN, account->name, o->words[2], account->hash);
}

/* The host limits how many accounts an address may register. */
static void do_register(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const char *name = o->words[1];
	const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					   "0123456789._-");
	if (imcs_find_account(s, name) || strcmp(name, "admin") == 0 ||
	    s->setup.host.is_reserved(s->setup.host.ctx, name))
		imcs_say(s, p, taken);
	else if (!length || name[length] || length > IMCS_NAME)
		imcs_say(s, p, "410 illegal characters in username");
	else if (!is_good_password(o->words[2]))
		imcs_say(s, p, "411 illegal characters in password");
	else if (s->account_count >= IMCS_ACCOUNTS ||
		 !s->setup.host.may_register(s->setup.host.ctx, p->conn))
		imcs_say(s, p, "503 too many new users, come back later");
	else
		start_hash(s, p, HASH_REGISTER, name, o->words[2], NULL);
}

static void do_password(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	if (!is_good_password(o->words[1]))
		imcs_say(s, p, "411 illegal characters in password");
	else
		start_hash(s, p, HASH_PASSWORD, account_of(s, p)->name, o->words[1], NULL);
}

/*
 * The three commands that need a hash end here. The peer may have been told nothing meanwhile: all
 * its further lines wait.
 */
void imcs_hash_done(struct imcs *s, struct imcs_peer *p, const char *hash,
		    enum imcs_checked checked)
{
	const int number = imcs_account_number(s, p->hash_name);
	struct imcs_account account = { .rating = IMCS_RATING };
	if (p->purpose == HASH_LOGIN) {
		p->account = checked == IMCS_RIGHT ? number : p->account;
		if (checked == IMCS_RIGHT)
			imcs_say(s, p, "201 hello %s", p->hash_name);
		else
			imcs_say(s, p, checked == IMCS_WRONG ? "401 wrong password" : too_many);
		return;
	}
	/* Another peer may have registered the name meanwhile. */
	if (hash && p->purpose == HASH_REGISTER && number >= 0) {
		imcs_say(s, p, taken);
		return;
	}
	if (number >= 0)
		account = s->accounts[number];
	snprintf(account.name, sizeof account.name, "%s", p->hash_name);
	snprintf(account.hash, sizeof account.hash, "%s", hash ? hash : "");
	/* A name belongs to the first one that has stored it. */
	if (!hash)
		no_memory(s, p);
	else
		store(s, p, &account,
		      p->purpose == HASH_REGISTER ? IMCS_ADDED : IMCS_NEW_PASSWORD);
}

void imcs_store_done(struct imcs *s, struct imcs_peer *p, enum imcs_storing stored)
{
	const int number = imcs_account_number(s, p->hash_name);
	if (stored == IMCS_TAKEN)
		imcs_say(s, p, taken);
	else if (stored == IMCS_NOT_STORED || number < 0)
		imcs_say(s, p, "499 internal error: the database does not respond");
	else if (p->change == IMCS_RERATED)
		imcs_say(s, p, "206 rating reset for user %s", p->hash_name);
	else if (p->change == IMCS_NEW_PASSWORD)
		imcs_say(s, p, "203 password change for user %s", p->hash_name);
	else {
		p->account = number;
		imcs_say(s, p, "202 hello new user %s", p->hash_name);
	}
}

static void do_rerate(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	struct imcs_account account = *account_of(s, p);
	(void)o;
	account.rating = IMCS_RATING;
	store(s, p, &account, IMCS_RERATED);
}

/* ---- Lists ---- */

/* A line of `list`. */
static void list_entry(struct imcs *s, struct imcs_peer *p, const struct imcs_listed *e)
{
	const int own = (int)e->offer_s[0], other = (int)e->offer_s[1];
	if (*e->black)
		imcs_say(s, p, " %lld %s %s (%d/%d)  [in-progress]", (long long)e->id, e->white,
			 e->black, e->ratings[IMCS_WHITE], e->ratings[IMCS_BLACK]);
	else
		imcs_say(s, p, " %lld %s %c %d:%02d %d:%02d %d [offer]", (long long)e->id, e->white,
			 e->color, own / 60, own % 60, other / 60, other % 60, e->ratings[0]);
}

/*
 * Offers and games in one list, in the order of the original: games move to its end when they
 * begin. Those of other servers come first.
 */
static void do_list(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	int count = s->other_count;
	(void)o;
	for (const struct entry *e = s->first; e; e = e->next)
		count++;
	imcs_say(s, p, "211 %d available games", count);
	for (int i = 0; i < s->other_count; i++)
		list_entry(s, p, &s->others[i]);
	for (const struct entry *e = s->first; e; e = e->next) {
		struct imcs_listed own = { .id = e->id, .color = e->color };
		const bool offers = e->offerer;
		const int white = offers ? e->offerer->account : e->accounts[IMCS_WHITE];
		strcpy(own.white, s->accounts[white].name);
		strcpy(own.black, offers ? "" : s->accounts[e->accounts[IMCS_BLACK]].name);
		memcpy(own.offer_s, e->offer_s, sizeof own.offer_s);
		memcpy(own.ratings, e->ratings, sizeof own.ratings);
		if (offers)
			own.ratings[0] = s->accounts[white].rating;
		list_entry(s, p, &own);
	}
	imcs_say(s, p, ".");
}

/* Insertion sort; of equals the one who registered first comes first. */
static void find_best(struct imcs *s)
{
	const struct imcs_account *accounts = s->accounts;
	int *top = s->top, count = 0;
	for (int i = 0; i < s->account_count; i++) {
		int at = count < IMCS_TOP ? count++ : IMCS_TOP;
		for (; at > 0 && accounts[i].rating > accounts[top[at - 1]].rating; at--)
			if (at < IMCS_TOP)
				top[at] = top[at - 1];
		if (at < IMCS_TOP)
			top[at] = i;
	}
	s->top_count = count;
	s->top_known = true;
}

/* The best ten, and the peer's own rating if it is not among them. */
static void do_ratings(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	bool own = p->account < 0;
	(void)o;
	if (!s->top_known)
		find_best(s);
	imcs_say(s, p, "212 ratings");
	for (int i = 0; i < s->top_count; i++) {
		const struct imcs_account *best = &s->accounts[s->top[i]];
		own |= s->top[i] == p->account;
		imcs_say(s, p, " %s %d", best->name, best->rating);
	}
	if (!own)
		imcs_say(s, p, " %s %d", account_of(s, p)->name, account_of(s, p)->rating);
	imcs_say(s, p, ".");
}

/* ---- Offers ---- */

/* 'W', 'B' or '?'; 0: none of them. */
static char read_color(const char *word)
{
	static const char letters[] = "WwBb?", colors[] = "WWBB?";
	const char *at = *word && !word[1] ? strchr(letters, *word) : NULL;
	return at ? colors[at - letters] : 0;
}

/* offer [<color>] [<my-time> [<opp-time>]] */
static void do_offer(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	char color = '?';
	int64_t seconds[2] = { 300, 300 };
	int at = 1;
	if (at < o->count && read_color(o->words[at]))
		color = read_color(o->words[at++]);
	bool good = at == o->count || imcs_read_time(o->words[at++], &seconds[0]);
	seconds[1] = seconds[0];
	good = good && (at == o->count || imcs_read_time(o->words[at++], &seconds[1]));
	if (!good || at < o->count) {
		usage(s, p, o->row);
		return;
	}
	if (p->account < 0 || s->stopping) {
		imcs_say(s, p,
			 p->account < 0 ? "404 must set name first using me command"
					: "421 offer countermanded");
		return;
	}
	p->offer = (struct imcs_listed){ .color = color, .offer_s = { seconds[0], seconds[1] } };
	strcpy(p->offer.white, account_of(s, p)->name);
	if (s->setup.host.shared) {
		p->mode = PEER_WAITING;
		p->wait = WAIT_OFFER;
		s->setup.host.shared->offer(s->setup.host.ctx, p->conn, &p->offer);
		return;
	}
	p->offer.id = s->next_id;
	imcs_add_offer(s, p, &p->offer);
	s->next_id += p->mode == PEER_OFFERING;
}

void imcs_add_offer(struct imcs *s, struct imcs_peer *p, const struct imcs_listed *offer)
{
	struct entry *e = imcs_add_entry(s, offer->id);
	if (!e) {
		no_memory(s, p);
		return;
	}
	e->offerer = p;
	e->color = offer->color;
	memcpy(e->offer_s, offer->offer_s, sizeof e->offer_s);
	p->entry = e;
	p->mode = PEER_OFFERING;
	imcs_say(s, p, "103 %lld game waiting for offer acceptance", (long long)e->id);
}

/* Accepts an offer of another server: that one responds. */
static void visit(struct imcs *s, struct imcs_peer *p, const struct imcs_listed *offer, char wanted)
{
	p->mode = PEER_WAITING;
	p->wait = WAIT_VISIT;
	s->setup.host.shared->visit(s->setup.host.ctx, p->conn, offer, account_of(s, p), p->address,
				    wanted);
}

/* accept <game-id> [<color>] */
static void do_accept(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const char *word = o->words[1], wanted = o->count > 2 ? read_color(o->words[2]) : '?';
	int64_t id = -1;
	if (!wanted) {
		usage(s, p, o->row);
		return;
	}
	if (p->account < 0) {
		imcs_say(s, p, NAME_FIRST);
		return;
	}
	if (strspn(word, "0123456789") != strlen(word) || strlen(word) > MOST_ID_DIGITS ||
	    !text_to_int(word, 0, INT64_MAX, &id)) {
		imcs_say(s, p, "407 bad game id");
		return;
	}
	struct entry *e = s->first;
	while (e && (!e->offerer || e->id != id))
		e = e->next;
	const struct imcs_listed *other = e || p->visitor ? NULL : imcs_other_offer(s, id);
	if (!e && other) {
		visit(s, p, other, wanted);
		return;
	}
	if (!e) {
		imcs_say(s, p, "408 no such game");
		return;
	}
	if (wanted != '?' && wanted == e->color) {
		imcs_say(s, p, "405 bad color %c", wanted);
		return;
	}
	/* If neither side chose a colour, a coin decides. */
	const bool white = e->color != '?' ? e->color == 'B'
			   : wanted != '?' ? wanted == 'W'
					   : s->setup.host.coin(s->setup.host.ctx);
	if (!imcs_begin_game(s, e, p, white))
		no_memory(s, p);
}

/* Offers of the same account on other connections are cancelled, too. */
static void do_clean(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	int count = imcs_clean(s, p->account);
	(void)o;
	if (s->setup.host.shared) {
		count += imcs_forget_offers(s, account_of(s, p)->name);
		s->setup.host.shared->clean(s->setup.host.ctx, account_of(s, p)->name);
	}
	imcs_say(s, p, "204 %d games cleaned", count);
}

/* ---- The rest ---- */

/* The admin waits until the last game is over. */
static void do_stop(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	imcs_say(s, p, "104 stopping server");
	if (s->admin)
		return;
	s->stopping = true;
	s->admin = p;
	p->mode = PEER_STOPPING;
	imcs_clean(s, -1);
}

/* The password itself is not stored, so only its existence can be shown. */
static void do_showpass(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	if (imcs_find_account(s, o->words[1]))
		imcs_say(s, p, "207 password for %s is kept as a hash only", o->words[1]);
	else
		imcs_say(s, p, "400 no such username");
}

/* A peer that plays cannot get here: its lines are moves. */
static void do_quit(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	imcs_say(s, p, "200 Goodbye");
	imcs_close_peer(s, p);
}

/*
 * In the order of the help text. The number of words excludes the name. offer and accept check the
 * login themselves, after their arguments.
 */
static const struct imcs_order orders[] = {
	{ "help", NULL, 0, 0, "", "this help", NULL, false, NOTHING, false },
	{ "quit", do_quit, 0, 0, "", "quit imcs", NULL, false, NOTHING, false },
	{ "me", do_me, 2, 2, " <player> <password>", "log in", NULL, false, ACCOUNTS, false },
	{ "register", do_register, 2, 2, " <player> <password>", "register a new name and log in",
	  NULL, false, ACCOUNTS, false },
	{ "password", do_password, 1, 1, " <password>", "change password", ME_FIRST, false, NOTHING,
	  true },
	{ "list", do_list, 0, 0, "", "list available games", NULL, false, ENTRIES, false },
	{ "ratings", do_ratings, 0, 0, "", "list player ratings (top 10 plus own)", NULL, false,
	  ACCOUNTS, false },
	{ "offer", do_offer, 0, 3, " [<my-color>] [<my-time> [<opp-time>]]",
	  "offer a game with given constraints", NULL, false, NOTHING, true },
	{ "accept", do_accept, 1, 2, " <game-id> [<my-color>]", "accept a game with an opponent",
	  NULL, false, ENTRIES, false },
	{ "clean", do_clean, 0, 0, "", "cancel all my outstanding offers", NAME_FIRST, false,
	  ENTRIES, true },
	{ "rerate", do_rerate, 0, 0, "", "reset my rating to the starting default", ME_FIRST, false,
	  NOTHING, true },
	/* The original's texts, though it takes one word, and this server knows no passwords. */
	{ "showpass", do_showpass, 1, 1, " <user> <password>",
	  "display the password for the given user", NAME_FIRST, true, ACCOUNTS, false },
	{ "stop", do_stop, 0, 0, "", "stop the server and wait for in-process games", NAME_FIRST,
	  true, NOTHING, false },
};
enum { ORDERS = sizeof orders / sizeof *orders };

/* One line per command, built from the table; those of the admin are listed for the admin only. */
static void help(struct imcs *s, struct imcs_peer *p)
{
	imcs_say(s, p, "210 imcs 2.5 help");
	for (int i = 0; i < ORDERS; i++)
		if (!orders[i].admin || is_admin(s, p))
			imcs_say(s, p, " %s%s: %s", orders[i].name, orders[i].arguments,
				 orders[i].help);
	imcs_say(s, p, ".");
}

/* ---- A line ---- */

/* Words are split as by the original, also at a no-break space of Latin-1. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (unsigned char)c == 0xa0;
}

bool imcs_is_costly(const char *line, size_t length)
{
	size_t from = 0, size = 0;
	while (from < length && is_blank(line[from]))
		from++;
	while (from + size < length && !is_blank(line[from + size]))
		size++;
	for (int i = 0; i < ORDERS; i++)
		if (strlen(orders[i].name) == size && memcmp(orders[i].name, line + from, size) == 0)
			return orders[i].costly;
	return false;
}

/* Has the host bring up to date what the command needs. False: it is. */
static bool waits(struct imcs *s, struct imcs_peer *p, const struct imcs_order *row)
{
	const struct imcs_host *host = &s->setup.host;
	if (!host->shared || row->needs == NOTHING || p->fresh || p->visitor)
		return false;
	p->mode = PEER_WAITING;
	p->wait = WAIT_REFRESH;
	host->shared->refresh(host->ctx, p->conn, row->needs == ENTRIES);
	return true;
}

/*
 * Checks that hold for all commands are made here, in the order of the original: the name, the
 * number of words, the login, the admin.
 */
void imcs_command(struct imcs *s, struct imcs_peer *p, char *line, size_t length)
{
	struct order o = { .count = 0 };
	if (s->setup.host.shared && !p->fresh) {
		string_release(&p->line); /* also if it has failed */
		string_add(&p->line, line, length);
	}
	for (size_t i = 0; i < length;) {
		if (is_blank(line[i])) {
			line[i++] = '\0';
			continue;
		}
		if (o.count < MOST_WORDS)
			o.words[o.count] = &line[i];
		o.count++;
		for (; i < length && !is_blank(line[i]); i++)
			if (!line[i])
				line[i] = '\1'; /* so that the word does not end at a NUL */
	}
	if (o.count == 0)
		return;
	for (int i = 0; i < ORDERS && !o.row; i++)
		if (strcmp(orders[i].name, o.words[0]) == 0)
			o.row = &orders[i];
	if (!o.row)
		imcs_say(s, p, "501 unknown command");
	else if (o.count - 1 < o.row->least || o.count - 1 > o.row->most)
		usage(s, p, o.row);
	else if (o.row->login && p->account < 0)
		imcs_say(s, p, "%s", o.row->login);
	else if (o.row->admin && !is_admin(s, p))
		imcs_say(s, p, "502 admin only");
	else if (waits(s, p, o.row))
		return;
	else if (o.row->run)
		o.row->run(s, p, &o);
	else
		help(s, p);
}
