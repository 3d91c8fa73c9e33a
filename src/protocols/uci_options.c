/*
 * uci_options.c - the options that UCI and XBoard offer.
 * SPDX-License-Identifier: MIT
 *
 * UCI_LimitStrength goes before `Player` while it is on.
 */
#include "protocols/uci_options.h"

#include "core/context.h"

enum { MOST_LAG_MS = 10000, MOST_LINES = 256, USUAL_ELO = 1500 };

static enum qv_status set_thinker(struct thinker *t, const char *name, int64_t number,
				  struct qv_error *error)
{
	const struct thinker_option *option = thinker_option_find(name);
	char text[24];
	struct qv_text out = { text, sizeof text, 0 };
	if (option->get(t) == number)
		return QV_OK; /* nothing learned is lost */
	qv_put_int(&out, number);
	return thinker_set(t, option, text, error);
}

static int64_t get_hash(const struct thinker *t)
{
	return t->defaults.hash_mb > 0 ? t->defaults.hash_mb : 1;
}

static enum qv_status set_hash(struct thinker *t, int64_t number, const char *text,
			       struct qv_error *error)
{
	(void)text;
	return set_thinker(t, "hash", number, error);
}

static int64_t get_threads(const struct thinker *t)
{
	return t->defaults.threads;
}

static enum qv_status set_threads(struct thinker *t, int64_t number, const char *text,
				  struct qv_error *error)
{
	(void)text;
	return set_thinker(t, "threads", number, error);
}

static enum qv_status clear_hash(struct thinker *t, int64_t number, const char *text,
				 struct qv_error *error)
{
	(void)number, (void)text, (void)error;
	thinker_forget(t);
	return QV_OK;
}

static int64_t get_lines(const struct thinker *t)
{
	return t->lines > 1 ? t->lines : 1;
}

static enum qv_status set_lines(struct thinker *t, int64_t number, const char *text,
				struct qv_error *error)
{
	(void)text, (void)error;
	t->lines = (int)number;
	return QV_OK;
}

/* Who asks it to ponder says so with each search: there is nothing to remember. */
static int64_t get_nothing(const struct thinker *t)
{
	(void)t;
	return 0;
}

static const char *get_empty(const struct thinker *t)
{
	(void)t;
	return "";
}

static enum qv_status set_nothing(struct thinker *t, int64_t number, const char *text,
				  struct qv_error *error)
{
	(void)t, (void)number, (void)text, (void)error;
	return QV_OK;
}

static int64_t get_lag(const struct thinker *t)
{
	return t->lag_ms;
}

static enum qv_status set_lag(struct thinker *t, int64_t number, const char *text,
			      struct qv_error *error)
{
	(void)text, (void)error;
	t->lag_ms = number;
	return QV_OK;
}

static int64_t get_own_book(const struct thinker *t)
{
	return t->own_book;
}

static enum qv_status set_own_book(struct thinker *t, int64_t number, const char *text,
				   struct qv_error *error)
{
	(void)text, (void)error;
	thinker_use_book(t, number != 0, t->analyse);
	return QV_OK;
}

static const char *get_book(const struct thinker *t)
{
	return t->book;
}

static enum qv_status set_book(struct thinker *t, int64_t number, const char *text,
			       struct qv_error *error)
{
	(void)number;
	return thinker_set_book(t, text, error);
}

static int64_t get_analyse(const struct thinker *t)
{
	return t->analyse;
}

static enum qv_status set_analyse(struct thinker *t, int64_t number, const char *text,
				  struct qv_error *error)
{
	(void)text, (void)error;
	thinker_use_book(t, t->own_book, number != 0);
	return QV_OK;
}

static const char *get_player(const struct thinker *t)
{
	return t->spec;
}

static enum qv_status set_player(struct thinker *t, int64_t number, const char *text,
				 struct qv_error *error)
{
	(void)number;
	return thinker_set(t, thinker_option_find("player"), text, error);
}

static bool elo_range(const struct thinker *t, int64_t *min, int64_t *max)
{
	int least, most;
	if (!context_rated_range(t->rules.game, &least, &most))
		return false;
	*min = least;
	*max = most;
	return true;
}

/* For a check: it has no bounds. */
static bool has_elo(const struct thinker *t, int64_t *min, int64_t *max)
{
	int64_t least, most;
	(void)min, (void)max;
	return elo_range(t, &least, &most);
}

static int64_t get_limited(const struct thinker *t)
{
	return t->limited;
}

static int64_t get_elo(const struct thinker *t)
{
	int64_t min = 0, max = 0;
	const int64_t elo = t->elo ? t->elo : USUAL_ELO;
	if (!elo_range(t, &min, &max))
		return 0;
	return elo < min ? min : elo > max ? max : elo;
}

static enum qv_status set_limited(struct thinker *t, int64_t number, const char *text,
				  struct qv_error *error)
{
	(void)text, (void)error;
	thinker_limit(t, number != 0, (int)get_elo(t));
	return QV_OK;
}

static enum qv_status set_elo(struct thinker *t, int64_t number, const char *text,
			      struct qv_error *error)
{
	(void)text, (void)error;
	thinker_limit(t, t->limited, (int)number);
	return QV_OK;
}

static const char *get_about(const struct thinker *t)
{
	(void)t;
	return "Quevedo: plays, searches, solves and teaches strategy games";
}

const struct uci_option uci_options[] = {
	{ "Hash", UCI_SPIN, 1, 1 << 20, get_hash, NULL, set_hash, true, NULL },
	{ "Threads", UCI_SPIN, 1, 256, get_threads, NULL, set_threads, true, NULL },
	{ "Clear Hash", UCI_BUTTON, 0, 0, NULL, NULL, clear_hash, false, NULL },
	{ "MultiPV", UCI_SPIN, 1, MOST_LINES, get_lines, NULL, set_lines, false, NULL },
	{ "Ponder", UCI_CHECK, 0, 1, get_nothing, NULL, set_nothing, true, NULL },
	{ "Move Overhead", UCI_SPIN, 0, MOST_LAG_MS, get_lag, NULL, set_lag, false, NULL },
	{ "OwnBook", UCI_CHECK, 0, 1, get_own_book, NULL, set_own_book, false, NULL },
	{ "BookFile", UCI_STRING, 0, 0, NULL, get_book, set_book, false, NULL },
	{ "Player", UCI_STRING, 0, 0, NULL, get_player, set_player, false, NULL },
	{ "UCI_LimitStrength", UCI_CHECK, 0, 1, get_limited, NULL, set_limited, false, has_elo },
	{ "UCI_Elo", UCI_SPIN, 0, 0, get_elo, NULL, set_elo, false, elo_range },
	{ "UCI_AnalyseMode", UCI_CHECK, 0, 1, get_analyse, NULL, set_analyse, true, NULL },
	{ "UCI_Opponent", UCI_STRING, 0, 0, NULL, get_empty, set_nothing, true, NULL },
	{ "UCI_EngineAbout", UCI_STRING, 0, 0, NULL, get_about, set_nothing, true, NULL },
	{ 0 },
};

const struct uci_option *uci_option_find(const char *name)
{
	for (const struct uci_option *o = uci_options; o->name; o++)
		if (text_same(o->name, name))
			return o;
	return NULL;
}

bool uci_option_offered(const struct thinker *t, const struct uci_option *option, int64_t *min,
			int64_t *max)
{
	*min = option->min;
	*max = option->max;
	return !option->range || option->range(t, min, max);
}

static bool read_check(const char *value, int64_t *out)
{
	*out = text_same(value, "true") || strcmp(value, "1") == 0;
	return *out || text_same(value, "false") || strcmp(value, "0") == 0;
}

enum qv_status uci_option_set(struct thinker *t, const struct uci_option *option, const char *value,
			      struct qv_error *error)
{
	int64_t number = 0, min, max;
	if (!uci_option_offered(t, option, &min, &max))
		return qv_fail(error, QV_UNSUPPORTED, "%s: it is not for this game", option->name);
	if (option->type == UCI_CHECK && !read_check(value, &number))
		return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is neither true nor false",
			       option->name, value);
	if (option->type == UCI_SPIN && !text_to_int(value, min, max, &number))
		return qv_fail(error, QV_BAD_INPUT,
			       "%s: '%.40s' is not a whole number from %lld to %lld", option->name,
			       value, (long long)min, (long long)max);
	return option->set(t, number, value, error);
}
