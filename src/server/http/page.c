/*
 * page.c - the page, embedded in the program as one blob.
 * SPDX-License-Identifier: MIT
 *
 * A file of its own, so that tests of assets.c can be linked without a page.
 */
#include "base/embed.h"
#include "server/http/assets.h"

EMBEDDED(unsigned char page_file[]);
EMBEDDED(uint64_t page_file_size);

const unsigned char *page_blob(size_t *size)
{
	*size = page_file_size;
	return page_file;
}
