/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Backfill without reservations: whenever nodes become free or a job comes, every waiting
 * job that has a place starts, in the order of submission. The machine is as full as the
 * strategy allows; a large job may wait for ever behind small ones that keep coming. The
 * rule that "backfilling" amounts to where reservations count nodes, but not places: see
 * contrib/studies/pages/curve-dynamic.md.
 */
#include "sim/engine.h"

const torus_scheduler_rule_t torus_rule_greedy = {.decide = torus_sim_start_all};
