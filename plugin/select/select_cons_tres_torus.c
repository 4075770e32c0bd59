/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select/torus under a name with the text "cons_tres", for which Slurm looks in SelectType
 * before it allows dynamic nodes and MaxNodeCount, resizes jobs with GRES, and more
 * (docs/admin-guide.md). Every call is passed on; lines in the log are select/torus's.
 *
 * Until 24.11 Slurm loads every select plugin that it finds, and tells them apart by their
 * ids; what is saved under one name can be read under the other, as both are there.
 */
#include "select/delegate.h"

const char plugin_name[] = "Node selection for torus and mesh networks (select/torus)";
const char plugin_type[] = "select/cons_tres_torus";
const uint32_t plugin_id = SELECT_PLUGIN_ID(173);
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

SELECT_SYMBOLS(DELEGATE_FORWARD, DELEGATE_FORWARD, DELEGATE_FORWARD)

int init(void);
int fini(void);

int init(void)
{
	return delegate_load("select/torus");
}

int fini(void)
{
	delegate_unload();
	return SLURM_SUCCESS;
}
