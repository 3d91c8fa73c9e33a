/*
 * imcs_client.c - the client's side of IMCS: against our own server without a network, and against
 * servers that send what the original does, and worse.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/imcs_hall.h"
#include "support/scale.h"

#include "imcs/client.h"

/* ---- Against lines that are given ---- */

struct talk {
	struct qv_context *context;
	struct imcs_client client;
	struct string out;
};

static void talk_open(struct talk *t, enum client_wish wish, int64_t id)
{
	*t = (struct talk){ .context = desk_context(NULL), .out = { .allocator = &mem_malloc } };
	const struct imcs_client_setup setup = { .context = t->context,
						 .user = "ann",
						 .password = "pw",
						 .wish = wish,
						 .color = '?',
						 .id = id };
	assert_int_equal(imcs_client_init(&t->client, &setup, NULL), QV_OK);
}

static void talk_close(struct talk *t)
{
	imcs_client_release(&t->client);
	string_release(&t->out);
	qv_context_free(t->context);
}

static enum client_said hear(struct talk *t, const char *line)
{
	return imcs_client_line(&t->client, line, strlen(line), &t->out);
}

static void said(struct talk *t, const char *expected)
{
	string_add(&t->out, "", 1);
	assert_string_equal(t->out.data, expected);
	t->out.length = 0;
}

/* Lines up to the first that is a turn, or all. */
static enum client_said hear_all(struct talk *t, const char *lines)
{
	enum client_said last = CLIENT_ON;
	while (*lines && last == CLIENT_ON) {
		const size_t length = strcspn(lines, "\n");
		last = imcs_client_line(&t->client, lines, length, &t->out);
		lines += length + (lines[length] == '\n');
	}
	return last;
}

static void begin_game(struct talk *t, const char *begin)
{
	talk_open(t, CLIENT_OFFER, 0);
	assert_int_equal(hear(t, "100 imcs 2.5"), CLIENT_ON);
	said(t, "me ann pw\r\n");
	assert_int_equal(hear(t, "201 hello ann"), CLIENT_IN);
	said(t, "offer\r\n");
	assert_int_equal(hear(t, "103 17 game waiting for offer acceptance"), CLIENT_OFFERED);
	assert_int_equal(t->client.id, 17);
	assert_int_equal(hear(t, begin), CLIENT_BEGINS);
}

#define START "\n1 W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n\n? 05:00.000 04:59.958"

static qv_move parse(const struct talk *t, const char *move)
{
	qv_move parsed;
	assert_int_equal(qv_move_parse(t->client.rules.game, qv_record_state(t->client.record),
				       move, &parsed, NULL),
			 QV_OK);
	return parsed;
}

static void test_client__a_game(void **state)
{
	struct talk t;
	(void)state;
	begin_game(&t, "105 W 5:00 5:00 game starts");
	assert_int_equal(hear_all(&t, START), CLIENT_TURN);
	assert_int_equal(t.client.own_ms, 300000);
	assert_int_equal(t.client.other_ms, 299958);
	assert_int_equal(imcs_client_move(&t.client, parse(&t, "a2-a3"), 0.5, &t.out, NULL), QV_OK);
	said(&t, "a2-a3\r\n");
	assert_int_equal(qv_record_clock_left(t.client.record, t.client.seat), 299500);
	assert_int_equal(hear(&t, "! a5-a4"), CLIENT_ON);
	assert_int_equal(qv_record_ply(t.client.record), 2);
	assert_int_equal(hear_all(&t, "\n2 W\nkqbnr\n.pppp\np....\nP....\n.PPPP\nRNBQK\n\n"
				      "? 04:59.000 04:58.000"),
			 CLIENT_TURN);
	assert_int_equal(qv_record_ply(t.client.record), 2); /* the board is the one we know */
	assert_int_equal(imcs_client_move(&t.client, QV_NO_MOVE, 0, &t.out, NULL), QV_OK);
	said(&t, "resign\r\n");
	assert_int_equal(hear(&t, "= B wins on opponent resignation"), CLIENT_ON);
	assert_int_equal(hear(&t, "232 B wins on opponent resignation"), CLIENT_OVER);
	assert_true(t.client.has_result && t.client.winner == IMCS_BLACK);
	int32_t points[QV_MAX_SEATS];
	assert_int_not_equal(qv_record_result(t.client.record, points), QV_GOING);
	assert_int_equal(imcs_client_end(&t.client), CLIENT_OVER);
	talk_close(&t);
}

/* Its own result goes before whatever comes after it. */
static void test_client__strays(void **state)
{
	struct talk t;
	(void)state;
	begin_game(&t, "106 B 1:00 0:30 game starts");
	assert_int_equal(t.client.own_ms, 60000);
	assert_int_equal(t.client.other_ms, 30000);
	assert_int_equal(hear(&t, "B report result code failed: <socket: 5>: resource vanished"),
			 CLIENT_ON);
	assert_int_equal(hear(&t, "\xff\xfe"), CLIENT_ON);
	assert_int_equal(hear(&t, "! e9-e1"), CLIENT_ON);
	assert_int_equal(t.client.strays, 3);
	assert_int_equal(hear(&t, "= B wins on opponent disconnect"), CLIENT_ON);
	assert_int_equal(hear(&t, "X fatal IO error: exiting"), CLIENT_OVER);
	assert_true(t.client.has_result && t.client.winner == IMCS_BLACK);
	assert_string_equal(t.client.text, "B wins on opponent disconnect");
	talk_close(&t);
	begin_game(&t, "106 B 1:00 0:30 game starts");
	assert_int_equal(hear(&t, "X fatal IO error: exiting"), CLIENT_OVER);
	assert_false(t.client.has_result);
	talk_close(&t);
	begin_game(&t, "106 B 1:00 0:30 game starts");
	assert_int_equal(imcs_client_end(&t.client), CLIENT_OVER);
	assert_string_equal(t.client.text, "no result");
	assert_int_not_equal(qv_record_result(t.client.record, NULL), QV_GOING);
	assert_int_equal(qv_record_winner(t.client.record), QV_UNDECIDED);
	talk_close(&t);
	begin_game(&t, "106 B 1:00 0:30 game starts");
	hear(&t, "= draw"); /* against our rules, but it says so */
	assert_int_equal(hear(&t, "230 draw"), CLIENT_OVER);
	assert_int_equal(qv_record_winner(t.client.record), -1);
	talk_close(&t);
}

static void test_client__refused_moves(void **state)
{
	struct talk t;
	(void)state;
	begin_game(&t, "105 W 5:00 5:00 game starts");
	assert_int_equal(hear_all(&t, START), CLIENT_TURN);
	const qv_move first = parse(&t, "a2-a3"), second = parse(&t, "b2-b3");
	assert_int_equal(imcs_client_move(&t.client, first, 0, &t.out, NULL), QV_OK);
	assert_int_equal(hear(&t, "- illegal move a2-a3"), CLIENT_ON);
	assert_int_equal(hear_all(&t, START), CLIENT_TURN);
	assert_int_equal(qv_record_ply(t.client.record), 0);
	assert_int_equal(imcs_client_move(&t.client, second, 0, &t.out, NULL), QV_OK);
	assert_int_equal(hear(&t, "- illegal move b2-b3"), CLIENT_ON);
	assert_int_equal(hear(&t, "- illegal move b2-b3"), CLIENT_ON); /* once is enough */
	assert_int_equal(hear_all(&t, START), CLIENT_TURN);
	assert_int_equal(t.client.refused_count, 2);
	assert_true(t.client.refused[0] == first && t.client.refused[1] == second);
	talk_close(&t);
}

/* Where it differs from what was counted along, the board holds; where it is none, our count does. */
static void test_client__boards(void **state)
{
	struct talk t;
	(void)state;
	begin_game(&t, "105 W 5:00 5:00 game starts");
	assert_int_equal(hear_all(&t, "7 W\nk....\n.....\n.....\n.....\n.....\nR...K\n? x y"),
			 CLIENT_TURN);
	parse(&t, "a1-a6");
	assert_int_equal(t.client.own_ms, 300000);
	assert_int_equal(hear_all(&t, "7 W\nk....\n.....\nwhat\n.....\n.....\n....K\n"
				      "? 00:01.500 00:01.000"),
			 CLIENT_TURN);
	parse(&t, "a1-a6");
	assert_int_equal(t.client.own_ms, 1500);
	/* It is not our turn by that board, and not a position by the next. */
	t.out.length = 0;
	assert_int_equal(hear_all(&t, "7 B\nk....\n.....\n.....\n.....\n.....\nR...K\n? x y"),
			 CLIENT_ON);
	said(&t, "resign\r\n");
	assert_int_equal(hear_all(&t, "8 W\n.....\n.....\n.....\n.....\n.....\n.....\n? x y"),
			 CLIENT_ON);
	said(&t, "resign\r\n");
	talk_close(&t);
}

static void test_client__wishes(void **state)
{
	struct talk t;
	(void)state;
	talk_open(&t, CLIENT_ACCEPT, 0);
	t.client.setup.enroll = true;
	hear(&t, "100 imcs 2.5");
	said(&t, "register ann pw\r\n");
	assert_int_equal(hear(&t, "402 username already exists"), CLIENT_ON);
	said(&t, "me ann pw\r\n");
	assert_int_equal(hear(&t, "201 hello ann"), CLIENT_IN);
	said(&t, "list\r\n");
	assert_int_equal(hear_all(&t, "211 0 available games\n."), CLIENT_WAIT);
	imcs_client_again(&t.client, &t.out);
	said(&t, "list\r\n");
	assert_int_equal(hear_all(&t, "211 4 available games\n"
				      " 1 ann ? 5:00 5:00 1000 [offer]\n"
				      " 2 a b (1000/-5)  [in-progress]\n"
				      " 12345678901234567890 joe ? 5:00 5:00 1000 [offer]\n"
				      " 3 jo.e-x B 5:00 5:00 -7 [offer]\n"
				      " 4 eve W 5:00 5:00 1000 [offer]\n."),
			 CLIENT_ON);
	said(&t, "accept 3\r\n");
	assert_int_equal(hear(&t, "408 no such game"), CLIENT_WAIT);
	imcs_client_again(&t.client, &t.out);
	said(&t, "list\r\n");
	hear_all(&t, "211 1 available games\n 3 jo.\xe9-x B 5:00 5:00 -7 [offer]\n.");
	said(&t, "accept 3\r\n");
	/* The record says who played; the board that comes first is another than ours. */
	assert_int_equal(hear(&t, "105 W 5:00 5:00 game starts"), CLIENT_BEGINS);
	assert_int_equal(hear_all(&t, "7 W\nk....\n.....\n.....\n.....\n.....\nR...K\n"
				      "? 05:00.000 05:00.000"),
			 CLIENT_TURN);
	char text[512] = "";
	struct qv_text journal = { text, sizeof text, 0 };
	qv_record_save(t.client.record, &journal);
	assert_non_null(strstr(text, "\"seats\":[\"ann\",\"jo.?-x\"]"));
	talk_close(&t);

	talk_open(&t, CLIENT_ACCEPT, 9);
	hear(&t, "100 imcs 2.5");
	hear(&t, "201 hello ann");
	said(&t, "me ann pw\r\naccept 9\r\n");
	assert_int_equal(hear(&t, "408 no such game"), CLIENT_REFUSED);
	assert_string_equal(t.client.text, "408 no such game");
	talk_close(&t);

	talk_open(&t, CLIENT_LIST, 0);
	assert_int_equal(hear(&t, "503 server shutdown, come back later"), CLIENT_REFUSED);
	talk_close(&t);
	talk_open(&t, CLIENT_LIST, 0);
	assert_int_equal(imcs_client_end(&t.client), CLIENT_REFUSED);
	talk_close(&t);
}

/* What is planned for each move, spent with the loss on the way, lasts for the whole game. */
static void test_client__time_lasts(void **state)
{
	static const int clocks[] = { 1000, 5000, 60000, 300000, 86400000 };
	(void)state;
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		struct talk t;
		int64_t left = clocks[i], spent = 0;
		begin_game(&t, "105 W 5:00 5:00 game starts");
		for (int number = 1; number <= 40; number++) {
			char lines[128];
			snprintf(lines, sizeof lines,
				 "%d W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n"
				 "? %02d:%02d.%03d 00:01.000",
				 number, (int)(left / 60000), (int)(left / 1000 % 60),
				 (int)(left % 1000));
			assert_int_equal(hear_all(&t, lines), CLIENT_TURN);
			const int64_t time = imcs_client_time(&t.client);
			assert_true(time > 0 && time <= 60000 * 60);
			if (number == 1)
				assert_true(time <= 20000);
			else
				left -= time + (clocks[i] < 5000 ? 2 : 40);
			assert_true(left > 0);
			spent += time;
		}
		if (clocks[i] >= 60000)
			assert_true(spent > clocks[i] / 2);
		talk_close(&t);
	}
}

/* ---- Against our server ---- */

struct pair {
	struct hall *hall;
	struct guest *guests[2];
	struct imcs_client clients[2];
	struct string out;
	struct qv_random random;
	int over;
};

static qv_move random_move(struct pair *p, const struct imcs_client *c)
{
	qv_move moves[QV_MAX_MOVES];
	const int count = c->rules.game->moves(qv_record_state(c->record), moves);
	assert_true(count > 0);
	return moves[qv_random_below(&p->random, (uint64_t)count)];
}

static void answer(struct pair *p, int i, enum client_said what)
{
	struct imcs_client *c = &p->clients[i];
	assert_int_not_equal(what, CLIENT_REFUSED);
	if (what == CLIENT_TURN)
		assert_int_equal(imcs_client_move(c, random_move(p, c), 0, &p->out, NULL), QV_OK);
	if (what == CLIENT_WAIT)
		imcs_client_again(c, &p->out);
	p->over += what == CLIENT_OVER;
}

/* What one has heard goes to its client, and what that says goes back. */
static void listen(struct pair *p, int i)
{
	struct string heard = p->guests[i]->heard;
	p->guests[i]->heard = (struct string){ .allocator = &mem_malloc };
	for (size_t at = 0; at < heard.length;) {
		const char *end = memchr(heard.data + at, '\n', heard.length - at);
		assert_non_null(end);
		size_t length = (size_t)(end - heard.data) - at;
		const size_t next = at + length + 1;
		length -= length && heard.data[at + length - 1] == '\r';
		answer(p, i, imcs_client_line(&p->clients[i], heard.data + at, length, &p->out));
		at = next;
	}
	string_release(&heard);
	struct string out = p->out;
	p->out = (struct string){ .allocator = &mem_malloc };
	if (out.length)
		hall_say(p->hall, p->guests[i], out.data, out.length);
	string_release(&out);
}

static void test_client__against_our_server(void **state)
{
	static const char *const names[2] = { "ann", "bob" };
	struct pair p = { .hall = hall_new(desk_context(NULL), 1),
			  .random = { 11, 0 },
			  .out = { .allocator = &mem_malloc } };
	(void)state;
	for (int64_t game = scaled(100); game > 0; game--) {
		p.over = 0;
		p.hall->coin = game & 1;
		for (int i = 0; i < 2; i++) {
			const struct imcs_client_setup setup = {
				.context = p.hall->context,
				.user = names[i],
				.password = "pw",
				.enroll = true,
				.wish = i ? CLIENT_ACCEPT : CLIENT_OFFER,
				.color = '?'
			};
			p.hall->count = i;
			p.guests[i] = hall_connect(p.hall, names[i]);
			assert_int_equal(imcs_client_init(&p.clients[i], &setup, NULL), QV_OK);
		}
		while (p.over < 2)
			for (int i = 0; i < 2; i++)
				listen(&p, i);
		for (int i = 0; i < 2; i++) {
			int32_t points[QV_MAX_SEATS];
			assert_true(p.clients[i].has_result);
			assert_int_equal(p.clients[i].strays, 0);
			assert_int_not_equal(qv_record_result(p.clients[i].record, points),
					     QV_GOING);
			assert_int_equal(qv_winner(p.clients[i].rules.game, points),
					 p.clients[i].winner);
			assert_null(p.guests[i]->peer);
			string_release(&p.guests[i]->heard);
		}
		assert_int_equal(p.clients[0].winner, p.clients[1].winner);
		assert_int_equal(qv_record_ply(p.clients[0].record),
				 qv_record_ply(p.clients[1].record));
		for (int i = 0; i < 2; i++)
			imcs_client_release(&p.clients[i]);
	}
	p.hall->count = 0;
	string_release(&p.out);
	hall_free(p.hall);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_client__a_game),
		cmocka_unit_test(test_client__strays),
		cmocka_unit_test(test_client__refused_moves),
		cmocka_unit_test(test_client__boards),
		cmocka_unit_test(test_client__wishes),
		cmocka_unit_test(test_client__time_lasts),
		cmocka_unit_test(test_client__against_our_server),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
