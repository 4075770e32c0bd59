/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that are packed for those who take them so. */
#ifndef STORUS_VIEW_SERVE_GZIP_H
#define STORUS_VIEW_SERVE_GZIP_H

#include <stdbool.h>

#include "storus/view/serve/look.h"

/* Pack [text]: malloc'ed; .text is NULL: out of memory, or there is none. */
storus_text_t storus_gzip(storus_text_t text);

/* Whether a header Accept-Encoding (NULL: none) takes gzip. */
bool storus_takes_gzip(const char *header);

#endif
