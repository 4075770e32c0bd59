#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# torus.conf in a running cluster: good, changed and broken, at "scontrol reconfigure" and
# at a start of slurmctld.

bats_require_minimum_version 1.5.0
load select_support

# the plugin that reads torus.conf first, and so is the one to find fault with it
READER=$DECIDER
[ "$TORUS_VIA" != both ] || READER=topology/torus

setup_file()
{
	cluster_start --dims 4x4x4 --wrap all --exclusive
	cp "$TORUS_CONF" "$BATS_FILE_TMPDIR/good.conf"
}
teardown_file() { cluster_stop; }

teardown()
{
	cp "$BATS_FILE_TMPDIR/good.conf" "$TORUS_CONF"
	if scontrol ping | grep -q DOWN; then
		minicluster start-ctld
	else
		reconfigure
	fi
	learn_ranks
	cluster_clear
}

# refuses_to_start PATTERN: slurmctld ends at once and its log says why
refuses_to_start()
{
	minicluster kill-ctld TERM
	log_mark
	run minicluster start-ctld
	[ "$status" -ne 0 ] || fail "slurmctld started"
	logged "fatal: $READER: $1" || fail "not in the log: $1" "$(log_since | tail -n 3)"
}

# unchanged: whether the log says that the map in force stays as its files have not changed;
# a new slurmctld has to read them
unchanged() { logged "$READER: torus.conf is unchanged; the map in force stays"; }

# reconfigure_in_vain PATTERN: torus.conf is refused for this reason
reconfigure_in_vain()
{
	local line="error: $READER: $1; the map in force stays"
	log_mark
	run ask_to_reconfigure
	if reconfigure_restarts; then
		[ "$status" -ne 0 ] || fail "scontrol says nothing"
		line="fatal: $READER: $1"
	fi
	logged "$line" || fail "not in the log: $line" "$(log_since | grep torus)"
}

@test "reconfigure: the same file changes nothing" {
	job=$(allocate -N 7)
	before=$(job_nodes "$job"; token "$job")
	log_mark
	reconfigure
	expect_equal "$(job_nodes "$job"; token "$job")" "$before" "nodes and token"
	next=$(allocate -N 5)
	expect_ranks "$next" 7-11
	run ! logged "error: .*(select|topology)/torus"
	reconfigure_restarts || unchanged || fail "$(log_since | grep torus)"
	log_mark
	echo >>"$TORUS_CONF"
	reconfigure
	run ! unchanged
}

# coords_in_order NAME...: write a file that puts these nodes on the cells, x fastest
coords_in_order()
{
	printf '%s\n' "$@" |
		awk '{ i = NR - 1; print $1, i % 4, int(i / 4) % 4, int(i / 16) }' >"$CLUSTER/etc/coords"
}

@test "reconfigure: a file that torus.conf names counts like torus.conf itself" {
	mapfile -t names < <(scontrol show hostnames "n[000-063]")
	coords_in_order "${names[@]}"
	echo "TorusName=main Dims=4x4x4 Wrap=xyz Coords=coords Curve=row_major Allocator=best_fit" >"$TORUS_CONF"
	reconfigure
	job=$(allocate -N 3)
	expect_equal "$(job_nodes "$job")" "n[000-002]" "the first ranks"
	log_mark
	reconfigure
	reconfigure_restarts || unchanged || fail "$(log_since | grep torus)"
	log_mark
	mapfile -t names < <(printf '%s\n' "${names[@]}" | sort -r)
	coords_in_order "${names[@]}"
	reconfigure
	run ! unchanged
	job=$(allocate -N 2)
	expect_equal "$(job_nodes "$job")" "n[062-063]" "the first ranks of the new order"
}

@test "reconfigure: jobs follow a new curve from then on" {
	job=$(allocate -N 6)
	before=$(job_nodes "$job"; token "$job")
	echo Curve=row_major >>"$TORUS_CONF"
	reconfigure
	expect_equal "$(job_nodes "$job"; token "$job")" "$before" "nodes and token"
	busy=$(job_nodes "$job")
	learn_ranks
	expect_equal "$(nodes_at 0-5)" "n[000-005]" "the first ranks of the new curve"
	free=$(all_but "$(ranks_of "$busy")")
	next=$(allocate -N 9)
	expect_placed "$next" "$free" --nodes 9
}

@test "reconfigure: jobs follow a new allocator from then on" {
	occupy_all_but 10-29,40-45
	sed -i 's/^Allocator=.*/Allocator=first_fit/' "$TORUS_CONF"
	reconfigure
	job=$(allocate -N 6)
	expect_ranks "$job" 10-15
}

@test "reconfigure: with a broken file the old map stays, and the log names the line" {
	job=$(allocate -N 6)
	before=$(job_nodes "$job"; token "$job")
	printf '# a comment\nCurve=row_major\nCurvature=high\n' >>"$TORUS_CONF"
	reconfigure_in_vain ".*/torus.conf:5: .*Curvature.*"
	expect_equal "$(job_nodes "$job"; token "$job")" "$before" "nodes and token"
	next=$(allocate -N 5)
	cp "$BATS_FILE_TMPDIR/good.conf" "$TORUS_CONF"
	expect_ranks "$next" 6-10
}

@test "reconfigure: without the file the old map stays" {
	rm "$TORUS_CONF"
	reconfigure_in_vain ".*/torus.conf.*"
	cp "$BATS_FILE_TMPDIR/good.conf" "$TORUS_CONF"
	job=$(allocate -N 5)
	expect_ranks "$job" 0-4
}

@test "start: a wrong key is refused with file, line and reason" {
	job=$(allocate -N 6)
	before=$(job_nodes "$job"; token "$job")
	sed -i '1i # first line\nCurve=hilbert Curve=snake' "$TORUS_CONF"
	refuses_to_start '.*/torus.conf:2: .*Curve'
	cp "$BATS_FILE_TMPDIR/good.conf" "$TORUS_CONF"
	minicluster start-ctld
	expect_equal "$(job_nodes "$job"; token "$job")" "$before" "nodes and token"
	wait_until 30 nodes_idle 58
	next=$(allocate -N 5)
	expect_ranks "$next" 6-10
}

@test "start: a count of nodes that does not match the dimensions is refused" {
	sed -i 's/Dims=4x4x4/Dims=4x4x5/' "$TORUS_CONF"
	refuses_to_start '.*/torus.conf:1: .*64.*80|.*/torus.conf:1: .*80.*64'
}

@test "start: without torus.conf slurmctld refuses" {
	rm "$TORUS_CONF"
	refuses_to_start "cannot read '.*/torus.conf': No such file"
}
