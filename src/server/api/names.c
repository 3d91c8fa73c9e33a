/*
 * names.c - names that look like others, and names that nobody may have.
 * SPDX-License-Identifier: MIT
 *
 * The table has the letters that readers of the Latin alphabet mistake for a Latin one: those with
 * accents, and those of Cyrillic and Greek with the same shape. It is a small part of Unicode's
 * list of confusable characters: what people meet in names.
 */
#include "server/api/names.h"

#include "base/scan.h"

/* Each row: what the letters after it become. */
static const struct look {
	const char *as, *letters;
} looks[] = {
	{ "a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶªαάΑΆаАӑӐӓӒ" },
	{ "b", "ƀɓḃḅḇƁɃḂḄḆβΒвВьЬ" },
	{ "c", "çćĉċčƈḉÇĆĈĊČƇḈ¢сСҫҪϲϹ" },
	{ "d", "ďđðḋḍḏḑḓĎĐÐḊḌḎḐḒԁԀ" },
	{ "e", "èéêëēĕėęěȅȇȩḕḗḙḛẹẻẽếềểễệÈÉÊËĒĔĖĘĚȄȆȨẸẺẼẾỀỂỄỆεέΕΈеЕёЁѐЀєЄҽӗӖ" },
	{ "f", "ƒḟƑḞϝϜ" },
	{ "g", "ĝğġģǥǧǵḡĜĞĠĢǤǦǴḠɡԍ" },
	{ "h", "ĥħȟḣḥḧḩḫĤĦȞḢḤḦḨḪηήΗΉнНһҺңҢ" },
	{ "l", "ìíîïĩīĭįıǐȉȋḭḯỉịÌÍÎÏĨĪĬĮİǏȈȊḬỈỊιίϊΙΊΪіІїЇӏӀĺļľŀłḷḹḻḽĹĻĽĿŁḶḸḺḼ" },
	{ "j", "ĵǰĴϳјЈ" },
	{ "k", "ķǩƙḱḳḵĶǨƘḰḲḴκΚкКқҚќЌ" },
	{ "m", "ḿṁṃḾṀṂμΜмМ" },
	{ "n", "ñńņňŋǹṅṇṉṋÑŃŅŇŊǸṄṆṈṊΝпПийИЙ" },
	{ "o", "òóôõöøōŏőơǒǫǭȍȏȯọỏốồổỗộớờởỡợÒÓÔÕÖØŌŎŐƠǑǪǬȌȎȮỌỎỐỒỔỖỘỚỜỞỠỢºοόΟΌσоОӧӦөӨ" },
	{ "p", "ƥṕṗƤṔṖρΡрР" },
	{ "q", "ɋԛԚ" },
	{ "r", "ŕŗřȑȓṙṛṝṟŔŖŘȐȒṘṚṜṞгГяЯ" },
	{ "s", "śŝşšșṡṣŚŜŞŠȘṠṢѕЅ" },
	{ "t", "ţťŧțṫṭṯŢŤŦȚṪṬṮτΤтТ" },
	{ "u", "ùúûüũūŭůűųưǔȕȗụủứừửữựÙÚÛÜŨŪŬŮŰŲƯǓȔȖỤỦỨỪỬỮỰυύцЦ" },
	{ "v", "ṽṿṼṾνѵѴ" },
	{ "w", "ŵẁẃẅẇŴẀẂẄẆωώшШщЩԝԜ" },
	{ "x", "ẋẍẊẌχΧхХҳҲ" },
	{ "y", "ýÿŷȳẏẙỳỵỷỹÝŶŸȲẎỲỴỶỸγΥΎуУүҮўЎ" },
	{ "z", "źżžẑẓẕŹŻŽẐẒẔζΖзЗ" },
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

/* Letters that Unicode has again in other widths and styles; otherwise the point itself. */
static uint32_t plain_point(uint32_t c)
{
	if (c >= 0xff01 && c <= 0xff5e) /* as wide as Chinese characters */
		return c - 0xff01 + '!';
	if (c >= 0x24b6 && c <= 0x24e9) /* in circles */
		return 'a' + (c - 0x24b6) % 26;
	if (c >= 0x1d400 && c <= 0x1d6a3) /* mathematical: bold, italic, ... */
		return 'a' + (c - 0x1d400) % 26;
	if (c >= 0x1d7ce && c <= 0x1d7ff)
		return '0' + (c - 0x1d7ce) % 10;
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
	       is_filler(c);
}

/* What a letter of two bytes or more becomes; "": it stays. */
static const char *look_of(const char *letter, int length)
{
	char one[5] = "";
	memcpy(one, letter, (size_t)length);
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
		} else if (*(as = look_of(name, length))) {
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
