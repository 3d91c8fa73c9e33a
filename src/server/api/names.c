/*
 * names.c - names that look like others, and names that nobody may have.
 * SPDX-License-Identifier: MIT
 *
 * The table has the letters that readers of the Latin alphabet mistake for a Latin one: those with
 * accents, small capitals, raised and lowered ones, and those of Cyrillic and Greek with the same
 * shape. Whole alphabets that Unicode has again are computed. Together they are what people meet in
 * names, a part of Unicode's list of confusable characters.
 */
#include "server/api/names.h"

#include "base/scan.h"

/* Each row: what the letters after it become. */
static const struct look {
	const char *as, *letters;
} looks[] = {
	{ "a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶªαάΑΆаАӑӐӓӒ"
	  "ᴬᵃₐÅᴀ" },
	{ "b", "ƀɓḃḅḇƁɃḂḄḆβΒвВьЬ"
	  "ᴮᵇℬʙ" },
	{ "c", "çćĉċčƈḉÇĆĈĊČƇḈ¢сСҫҪϲϹ"
	  "ᶜℂℭⅭⅽꟲ🄫ᴄ" },
	{ "d", "ďđðḋḍḏḑḓĎĐÐḊḌḎḐḒԁԀ"
	  "ᴰᵈⅅⅆⅮⅾᴅ" },
	{ "e", "èéêëēĕėęěȅȇȩḕḗḙḛẹẻẽếềểễệÈÉÊËĒĔĖĘĚȄȆȨẸẺẼẾỀỂỄỆεέΕΈеЕёЁѐЀєЄҽӗӖ"
	  "ᴱᵉḔḖḘḚḜḝₑℯℰⅇᴇ" },
	{ "f", "ƒḟƑḞϝϜ"
	  "ᶠℱꟳꜰ" },
	{ "g", "ĝğġģǥǧǵḡĜĞĠĢǤǦǴḠɡԍ"
	  "ᴳᵍℊɢ" },
	{ "h", "ĥħȟḣḥḧḩḫĤĦȞḢḤḦḨḪηήΗΉнНһҺңҢ"
	  "ʰᴴẖₕℋℌℍℎʜ" },
	{ "l", "ìíîïĩīĭįıǐȉȋḭḯỉịÌÍÎÏĨĪĬĮİǏȈȊḬỈỊιίϊΙΊΪіІїЇӏӀĺļľŀłḷḹḻḽĹĻĽĿŁḶḸḺḼ"
	  "ˡᴵᴸᵢḮⁱₗℐℑℒℓℹⅈⅠⅬⅰⅼɪʟ" },
	{ "j", "ĵǰĴϳјЈ"
	  "ʲᴶⅉⱼᴊ" },
	{ "k", "ķǩƙḱḳḵĶǨƘḰḲḴκΚкКқҚќЌ"
	  "ᴷᵏₖKᴋ" },
	{ "m", "ḿṁṃḾṀṂμΜмМ"
	  "ᴹᵐₘℳⅯⅿᴍ" },
	{ "n", "ñńņňŋǹṅṇṉṋÑŃŅŇŊǸṄṆṈṊΝпПийИЙ"
	  "ᴺⁿₙℕɴ" },
	{ "o", "òóôõöøōŏőơǒǫǭȍȏȯọỏốồổỗộớờởỡợÒÓÔÕÖØŌŎŐƠǑǪǬȌȎȮỌỎỐỒỔỖỘỚỜỞỠỢºοόΟΌσоОӧӦөӨ"
	  "ȪȫȬȭȰȱᴼᵒṌṍṎṏṐṑṒṓₒℴᴏ" },
	{ "p", "ƥṕṗƤṔṖρΡрР"
	  "ᴾᵖₚℙᴘ" },
	{ "q", "ɋԛԚ"
	  "ℚꟴ𐞥" },
	{ "r", "ŕŗřȑȓṙṛṝṟŔŖŘȐȒṘṚṜṞгГяЯ"
	  "ʳᴿᵣℛℜℝ🄬ʀ" },
	{ "s", "śŝşšșṡṣŚŜŞŠȘṠṢѕЅ"
	  "ſˢṤṥṦṧṨṩẛₛꜱ" },
	{ "t", "ţťŧțṫṭṯŢŤŦȚṪṬṮτΤтТ"
	  "ᵀᵗṰṱẗₜᴛ" },
	{ "u", "ùúûüũūŭůűųưǔȕȗụủứừửữựÙÚÛÜŨŪŬŮŰŲƯǓȔȖỤỦỨỪỬỮỰυύцЦ"
	  "ǕǖǗǘǙǚǛǜᵁᵘᵤṲṳṴṵṶṷṸṹṺṻᴜ" },
	{ "v", "ṽṿṼṾνѵѴ"
	  "ᵛᵥⅤⅴⱽᴠ" },
	{ "w", "ŵẁẃẅẇŴẀẂẄẆωώшШщЩԝԜ"
	  "ʷᵂẈẉẘᴡ" },
	{ "x", "ẋẍẊẌχΧхХҳҲ"
	  "ˣₓⅩⅹ" },
	{ "y", "ýÿŷȳẏẙỳỵỷỹÝŶŸȲẎỲỴỶỸγΥΎуУүҮўЎ"
	  "ʸʏ" },
	{ "z", "źżžẑẓẕŹŻŽẐẒẔζΖзЗ"
	  "ᶻℤℨᴢ" },
	{ "ss", "ßẞ" },
	{ "ae", "æÆǽǼ" },
	{ "oe", "œŒ" },
	{ "th", "þÞ" },
};

/* The point at the text, and its length in bytes; 0: a byte that is not UTF-8. */
static uint32_t point_at(const char *text, int *length)
{
	const unsigned char *at = (const unsigned char *)text;
	const int count = *at < 0xc2 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 1;
	uint32_t point = count > 1 ? *at & (0xffU >> (count + 1)) : *at < 0x80 ? *at : 0;
	*length = count;
	for (int i = 1; i < count; i++) {
		if ((at[i] & 0xc0) != 0x80) {
			*length = 1;
			return 0;
		}
		point = point << 6 | (at[i] & 0x3f);
	}
	return point;
}

/*
 * What Unicode has again in other widths, styles and frames: runs of alphabets, or of digits. A run
 * begins with `as` and has a copy of it every `period` points.
 */
static const struct again {
	uint32_t first, last, as, period;
} agains[] = {
	{ 0x2070, 0x2079, '0', 10 },	/* superscripts; 1 to 3 are older */
	{ 0x2080, 0x2089, '0', 10 },	/* subscripts */
	{ 0x2460, 0x2468, '1', 9 },	/* in circles, in parentheses, with a full stop */
	{ 0x2474, 0x247c, '1', 9 },
	{ 0x2488, 0x2490, '1', 9 },
	{ 0x249c, 0x24e9, 'a', 26 },	/* in parentheses and circles */
	{ 0x24ea, 0x24ea, '0', 1 },	{ 0x24ff, 0x24ff, '0', 1 },
	{ 0x24f5, 0x24fd, '1', 9 },	/* in double and black circles */
	{ 0x2776, 0x277e, '1', 9 },	{ 0x2780, 0x2788, '1', 9 },  { 0x278a, 0x2792, '1', 9 },
	{ 0xff01, 0xff5e, '!', 94 },	/* as wide as Chinese characters */
	{ 0x1d400, 0x1d6a3, 'a', 26 },	/* mathematical: bold, italic, ... */
	{ 0x1d6a8, 0x1d7c9, 0x391, 58 }, /* the same of Greek: capitals, a sign, small letters */
	{ 0x1d7ce, 0x1d7ff, '0', 10 },
	{ 0x1f101, 0x1f10a, '0', 10 },
	{ 0x1f110, 0x1f129, 'a', 26 },	/* in parentheses, squares, black circles and squares */
	{ 0x1f130, 0x1f149, 'a', 26 },	{ 0x1f150, 0x1f169, 'a', 26 }, { 0x1f170, 0x1f189, 'a', 26 },
	{ 0x1f1e6, 0x1f1ff, 'a', 26 },	/* of flags */
	{ 0x1fbf0, 0x1fbf9, '0', 10 },
	{ 0xb9, 0xb9, '1', 1 },		{ 0xb2, 0xb3, '2', 2 },
};

/* The letter or digit itself; otherwise the point. */
static uint32_t plain_point(uint32_t c)
{
	for (size_t i = 0; i < sizeof agains / sizeof *agains; i++)
		if (c >= agains[i].first && c <= agains[i].last) {
			const uint32_t at = (c - agains[i].first) % agains[i].period;
			return agains[i].as == 0x391 && at > 25 ? 0x3b1 + at - 26
								: agains[i].as + at;
		}
	return c;
}

/* Letters and patterns without ink: of Hangul, Khmer, Mongolian and Braille. */
static bool is_filler(uint32_t c)
{
	return c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 ||
	       (c >= 0x180b && c <= 0x180f) || c == 0x2800 || c == 0x3164 || c == 0xffa0;
}

/*
 * Marks that are put on the letter before them, and what a reader does not see or overlooks. Bytes
 * that are not UTF-8 are of it: what stands between two of them goes, and they would make a letter.
 */
static bool is_overlooked(uint32_t c)
{
	return c <= ' ' || strchr("-_.,'`\"", (int)(c < 0x80 ? c : 'x')) ||
	       (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0xb7 || (c >= 0x300 && c <= 0x36f) ||
	       (c >= 0x1ab0 && c <= 0x1aff) || (c >= 0x1dc0 && c <= 0x1dff) ||
	       (c >= 0x2000 && c <= 0x206f) || (c >= 0x20d0 && c <= 0x20ff) || c == 0x3000 ||
	       (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfe20 && c <= 0xfe2f) || c == 0xfeff ||
	       (c >= 0xe0000 && c <= 0xe01ef) || is_filler(c);
}

/* The point in UTF-8. */
static void write_point(uint32_t c, char out[5])
{
	const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	out[0] = (char)((0xf00 >> (more + 1) & 0xf0) | c >> 6 * more);
	for (int i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
	out[more + 1] = '\0';
}

/* What a letter beyond ASCII becomes; "": it stays. */
static const char *look_of(uint32_t c)
{
	char one[5];
	write_point(c, one);
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		if (strstr(looks[i].letters, one)) /* in UTF-8 no letter is a part of others */
			return looks[i].as;
	return "";
}

/* ASCII: small letters, and one of those that are drawn alike. */
static char plain_letter(uint32_t c)
{
	if (c >= 'A' && c <= 'Z')
		c += 'a' - 'A';
	return c == '0' ? 'o' : c == '1' || c == 'i' || c == '|' ? 'l' : (char)c;
}

void name_skeleton(const char *name, char out[NAME_SKELETON])
{
	size_t used = 0;
	for (int length; *name; name += length) {
		const uint32_t c = plain_point(point_at(name, &length));
		char one[2] = "";
		const char *as = one;
		int size = 1;
		if (is_overlooked(c))
			continue;
		if (c < 0x80) {
			one[0] = plain_letter(c);
		} else if (*(as = look_of(c))) {
			size = (int)strlen(as);
		} else {
			as = name; /* a letter of another alphabet stays */
			size = length;
		}
		if (used + (size_t)size >= NAME_SKELETON)
			break;
		memcpy(out + used, as, (size_t)size);
		used += (size_t)size;
	}
	out[used] = '\0';
}

bool name_is_blank(const char *name)
{
	for (int length; *name; name += length) {
		const uint32_t c = point_at(name, &length);
		if (!is_overlooked(c) || (c > ' ' && c < 0x7f))
			return false;
	}
	return true;
}

bool name_is_official(const char *skeleton)
{
	static const char *const words[] = {
		"admin",     "administrator", "quevedo", "server",    "system",	  "root",
		"operator",  "moderator",     "support", "staff",     "security", "postmaster",
		"webmaster", "hostmaster",    "abuse",	 "anonymous", "nobody",	  "deleted user",
		"computer",  "engine",	      "guest",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char word[NAME_SKELETON];
		name_skeleton(words[i], word);
		if (strcmp(skeleton, word) == 0)
			return true;
	}
	return false;
}

/* Digits 0 and 1 have become letters. */
bool name_is_guest(const char *skeleton)
{
	if (strncmp(skeleton, "guest", 5) != 0 || !skeleton[5])
		return false;
	for (const char *c = skeleton + 5; *c; c++)
		if (!is_digit(*c) && *c != 'o' && *c != 'l')
			return false;
	return true;
}
