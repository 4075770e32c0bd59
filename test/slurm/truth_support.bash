# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests share that hold storus against what Slurm's own commands say to different
# users: slurm.conf's PrivateData, reservations, drained nodes, and back.
# shellcheck shell=bash

# private WORDS: slurm.conf's PrivateData
private()
{
	minicluster set PrivateData="$1"
	reconfigure
}

# as_ordinary COMMAND...: as a user who is no operator
as_ordinary() { setpriv --reuid "$ORDINARY" --regid "$ORDINARY" --clear-groups "$@"; }

# nodes_in_state WORDS: the numbers of the nodes of which sinfo says one of these. It marks those that a job has while a
# reservation for maintenance does, and those that backfill has planned.
nodes_in_state() { sinfo -h -N -o '%N %t' | sed 's/[$-]$//' | sort -u | awk -v words=" $1 " 'index(words, " " $2 " ") { print substr($1, 2) + 0 }' | xargs; }

no_jobs() { [ -z "$(squeue -h)" ]; }

# as_before: no jobs, whoever they are of, no reservations, nothing private or drained; for
# teardown
as_before()
{
	local name
	squeue -h -o %A | xargs -r scancel
	wait_until 60 no_jobs
	for name in $(scontrol -o show reservation 2>/dev/null | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p'); do
		scontrol delete reservationname="$name"
	done
	minicluster set PrivateData=none
	reconfigure
	scontrol update nodename=ALL state=resume 2>/dev/null || true
	cluster_clear
}
