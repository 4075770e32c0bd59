#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# SelectType is changed under jobs that run, wait and end, in the order of the guide: stop
# slurmctld, change slurm.conf, restart every slurmd, start slurmctld. No job fails, hangs
# or is lost, in either direction.

load switch_support

setup_file()
{
	echo "TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[000-063]" >"$BATS_FILE_TMPDIR/torus.conf"
	cluster_start --dims 4x4x4 --select cons_tres --exclusive \
		--torus-conf "$BATS_FILE_TMPDIR/torus.conf"
}
teardown_file() { cluster_stop; }

@test "from select/cons_tres to select/torus with 50 jobs" {
	switch_to SelectType=select/torus
	logged 'by=engine'
}

@test "from select/torus to select/cons_tres with 50 jobs" {
	switch_to SelectType=select/cons_tres
}
