/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus place: which of the free nodes a job gets, and how compact they are. */
#include "torus_config.h"

#include "storus/commands.h"
#include "storus/place/decide.h"
#include "storus/place/options.h"
#include "storus/place/report.h"

int storus_place(int argc, char **argv)
{
	storus_place_options_t options;
	storus_place_t place;
	int status;

	if (storus_place_options_read(argc, argv, &options, &status) != 0)
		return status;
	status = storus_place_decide(&options, &place);
	if (status == STORUS_OK)
		status = storus_place_report(&place, options.format);
	storus_place_clear(&place);
	return status;
}
