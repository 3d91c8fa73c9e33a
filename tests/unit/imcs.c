/*
 * imcs.c - the IMCS server as a pure object: the original's transcripts byte for byte, transcripts
 * of every command, reply and mended fault, and what no transcript can say.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/imcs_hall.h"
#include "support/meter.h"
#include "support/scale.h"

#include "base/file.h"

/* ---- Transcripts ---- */

/*
 * "0.1 S->X b'...'" is what X must hear next, "0.1 X->S b'...'" what X sends. Besides, in lines
 * that begin with "# ": client X connects; client X sees EOF; end X (it sends no more); gone X; now
 * +MS; account NAME RATING; next ID; coin W or B (of the one who accepts); full. All else is a
 * remark.
 */
struct script {
	struct hall *hall;
	const char *path;
	char **lines;
	int count, at;
	struct file_bytes file;
	int64_t asked_ms[HALL_GUESTS]; /* the clock of a guest at its last prompt */
	unsigned char codes[1000];     /* replies that were heard */
};

static void fail_at(const struct script *s, const char *why)
{
	fail_msg("%s, line %d: %s\n%s", s->path, s->at + 1, why, s->lines[s->at]);
}

/* b'...' as Python writes it. */
static size_t read_bytes(const struct script *s, const char *text, char *out)
{
	size_t n = 0;
	const char quote = text[1];
	if (text[0] != 'b' || (quote != '\'' && quote != '"'))
		fail_at(s, "b'...' is expected");
	for (text += 2; *text && *text != quote; text++) {
		char c = *text;
		if (c == '\\') {
			unsigned code;
			c = *++text;
			if (c == 'x' && sscanf(text + 1, "%2x", &code) == 1) {
				c = (char)code;
				text += 2;
			} else {
				c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
			}
		}
		out[n++] = c;
	}
	out[n] = '\0';
	return n;
}

static struct guest *guest_of(const struct script *s, const char *name)
{
	struct guest *g = hall_guest(s->hall, name);
	if (!g)
		fail_at(s, "nobody of that name is there");
	return g;
}

static void count_codes(struct script *s, const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		int code;
		if (sscanf(text, "%3d", &code) == 1 && code >= 100 && code < 1000)
			s->codes[code] = 1;
	}
}

static void expect(struct script *s, const char *name, const char *bytes, size_t size)
{
	struct guest *g = guest_of(s, name);
	int minutes, seconds, ms;
	if (g->heard.length < size || memcmp(g->heard.data, bytes, size) != 0) {
		string_add(&g->heard, "", 1);
		fail_msg("%s, line %d: %s\n heard: '%s'", s->path, s->at + 1, s->lines[s->at],
			 g->heard.data);
	}
	memmove(g->heard.data, g->heard.data + size, g->heard.length - size);
	g->heard.length -= size;
	count_codes(s, bytes);
	if (sscanf(bytes, "? %d:%d.%d", &minutes, &seconds, &ms) == 3)
		s->asked_ms[g - s->hall->guests] = 60000 * minutes + 1000 * seconds + ms;
}

/*
 * What the original charged for a line: the next prompt of the other side shows what was left after
 * it. Its own clock cannot be told from the transcript otherwise.
 */
static int64_t charge(const struct script *s, const char *name)
{
	const int64_t before = s->asked_ms[guest_of(s, name) - s->hall->guests];
	for (int i = s->at + 1; before && i < s->count; i++) {
		int minutes, seconds, ms;
		const char *prompt = strstr(s->lines[i], "b'? ");
		if (prompt &&
		    sscanf(prompt, "b'? %*d:%*d.%*d %d:%d.%d", &minutes, &seconds, &ms) == 3)
			return before - (60000 * minutes + 1000 * seconds + ms);
		if (strstr(s->lines[i], "->S"))
			return 0;
	}
	return 0;
}

static void run_traffic(struct script *s, char *line)
{
	char from[32], to[32], bytes[4096];
	char *arrow = strstr(line, "->");
	char *begin = arrow;
	while (begin > line && begin[-1] != ' ')
		begin--;
	snprintf(from, sizeof from, "%.*s", (int)(arrow - begin), begin);
	snprintf(to, sizeof to, "%.*s", (int)strcspn(arrow + 2, " "), arrow + 2);
	const size_t size = read_bytes(s, strchr(arrow, ' ') + 1, bytes);
	if (strcmp(from, "S") == 0) {
		expect(s, to, bytes, size);
		return;
	}
	s->hall->now += charge(s, from);
	hall_say(s->hall, guest_of(s, from), bytes, size);
}

static void run_order(struct script *s, const char *line)
{
	struct hall *h = s->hall;
	char name[32];
	int number;
	if (sscanf(line, "# client %31s", name) == 1 && strstr(line, " connects"))
		hall_connect(h, name);
	else if (sscanf(line, "# client %31s", name) == 1 && strstr(line, " sees EOF"))
		assert_true(!guest_of(s, name)->peer && guest_of(s, name)->heard.length == 0);
	else if (sscanf(line, "# end %31s", name) == 1) {
		imcs_end(h->server, guest_of(s, name)->peer, h->now);
		hall_hashes(h);
	} else if (sscanf(line, "# gone %31s", name) == 1)
		imcs_gone(h->server, guest_of(s, name)->peer, h->now);
	else if (sscanf(line, "# account %31s %d", name, &number) == 2)
		hall_account(h, name, number);
	else if (sscanf(line, "# coin %31s", name) == 1)
		h->coin = name[0] == 'W';
	else if (strcmp(line, "# full") == 0)
		h->full = true;
	else if (sscanf(line, "# now +%d", &number) == 1) {
		h->now += number;
		imcs_tick(h->server, h->now);
	}
}

/* What each guest has heard must all have been in the transcript. */
static void check_silence(const struct script *s)
{
	for (int i = 0; i < s->hall->count; i++) {
		struct guest *g = &s->hall->guests[i];
		if (g->heard.length)
			fail_msg("%s: %s heard more: '%.*s'", s->path, g->name,
				 (int)g->heard.length, g->heard.data);
	}
}

static void split_lines(struct script *s)
{
	s->lines = calloc(s->file.size + 1, sizeof *s->lines);
	for (char *at = s->file.data; *at;) {
		s->lines[s->count++] = at;
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
	}
}

/* Adds the codes that were heard to `codes`, if that is not NULL. */
static void run_script_with(const char *name, int64_t next_id, const char *accounts,
			    unsigned char codes[1000], bool shared)
{
	char path[512], account[32];
	struct script s = { .hall = hall_new_with(desk_context(NULL), next_id, shared),
			    .path = name };
	int rating, used;
	snprintf(path, sizeof path, "%s/imcs/%s", TEST_DATA, name);
	assert_int_equal(file_read(&mem_malloc, path, 1 << 20, &s.file, NULL), QV_OK);
	split_lines(&s);
	for (; sscanf(accounts, "%31s %d%n", account, &rating, &used) == 2; accounts += used)
		hall_account(s.hall, account, rating);
	for (; s.at < s.count; s.at++) {
		if (s.lines[s.at][0] == '#')
			run_order(&s, s.lines[s.at]);
		else if (strstr(s.lines[s.at], "->"))
			run_traffic(&s, s.lines[s.at]);
	}
	check_silence(&s);
	for (int i = 0; codes && i < 1000; i++)
		codes[i] |= s.codes[i];
	file_release(&mem_malloc, &s.file);
	free(s.lines);
	hall_free(s.hall);
}

/* A server alone, and one of several: nobody can tell them apart. */
static void run_script(const char *name, int64_t next_id, const char *accounts,
		       unsigned char codes[1000])
{
	run_script_with(name, next_id, accounts, codes, false);
	run_script_with(name, next_id, accounts, codes, true);
}

static void test_imcs__the_original_s_transcripts(void **state)
{
	(void)state;
	run_script("1-commands.txt", 1, "", NULL);
	run_script("2-king-capture.txt", 1, "alice 1000", NULL);
	run_script("4-offer-clean.txt", 3, "alice 1030 bob 969 carol 1000", NULL);
}

static void test_imcs__every_reply(void **state)
{
	static const int all[] = { 100, 103, 104, 105, 106, 200, 201, 202, 203, 204, 205, 206,
				   207, 210, 211, 212, 230, 231, 232, 400, 401, 402, 403, 404,
				   405, 406, 407, 408, 409, 410, 411, 421, 501, 502, 503 };
	unsigned char codes[1000] = { 0 };
	(void)state;
	run_script("own-accounts.txt", 1, "admin 1000", codes);
	run_script("own-offers.txt", 1, "alice 1000 bob 1000 carol 1000", codes);
	run_script("own-games.txt", 1, "alice 1000 bob 1000", codes);
	run_script("own-draw.txt", 1, "alice 1200 bob 1000", codes);
	run_script("own-leaving.txt", 1, "alice 1000 bob 1000", codes);
	run_script("own-stop.txt", 1, "admin 1000 alice 1000 bob 1000", codes);
	run_script("own-bytes.txt", 1, "alice 1000 bob 1000", codes);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!codes[all[i]])
			fail_msg("no transcript has reply %d", all[i]);
}

/* ---- Ratings, times, texts ---- */

static void test_imcs__ratings(void **state)
{
	(void)state;
	assert_int_equal(imcs_rate(1000, 1000, 1), 16);
	assert_int_equal(imcs_rate(1000, 1000, -1), -16);
	assert_int_equal(imcs_rate(1016, 984, 1), 14);
	assert_int_equal(imcs_rate(984, 1016, -1), -15);
	assert_int_equal(imcs_rate(1055, 942, 0), -6);
	assert_int_equal(imcs_rate(942, 1055, 0), 5);
	assert_int_equal(imcs_rate(0, 1000000, 1), 32);
	assert_int_equal(imcs_rate(-500, -500, 0), 0);
}

static void test_imcs__times(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds; /* -1: none */
	} cases[] = { { "0", 0 },
		      { "300", 300 },
		      { "5:00", 300 },
		      { "1:99", 159 },
		      { "86400", 86400 },
		      { "1440:00", 86400 },
		      { "86401", -1 },
		      { "1440:01", -1 },
		      { "", -1 },
		      { ":30", -1 },
		      { "1:2", -1 },
		      { "1:234", -1 },
		      { "-1", -1 },
		      { "1.5", -1 },
		      { "9223372036854775807", -1 },
		      { "99999999999999999999", -1 },
		      { "5:00 ", -1 } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t seconds = -1;
		assert_int_equal(imcs_read_time(cases[i].text, &seconds), cases[i].seconds >= 0);
		assert_int_equal(seconds, cases[i].seconds);
	}
}

/* ---- What transcripts cannot say ---- */

static struct hall *two_players(const char *offer)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	hall_account(h, "ann", 1000);
	hall_account(h, "bob", 1000);
	struct guest *ann = hall_connect(h, "ann"), *bob = hall_connect(h, "bob");
	hall_line(h, ann, "me ann pw");
	hall_line(h, bob, "me bob pw");
	hall_line(h, ann, offer);
	hall_line(h, bob, "accept 1");
	ann->heard.length = bob->heard.length = 0;
	ann->writes = bob->writes = 0;
	return h;
}

static void test_imcs__a_prompt_is_one_write(void **state)
{
	struct hall *h = two_players("offer W");
	const struct guest *bob = hall_guest(h, "bob");
	(void)state;
	hall_line(h, hall_guest(h, "ann"), "a2-a3");
	assert_int_equal(bob->writes, 1);
	assert_true(bob->heard.length > 60);
	hall_free(h);
}

/* The last position and the result stand at its end; the dialogue of both is in it. */
static void test_imcs__the_log(void **state)
{
	static const char expected[] = "1: ann(127.0.0.1:1001, W) vs bob(127.0.0.1:1002)\n"
				       "Sat Nov 14 23:56:33 UTC 2026\n"
				       "\n1 W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n"
				       "\n? 00:09.000 00:09.000\na2-a3\n"
				       "\n1 B\nkqbnr\nppppp\n.....\nP....\n.PPPP\nRNBQK\n"
				       "\n? 00:09.000 00:09.000\n- invalid move x\\[01]\n"
				       "\n1 B\nkqbnr\nppppp\n.....\nP....\n.PPPP\nRNBQK\n"
				       "\n? 00:09.000 00:09.000\n"
				       "1 B\nkqbnr\nppppp\n.....\nP....\n.PPPP\nRNBQK\n"
				       "= W wins on opponent resignation\n";
	struct hall *h = two_players("offer W 9");
	(void)state;
	hall_line(h, hall_guest(h, "ann"), "a2-a3");
	hall_line(h, hall_guest(h, "bob"), "x\1");
	hall_line(h, hall_guest(h, "bob"), "resign");
	string_add(&h->log, "", 1);
	assert_string_equal(h->log.data, expected);
	assert_int_equal(h->end, IMCS_BY_RESIGNING);
	assert_int_equal(h->moved, 1);
	hall_free(h);
}

/* White's first move is free, for a minute; nobody has looked at the clock in between. */
static void test_imcs__the_first_minute(void **state)
{
	(void)state;
	for (int late = 0; late < 2; late++) {
		struct hall *h = two_players("offer W 9");
		h->now += 60000 - !late;
		hall_line(h, hall_guest(h, "ann"), "a2-a3");
		assert_int_equal(h->ended, late);
		assert_string_equal(h->result, late ? "B wins on opponent time" : "");
		hall_free(h);
	}
}

/* Nobody has won, nobody has drawn, and nobody is rated. */
static void test_imcs__a_game_broken_off(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	(void)state;
	hall_account(h, "ann", 1200); /* a draw would cost her something */
	hall_account(h, "bob", 1000);
	struct guest *ann = hall_connect(h, "ann"), *bob = hall_connect(h, "bob");
	hall_line(h, ann, "me ann pw");
	hall_line(h, bob, "me bob pw");
	hall_line(h, ann, "offer W");
	hall_line(h, bob, "accept 1");
	hall_line(h, ann, "a2-a3");
	const int kept = h->kept;
	imcs_shut(h->server, h->now);
	assert_int_equal(h->ended, 1);
	assert_int_equal(h->end, IMCS_BY_STOP);
	assert_int_equal(h->winner, QV_UNDECIDED);
	assert_int_equal(h->kept, kept);
	assert_int_equal(imcs_find_account(h->server, "ann")->rating, 1200);
	assert_int_equal(imcs_find_account(h->server, "bob")->rating, 1000);
	hall_free(h);
}

/* Two ask for the same name while the hashes are made. */
static void test_imcs__registering_at_the_same_time(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	struct guest *a = hall_connect(h, "a"), *b = hall_connect(h, "b");
	(void)state;
	h->slow = true;
	a->heard.length = b->heard.length = 0;
	hall_line(h, a, "register eve one");
	hall_line(h, a, "list"); /* waits */
	hall_line(h, b, "register eve two");
	assert_int_equal(a->heard.length + b->heard.length, 0);
	hall_hashes(h);
	string_add(&a->heard, "", 1);
	string_add(&b->heard, "", 1);
	assert_string_equal(a->heard.data,
			    "202 hello new user eve\r\n211 0 available games\r\n.\r\n");
	assert_string_equal(
		b->heard.data,
		"402 username already exists: please use password command to change\r\n");
	assert_string_equal(imcs_find_account(h->server, "eve")->hash, "#one");
	hall_free(h);
}

/* It leaves while its hash is made; the answer comes to nobody. */
static void test_imcs__leaving_while_hashing(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	struct guest *a = hall_connect(h, "a");
	(void)state;
	h->slow = true;
	hall_line(h, a, "register eve one");
	imcs_end(h->server, a->peer, h->now);
	assert_non_null(a->peer); /* it may still hear */
	hall_hashes(h);
	assert_null(a->peer);
	assert_non_null(imcs_find_account(h->server, "eve"));
	a = hall_connect(h, "a");
	hall_line(h, a, "register joe one");
	imcs_gone(h->server, a->peer, h->now);
	assert_null(a->peer);
	hall_free(h);
}

/* What the guest has heard since the last time. */
static const char *heard(struct guest *g)
{
	static char text[4096];
	snprintf(text, sizeof text, "%.*s", (int)g->heard.length, g->heard.data);
	g->heard.length = 0;
	return text;
}

/* Lines beyond the host's limit wait in their order, and so does the end of the input. */
static void test_imcs__lines_wait_for_the_host(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	static const char lines[] = "x\r\ny\r\nrerate\r\nz\r\n";
	(void)state;
	hall_account(h, "ann", 1200);
	struct guest *a = hall_connect(h, "a");
	hall_line(h, a, "me ann pw");
	a->heard.length = 0;
	h->limited = true;
	h->lines_left = 1;
	hall_say(h, a, lines, strlen(lines));
	assert_string_equal(heard(a), "501 unknown command\r\n");
	h->lines_left = 100; /* but what is stored has a limit of its own */
	imcs_more(h->server, a->peer, h->now);
	hall_hashes(h);
	assert_string_equal(heard(a), "501 unknown command\r\n");
	assert_int_equal(imcs_find_account(h->server, "ann")->rating, 1200);
	imcs_end(h->server, a->peer, h->now);
	assert_non_null(a->peer);
	h->costly_left = 1;
	imcs_more(h->server, a->peer, h->now);
	hall_hashes(h);
	assert_string_equal(heard(a),
			    "206 rating reset for user ann\r\n501 unknown command\r\n");
	assert_null(a->peer);
	hall_free(h);
}

/* Moves never wait; what is no move has the next line wait. */
static void test_imcs__moves_do_not_wait(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	(void)state;
	hall_account(h, "ann", 1000);
	hall_account(h, "bob", 1000);
	struct guest *a = hall_connect(h, "a"), *b = hall_connect(h, "b");
	hall_line(h, a, "me ann pw");
	hall_line(h, b, "me bob pw");
	hall_line(h, a, "offer W");
	hall_line(h, b, "accept 1");
	h->limited = true;
	hall_line(h, a, "a2-a3");
	hall_line(h, b, "a5-a4");
	assert_int_equal(h->moved, 2);
	hall_line(h, a, "nonsense");
	hall_line(h, a, "b2-b3");
	assert_int_equal(h->moved, 2);
	h->lines_left = 1;
	imcs_more(h->server, a->peer, h->now);
	assert_int_equal(h->moved, 3);
	hall_free(h);
}

/* What could not be stored has not changed, and nobody is told so. */
static void test_imcs__what_is_not_stored_has_not_changed(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	static const char failed[] = "499 internal error: the database does not respond\r\n";
	(void)state;
	hall_account(h, "ann", 1200);
	struct guest *a = hall_connect(h, "a");
	hall_line(h, a, "me ann pw");
	a->heard.length = 0;
	h->failing = true;
	hall_line(h, a, "password new");
	assert_string_equal(heard(a), failed);
	hall_line(h, a, "rerate");
	assert_string_equal(heard(a), failed);
	hall_line(h, a, "register eve pw");
	assert_string_equal(heard(a), failed);
	assert_string_equal(imcs_find_account(h->server, "ann")->hash, "#pw");
	assert_int_equal(imcs_find_account(h->server, "ann")->rating, 1200);
	assert_null(imcs_find_account(h->server, "eve"));
	hall_free(h);
}

/* The list of the best follows every change. */
static void test_imcs__the_best_ten(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	char name[8];
	(void)state;
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "p%d", i);
		hall_account(h, name, 1100 - i);
	}
	struct guest *a = hall_connect(h, "a");
	hall_line(h, a, "ratings");
	assert_non_null(strstr(heard(a), "212 ratings\r\n p0 1100\r\n p1 1099\r\n"));
	hall_line(h, a, "me p0 pw");
	hall_line(h, a, "rerate");
	hall_line(h, a, "ratings");
	assert_non_null(strstr(heard(a), "212 ratings\r\n p1 1099\r\n"));
	struct imcs_account last = *imcs_find_account(h->server, "p19");
	last.rating = 1099; /* after p1, who was there before */
	assert_int_equal(imcs_put_account(h->server, &last), QV_OK);
	hall_line(h, a, "ratings");
	assert_non_null(strstr(heard(a), " p1 1099\r\n p19 1099\r\n p2 1098\r\n"));
	hall_free(h);
}

static void test_imcs__who_sends_without_end_is_dropped(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	char bytes[4096];
	(void)state;
	hall_account(h, "ann", 1000);
	struct guest *a = hall_connect(h, "a");
	hall_line(h, a, "me ann pw");
	hall_line(h, a, "offer");
	memset(bytes, 'x', sizeof bytes);
	for (int i = 0; i < 15; i++)
		hall_say(h, a, bytes, sizeof bytes);
	assert_non_null(a->peer);
	for (int i = 0; i < 5; i++)
		hall_say(h, a, bytes, sizeof bytes);
	assert_null(a->peer);
	a = hall_connect(h, "b");
	a->heard.length = 0;
	hall_line(h, a, "list");
	string_add(&a->heard, "", 1);
	assert_string_equal(a->heard.data, "211 0 available games\r\n.\r\n");
	hall_free(h);
}

/* However the bytes are cut, the same is heard. */
static void test_imcs__pieces(void **state)
{
	static const char text[] = "list\r\nratings\n\r\nhelp\rlist\r\0me ann pw\n offer\tW 1:2\n"
				   "offer w 60 30\nlist";
	struct string whole = { .allocator = &mem_malloc };
	(void)state;
	for (size_t piece = sizeof text; piece > 0; piece--) {
		struct hall *h = hall_new(desk_context(NULL), 1);
		hall_account(h, "ann", 1000);
		struct guest *a = hall_connect(h, "a");
		for (size_t at = 0; at < sizeof text - 1; at += piece)
			hall_say(h, a, text + at,
				 sizeof text - 1 - at < piece ? sizeof text - 1 - at : piece);
		if (!whole.length)
			string_add(&whole, a->heard.data, a->heard.length);
		assert_int_equal(a->heard.length, whole.length);
		assert_memory_equal(a->heard.data, whole.data, whole.length);
		assert_non_null(strstr(a->heard.data, "103 1 game waiting"));
		hall_free(h);
	}
	string_release(&whole);
}

/* Games of random legal moves, all ends by the rules; ratings and logs are kept. */
static void test_imcs__random_games(void **state)
{
	struct qv_random random = { 7, 0 };
	(void)state;
	for (int64_t n = scaled(60); n > 0; n--) {
		struct hall *h = two_players("offer W");
		struct qv_rules rules;
		struct qv_record *record;
		qv_move moves[QV_MAX_MOVES];
		int32_t points[QV_MAX_SEATS];
		assert_int_equal(qv_rules_parse(h->context, "minichess", &rules, NULL), QV_OK);
		assert_int_equal(qv_record_new(h->context, &rules, NULL, &record, NULL), QV_OK);
		while (qv_record_result(record, points) == QV_GOING) {
			const void *position = qv_record_state(record);
			const int count = rules.game->moves(position, moves);
			const qv_move move = moves[qv_random_below(&random, (uint64_t)count)];
			char text[QV_MOVE_TEXT];
			struct qv_text out = { text, sizeof text, 0 };
			rules.game->move_text(position, move, &out);
			assert_int_equal(h->ended, 0);
			hall_line(h, hall_guest(h, rules.game->seat(position) ? "bob" : "ann"),
				  text);
			assert_int_equal(qv_record_play(record, move, -1, NULL), QV_OK);
		}
		const int winner = qv_winner(rules.game, points);
		assert_int_equal(h->ended, 1);
		assert_string_equal(h->result, winner < 0 ? "draw" : winner ? "B wins" : "W wins");
		assert_null(hall_guest(h, "ann")->peer);
		assert_null(hall_guest(h, "bob")->peer);
		assert_int_equal(imcs_find_account(h->server, "ann")->rating,
				 1000 + (winner < 0 ? 0
					 : winner   ? -16
						    : 16));
		assert_int_equal(imcs_games(h->server), 0);
		qv_record_free(record);
		hall_free(h);
	}
}

/* A hundred pairs at once; then the server ends. */
static void test_imcs__many_games_at_once(void **state)
{
	struct hall *h = hall_new(desk_context(NULL), 1);
	char line[64];
	(void)state;
	for (int i = 0; i < 200; i++) {
		struct guest *g = hall_connect(h, "");
		snprintf(g->name, sizeof g->name, "p%d", i);
		snprintf(line, sizeof line, "register p%d pw", i);
		hall_line(h, g, line);
		snprintf(line, sizeof line, i % 2 ? "accept %d b" : "offer w", i / 2 + 1);
		hall_line(h, g, line);
	}
	assert_int_equal(imcs_games(h->server), 100);
	h->now += IMCS_FIRST_MS;
	assert_int_equal(imcs_due(h->server), h->now);
	imcs_gone(h->server, hall_guest(h, "p1")->peer, h->now);
	assert_int_equal(imcs_games(h->server), 99);
	imcs_shut(h->server, h->now);
	assert_int_equal(imcs_games(h->server), 0);
	for (int i = 0; i < 200; i++)
		assert_null(h->guests[i].peer);
	assert_int_equal(h->ended, 100);
	hall_free(h);
}

/* ---- No memory ---- */

static void evening(struct hall *h)
{
	struct guest *ann = hall_connect(h, "ann"), *bob = hall_connect(h, "bob");
	hall_line(h, ann, "register ann pw");
	hall_line(h, bob, "register bob pw");
	hall_line(h, ann, "offer W 60");
	hall_line(h, bob, "accept 1");
	hall_line(h, ann, "a2-a3");
	hall_line(h, bob, "what");
	hall_line(h, bob, "a5-a4");
	hall_line(h, ann, "resign");
	hall_line(h, ann, "quit");
	hall_line(h, bob, "quit");
}

/*
 * Whatever allocation fails, once or from there on: nothing leaks, and the server goes on, alone or
 * as one of several.
 */
static void test_imcs__no_memory(void **state)
{
	(void)state;
	for (int way = 0; way < 4; way++)
		for (int64_t n = 1, failed = 1; failed; n++) {
			struct meter meter = meter_make();
			const struct qv_allocator allocator = { meter_resize, &meter };
			struct hall *h = hall_new_with(desk_context(&allocator), 1, way > 1);
			h->elsewhere = true;
			meter_arm(&meter, n, way % 2);
			evening(h);
			failed = meter.failed;
			meter_arm(&meter, 0, false);
			struct guest *guest = hall_connect(h, "guest");
			assert_non_null(guest->peer);
			hall_line(h, guest, "list");
			assert_non_null(strstr(guest->heard.data, "available games"));
			imcs_shut(h->server, h->now);
			assert_int_equal(h->begun, h->ended);
			hall_free(h);
			assert_int_equal(meter.blocks, 0);
			assert_int_equal(meter.wrong_sizes, 0);
			if (n > 2000)
				fail_msg("it never ends");
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imcs__the_original_s_transcripts),
		cmocka_unit_test(test_imcs__every_reply),
		cmocka_unit_test(test_imcs__ratings),
		cmocka_unit_test(test_imcs__times),
		cmocka_unit_test(test_imcs__a_prompt_is_one_write),
		cmocka_unit_test(test_imcs__the_log),
		cmocka_unit_test(test_imcs__the_first_minute),
		cmocka_unit_test(test_imcs__a_game_broken_off),
		cmocka_unit_test(test_imcs__registering_at_the_same_time),
		cmocka_unit_test(test_imcs__leaving_while_hashing),
		cmocka_unit_test(test_imcs__lines_wait_for_the_host),
		cmocka_unit_test(test_imcs__moves_do_not_wait),
		cmocka_unit_test(test_imcs__what_is_not_stored_has_not_changed),
		cmocka_unit_test(test_imcs__the_best_ten),
		cmocka_unit_test(test_imcs__who_sends_without_end_is_dropped),
		cmocka_unit_test(test_imcs__pieces),
		cmocka_unit_test(test_imcs__random_games),
		cmocka_unit_test(test_imcs__many_games_at_once),
		cmocka_unit_test(test_imcs__no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
