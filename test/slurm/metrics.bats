#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus metrics asks a live cluster: nodes, jobs, reservations, and what the plugin decided.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-'END'
		TorusName=main Dims=4x4 Nodes=n[000-015] Curve=row_major Allocator=best_fit
	END
	cat >"$BATS_FILE_TMPDIR/conf" <<-'END'
		PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP
		PartitionName=high Nodes=ALL PriorityTier=9 MaxTime=INFINITE State=UP
		PreemptType=preempt/partition_prio
		PreemptMode=CANCEL
	END
	cluster_start --nodes 16 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/conf"
}
teardown_file() { cluster_stop; }
teardown()
{
	scontrol update nodename=ALL state=resume 2>/dev/null || true
	scontrol delete reservationname=maint 2>/dev/null || true
	cluster_clear
}

# sample NAME[{LABELS}]: its value in $output
sample() { awk -v name="slurm_torus_$1" '$1 == name { print $2 }' <<<"$output"; }

@test "nodes, boxes and jobs as they are" {
	run -0 "$STORUS" metrics
	expect_equal "$(sample 'nodes{torus="main",state="free"}') $(sample 'jobs{torus="main"}')" "16 0"
	expect_equal "$(sample 'largest_free_box_nodes{torus="main",kind="any"}')" 16
	expect_equal "$(sample 'job_hops{torus="main"}')" ""

	allocate --nodelist='n[000-001,004-005]' --nodes=4 --exclusive
	scontrol update nodename=n015 state=drain reason=test
	scontrol create reservation reservationname=maint starttime=now duration=60 users=root nodes='n[012-013]' flags=maint
	run -0 "$STORUS" metrics --output "$BATS_TEST_TMPDIR/torus.prom"
	expect_equal "$output" ""
	output=$(cat "$BATS_TEST_TMPDIR/torus.prom")
	for expected in 'free 9' 'used 4' 'reserved 2' 'down 1'; do
		expect_equal "${expected% *} $(sample "nodes{torus=\"main\",state=\"${expected% *}\"}")" "$expected"
	done
	# the right half of three rows
	expect_equal "$(sample 'largest_free_box_nodes{torus="main",kind="any"}')" 6
	expect_equal "$(sample 'jobs{torus="main"}') $(sample 'jobs_in_one_piece{torus="main"}')" "1 1"
	# alone it would be in a row
	expect_equal "$(sample 'job_hops{torus="main"}') $(sample 'job_compact_hops{torus="main"}')" \
		"1.33333333 1.66666667"
	expect_equal "$(sample 'used_links{torus="main"}') $(sample 'shared_links{torus="main"}')" "8 0"
}

# decided BY...: how many decisions there were of starts (with topology/torus: of all kinds) by these
decided()
{
	local by mode=start total=0 count
	[ "$DECIDER" = select/torus ] || mode=any
	for by in "$@"; do
		count=$(sample "decision_seconds_count{mode=\"$mode\",by=\"$by\"}")
		((total += ${count:-0}))
	done
	echo "$total"
}

@test "the plugin's decisions and their time" {
	allocate -N 3 --exclusive
	run -0 "$STORUS" metrics
	before=$(decided engine)
	((before >= 1))
	# a bucket for each, the time in all
	mode=start
	[ "$DECIDER" = select/torus ] || mode=any
	kind="{mode=\"$mode\",by=\"engine\""
	expect_equal "$(sample "decision_seconds_bucket$kind,le=\"+Inf\"}")" "$before"
	expect_equal "$(sample "decision_seconds_sum$kind}" | awk '{ print ($1 > 0 && $1 < 60) }')" 1
	allocate -N 2 --exclusive
	run -0 "$STORUS" metrics
	(($(decided engine) > before))
	# of the ten nodes left no nine are a square: that is decided by nobody
	nobody=$(decided nobody)
	allocate --nodelist=n005 --nodes=1 --exclusive
	submit --job-name=wrap --network=torus:shape=3x3 -N 9 --exclusive
	# Where backfill alone starts jobs it plans one for later.
	only_backfill_starts || wait_until 20 more_refused
	scancel --name wrap
	# without slurmctld's files there are no such metrics
	run -0 "$STORUS" metrics --conf "$BATS_FILE_TMPDIR/torus.conf"
	expect_equal "$(grep -c decision <<<"$output" || true)" 0
}

more_refused()
{
	output=$("$STORUS" metrics)
	(($(decided nobody) > nobody))
}

# starts_and_places: sdiag's "Jobs started", and the decisions that had a place
starts_and_places()
{
	output=$("$STORUS" metrics)
	echo "$(sdiag | awk '/Jobs started:/ { print $3; exit }')" \
		"$(decided engine "engine after slurm" "engine, preempting" slurm)"
}

# more BEFORE AFTER: how many more jobs started, and how many more places there were, by starts_and_places
more() { awk '{ print $3 - $1, $4 - $2 }' <<<"$1 $2"; }

@test "each job that starts had a place, but not each place starts a job" {
	before=$(starts_and_places)
	for nodes in 3 1 5; do allocate -N $nodes --exclusive; done
	read -r starts places < <(more "$before" "$(starts_and_places)")
	expect_equal "$starts" 3 "jobs that started by sdiag"
	# topology/torus counts plans and checks as well.
	if [ "$DECIDER" = select/torus ]; then expect_equal "$places" 3; else ((places >= 3)); fi
	cluster_clear
	# Who preempts has its place before the others have left it.
	allocate --partition=low -N 16 --exclusive
	before=$(starts_and_places)
	allocate --partition=high -N 4 --exclusive
	read -r starts places < <(more "$before" "$(starts_and_places)")
	expect_equal "$starts" 1 "jobs that started by sdiag"
	((places > starts)) || fail "$places places"
}

@test "the plugin that decides counts, and no other" {
	allocate -N 2 --exclusive
	expect_equal "$(sed -nE 's#.* ([a-z]+/torus): decisions are counted in .*#\1#p' "$CONTROLLER_LOG" |
		sort -u)" "$DECIDER" "who counts"
	run -0 "$STORUS" metrics
	(($(decided engine) >= 1))
	# select/torus knows what kind each decision is of, topology/torus of none.
	mode=any
	[ "$DECIDER" = select/torus ] || mode=start
	expect_equal "$(awk -v mode="mode=\"$mode\"" '
		index($1, "decision_seconds_count{") && index($1, mode) { sum += $2 }
		END { print sum + 0 }' <<<"$output")" 0 "decisions of the other plugin"
}

@test "decisions that could not be written are counted when they can be again" {
	minicluster kill-ctld TERM
	mkdir -p "$CLUSTER/state/torus_decisions.new/full"
	log_mark
	minicluster start-ctld
	wait_until 60 all_respond
	allocate -N 1 --exclusive
	allocate -N 1 --exclusive
	expect_equal "$(log_since | grep -c "error: $DECIDER: cannot count decisions in ")" 1 errors
	rm -r "$CLUSTER/state/torus_decisions.new"
	wait_until 30 counts_again
	run -0 "$STORUS" metrics
	(($(decided engine) >= 3))
}
counts_again()
{
	scancel "$(allocate -N 1 --exclusive)"
	logged "$DECIDER: decisions are counted in"
}
