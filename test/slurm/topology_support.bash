# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of topology/torus share, on top of select_support.bash: clusters whose
# TopologyPlugin it is, with Slurm's own select/cons_tres.
#
# Environment: as select_support.bash; TORUS_VIA is "topology" or "both".

export TORUS_VIA=${TORUS_VIA:-topology}

# shellcheck source=select_support.bash
. "${BASH_SOURCE[0]%/*}/select_support.bash"

# topology_start OPTION...: start a cluster with it; for setup_file
topology_start() { cluster_start --select-params CR_Core_Memory "$@"; }

# topology_pair_start OPTION...: the same cluster twice, "stock" without it and "torus"
# with it; for setup_file
topology_pair_start()
{
	CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres \
		--select-params CR_Core_Memory "$@" || return
	CLUSTER_NAME=torus topology_start "$@"
}

# starts CLUSTER OPTION...: whether it starts such a job at once; prints the job's number
starts()
{
	local text
	use_cluster "$1"
	shift
	text=$(timeout 60 salloc --immediate=2 --no-shell "$@" 2>&1) &&
		[[ $text =~ "Granted job allocation "([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# since RELEASE: skip the test where Slurm is older
since() { is_since "$1" || skip "Slurm has nothing of it before $1"; }

# chosen_by JOB: who chose its nodes at last, by slurmctld's log: "engine" or "slurm"
chosen_by()
{
	sed -nE "s#.*$DECIDER: JobId=$1 .* by=([a-z]+).*#\1#p" "$CONTROLLER_LOG" | tail -n 1
}

# by_engine JOB: that no one else chose its nodes; where select/torus decides, Slurm's choice
# stands if the engine's is the same
by_engine()
{
	[ "$DECIDER" = select/torus ] || expect_equal "$(chosen_by "$1")" engine "who chose for job $1"
}
# not_by_engine JOB: that Slurm did, without topology/torus having its say
not_by_engine()
{
	local who
	who=$(chosen_by "$1")
	[ "$DECIDER:$who" = select/torus:slurm ] || expect_equal "$who" "" "who chose for job $1"
}

# place NODE: what "scontrol show topology" says of it
place()
{
	local what=$1
	! is_since 25.05 || what=node=$1
	scontrol show topology "$what" | sed -n 's/^ *NodeName=//p'
}
