#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our plugins come and go under jobs that run, wait and end, in the order of the guide: stop
# slurmctld, change slurm.conf, restart every slurmd, start slurmctld. No job fails, hangs
# or is lost, in either direction.

load switch_support

STOCK=(SelectType=select/cons_tres "TopologyPlugin=$(no_topology)")
OURS=("${STOCK[@]}")
[ "$TORUS_VIA" = topology ] || OURS[0]=SelectType=select/$TORUS_SELECT
[ "$TORUS_VIA" = select ] || OURS[1]=TopologyPlugin=topology/torus

setup_file()
{
	echo "TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[000-063] Allocator=best_fit" >"$BATS_FILE_TMPDIR/torus.conf"
	cluster_start --dims 4x4x4 --select cons_tres --topology "${STOCK[1]##*/}" --exclusive \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { cluster_stop; }

@test "from Slurm's own plugins to ours with 50 jobs" {
	switch_to "${OURS[@]}"
	[ "$(decided_by_ours)" -ge 30 ]
	expect_placed "$(allocate -N 6)" all --nodes 6
}

@test "from our plugins to Slurm's own with 50 jobs" {
	switch_to "${STOCK[@]}"
	ours_is_gone n{000..003}
}
