#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes=by_registration: nodes say themselves where they are, here by a feature, which
# every release and both plugins take. Dynamic nodes, and Slurm's own Topology=, are in
# topology_registration.bats.
#
# Torus "main", 4x2x2: node number i says cell 15 - i, but n015, which says nothing at
# first; n016 and n021 are beside the torus. Torus "ring" is of torus.conf. All nodes are up:
# nothing else tells Slurm that a job may have more nodes one day.

bats_require_minimum_version 1.5.0
load select_support

# cell_text CELL: where that is
cell_text() { echo "main:$(($1 % 4)):$(($1 / 4 % 2)):$(($1 / 8))"; }

setup_file()
{
	for i in {0..14}; do
		printf 'NodeName=n%03d Features=a,torus=%s\n' "$i" "$(cell_text $((15 - i)))"
	done >"$BATS_FILE_TMPDIR/conf"
	printf 'NodeName=n015 Features=a\nNodeName=n016 Features=a\n' >>"$BATS_FILE_TMPDIR/conf"
	printf '%s\n' 'TorusName=main Dims=4x2x2 Wrap=x Nodes=by_registration' \
		'TorusName=ring Dims=4 Wrap=x Nodes=n[017-020]' >"$BATS_FILE_TMPDIR/torus.conf"
	printf '%s\n' 'NodeName=n[017-020] Features=ring' \
		'PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE' \
		'PartitionName=shared Nodes=ALL MaxTime=INFINITE OverSubscribe=FORCE:2' >>"$BATS_FILE_TMPDIR/conf"
	cluster_start --nodes 22 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/cluster" ] || cluster_stop; }

teardown()
{
	cluster_cancel
	wait_until 60 eval '[ -z "$(squeue -h -o %A)" ]'
	says n015 a
	says n000 "a,torus=$(cell_text 15)"
	scontrol update nodename=n021 state=resume 2>/dev/null || true
}

# says NODE FEATURES: it does from now on
says() { scontrol update nodename="$1" availablefeatures="$2" activefeatures="$2"; }

# names NODES...: the names of nodes by number, as a list
names() { printf 'n%03d\n' "$@" | sort | paste -sd ,; }
# nodes_sorted JOB: its nodes, in the same form
nodes_sorted() { scontrol show hostnames "$(job_nodes "$1")" | sort | paste -sd ,; }

@test "a box is of the nodes that say that they are side by side" {
	# All but the plane z=0, whose last cell x=0 is n015's, which is not there.
	job=$(allocate --network=torus:shape=4x2x1)
	expect_equal "$(nodes_sorted "$job")" "$(names {0..7})" "nodes of the plane z=1"
	expect_match "$(token "$job")" '^torus=main,nodes=8,.*,box=4x2x1,'
}

# waits_for_n015 OPTION...: such a job waits, is not held and keeps nobody else from running,
# and gets the whole torus when n015 comes
waits_for_n015()
{
	local job other
	job=$(submit "$@") || return
	other=$(allocate -t 1 -N 1 -w n003)
	scancel "$other"
	wait_until 30 eval '[ "$(squeue -h -o %A)" = "$job" ]'
	sleep 2
	in_state "$job" PENDING || fail "job of $*: $(scontrol show job "$job")" || return
	expect_match "$(job_reason "$job")" '^(Resources|Priority|No_suitable|No)' "reason of $*" || return
	scontrol show job "$job" | grep -q 'Priority=[1-9]' || fail "$* is held" || return
	says n015 "a,torus=$(cell_text 0)"
	wait_until 60 in_state "$job" RUNNING || fail "$* does not start" || return
	expect_equal "$(nodes_sorted "$job")" "$(names {0..15})" "nodes of $*" || return
	scancel "$job"
	wait_until 60 eval '[ -z "$(squeue -h -o %A)" ]'
	says n015 a
}

@test "a place that nobody has is no reason to refuse: the box comes when its node does" {
	waits_for_n015 --network=torus:shape=4x2x2
	waits_for_n015 -N 16 --network=torus:shape=any --exclusive
	waits_for_n015 -p shared --network=torus:shape=4x2x2
	# How many nodes to take instead is known when there is such a box.
	waits_for_n015 --network=torus:shape=4x2x2,within=0:02
	scontrol update nodename=n021 state=down reason=test
	waits_for_n015 --network=torus:shape=4x2x2
}

@test "an interval of the curve, and segments, wait for a place that nobody has" {
	waits_for_n015 -N 16 --contiguous
	waits_for_n015 -p shared -N 16 --contiguous
	! is_since 24.11 || waits_for_n015 -N 16 --segment=8 --exclude=n016,n021,n[017-020]
	# What the nodes that are there have starts.
	job=$(allocate -N 4 --contiguous)
	scancel "$job"
	! is_since 24.11 || allocate -N 4 --segment=2
}

@test "salloc gets its nodes when they come, and --immediate does not wait" {
	! starts_at_once --network=torus:shape=4x2x2 || fail "it starts at once"
	salloc --no-shell --network=torus:shape=4x2x2 &>"$BATS_TEST_TMPDIR/said" &
	salloc=$!
	wait_until 30 eval '[ -n "$(squeue -h -o %A)" ]'
	sleep 2
	says n015 "a,torus=$(cell_text 0)"
	wait "$salloc"
	[[ $(<"$BATS_TEST_TMPDIR/said") == *"Granted job allocation"* ]]
}

@test "a box, an interval or segments that the torus itself never has are refused" {
	refused 'shape 5x1x1' --network=torus:shape=5x1x1
	refused '--contiguous: no 17 neighbours on the curve' -N 17 --contiguous
	if is_since 24.11; then
		refused '--segment=10: no 2 such segments' -N 20 --segment=10
	fi
}

@test "a node that says a place that is taken, outside or unknown is named once, and usable" {
	log_mark
	says n015 "a,torus=$(cell_text 1)"
	job=$(allocate -N 1 -w n015)
	logged "node n015 says main:1:0:0, where node n014 is"
	says n015 a,torus=main:9:0:0
	second=$(allocate -N 1 -w n016)
	logged "node n015 says main:9:0:0, which is no place on torus 'main' of 4x2x2"
	says n015 a,torus=other:0
	third=$(allocate -N 1 -w n014)
	logged "node n015 says other:0, but torus.conf has no torus of that name"
	scancel "$second" "$third"
	wait_until 30 eval '[ "$(squeue -h -o %A)" = "$job" ]'
	third=$(allocate -N 1 -w n014)
	expect_equal "$(log_since | grep -c "$DECIDER: node n015 says other")" 1 "lines in the log"
	expect_equal "$(system_comment "$job")" "" "token of a job beside the torus"
	# What is written in torus.conf counts.
	says n017 "ring,torus=$(cell_text 0)"
	fourth=$(allocate -N 4 --network=torus:shape=4)
	expect_equal "$(nodes_sorted "$fourth")" "$(names {17..20})" "nodes of the ring"
	logged "node n017 says main:0:0:0, but torus.conf has it elsewhere on torus 'ring'"
	says n017 ring
}

@test "a node with a job stays where it was until the job has ended" {
	job=$(allocate -N 2 -w n000,n001)
	before=$(token "$job")
	says n000 "a,torus=$(cell_text 0)"
	box=$(submit --network=torus:shape=4x2x1 --exclude "$(names {2..7})")
	sleep 3
	in_state "$box" PENDING
	in_state "$job" RUNNING
	expect_equal "$(token "$job")" "$before" "token of the job that runs"
	logged "node n000 stays where it is until its jobs have ended"
	scancel "$job"
	wait_until 60 in_state "$box" RUNNING
	expect_equal "$(nodes_sorted "$box")" "$(names 0 {8..14})" "nodes of the plane z=0"
}

@test "slurmctld is killed: running jobs have what they had, and nodes are where they say" {
	job=$(allocate --exclusive --network=torus:shape=2x2x2)
	nodes=$(nodes_sorted "$job")
	before=$(token "$job")
	wait_saved
	minicluster restart-ctld KILL
	wait_until 60 eval '[ "$(sinfo -h -n "n[000-020]" -o %t | sort -u | paste -sd ,)" = alloc,idle ]'
	in_state "$job" RUNNING
	expect_equal "$(token "$job")" "$before" token
	next=$(allocate --exclusive --network=torus:shape=2x2x1)
	expect_match "$(token "$next")" '^torus=main,nodes=4,.*,box=2x2x1,'
	for node in $(nodes_sorted "$next" | tr , ' '); do
		[[ ,$nodes, != *,$node,* ]]
	done
}

# torus_conf LINKS: torus.conf with these on main, in force as soon as slurmctld can read it
torus_conf()
{
	sed "1s/$/ $1/" "$BATS_FILE_TMPDIR/torus.conf" >"$TORUS_CONF"
	ask_to_reconfigure
}

# hops_between NODE NODE: as the token of a job on the two has them
hops_between()
{
	local job
	job=$(allocate -N 2 --exclusive -w "$1,$2") || return
	token "$job" | sed 's/.*,avghops=//; s/,.*//'
	scancel "$job"
	wait_until 60 node_is "$1,$2" idle
}

@test "links come, also to a vacant place, change and go while jobs run" {
	expect_equal "$(hops_between n000 n014)" 4.00 "hops without the link"
	job=$(allocate -N 2 --exclusive -w n000,n014)
	before=$(token "$job")
	expect_match "$before" 'avghops=4.00'
	torus_conf 'Links=1:0:0-3:1:1,0:0:0-2:1:1'
	wait_until 60 eval '[ "$(sinfo -h -n "n[000-021]" -o %t | sort -u | paste -sd ,)" = alloc,idle ]'
	in_state "$job" RUNNING
	# From 2:1:1 to 0:1:0: 0:0:0 is vacant, and a way over it is a way all the same.
	expect_equal "$(hops_between n001 n011)" 2.00 "hops over a vacant place"
	says n015 "a,torus=$(cell_text 0)"
	expect_equal "$(hops_between n001 n015)" 1.00 "hops over the link to what was vacant"
	expect_equal "$(token "$job")" "$before" "token of the job that runs"
	scancel "$job"
	wait_until 60 node_is n000,n014 idle
	expect_equal "$(hops_between n000 n014)" 1.00 "hops over the link"
	# What is wrong is named, and the links in force stay.
	log_mark
	for wrong in 1:0:0-1:0:0 1:0:0-2:0:0 1:0:0-3:1:1,3:1:1-1:0:0 1:0:0-4:0:0 n000-n014; do
		torus_conf "Links=$wrong" || true
		logged "torus.conf:1: Links=: '[-0-9:n]*'" || fail "nothing of $wrong: $(log_since)"
		[ "$(hops_between n000 n014)" = 1.00 ] || fail "with $wrong"
		log_mark
	done
	torus_conf Links=1:0:0-3:1:0
	expect_equal "$(hops_between n000 n014)" 2.00 "hops over another link"
	torus_conf ''
	expect_equal "$(hops_between n000 n014)" 4.00 "hops without links"
}

@test "commands know where the nodes are" {
	# n000 to n003 are a line in x, so every order keeps to it.
	run --separate-stderr "$STORUS" map --nodelist 'n[000-003]' --grid 4 --compare --format json
	[ "$status" = 0 ]
	expect_equal "$(jq 'map(.maximum) | min' <<<"$output")" 1
	run "$STORUS" map --nodelist 'n[000,015]' --grid 2
	[ "$status" != 0 ]
	expect_match "$output" n015
	run --separate-stderr "$STORUS" capacity --nodes 8
	[ "$status" = 0 ]
	run --separate-stderr "$STORUS" show
	[ "$status" = 0 ]
	[[ $output != *main:1:0:0* ]]
}
