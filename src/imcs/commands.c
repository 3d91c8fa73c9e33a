/*
 * commands.c - the commands of IMCS, a table, and the answers to them, to the letter.
 * SPDX-License-Identifier: MIT
 */
#include "imcs/inside.h"

enum { MOST_WORDS = 8, TOP = 10, MOST_ID_DIGITS = 8 };

/* Of one more word than any command takes, the rest is only counted. */
struct order {
	char *words[MOST_WORDS];
	int count;
};

static struct imcs_account *account_of(struct imcs *s, const struct imcs_peer *p)
{
	return p->account < 0 ? NULL : &s->accounts[p->account];
}

static bool is_admin(struct imcs *s, const struct imcs_peer *p)
{
	const struct imcs_account *account = account_of(s, p);
	return account && strcmp(account->name, "admin") == 0;
}

static void keep(struct imcs *s, const struct imcs_account *account)
{
	s->setup.host.keep(s->setup.host.ctx, account);
}

static void no_memory(struct imcs *s, struct imcs_peer *p)
{
	imcs_say(s, p, "499 internal error: out of memory");
}

/* ---- Accounts ---- */

static bool is_good_name(const char *name)
{
	const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					   "0123456789._-");
	return length > 0 && !name[length] && length <= IMCS_NAME;
}

static bool is_good_password(const char *password)
{
	size_t length = 0;
	for (; password[length]; length++)
		if (password[length] <= ' ' || password[length] > '~')
			return false;
	return length > 0 && length <= IMCS_PASSWORD;
}

static void wish(struct imcs *s, struct imcs_peer *p, enum peer_wish what, const char *name,
		 const char *password, const char *hash)
{
	const struct imcs_host *host = &s->setup.host;
	p->mode = PEER_HASHING;
	p->wish = what;
	snprintf(p->wish_name, sizeof p->wish_name, "%s", name);
	if (hash)
		host->check(host->ctx, p->conn, password, hash);
	else
		host->hash(host->ctx, p->conn, password);
}

static void do_me(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const struct imcs_account *account = imcs_find_account(s, o->words[1]);
	if (!account)
		imcs_say(s, p, "400 no such username: please use register command");
	else if (!is_good_password(o->words[2]))
		imcs_say(s, p, "401 wrong password");
	else
		wish(s, p, WISH_ME, account->name, o->words[2], account->hash);
}

static void do_register(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const char *name = o->words[1];
	if (imcs_find_account(s, name) || strcmp(name, "admin") == 0)
		imcs_say(s, p,
			 "402 username already exists: please use password command to change");
	else if (!is_good_name(name))
		imcs_say(s, p, "410 illegal characters in username");
	else if (!is_good_password(o->words[2]))
		imcs_say(s, p, "411 illegal characters in password");
	else if (s->account_count >= IMCS_ACCOUNTS ||
		 !s->setup.host.may_register(s->setup.host.ctx, p->conn))
		imcs_say(s, p, "503 too many new users, come back later");
	else
		wish(s, p, WISH_REGISTER, name, o->words[2], NULL);
}

static void do_password(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const struct imcs_account *account = account_of(s, p);
	if (!account)
		imcs_say(s, p, "403 please use the me command first");
	else if (!is_good_password(o->words[1]))
		imcs_say(s, p, "411 illegal characters in password");
	else
		wish(s, p, WISH_PASSWORD, account->name, o->words[1], NULL);
}

static void registered(struct imcs *s, struct imcs_peer *p, const char *hash)
{
	struct imcs_account account = { .rating = IMCS_RATING };
	/* Somebody may have been faster. */
	if (imcs_find_account(s, p->wish_name)) {
		imcs_say(s, p,
			 "402 username already exists: please use password command to change");
		return;
	}
	snprintf(account.name, sizeof account.name, "%s", p->wish_name);
	snprintf(account.hash, sizeof account.hash, "%s", hash);
	if (imcs_add_account(s, &account) != QV_OK) {
		no_memory(s, p);
		return;
	}
	p->account = s->account_count - 1;
	keep(s, &account);
	imcs_say(s, p, "202 hello new user %s", account.name);
}

void imcs_wish_done(struct imcs *s, struct imcs_peer *p, const char *hash, bool good)
{
	const int number = imcs_account_number(s, p->wish_name);
	if (p->wish == WISH_ME && good) {
		p->account = number;
		imcs_say(s, p, "201 hello %s", p->wish_name);
	} else if (p->wish == WISH_ME) {
		imcs_say(s, p, "401 wrong password");
	} else if (!hash) {
		no_memory(s, p);
	} else if (p->wish == WISH_REGISTER) {
		registered(s, p, hash);
	} else {
		struct imcs_account *account = &s->accounts[number];
		snprintf(account->hash, sizeof account->hash, "%s", hash);
		keep(s, account);
		imcs_say(s, p, "203 password change for user %s", account->name);
	}
}

static void do_rerate(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	struct imcs_account *account = account_of(s, p);
	(void)o;
	if (!account) {
		imcs_say(s, p, "403 please use the me command first");
		return;
	}
	account->rating = IMCS_RATING;
	keep(s, account);
	imcs_say(s, p, "206 rating reset for user %s", account->name);
}

/* ---- Lists ---- */

static void put_offer(struct imcs *s, struct imcs_peer *p, const struct entry *e)
{
	const struct imcs_account *account = account_of(s, e->offerer);
	const int own = (int)e->offer_s[0], other = (int)e->offer_s[1];
	imcs_say(s, p, " %lld %s %c %d:%02d %d:%02d %d [offer]", (long long)e->id, account->name,
		 e->color, own / 60, own % 60, other / 60, other % 60, account->rating);
}

static void do_list(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	int count = 0;
	(void)o;
	for (const struct entry *e = s->first; e; e = e->next)
		count++;
	imcs_say(s, p, "211 %d available games", count);
	for (const struct entry *e = s->first; e; e = e->next)
		if (e->offerer)
			put_offer(s, p, e);
		else
			imcs_say(s, p, " %lld %s %s (%d/%d)  [in-progress]", (long long)e->id,
				 s->accounts[e->accounts[IMCS_WHITE]].name,
				 s->accounts[e->accounts[IMCS_BLACK]].name, e->ratings[IMCS_WHITE],
				 e->ratings[IMCS_BLACK]);
	imcs_say(s, p, ".");
}

/* The best ten, the best first; of equals the one who registered first. */
static int top_accounts(const struct imcs *s, int top[TOP])
{
	int count = 0;
	for (int i = 0; i < s->account_count; i++) {
		int at = count < TOP ? count++ : TOP;
		for (; at > 0 && s->accounts[i].rating > s->accounts[top[at - 1]].rating; at--)
			if (at < TOP)
				top[at] = top[at - 1];
		if (at < TOP)
			top[at] = i;
	}
	return count;
}

static void do_ratings(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	int top[TOP];
	const int count = top_accounts(s, top);
	bool own = p->account < 0;
	(void)o;
	imcs_say(s, p, "212 ratings");
	for (int i = 0; i < count; i++) {
		own |= top[i] == p->account;
		imcs_say(s, p, " %s %d", s->accounts[top[i]].name, s->accounts[top[i]].rating);
	}
	if (!own)
		imcs_say(s, p, " %s %d", account_of(s, p)->name, account_of(s, p)->rating);
	imcs_say(s, p, ".");
}

/* ---- Offers ---- */

static void usage(struct imcs *s, struct imcs_peer *p, const char *name);

/* 'W', 'B' or '?'; 0: none of them. */
static char read_color(const char *word)
{
	static const char letters[] = "WwBb?", colors[] = "WWBB?";
	const char *at = *word && !word[1] ? strchr(letters, *word) : NULL;
	return at ? colors[at - letters] : 0;
}

/* offer [<color>] [<my-time> [<opp-time>]] */
static bool read_offer(const struct order *o, char *color, int64_t seconds[2])
{
	int at = 1;
	*color = '?';
	seconds[0] = 300;
	if (at < o->count && read_color(o->words[at]))
		*color = read_color(o->words[at++]);
	if (at < o->count && !imcs_read_time(o->words[at++], &seconds[0]))
		return false;
	seconds[1] = seconds[0];
	if (at < o->count && !imcs_read_time(o->words[at++], &seconds[1]))
		return false;
	return at == o->count;
}

static void do_offer(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	char color;
	int64_t seconds[2];
	if (!read_offer(o, &color, seconds)) {
		usage(s, p, "offer");
		return;
	}
	if (p->account < 0) {
		imcs_say(s, p, "404 must set name first using me command");
		return;
	}
	if (s->stopping) {
		imcs_say(s, p, "421 offer countermanded");
		return;
	}
	struct entry *e = imcs_add_entry(s, s->next_id);
	if (!e) {
		no_memory(s, p);
		return;
	}
	s->next_id++;
	e->offerer = p;
	e->color = color;
	memcpy(e->offer_s, seconds, sizeof e->offer_s);
	p->entry = e;
	p->mode = PEER_OFFERING;
	imcs_say(s, p, "103 %lld game waiting for offer acceptance", (long long)e->id);
}

static bool read_id(const char *word, int64_t *id)
{
	return strspn(word, "0123456789") == strlen(word) && strlen(word) <= MOST_ID_DIGITS &&
	       text_to_int(word, 0, INT64_MAX, id);
}

static struct entry *find_offer(const struct imcs *s, int64_t id)
{
	struct entry *e = s->first;
	while (e && (!e->offerer || e->id != id))
		e = e->next;
	return e;
}

/* Which colour the one gets who accepts. */
static bool is_white(struct imcs *s, char offered, char wanted)
{
	if (offered != '?')
		return offered == 'B';
	if (wanted != '?')
		return wanted == 'W';
	return s->setup.host.coin(s->setup.host.ctx);
}

static void do_accept(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	const char wanted = o->count > 2 ? read_color(o->words[2]) : '?';
	int64_t id = -1;
	if (!wanted) {
		usage(s, p, "accept");
		return;
	}
	if (p->account < 0) {
		imcs_say(s, p, "406 must set name first using me command");
		return;
	}
	if (!read_id(o->words[1], &id)) {
		imcs_say(s, p, "407 bad game id");
		return;
	}
	struct entry *e = find_offer(s, id);
	if (!e)
		imcs_say(s, p, "408 no such game");
	else if (wanted != '?' && wanted == e->color)
		imcs_say(s, p, "405 bad color %c", wanted);
	else if (!imcs_begin_game(s, e, p, is_white(s, e->color, wanted)))
		no_memory(s, p);
}

static void do_clean(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	if (p->account < 0)
		imcs_say(s, p, "406 must set name first using me command");
	else
		imcs_say(s, p, "204 %d games cleaned", imcs_clean(s, p->account));
}

/* ---- The rest ---- */

static bool refuse_others(struct imcs *s, struct imcs_peer *p)
{
	if (is_admin(s, p))
		return false;
	imcs_say(s, p,
		 p->account < 0 ? "406 must set name first using me command" : "502 admin only");
	return true;
}

static void do_stop(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	if (refuse_others(s, p))
		return;
	imcs_say(s, p, "104 stopping server");
	if (s->admin)
		return;
	s->stopping = true;
	s->admin = p;
	p->mode = PEER_STOPPING;
	imcs_clean(s, -1);
}

/* Nobody can know it: only its hash is kept. */
static void do_showpass(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	if (refuse_others(s, p))
		return;
	if (imcs_find_account(s, o->words[1]))
		imcs_say(s, p, "207 password for %s is kept as a hash only", o->words[1]);
	else
		imcs_say(s, p, "400 no such username");
}

static void do_quit(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	imcs_say(s, p, "200 Goodbye");
	imcs_close_peer(s, p);
}

static void do_help(struct imcs *s, struct imcs_peer *p, const struct order *o);

static const struct imcs_order {
	const char *name;
	void (*run)(struct imcs *s, struct imcs_peer *p, const struct order *o);
	int least, most; /* words after the name */
	const char *arguments, *help;
	bool admin;
} orders[] = {
	{ "help", do_help, 0, 0, "", "this help", false },
	{ "quit", do_quit, 0, 0, "", "quit imcs", false },
	{ "me", do_me, 2, 2, " <player> <password>", "log in", false },
	{ "register", do_register, 2, 2, " <player> <password>", "register a new name and log in",
	  false },
	{ "password", do_password, 1, 1, " <password>", "change password", false },
	{ "list", do_list, 0, 0, "", "list available games", false },
	{ "ratings", do_ratings, 0, 0, "", "list player ratings (top 10 plus own)", false },
	{ "offer", do_offer, 0, 3, " [<my-color>] [<my-time> [<opp-time>]]",
	  "offer a game with given constraints", false },
	{ "accept", do_accept, 1, 2, " <game-id> [<my-color>]", "accept a game with an opponent",
	  false },
	{ "clean", do_clean, 0, 0, "", "cancel all my outstanding offers", false },
	{ "rerate", do_rerate, 0, 0, "", "reset my rating to the starting default", false },
	{ "stop", do_stop, 0, 0, "", "stop the server", true },
	{ "showpass", do_showpass, 1, 1, " <player>", "say whether a player has a password", true },
};
enum { ORDERS = sizeof orders / sizeof *orders };

static const struct imcs_order *find_order(const char *name)
{
	for (int i = 0; i < ORDERS; i++)
		if (strcmp(orders[i].name, name) == 0)
			return &orders[i];
	return NULL;
}

static void usage(struct imcs *s, struct imcs_peer *p, const char *name)
{
	imcs_say(s, p, "409 %s: usage: %s%s", name, name, find_order(name)->arguments);
}

static void do_help(struct imcs *s, struct imcs_peer *p, const struct order *o)
{
	(void)o;
	imcs_say(s, p, "210 imcs 2.5 help");
	for (int i = 0; i < ORDERS; i++)
		if (!orders[i].admin || is_admin(s, p))
			imcs_say(s, p, " %s%s: %s", orders[i].name, orders[i].arguments,
				 orders[i].help);
	imcs_say(s, p, ".");
}

/* ---- A line ---- */

/* As the original splits: also at a no-break space. A NUL is a letter, of no good word. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (unsigned char)c == 0xa0;
}

static void split(char *line, size_t length, struct order *o)
{
	o->count = 0;
	for (size_t i = 0; i < length;) {
		if (is_blank(line[i])) {
			line[i++] = '\0';
			continue;
		}
		if (o->count < MOST_WORDS)
			o->words[o->count] = &line[i];
		o->count++;
		for (; i < length && !is_blank(line[i]); i++)
			if (!line[i])
				line[i] = '\1'; /* so that the word does not end here */
	}
}

void imcs_command(struct imcs *s, struct imcs_peer *p, char *line, size_t length)
{
	struct order o;
	split(line, length, &o);
	if (o.count == 0)
		return;
	const struct imcs_order *order = find_order(o.words[0]);
	if (!order)
		imcs_say(s, p, "501 unknown command");
	else if (o.count - 1 < order->least || o.count - 1 > order->most)
		usage(s, p, order->name);
	else
		order->run(s, p, &o);
}
