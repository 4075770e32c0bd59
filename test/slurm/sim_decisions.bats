#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Decision equality: a stream of jobs in a real cluster, and the same stream replayed by
# "storus sim --scheduler recorded": every job has the same nodes.  The script "sim_stream"
# makes the stream.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	local options=()
	can_keep_accounts && "$TORUS_SRCDIR/contrib/deps" accounting >/dev/null 2>&1 </dev/null &&
		options=(--accounting)
	cluster_start --dims 8x4x4 --wrap all --exclusive "${options[@]}"
}
teardown_file() { cluster_stop; }
teardown() { cluster_clear; }

# machine LINE...: the new torus.conf
machine()
{
	rm -f "$CLUSTER"/ranks.*
	printf '%s\n' "$@" >"$TORUS_CONF"
	reconfigure
	TORUS=
	learn_ranks
}

# cells_of_nodes: "NODE TORUS:CELL" for every node of the machine
cells_of_nodes()
{
	local name
	for name in $(sed -n 's/^ *TorusName=\([^ ]*\).*/\1/Ip' "$TORUS_CONF"); do
		paste -d ' ' "$CLUSTER/ranks.$name" <(engine_field cells --torus "$name" \
			--free all --nodes "$(torus_size "$name")" | expand_cells "$name")
	done
}

# expand_cells TORUS: lists such as "0-3;17" or "0-3,17" as TORUS:CELL, one a line
expand_cells()
{
	tr ';,' '\n\n' | awk -F - -v torus="$1" '
		{ last = NF > 1 ? $2 : $1
		  for (i = $1; i != last; i += $1 < last ? 1 : -1) print torus ":" i
		  print torus ":" last }'
}

# had FILE: of "JOB NODE" lines "JOB TORUS:CELL", sorted
had()
{
	awk 'NR == FNR { cell[$1] = $2; next } { print $1, cell[$2] }' <(cells_of_nodes) "$1" |
		sort
}

# simulated FILE: the same of jobs.csv
simulated()
{
	awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			parts = split($column["cells"], cells, "|")
			split($column["torus"], torus, "|")
			for (i = 1; i <= parts; i++)
				print $column["job"], torus[i], cells[i]
		}' "$1" | while read -r job torus cells; do
		expand_cells "$torus" <<<"$cells" | sed "s/^/$job /"
	done | sort
}

# replay SACCT NODES [OPTION]...: that the jobs of the one file have in the simulation the
# nodes that stand in the other
replay()
{
	local history=$1 nodes=$2 out=$BATS_TEST_TMPDIR/out
	shift 2
	run -0 --separate-stderr "$STORUS" sim --conf "$TORUS_CONF" --from-sacct "$history" \
		--scheduler recorded --out "$out" "$@"
	expect_equal "$stderr" "" "messages"
	had "$nodes" >"$BATS_TEST_TMPDIR/real"
	simulated "$out/jobs.csv" >"$BATS_TEST_TMPDIR/simulated"
	[ -s "$BATS_TEST_TMPDIR/real" ] || fail "no job had a node"
	diff "$BATS_TEST_TMPDIR/real" "$BATS_TEST_TMPDIR/simulated" |
		head -n 20 >"$BATS_TEST_TMPDIR/diff"
	[ ! -s "$BATS_TEST_TMPDIR/diff" ] ||
		fail "real <, simulated >: job and cell" "$(<"$BATS_TEST_TMPDIR/diff")"
}

# follow COUNT [OUTAGES]: a stream of COUNT jobs, and its replay
follow()
{
	local outages=()
	[ $# -eq 1 ] || outages=(--outages "$2")
	"$BATS_TEST_DIRNAME/sim_stream" "$@" >"$BATS_TEST_TMPDIR/summary" || return
	sed 's/^/# /' "$BATS_TEST_TMPDIR/summary" >&3
	replay "$CLUSTER/stream.sacct" "$CLUSTER/stream.nodes" "${outages[@]}"
}

@test "3D torus, hilbert, best_fit: 300 jobs" {
	machine "TorusName=main Dims=8x4x4 Wrap=all Nodes=n[000-127]" \
		"Curve=hilbert Allocator=best_fit"
	follow 300
	# A replay that could not differ would show nothing.
	run -0 "$STORUS" sim --conf "$TORUS_CONF" --from-sacct "$CLUSTER/stream.sacct" \
		--scheduler recorded --out "$BATS_TEST_TMPDIR/other" --allocator first_fit
	run -1 diff -q <(simulated "$BATS_TEST_TMPDIR/other/jobs.csv") "$BATS_TEST_TMPDIR/real"
}

@test "3D mesh, snake, sum_of_squares: 80 jobs" {
	machine "TorusName=main Dims=8x4x4 Nodes=n[000-127]" \
		"Curve=snake Allocator=sum_of_squares"
	follow 80
}

@test "two nodes a router, z_order, first_fit: 80 jobs" {
	machine "TorusName=main Dims=4x4x4 Wrap=xy NodesPerRouter=2 Nodes=n[000-127]" \
		"Curve=z_order Allocator=first_fit"
	follow 80
}

@test "two nodes a router, partly wrapped, compact: 80 jobs" {
	machine "TorusName=main Dims=4x4x4 Wrap=xy NodesPerRouter=2 Nodes=n[000-127]" \
		"Allocator=compact"
	follow 80
}

@test "two tori: 60 jobs, some spread over both" {
	machine "TorusName=cube Dims=4x4x4 Wrap=all Nodes=n[000-063]" \
		"TorusName=sheet Dims=8x8 Nodes=n[064-127] Curve=snake" \
		"Allocator=best_fit"
	follow 60
	grep -q '[0-9]|[0-9]' "$BATS_TEST_TMPDIR/out/jobs.csv"
}

@test "nodes that are down for a while: 80 jobs" {
	machine "TorusName=main Dims=8x4x4 Wrap=all Nodes=n[000-127]" \
		"Curve=hilbert Allocator=best_fit"
	follow 80 "$BATS_TEST_TMPDIR/outages"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/outages")" -ge 10 ]
	# Without them the replay takes nodes that were not there.
	run -1 replay "$CLUSTER/stream.sacct" "$CLUSTER/stream.nodes"
	[[ $output == *"job and cell"* ]]
}

# next_second: of slurmctld's clock, which counts nothing smaller
next_second()
{
	local now=$EPOCHSECONDS
	while [ "$EPOCHSECONDS" = "$now" ]; do
		sleep 0.05
	done
}

@test "the cluster's own accounts, as sacct prints them: 25 jobs" {
	can_keep_accounts || skip "this Slurm is built without accounting_storage/mysql"
	sacctmgr -n show cluster >/dev/null 2>&1 || skip "$("$TORUS_SRCDIR/contrib/deps" accounting 2>&1 </dev/null)"
	machine "TorusName=main Dims=8x4x4 Wrap=all Nodes=n[000-127]" \
		"Curve=hilbert Allocator=best_fit"
	cluster_clear
	first=
	running=()
	for ((job = 0; job < 25; job++)); do
		while ! nodes=$(sinfo -h -t idle -o %D) || [ "${nodes:-0}" -lt 40 ]; do
			scancel "${running[0]}"
			wait_until 60 eval '[ -z "$(squeue -h -j "${running[0]}" -o %A)" ]'
			running=("${running[@]:1}")
			next_second
		done
		running+=("$(allocate -N $((1 + RANDOM % 40)))")
		: "${first:=${running[0]}}"
		next_second
	done
	cluster_clear
	wait_until 60 all_accounted
	SLURM_TIME_FORMAT=%s sacct -a -X -D -P -j "$(seq -s , "$first" "${running[-1]}")" \
		--format=JobIDRaw,Submit,Eligible,Start,End,TimelimitRaw,AllocNodes,State \
		>"$BATS_TEST_TMPDIR/history"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/history")" = 26 ]
	sacct -a -X -P -n -j "$(seq -s , "$first" "${running[-1]}")" -o JobIDRaw,NodeList |
		while IFS='|' read -r job nodes; do
			scontrol show hostnames "$nodes" | sed "s/^/$job /"
		done >"$BATS_TEST_TMPDIR/nodes"
	replay "$BATS_TEST_TMPDIR/history" "$BATS_TEST_TMPDIR/nodes"
}

# all_accounted: every job has its end and its nodes in the accounts
all_accounted()
{
	[ "$(sacct -a -X -n -P -j "$(seq -s , "$first" "${running[-1]}")" -o State,NodeList |
		grep -c '^CANCELLED.*|n')" = 25 ]
}
