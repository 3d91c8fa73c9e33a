/*
 * html.c - the log of a search as one HTML file, which needs no other file and no network.
 * SPDX-License-Identifier: MIT
 *
 * The visits are nested lists, so that the file can be read and printed as it is. The script only
 * hides what has not happened yet, and moves a mark from event to event.
 */
#include "base/svg.h"
#include "trace/log.h"

#include <math.h>

static const char style[] =
	"body{font:16px/1.5 system-ui,sans-serif;margin:1.5rem auto;max-width:60rem;padding:0 1rem;"
	"background:#fff;color:#1b1b1b}\n"
	"ul{list-style:none;margin:0;padding-left:1.2rem;border-left:1px solid #b9b9b9}\n"
	"main>ul{border:0;padding:0}\n"
	"li{margin:.15rem 0}\n"
	".m{font-weight:600}\n"
	".w{color:#595959}\n"
	".v{font-weight:600;color:#0b5394}\n"
	".open>div .v,.open>div .t{display:none}\n"
	".later{display:none}\n"
	".now>div{outline:2px solid #0b5394;outline-offset:2px;background:#eaf2fb}\n"
	"nav{position:sticky;top:0;background:inherit;padding:.5rem 0;border-bottom:1px solid #b9b9b9}\n"
	"button,input{font:inherit}\n"
	"button{padding:.2rem .7rem;margin-right:.3rem}\n"
	"input{border:0;border-bottom:1px solid;background:none;color:inherit;width:12rem;max-width:55vw;margin-right:1rem}\n"
	"kbd{border:1px solid #8a8a8a;border-radius:3px;padding:0 .25rem}\n"
	"h1,code,li{overflow-wrap:anywhere}\n"
	"#now{min-height:4.5em;margin:.5rem 0 0}\n"
	"@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#ececec}.w{color:#b0b0b0}"
	".v{color:#8ab8f0}.now>div{background:#22344a;outline-color:#8ab8f0}}\n"
	"@media print{body{background:#fff;color:#000;max-width:none;font-size:11pt}nav{display:none}"
	".later{display:list-item}.open>div .v,.open>div .t{display:inline}.w{color:#444}.v{color:#000}"
	".now>div{outline:0;background:none}}\n";

/* Event n is the n-th entry or exit; a node is open between the two. */
static const char script[] =
	"const items=[...document.querySelectorAll('main li')],events=[];\n"
	"(function walk(list){for(const li of list.children){events.push([li,false]);"
	"const below=li.querySelector(':scope>ul');if(below){walk(below);events.push([li,true]);}}})"
	"(document.querySelector('main>ul'));\n"
	"const text=document.getElementById('now');let at=events.length;\n"
	"function show(n){at=Math.max(0,Math.min(n,events.length));const done=at>=events.length;\n"
	"for(const li of items){li.classList.toggle('later',!done);li.classList.remove('open','now');}\n"
	"for(let i=0;i<=at&&i<events.length;i++){const [li,leaves]=events[i];"
	"li.classList.remove('later');li.classList.toggle('open',!done&&!leaves&&!!li.querySelector(':scope>ul'));}\n"
	"if(done){text.textContent='The whole search.';return;}\n"
	"const [li,leaves]=events[at];li.classList.add('now');"
	"const d=li.firstElementChild,closed=leaves||!li.querySelector(':scope>ul');"
	"text.textContent='Step '+(at+1)+' of '+events.length+': '+(closed?d.textContent:"
	"d.querySelector('.m').textContent+' '+d.querySelector('.w').textContent);"
	"li.scrollIntoView({block:'nearest'});}\n"
	"function cut(){let i=at>=events.length?0:at+1;while(i<events.length&&!(events[i][0].dataset.cut&&"
	"(events[i][1]||!events[i][0].querySelector(':scope>ul'))))i++;"
	"if(i<events.length){show(i);return;}\n"
	"const first=at>=events.length;show(at);text.textContent+=first?' It has no cut-off.':"
	"' There is no cut-off after this step.';}\n"
	"const does={start:()=>show(0),back:()=>show(at-1),step:()=>show(at>=events.length?0:at+1),cut,"
	"end:()=>show(events.length)};\n"
	"const keys={Home:'start',ArrowLeft:'back',ArrowRight:'step',c:'cut',End:'end'};\n"
	"const nav=document.querySelector('nav');nav.hidden=false;\n"
	"nav.addEventListener('click',(e)=>does[e.target.dataset.does]?.());\n"
	"addEventListener('keydown',(e)=>{if(keys[e.key]&&e.target.tagName!=='INPUT'&&!e.ctrlKey&&!e.metaKey&&!e.altKey)"
	"{e.preventDefault();does[keys[e.key]]();}});\n";

static void add(struct string *out, const char *text)
{
	svg_add_text(out, text, SVG_WHOLE);
}

/* A visit without what is below it; its list item stays open. */
static void add_visit(const struct log *l, int visit, struct string *out)
{
	const struct log_visit *v = &l->visits[visit];
	struct string words = { .allocator = l->setup.allocator };
	string_addf(out, "<li%s><div><span class=\"m\">", log_is_cut(v) ? " data-cut=\"1\"" : "");
	add(out, v->parent < 0 ? "Pass over the root"
		 : v->move     ? log_name(l, v->move)
			       : "(no move)");
	string_addf(out, "</span> <span class=\"w\">");
	log_window(l, v, &words);
	add(out, words.data ? words.data : "");
	words.length = 0;
	string_addf(out, "</span>");
	if (!isnan(v->value)) {
		string_addf(out, " <span class=\"v\">");
		add(out, log_number(l, v->value).text);
		string_addf(out, "</span>");
	}
	log_words(l, visit, &words);
	string_addf(out, " <span class=\"t\">");
	add(out, words.data ? words.data : "");
	string_addf(out, "</span></div>");
	out->failed |= words.failed;
	string_release(&words);
}

/* The lists are closed as soon as the next visit is not below them. */
static void add_visits(const struct log *l, struct string *out)
{
	int open = 0;
	string_addf(out, "<ul>\n");
	for (int i = 0; i < l->count; i++) {
		for (; open > l->visits[i].ply; open--)
			string_addf(out, "</ul></li>\n");
		add_visit(l, i, out);
		const bool inner = l->visits[i].end > i + 1;
		string_addf(out, inner ? "<ul>\n" : "</li>\n");
		open += inner;
	}
	for (; open > 0; open--)
		string_addf(out, "</ul></li>\n");
	string_addf(out, "</ul>\n");
}

static void add_steps(const struct log *l, struct string *out)
{
	string_addf(out, "<ul>\n");
	for (int i = 0; i < l->step_count; i++) {
		struct string words = { .allocator = l->setup.allocator };
		log_step_words(l, i, &words);
		string_addf(out,
			    "<li><div><span class=\"m\">Step %d</span> "
			    "<span class=\"w\"></span> <span class=\"t\">",
			    i + 1);
		add(out, words.data ? words.data : "");
		string_addf(out, "</span></div></li>\n");
		out->failed |= words.failed;
		string_release(&words);
	}
	string_addf(out, "</ul>\n");
}

/* The game and the player, as the title and the heading have them. */
static void add_title(const struct log *l, struct string *out)
{
	char rules[256] = "";
	struct qv_text game = { rules, sizeof rules, 0 };
	qv_rules_text(&l->setup.rules, &game);
	add(out, rules);
	string_addf(out, ": a search by ");
	add(out, l->setup.player);
}

/* How to read the lines. */
static void add_legend(const struct log *l, struct string *out)
{
	char name[64] = "";
	struct qv_text side = { name, sizeof name, 0 };
	if (l->step_count) {
		string_addf(out, "<p>Each line is one step, in which the tree grows.</p>\n");
		return;
	}
	string_addf(out,
		    "<p>Each line: the move, its window [alpha, beta], its value and what happens. "
		    "What a move is followed by stands below it. Values are for ");
	/* With two seats the log turns them; paranoid and brs have those of the root's seat alone. */
	log_side(l, l->root_seat, &side);
	add(out, l->game->seats == 2 || !l->own_values ? name : "the player to move");
	string_addf(out, ".</p>\n");
}

/* What was searched, and what came of it. The reader may fill in a name and a date. */
static void add_summary(const struct log *l, struct string *out)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text position = { text, sizeof text, 0 };
	l->game->position_text(l->setup.root, &position);
	string_addf(out, "<header>\n<h1>");
	add_title(l, out);
	string_addf(out, "</h1>\n<p><label>Name: <input autocomplete=\"off\"></label> "
			 "<label>Date: <input autocomplete=\"off\"></label></p>\n"
			 "<p>Position: <code>");
	add(out, text);
	string_addf(out, "</code><br>Move: <b>");
	add(out, l->move);
	string_addf(out, "</b>");
	if (!l->step_count) {
		string_addf(out, ", value ");
		add(out, log_number(l, l->answer.score).text);
	}
	string_addf(out, ". Nodes: %llu, evaluations: %llu, cut-offs: %llu.</p>\n",
		    (unsigned long long)l->answer.nodes, (unsigned long long)l->answer.evals,
		    (unsigned long long)l->cuts);
	add_legend(l, out);
	if (l->seen > (uint64_t)(l->count + l->step_count))
		string_addf(out, "<p>%d of %llu steps are shown.</p>\n", l->count + l->step_count,
			    (unsigned long long)l->seen);
	string_addf(out, "</header>\n");
}

/* Whether there is a cut-off to step to. */
static bool has_cut(const struct log *l)
{
	int i = 0;
	while (i < l->count && !log_is_cut(&l->visits[i]))
		i++;
	return i < l->count;
}

void log_html(const struct log *l, struct string *out)
{
	const bool cuts = has_cut(l);
	string_addf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width\">\n"
			 "<title>");
	add_title(l, out);
	string_addf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
	add_summary(l, out);
	string_addf(out,
		    "<nav hidden aria-label=\"Steps\"><button data-does=\"start\">Start</button>"
		    "<button data-does=\"back\">Back</button>"
		    "<button data-does=\"step\">Step</button>"
		    "%s<button data-does=\"end\">End</button> "
		    "<small>Keys: <kbd>Home</kbd> start, <kbd>←</kbd> back, <kbd>→</kbd> step%s, "
		    "<kbd>End</kbd> end</small>\n"
		    "<p id=\"now\" aria-live=\"polite\">The whole search. Press Start to step "
		    "through it.</p></nav>\n<main>\n",
		    cuts ? "<button data-does=\"cut\">Next cut-off</button>" : "",
		    cuts ? ", <kbd>c</kbd> next cut-off" : "");
	if (l->step_count)
		add_steps(l, out);
	else
		add_visits(l, out);
	string_addf(out, "</main>\n<script>\n");
	string_add(out, script, sizeof script - 1);
	string_addf(out, "</script>\n</body>\n</html>\n");
}
