#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Job arrays and heterogeneous jobs: each task of the one and each component of the other is
# a job of its own to Slurm, with its own nodes and its own token, whatever happens to the
# others: resized, held, ended. 4x4x2 torus; stock Slurm is asked the same.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	echo ReturnToService=1 >"$BATS_FILE_TMPDIR/conf" # see fail_node()
	pair_start --dims 4x4x2 --wrap all --exclusive --conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { pair_stop; }
setup() { use_cluster torus; }
teardown()
{
	pair_do mend_nodes
	pair_clear
	# 22.05 lends nodes of a job that shrank to others only when it has read slurm.conf again.
	pair_do reconfigure
}

# het OPTION...: a heterogeneous job; prints its number
het() { sbatch --parsable --chdir=/ --output=/dev/null "$@" --wrap 'exec sleep inf'; }

# record_of NAME: the number of the record behind 12_3 or 12+1
record_of() { scontrol -o show job "$1" | sed -nE '1s/^JobId=([0-9]+).*/\1/p'; }

# records JOB: "NAME STATE COUNT-OF-NODES" of its tasks or components, by name
records() { squeue -h -r -j "$1" -o '%i %T %D' | sort -V; }

# apart: no node is of two jobs
apart()
{
	local list
	[ -z "$(squeue -h -t R -o %N | while read -r list; do
		scontrol show hostnames "$list"
	done | sort | uniq -d)" ]
}

# described NAME...: each has the token of its own nodes, and no two of them the same nodes
described()
{
	local name ranks
	for name; do
		ranks=$(job_ranks "$name")
		[ -n "$ranks" ] || fail "$name has no nodes" || return
		expect_ranks "$name" "$ranks" || return
		expect_equal "$(system_comment "$name" | grep -o torus= | wc -l)" 1 \
			"tokens of $name" || return
	done
	apart || fail "nodes given twice"
}

# bare NAME: it waits, and has no token
bare()
{
	soon has_comment "$1" ""
	expect_equal "$(system_comment "$1")" "" "SystemComment of $1"
}

# both COMMAND...: stock Slurm, told the same, says the same of its success
both()
{
	local stock torus
	use_cluster stock
	stock=yes
	"$@" >"$BATS_TEST_TMPDIR/stock" 2>&1 || stock=no
	use_cluster torus
	torus=yes
	"$@" >"$BATS_TEST_TMPDIR/torus" 2>&1 || torus=no
	expect_equal "$torus" "$stock" "success of $*" ||
		fail "$(cat "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/torus")" || return
	[ "$torus" = yes ]
}

# next_number CLUSTER: the number that its next job gets, once one is given to a job that
# never runs
next_number()
{
	local number
	use_cluster "$1"
	number=$(sbatch --parsable --hold --chdir=/ --output=/dev/null --wrap true) || return
	scancel "$number"
	echo $((number + 1))
}

# same_number: both clusters number their next job alike. How many records an array was
# split into, each with a number, depends on when its tasks were looked at.
same_number()
{
	local stock torus
	stock=$(next_number stock)
	torus=$(next_number torus)
	while [ "$stock" -ne "$torus" ]; do
		if [ "$stock" -lt "$torus" ]; then
			stock=$(next_number stock)
		else
			torus=$(next_number torus)
		fi
	done
}

# both_start COUNT COMMAND...: submit it to both; so many of its records run. Sets $job,
# its number in both clusters.
both_start()
{
	local count=$1 other
	shift
	same_number || return
	use_cluster stock
	other=$("$@")
	wait_until 60 runs "$other" "$count" || return
	use_cluster torus
	job=$("$@")
	wait_until 60 runs "$job" "$count" || return
	expect_equal "$job" "$other" "the number of the job beside stock Slurm's"
}
runs() { [ "$(squeue -h -r -t R -j "$1" -o %i | wc -l)" -eq "$2" ]; }

# like_stock JOB: its records are as under stock Slurm
like_stock()
{
	local stock
	use_cluster stock
	stock=$(records "$1")
	use_cluster torus
	expect_equal "$(records "$1")" "$stock" "tasks or components"
}

none_ends() { [ -z "$(squeue -h -t CG -o %A)" ]; }

@test "array: every task has its own token, by either name" {
	both_start 3 submit -N 5 --array=1-3
	like_stock "$job"
	for task in 1 2 3; do
		expect_ranks "${job}_$task" "$((5 * task - 5))-$((5 * task - 1))"
		expect_equal "$(token "$(record_of "${job}_$task")")" "$(token "${job}_$task")" \
			"the token by the record's number"
	done
	described "${job}_1" "${job}_2" "${job}_3"
}

@test "array: one task gives nodes back" {
	both_start 3 submit -N 5 --array=1-3
	others=$(token "${job}_1"; token "${job}_3")
	both scontrol update JobId="${job}_2" NumNodes=2
	like_stock "$job"
	expect_match "$(token "${job}_2")" '^torus=main,nodes=' "token"
	described "${job}_2"
	expect_match "$(token "${job}_2")" ',nodes=2,'
	expect_equal "$(token "${job}_1"; token "${job}_3")" "$others" "tokens of the other tasks"
	both scontrol update JobId="${job}_3" NumNodes=3
	described "${job}_1" "${job}_2" "${job}_3"
	expect_match "$(token "${job}_3")" ',nodes=3,'
}

@test "array: one task that ends keeps its token, and the waiting rest has none" {
	both_start 2 submit -N 12 --array=1-4
	first=$(token "${job}_1")
	both scontrol hold "${job}_3"
	both scancel "${job}_1"
	pair_do wait_until 60 runs "$job" 2
	use_cluster torus
	expect_equal "$(token "${job}_1")" "$first" "token of the task that has ended"
	in_state "${job}_4" RUNNING
	described "${job}_2" "${job}_4"
	bare "${job}_3"
	both scancel "${job}_2"
	both scontrol release "${job}_3"
	wait_running "${job}_3"
	described "${job}_3" "${job}_4"
	# With its throttle the rest is one record, from which tasks are split when they start.
	both_start 1 submit -N 3 --array=0-9%1
	for ((task = 0; task < 4; task++)); do
		wait_running "${job}_$task"
		described "${job}_$task"
		expect_match "$(token "${job}_$task")" ',nodes=3,'
		bare "${job}_9"
		both scancel "${job}_$task"
	done
}

@test "array: slurmctld killed, with tasks that run and others that wait" {
	both_start 2 submit -N 12 --array=1-4
	before=$(token "${job}_1"; token "${job}_2")
	wait_saved
	minicluster restart-ctld KILL
	like_stock "$job"
	expect_equal "$(token "${job}_1"; token "${job}_2")" "$before" tokens
	bare "${job}_3"
	both scancel "${job}_2"
	wait_running "${job}_3"
	described "${job}_1" "${job}_3"
}

@test "a shape and --contiguous for every task and every component" {
	both_start 4 submit --network=torus:shape=2x2x2 -N 8 --array=1-4
	for task in 1 2 3 4; do
		expect_match "$(token "${job}_$task")" ',nodes=8,.*,box=2x2x2,'
	done
	described "${job}_1" "${job}_2" "${job}_3" "${job}_4"
	both scancel "$job"
	pair_do wait_until 60 all_idle
	both_start 3 het --network=torus:shape=2x2x2 -N 8 : -N 6 --contiguous : -N 2
	expect_match "$(token "$job+0")" ',nodes=8,.*,box=2x2x2,'
	expect_match "$(token "$job+1")" ',nodes=6,span=6,'
	described "$job+0" "$job+1" "$job+2"
}

@test "het: a component that gives nodes back, one that is cancelled" {
	both_start 3 het -N 4 : -N 7 : -N 5
	others=$(token "$job+0"; token "$job+2")
	both scontrol update JobId="$(record_of "$job+1")" NumNodes=3
	described "$job+1"
	expect_match "$(token "$job+1")" ',nodes=3,'
	expect_equal "$(token "$job+0"; token "$job+2")" "$others" "tokens of the other components"
	like_stock "$job"
	# Which of them end is for Slurm to say.
	last=$(record_of "$job+2")
	! both scancel "$last" || pair_do wait_until 60 none_ends
	use_cluster torus
	like_stock "$job"
	expect_match "$(token "$last")" ',nodes=5,' "token of the component that has ended"
}

# --- requeued ------------------------------------------------------------------

# requeued NAME...: they wait again, without a token
requeued()
{
	local name
	for name; do
		wait_until 60 in_state "$name" PENDING || return
		[[ $CLUSTER != */torus ]] || bare "$name" || return
	done
}

# start_again NAME...: without the delay that Slurm gives requeued jobs. Not at once: slurmd
# refuses credentials of the second in which it revoked them.
start_again()
{
	local name
	for name; do
		wait_until 60 scontrol update JobId="$name" StartTime=now+3 || return
	done
	wait_begun "$@"
}

# fail_first NAME: the first node of this task or component fails
fail_first() { fail_node "$(scontrol show hostnames "$(job_nodes "$1")" | head -n 1)"; }

@test "array: a task that is requeued loses its token and gets a new one; the others keep theirs" {
	both_start 3 submit --requeue -N 5 --array=1-3
	others=$(token "${job}_1"; token "${job}_3")
	both scontrol requeue "${job}_2"
	pair_do requeued "${job}_2"
	# Another job takes some of its nodes.
	pair_do allocate -N 3
	use_cluster torus
	like_stock "$job"
	pair_do start_again "${job}_2"
	use_cluster torus
	like_stock "$job"
	expect_ranks "${job}_2" 15-19
	described "${job}_1" "${job}_2" "${job}_3"
	expect_equal "$(token "${job}_1"; token "${job}_3")" "$others" "tokens of the other tasks"
}

@test "array: requeued and held, all at once; each is released by its own name" {
	both_start 3 submit --requeue -N 5 --array=1-3
	both scontrol requeuehold "$job"
	pair_do requeued "${job}_1" "${job}_2" "${job}_3"
	use_cluster torus
	like_stock "$job"
	both scontrol release "${job}_2"
	pair_do start_again "${job}_2"
	use_cluster torus
	like_stock "$job"
	described "${job}_2"
	bare "${job}_1"
	bare "${job}_3"
	for task in 1 3; do
		both scontrol release "${job}_$task"
		pair_do start_again "${job}_$task"
	done
	use_cluster torus
	like_stock "$job"
	described "${job}_1" "${job}_2" "${job}_3"
}

@test "array: a node fails below one task" {
	both_start 3 submit --requeue -N 5 --array=1-3
	others=$(token "${job}_1"; token "${job}_3")
	pair_do fail_first "${job}_2"
	pair_do requeued "${job}_2"
	pair_do start_again "${job}_2"
	use_cluster torus
	like_stock "$job"
	described "${job}_1" "${job}_2" "${job}_3"
	run ! grep -qxFf "$CLUSTER/failed" <(scontrol show hostnames "$(job_nodes "${job}_2")")
	expect_equal "$(token "${job}_1"; token "${job}_3")" "$others" "tokens of the other tasks"
	pair_do mend_nodes
}

@test "het: all of it is requeued, and starts again elsewhere" {
	both_start 3 het --requeue -N 4 : -N 7 : -N 5
	both scontrol requeue "$job"
	pair_do requeued "$job+0" "$job+1" "$job+2"
	pair_do allocate -N 3
	pair_do start_again "$job+0" "$job+1" "$job+2"
	use_cluster torus
	like_stock "$job"
	described "$job+0" "$job+1" "$job+2"
	both scontrol requeuehold "$job"
	pair_do requeued "$job+0" "$job+1" "$job+2"
	use_cluster torus
	like_stock "$job"
	both scontrol release "$job"
	pair_do start_again "$job+0" "$job+1" "$job+2"
	use_cluster torus
	like_stock "$job"
	described "$job+0" "$job+1" "$job+2"
}

@test "het: a node fails below one component" {
	both_start 3 het --requeue -N 4 : -N 7 : -N 5
	pair_do fail_first "$job+1"
	pair_do requeued "$job+0" "$job+1" "$job+2"
	pair_do start_again "$job+0" "$job+1" "$job+2"
	use_cluster torus
	like_stock "$job"
	described "$job+0" "$job+1" "$job+2"
	run ! grep -qxFf "$CLUSTER/failed" <(scontrol show hostnames "$(job_nodes "$job+1")")
	pair_do mend_nodes
}
