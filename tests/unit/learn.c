/*
 * learn.c - the player that remembers lost lines: what it remembers is true, it ends unbeatable,
 * and its file keeps it.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "core/learned_moves.h"
#include "support/meter.h"
#include "support/scale.h"

enum { STATE = 64, MOVES = 16, PATH = 128, SPEC = 256 };

static int setup(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* ---- help ---- */

/* A name for a file that is not there. */
static void fresh_path(char path[PATH])
{
	snprintf(path, PATH, "/tmp/test-learn-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	unlink(path);
}

static char *slurp(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	char *data = malloc(1 << 20);
	assert_non_null(data);
	*size = fread(data, 1, (1 << 20) - 1, in);
	data[*size] = '\0';
	fclose(in);
	return data;
}

static struct learned knowledge(const struct desk *d, const char *path)
{
	struct learned l = learned_make(&mem_malloc, &d->rules);
	struct qv_error error = { "" };
	size_t size;
	char *data = slurp(path, &size);
	if (learned_read(&l, data, size, &error) != QV_OK)
		fail_msg("%s", error.text);
	free(data);
	return l;
}

static struct qv_answer ask(struct qv_player *player, const struct desk *d)
{
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	if (qv_player_think(player, d->state, NULL, NULL, &answer, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_true(qv_move_legal(d->rules.game, d->state, answer.move));
	return answer;
}

static void told(struct qv_player *player, const struct desk *d)
{
	struct qv_error error = { "" };
	if (qv_player_game_over(player, d->state, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void play_named(struct desk *d, const char *name)
{
	qv_move move;
	struct qv_error error = { "" };
	if (qv_move_parse(d->rules.game, d->state, name, &move, &error) != QV_OK)
		fail_msg("%s", error.text);
	d->rules.game->play(d->state, move);
}

/* The player makes that move, of its own accord as far as it knows. */
static void make_it_play(struct qv_player *player, struct desk *d, const char *name)
{
	qv_move move;
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_move_parse(d->rules.game, d->state, name, &move, NULL), QV_OK);
	const struct qv_limits limits = { .size = sizeof limits, .only = &move, .only_count = 1 };
	assert_int_equal(qv_player_think(player, d->state, &limits, NULL, &answer, NULL), QV_OK);
	assert_true(answer.move == move);
	d->rules.game->play(d->state, move);
}

static void restart(struct desk *d)
{
	d->rules.game->start(d->rules.options, d->state);
}

/* By minimax: 1 won, 0 drawn, -1 lost for the seat to move. Two seats in turn. */
static int value_of(const struct qv_game *g, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[MOVES];
	int best = -1;
	if (g->result(state, points) != QV_GOING)
		return points[g->seat(state)] - points[1 - g->seat(state)];
	for (int n = g->moves(state, list); n > 0 && best < 1; n--) {
		uint64_t next[STATE / 8];
		memcpy(next, state, g->state_size);
		g->play(next, list[n - 1]);
		const int value = -value_of(g, next);
		best = value > best ? value : best;
	}
	return best;
}

/* ---- unbeatable ---- */

/* Losses in all games in which the seat makes any move it does not avoid, and the other any. */
static int losses(const struct learned *l, const void *state, int seat, int *games)
{
	const struct qv_game *g = l->rules.game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[MOVES];
	int lost = 0, avoided = 0;
	if (g->result(state, points) != QV_GOING) {
		++*games;
		return points[seat] < points[1 - seat];
	}
	const int n = g->moves(state, list);
	for (int i = 0; i < n; i++)
		avoided += g->seat(state) == seat && learned_has(l, state, list[i]);
	for (int i = 0; i < n; i++) {
		uint64_t next[STATE / 8];
		if (avoided < n && g->seat(state) == seat && learned_has(l, state, list[i]))
			continue;
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		lost += losses(l, next, seat, games);
	}
	return lost;
}

/* Trained so, the seats in `seats` never lose, whatever they choose and whoever plays them. */
static void assert_unbeatable(struct qv_context *context, const char *game, int64_t train,
			      int seats)
{
	struct desk d;
	char path[PATH], spec[SPEC];
	fresh_path(path);
	snprintf(spec, sizeof spec, "learn:file=%s,train=%lld", path, (long long)train);
	desk_open(&d, context, game, "start");
	qv_player_free(desk_player(&d, spec, 1));
	struct learned l = knowledge(&d, path);
	for (int seat = 0; seat < 2; seat++) {
		int games = 0;
		const int lost = losses(&l, d.state, seat, &games);
		if (seats >> seat & 1 && lost)
			fail_msg("%s: seat %d loses %d of %d games", game, seat + 1, lost, games);
		assert_true(games > 1);
	}
	learned_release(&l);
	unlink(path);
	desk_close(&d);
}

static void test_training__makes_it_unbeatable(void **state)
{
	assert_unbeatable(*state, "noughts", 30000, 3);
	assert_unbeatable(*state, "hexapawn", 2000, 2);
	assert_unbeatable(*state, "hexapawn:blocked=draw", 2000, 3);
}

static void test_training__remembers_only_what_loses(void **state)
{
	static const char *const games[] = { "noughts", "hexapawn", "hexapawn:blocked=draw" };
	for (int i = 0; i < 3; i++) {
		struct desk d;
		char path[PATH], spec[SPEC];
		fresh_path(path);
		snprintf(spec, sizeof spec, "learn:file=%s,train=%lld", path,
			 (long long)scaled(20000));
		desk_open(&d, *state, games[i], "start");
		qv_player_free(desk_player(&d, spec, 2));
		struct learned l = knowledge(&d, path);
		assert_true(l.count > 20);
		for (size_t k = 0; k < l.count; k++) {
			uint64_t next[STATE / 8];
			memcpy(next, l.states + k * l.stride, d.rules.game->state_size);
			d.rules.game->play(next, l.moves[k]);
			assert_int_equal(value_of(d.rules.game, next), 1);
		}
		learned_release(&l);
		unlink(path);
		desk_close(&d);
	}
}

/* ---- against a perfect opponent ---- */

/* How many games of an epoch it loses. */
static int epoch(struct desk *d, struct qv_player *learner, struct qv_player *perfect, int seat,
		 int games)
{
	int lost = 0;
	for (int i = 0; i < games; i++) {
		int32_t points[QV_MAX_SEATS];
		for (restart(d); desk_going(d);) {
			const bool mine = d->rules.game->seat(d->state) == seat;
			d->rules.game->play(d->state, ask(mine ? learner : perfect, d).move);
		}
		told(learner, d);
		d->rules.game->result(d->state, points);
		lost += points[seat] < points[1 - seat];
	}
	return lost;
}

static void learn_against_perfect(struct qv_context *context, const char *game, int seat,
				  int games)
{
	enum { EPOCHS = 6 };
	struct desk d;
	desk_open(&d, context, game, "start");
	struct qv_player *learner = desk_player(&d, "learn", 1);
	struct qv_player *perfect = desk_player(&d, "alphabeta:depth=9,random=1,tt=1", 1);
	int before = epoch(&d, learner, perfect, seat, games);
	assert_true(before > 0);
	for (int i = 1; i < EPOCHS; i++) {
		const int lost = epoch(&d, learner, perfect, seat, games);
		if (lost > before)
			fail_msg("%s: %d losses after %d", game, lost, before);
		before = lost;
	}
	assert_int_equal(before, 0);
	qv_player_free(learner);
	qv_player_free(perfect);
	desk_close(&d);
}

static void test_playing__losses_fall_to_none(void **state)
{
	learn_against_perfect(*state, "noughts", 0, 500);
	learn_against_perfect(*state, "noughts", 1, 500);
	learn_against_perfect(*state, "hexapawn", 1, 100);
	learn_against_perfect(*state, "hexapawn:blocked=draw", 0, 100);
	learn_against_perfect(*state, "hexapawn:blocked=draw", 1, 100);
}

/* ---- one game ---- */

struct school {
	struct desk desk;
	char path[PATH];
	struct qv_player *player;
};

static void school_open(struct school *s, const struct qv_context *context, const char *game)
{
	char spec[SPEC];
	fresh_path(s->path);
	snprintf(spec, sizeof spec, "learn:file=%s", s->path);
	desk_open(&s->desk, context, game, "start");
	s->player = desk_player(&s->desk, spec, 1);
}

static void school_close(struct school *s)
{
	qv_player_free(s->player);
	unlink(s->path);
	desk_close(&s->desk);
}

static void assert_no_file(const struct school *s)
{
	assert_int_not_equal(access(s->path, F_OK), 0);
}

/* The file holds exactly these: positions, each with a tab and a move after it. */
static void assert_knows(const struct school *s, const char *const *pairs, int count)
{
	struct learned l = knowledge(&s->desk, s->path);
	assert_int_equal(l.count, count);
	for (int i = 0; i < count; i++) {
		char position[64];
		qv_move move;
		uint64_t at[STATE / 8];
		snprintf(position, sizeof position, "%s", pairs[i]);
		char *tab = strchr(position, '\t');
		*tab = '\0';
		assert_int_equal(qv_position_parse(&s->desk.rules, position, at, NULL), QV_OK);
		const struct qv_game *g = s->desk.rules.game;
		assert_int_equal(qv_move_parse(g, at, tab + 1, &move, NULL), QV_OK);
		assert_true(learned_has(&l, at, move));
	}
	learned_release(&l);
}

/* x: 1 2 3; the learner is o and plays 4, then 5. */
static void test_game__the_last_move_before_the_loss(void **state)
{
	struct school s;
	school_open(&s, *state, "noughts");
	play_named(&s.desk, "1");
	make_it_play(s.player, &s.desk, "4");
	play_named(&s.desk, "2");
	make_it_play(s.player, &s.desk, "5");
	play_named(&s.desk, "3");
	assert_no_file(&s);
	told(s.player, &s.desk);
	assert_knows(&s, (const char *const[]){ "xx.o..... o\t5" }, 1);
	/* So is the same thing turned round: x has 3 and 6, o 2. */
	assert_knows(&s, (const char *const[]){ ".ox..x... o\t5" }, 1);
	/* From then on it blocks, or tries something else; in time it must block. */
	restart(&s.desk);
	play_named(&s.desk, "1");
	make_it_play(s.player, &s.desk, "4");
	play_named(&s.desk, "2");
	for (int i = 0; i < 50; i++) {
		char name[QV_MOVE_TEXT];
		struct qv_text out = { name, sizeof name, 0 };
		s.desk.rules.game->move_text(s.desk.state, ask(s.player, &s.desk).move, &out);
		assert_string_not_equal(name, "5");
	}
	school_close(&s);
}

/* Both moves of the position have lost, so the move that led there is remembered as well. */
static void test_game__a_lost_position_condemns_the_move_before(void **state)
{
	struct school s;
	school_open(&s, *state, "hexapawn");
	static const char *const games[] = {
		"a1-a2 b3-a2 c1-c2 a2-b1",
		"a1-a2 b3-a2 b1-b2 a2-a1",
		"a1-a2 b3-a2 b1-a2 c3-c2",
	};
	for (int i = 0; i < 3; i++) {
		char moves[64];
		strcpy(moves, games[i]);
		restart(&s.desk);
		for (char *save, *word = strtok_r(moves, " ", &save); word;
		     word = strtok_r(NULL, " ", &save))
			if (s.desk.rules.game->seat(s.desk.state) == 0)
				make_it_play(s.player, &s.desk, word);
			else
				play_named(&s.desk, word);
		told(s.player, &s.desk);
	}
	static const char *const known[] = { "p.p/p../.PP w\tc1-c2", "p.p/p../.PP w\tb1-b2",
					     "p.p/p../.PP w\tb1-a2", "ppp/.../PPP w\ta1-a2" };
	assert_knows(&s, known, 4);
	school_close(&s);
}

/* What was taken back is not blamed, nor a game that was broken off. */
static void test_game__only_moves_that_led_there_are_blamed(void **state)
{
	struct school s;
	school_open(&s, *state, "noughts");
	play_named(&s.desk, "1");
	make_it_play(s.player, &s.desk, "4");
	play_named(&s.desk, "2");
	told(s.player, &s.desk);           /* it goes on: nothing to learn */
	make_it_play(s.player, &s.desk, "6");
	assert_int_equal(qv_position_parse(&s.desk.rules, "x........ o", s.desk.state, NULL),
			 QV_OK);   /* two moves back, and the learner's own */
	make_it_play(s.player, &s.desk, "7");
	play_named(&s.desk, "2");
	make_it_play(s.player, &s.desk, "8");
	play_named(&s.desk, "3");
	told(s.player, &s.desk);
	assert_knows(&s, (const char *const[]){ "xx....o.. o\t8" }, 1);
	/* A lost position that it did not play towards. */
	assert_int_equal(qv_position_parse(&s.desk.rules, "xxxoo.... o", s.desk.state, NULL),
			 QV_OK);
	told(s.player, &s.desk);
	assert_knows(&s, (const char *const[]){ "xx....o.. o\t8" }, 1);
	school_close(&s);
}

static void test_game__wins_and_draws_teach_nothing(void **state)
{
	struct school s;
	school_open(&s, *state, "noughts");
	make_it_play(s.player, &s.desk, "1");
	play_named(&s.desk, "4");
	make_it_play(s.player, &s.desk, "2");
	play_named(&s.desk, "5");
	make_it_play(s.player, &s.desk, "3");
	told(s.player, &s.desk);
	assert_no_file(&s);
	school_close(&s);
}

/* Two learners with one file: neither undoes what the other has learned. */
static void test_game__learners_share_a_file(void **state)
{
	struct school s;
	char spec[SPEC];
	school_open(&s, *state, "noughts");
	snprintf(spec, sizeof spec, "learn:file=%s", s.path);
	struct qv_player *other = desk_player(&s.desk, spec, 1);
	for (int i = 0; i < 2; i++) {
		struct qv_player *player = i ? other : s.player;
		restart(&s.desk);
		play_named(&s.desk, "1");
		make_it_play(player, &s.desk, i ? "4" : "7");
		play_named(&s.desk, "2");
		make_it_play(player, &s.desk, "5");
		play_named(&s.desk, "3");
		told(player, &s.desk);
	}
	static const char *const both[] = { "xx....o.. o\t5", "xx.o..... o\t5" };
	assert_knows(&s, both, 2);
	qv_player_free(other);
	school_close(&s);
}

/* Plays the game that teaches a learner its move 5; in a thread. */
struct pupil {
	struct school *school;
	struct desk desk;
};

static void *lose_a_game(void *arg)
{
	struct pupil *p = arg;
	told(p->school->player, &p->desk);
	return NULL;
}

/* It does not write while another is between reading and writing. */
static void test_game__a_learner_waits_for_who_holds_the_file(void **state)
{
	struct school s;
	pthread_t thread;
	school_open(&s, *state, "noughts");
	play_named(&s.desk, "1");
	make_it_play(s.player, &s.desk, "7");
	play_named(&s.desk, "2");
	make_it_play(s.player, &s.desk, "5");
	play_named(&s.desk, "3");
	struct pupil pupil = { &s, s.desk };
	const int held = file_lock_folder(s.path);
	assert_true(held >= 0);
	assert_int_equal(pthread_create(&thread, NULL, lose_a_game, &pupil), 0);
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL); /* if it were to write now, */
	FILE *out = fopen(s.path, "w");            /* this would undo it */
	assert_non_null(out);
	fputs("quevedo-learned 1 noughts\nxx.o..... o\t5\n", out);
	fclose(out);
	file_unlock(held);
	assert_int_equal(pthread_join(thread, NULL), 0);
	static const char *const both[] = { "xx....o.. o\t5", "xx.o..... o\t5" };
	assert_knows(&s, both, 2);
	school_close(&s);
}

/* It may sit on both sides. */
static void test_game__learns_from_both_seats(void **state)
{
	struct school s;
	school_open(&s, *state, "noughts");
	for (int i = 0; i < 100; i++) {
		qv_player_new_game(s.player);
		for (restart(&s.desk); desk_going(&s.desk);)
			s.desk.rules.game->play(s.desk.state, ask(s.player, &s.desk).move);
		told(s.player, &s.desk);
	}
	struct learned l = knowledge(&s.desk, s.path);
	int seats[2] = { 0, 0 };
	for (size_t k = 0; k < l.count; k++)
		seats[s.desk.rules.game->seat(l.states + k * l.stride)]++;
	assert_true(seats[0] > 0 && seats[1] > 0);
	learned_release(&l);
	school_close(&s);
}

/* ---- the file ---- */

static void test_file__makes_the_same_player_again(void **state)
{
	struct school s;
	struct qv_random random = { .key = 5 };
	char spec[SPEC];
	size_t size, again_size;
	school_open(&s, *state, "noughts");
	snprintf(spec, sizeof spec, "learn:file=%s,train=3000", s.path);
	struct qv_player *trained = desk_player(&s.desk, spec, 1);
	char *data = slurp(s.path, &size);
	snprintf(spec, sizeof spec, "learn:file=%s", s.path);
	struct qv_player *again = desk_player(&s.desk, spec, 1);
	for (int i = 0; i < 500; i++) {
		desk_wander(&s.desk, &random, i % 9);
		const struct qv_answer one = ask(trained, &s.desk), two = ask(again, &s.desk);
		assert_true(same_answer(&one, &two));
	}
	struct learned l = knowledge(&s.desk, s.path);
	struct string text = { .allocator = &mem_malloc };
	learned_write(&l, &text);
	assert_false(text.failed);
	assert_int_equal(text.length, size);
	assert_memory_equal(text.data, data, size);
	told(again, &s.desk);              /* learns nothing new, so writes nothing */
	char *same = slurp(s.path, &again_size);
	assert_int_equal(again_size, size);
	string_release(&text);
	learned_release(&l);
	free(same);
	free(data);
	qv_player_free(trained);
	qv_player_free(again);
	school_close(&s);
}

static void assert_refused(const struct desk *d, const char *data, size_t size,
			   const char *reason)
{
	struct learned l = learned_make(&mem_malloc, &d->rules);
	struct qv_error error = { "" };
	assert_true(learned_read(&l, data, size, &error) != QV_OK);
	if (strncmp(error.text, "learned, line ", 14) != 0 || !strstr(error.text, reason))
		fail_msg("\"%.60s\": \"%s\" does not speak of \"%s\"", data, error.text, reason);
	assert_true(learned_read(&l, data, size, NULL) != QV_OK);
	learned_release(&l);
}

static void test_file__refuses_what_is_not_one(void **state)
{
#define HEAD "quevedo-learned 1 hexapawn\n"
	static const struct {
		const char *data, *reason;
	} bad[] = {
		{ "", "is missing" },
		{ "quevedo-learned 1 hexapawn", "no line end" },
		{ "\n", "not a file" },
		{ "quevedo-learned\n", "not a file" },
		{ "quevedo-learned 2 hexapawn\n", "unknown version" },
		{ "quevedo-learned 1 noughts\n", "for 'noughts', but this is hexapawn" },
		{ "quevedo-learned 1 hexapawn:blocked=draw\n", "this is hexapawn" },
		{ HEAD "ppp/.../PPP w\ta1-a2", "line 2: has no line end" },
		{ HEAD "ppp/.../PPP w a1-a2\n", "a tab" },
		{ HEAD "\n", "line 2: expected a position, a tab" },
		{ HEAD "ppp/.../PPP w\ta1-a2\nppp/.../PPP w\ta1-a3\n", "line 3: the move" },
		{ HEAD "ppp/.../PPP w\t\n", "the move" },
		{ HEAD "ppp/.../PPP w\ta1-a2\t\n", "the move" },
		{ HEAD "ppp/.../PPP W\ta1-a2\n", "line 2: position: " },
		{ HEAD "P../.p./... b\tb2-b1\n", "the move" },        /* it is over */
	};
#undef HEAD
	struct desk d;
	desk_open(&d, *state, "hexapawn", "start");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_refused(&d, bad[i].data, strlen(bad[i].data), bad[i].reason);
	assert_refused(&d, "quevedo-learned 1 hexa\0pawn\n", 29, "NUL");
	static char endless[10000];
	memset(endless, 'x', sizeof endless);
	endless[sizeof endless - 1] = '\n';
	assert_refused(&d, endless, sizeof endless, "too long");
	desk_close(&d);
}

static void refused_player(const struct desk *d, const char *spec, enum qv_status expected,
			   const char *reason)
{
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_player_new(d->context, &d->rules, spec, NULL, &player, &error),
			 expected);
	assert_null(player);
	if (!strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", spec, error.text, reason);
}

static void test_file__faults_are_told(void **state)
{
	struct desk d;
	char path[PATH], spec[SPEC];
	fresh_path(path);
	desk_open(&d, *state, "noughts", "start");
	refused_player(&d, "learn:file=-", QV_BAD_INPUT, "needs a file");
	refused_player(&d, "learn:file=/tmp", QV_IO, "/tmp: ");
	snprintf(spec, sizeof spec, "learn:file=%s/x,train=100", path);
	refused_player(&d, spec, QV_IO, "cannot be written");
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs("quevedo-learned 1 connect4\n", out);
	fclose(out);
	snprintf(spec, sizeof spec, "learn:file=%s", path);
	refused_player(&d, spec, QV_BAD_INPUT, "this is noughts");
	unlink(path);
	desk_close(&d);
}

static void test_games__it_does_not_suit(void **state)
{
	static const char *const games[] = { "race", "toy-three", "toy-counted", "toy-die" };
	for (int i = 0; i < 4; i++) {
		struct desk d;
		desk_open(&d, *state, games[i], "start");
		refused_player(&d, "learn", QV_UNSUPPORTED, games[i]);
		desk_close(&d);
	}
}

/* Any game of two seats will do, a plug-in's too; large ones are just not learned to the end. */
static void test_games__it_suits(void **state)
{
	static const char *const games[] = { "connect4", "reversi", "toy-quiet", "toy-repeat" };
	for (int i = 0; i < 4; i++) {
		struct desk d;
		desk_open(&d, *state, games[i], "start");
		struct qv_player *player = desk_player(&d, "learn:train=50", 1);
		for (int ply = 0; ply < 200 && desk_going(&d); ply++)
			d.rules.game->play(d.state, ask(player, &d).move);
		told(player, &d);
		qv_player_free(player);
		desk_close(&d);
	}
}

/* ---- memory ---- */

static void test_memory__is_bounded(void **state)
{
	enum { LARGE = 1 << 16, MOST = 1024 };
	struct desk d;
	uint16_t *large = calloc(1, LARGE);
	assert_non_null(large);
	desk_open(&d, *state, "noughts", "start");
	desk_as_plugin(&d);
	d.copy.state_size = LARGE;
	d.copy.image = NULL;
	struct learned l = learned_make(&mem_malloc, &d.rules);
	assert_int_equal(learned_most(&l), MOST);
	for (int i = 0; i < MOST + 100; i++) {
		large[LARGE / 2 - 1] = (uint16_t)i;
		large[0] = (uint16_t)(i & 0x1ff);
		assert_int_equal(learned_add(&l, large, 3), QV_OK);
		assert_int_equal(learned_has(&l, large, 3), i < MOST);
		assert_false(learned_has(&l, large, 4));
	}
	assert_int_equal(l.count, MOST);
	/* When it is full, a file that says what it knows is fine; one that says more is not. */
	static const char known[] = "quevedo-learned 1 noughts\n......... x\t4\n",
			  unknown[] = "quevedo-learned 1 noughts\n......... x\t5\n";
	assert_int_equal(learned_read(&l, known, strlen(known), NULL), QV_OK);
	assert_int_equal(learned_read(&l, unknown, strlen(unknown), NULL), QV_BAD_INPUT);
	assert_int_equal(l.count, MOST);
	learned_release(&l);
	d.rules.game = qv_game_at(*state, 0);
	desk_close(&d);
	free(large);
}

/* Every allocation of a life fails once: made with a file, trained, played, told. */
static enum qv_status live(struct desk *d, const char *spec, struct qv_error *error)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	struct qv_answer answer = { .size = sizeof answer };
	restart(d);
	enum qv_status status =
		qv_player_new(d->context, &d->rules, spec, &defaults, &player, error);
	while (status == QV_OK && desk_going(d)) {
		status = qv_player_think(player, d->state, NULL, NULL, &answer, error);
		if (status == QV_OK)
			d->rules.game->play(d->state, answer.move);
	}
	if (status == QV_OK)
		status = qv_player_game_over(player, d->state, error);
	qv_player_free(player);
	return status;
}

static void test_memory__running_out_is_survived(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct qv_context *context = desk_context(&allocator);
	struct desk d;
	char path[PATH], spec[SPEC];
	fresh_path(path);
	snprintf(spec, sizeof spec, "learn:file=%s,train=40", path);
	desk_open(&d, context, "noughts", "start");
	const int64_t blocks = meter.blocks;
	bool failed = true;
	for (int64_t n = 1; failed; n++) {
		struct qv_error error = { "" };
		unlink(path);
		meter_arm(&meter, n, false);
		const enum qv_status status = live(&d, spec, &error);
		failed = meter.failed;
		meter_arm(&meter, 0, false);
		assert_int_equal(status, failed ? QV_NO_MEMORY : QV_OK);
		assert_true(!failed || strstr(error.text, ": "));
		assert_int_equal(meter.blocks, blocks);
		assert_true(n > 8 || failed);
	}
	unlink(path);
	desk_close(&d);
	qv_context_free(context);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.bytes, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_training__makes_it_unbeatable),
		cmocka_unit_test(test_training__remembers_only_what_loses),
		cmocka_unit_test(test_playing__losses_fall_to_none),
		cmocka_unit_test(test_game__the_last_move_before_the_loss),
		cmocka_unit_test(test_game__a_lost_position_condemns_the_move_before),
		cmocka_unit_test(test_game__only_moves_that_led_there_are_blamed),
		cmocka_unit_test(test_game__wins_and_draws_teach_nothing),
		cmocka_unit_test(test_game__learners_share_a_file),
		cmocka_unit_test(test_game__a_learner_waits_for_who_holds_the_file),
		cmocka_unit_test(test_game__learns_from_both_seats),
		cmocka_unit_test(test_file__makes_the_same_player_again),
		cmocka_unit_test(test_file__refuses_what_is_not_one),
		cmocka_unit_test(test_file__faults_are_told),
		cmocka_unit_test(test_games__it_does_not_suit),
		cmocka_unit_test(test_games__it_suits),
		cmocka_unit_test(test_memory__is_bounded),
		cmocka_unit_test(test_memory__running_out_is_survived),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
