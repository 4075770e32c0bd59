#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus show and storus view against a live cluster: two tori, and four nodes on none of
# them.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-'END'
		Allocator=best_fit
		TorusName=main Dims=4x3x2 Wrap=xyz Nodes=n[000-023] Curve=row_major
		TorusName=line Dims=4 Nodes=n[024-027]
	END
	# Jobs complete for as long as the file "hold" is there.
	cat >"$BATS_FILE_TMPDIR/epilog" <<-END
		#!/bin/sh
		while [ -e '$BATS_FILE_TMPDIR/hold' ]; do sleep 0.1; done
	END
	chmod +x "$BATS_FILE_TMPDIR/epilog"
	echo "Epilog=$BATS_FILE_TMPDIR/epilog" >"$BATS_FILE_TMPDIR/more.conf"
	cluster_start --nodes 32 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/more.conf"
}
teardown_file() { cluster_stop; }
teardown()
{
	rm -f "$BATS_FILE_TMPDIR/hold"
	scontrol update nodename=ALL state=resume 2>/dev/null || true
	cluster_clear
}

# take NODES OPTION...: a job on all CPUs of exactly these nodes; prints its number
take()
{
	allocate --nodelist="$1" --nodes="$(scontrol show hostnames "$1" | wc -l)" \
		--exclusive "${@:2}"
}

show() { "$STORUS" show "$@"; }

# picture OPTION...: the lines of the picture, without the table and the empty line
picture() { show "$@" | sed -n '/^main: /,$p'; }

@test "an idle cluster" {
	run -0 picture
	expect_equal "$output" "main: 4x3x2 torus wrapping in xyz, 24 nodes: 0 in use, 24 free, 0 unusable
z=0    z=1
....   ....
....   ....
....   ....

line: 4 mesh, 4 nodes: 0 in use, 4 free, 0 unusable
...."
}

@test "jobs in the picture, the table and JSON, as their SystemComment says" {
	first=$(allocate -N 6 --exclusive --job-name 'halo, "exchange"')
	second=$(allocate -N 9 --exclusive)
	submit -N 32 >/dev/null # waits: not in the table
	run -0 picture
	expect_equal "$(sed -n 2,5p <<<"$output")" "z=0    z=1
aaaa   bbb.
aabb   ....
bbbb   ...."
	run -0 show
	expect_match "${lines[1]}" "^a $first +halo, \"exchange\" +$(id -un) +main +6 +6 +1\.000 "
	expect_match "${lines[2]}" "^b $second +[^ ]+ +$(id -un) +main +9 +9 +1\.000 "
	expect_match "${lines[3]}" "^links of main: [1-9][0-9]* in use, "
	expect_equal "${lines[4]}" \
		"main: 4x3x2 torus wrapping in xyz, 24 nodes: 15 in use, 9 free, 0 unusable"
	run -0 show --format=json
	for job in "$first" "$second"; do
		expect_equal "$(jq -r --arg job "$job" '.[] | select(.job == $job) |
			"torus=\(.torus),nodes=\(.nodes),span=\(.span_ring),box=\(.box)"' <<<"$output")" \
			"$(token "$job" | sed 's/,avghops=.*//')"
	done
	expect_equal "$(jq -r '.[0].name' <<<"$output")" 'halo, "exchange"'
	# the engine's metrics of the same ranks, but for what the other jobs are to it
	expect_equal "$(jq -S '.[1] | del(.job, .name, .user, .torus, .nodes, .nodelist,
		.foreign_nodes, .links_shared)' <<<"$output")" \
		"$(engine --torus main --free 6-14 --nodes 9 --format=json | jq -S 'del(.nodes, .foreign_nodes)')"
	run -0 show --format=csv
	expect_match "${lines[1]}" "^$first,\"halo, \"\"exchange\"\"\",$(id -un),main,6,n\[000-005\],0-5,0-5,6,6,"
}

@test "one job alone" {
	first=$(take 'n[000-003]')
	second=$(take 'n[004,009]')
	run -0 show "$second"
	expect_equal "${lines[0]}" "job $second"
	expect_match "$output" $'\nnodes 2\nnodelist n\[004,009\]\nranks 4,9\ncells 4,9\nspan_ring 6\n'
	run -0 picture "$second"
	expect_equal "$(sed -n 3,5p <<<"$output")" $'++++   ....\na...   ....\n.a..   ....'
	run -2 --separate-stderr show 99999
	expect_equal "$output$stderr" "storus show: no job '99999' runs or waits, and no node of a torus is called so"
}

@test "arrays and heterogeneous jobs go by their own and by their common number" {
	array=$(submit --array=3,5 -N 2 --exclusive)
	wait_until 60 eval '[ "$(squeue -h -t R -r -j "'"$array"'" | wc -l)" = 2 ]'
	run -0 show "$array" --format=json
	expect_equal "$(jq -r 'map(.job) | sort | join(" ")' <<<"$output")" "${array}_3 ${array}_5"
	run -0 show "${array}_5" --format=json
	expect_equal "$(jq -r 'map(.job) | join(" ")' <<<"$output")" "${array}_5"
	het=$(allocate -N 3 --exclusive : -N 1 --exclusive)
	run -0 show "$het" --format=json
	expect_equal "$(jq -r 'map("\(.job) \(.nodes)") | sort | join(",")' <<<"$output")" \
		"$het+0 3,$het+1 1"
	run -0 show "$het+1" --format=json
	expect_equal "$(jq length <<<"$output")" 1
}

@test "down and drained nodes, and a draining one that still runs its job" {
	take 'n[001-002]' >/dev/null
	scontrol update nodename='n[000-001]' state=drain reason=test
	scontrol update nodename=n023 state=down reason=test
	run -0 picture
	expect_equal "$(sed -n 1,5p <<<"$output")" \
		"main: 4x3x2 torus wrapping in xyz, 24 nodes: 2 in use, 20 free, 2 unusable
z=0    z=1
xaa.   ....
....   ....
....   ...x"
}

@test "nodes that jobs share" {
	for _ in 1 2; do allocate -N 1 -n 1 --nodelist=n005 --oversubscribe >/dev/null; done
	take n006 >/dev/null
	run -0 picture
	expect_equal "$(sed -n 4p <<<"$output")" ".*c.   ...."
}

@test "a job on several tori, and on nodes that torus.conf does not name" {
	job=$(take 'n[022-025,030-031]')
	run -0 show --format=json
	expect_equal "$(jq -c 'map([.job, .torus, .nodes, .nodelist, .span_linear])' <<<"$output")" \
		"[[\"$job\",\"main\",2,\"n[022-023]\",2],[\"$job\",\"line\",2,\"n[024-025]\",2],[\"$job\",null,2,\"n[030-031]\",null]]"
	run -0 picture
	expect_equal "$(tail -n 4 <<<"$output")" "....   ..aa

line: 4 mesh, 4 nodes: 2 in use, 2 free, 0 unusable
aa.."
}

@test "suspended jobs are listed, completing ones only hold their nodes" {
	job=$(submit -N 2 --exclusive --nodelist='n[000-001]')
	wait_running "$job"
	scontrol suspend "$job"
	run -0 picture
	expect_equal "$(sed -n 3p <<<"$output")" "aa..   ...."
	scontrol resume "$job"
	touch "$BATS_FILE_TMPDIR/hold"
	scancel "$job"
	wait_until 60 eval '[ "$(squeue -h -o %T -j "'"$job"'")" = COMPLETING ]'
	run -0 show
	expect_equal "${#lines[@]}" 9 # the headings, no job, the links, the picture
	run -0 picture
	expect_equal "$(sed -n 3p <<<"$output")" "++..   ...."
	rm "$BATS_FILE_TMPDIR/hold"
}

@test "--svg, with names that would break it" {
	allocate -N 4 --exclusive --job-name '<&>' >/dev/null
	run -0 show --svg "$BATS_TEST_TMPDIR/picture.svg"
	expect_match "$(<"$BATS_TEST_TMPDIR/picture.svg")" '&lt;&amp;&gt;: 4 nodes, span 4'
	command -v rsvg-convert >/dev/null || skip "no rsvg-convert to read it"
	rsvg-convert "$BATS_TEST_TMPDIR/picture.svg" -o "$BATS_TEST_TMPDIR/picture.png"
}

@test "--conf takes the place of the torus.conf beside slurm.conf, which may be missing" {
	take 'n[000-001]' >/dev/null
	echo 'TorusName=other Dims=2x1 Nodes=n[001-002]' >"$BATS_TEST_TMPDIR/other.conf"
	run -0 show --conf "$BATS_TEST_TMPDIR/other.conf"
	expect_equal "${lines[-1]}" "a."
	mv "$TORUS_CONF" "$TORUS_CONF.away"
	run -2 --separate-stderr show
	mv "$TORUS_CONF.away" "$TORUS_CONF"
	expect_equal "$output" ""
	expect_match "$stderr" "^storus show: --conf not given: .*${SLURM_CONF%/*}/torus.conf.*No such file"
}

@test "without slurmctld: status 2 and Slurm's reason" {
	minicluster kill-ctld
	# From 24.11 on Slurm's library tries for as long as this.
	minicluster set MessageTimeout=5
	run -2 --separate-stderr timeout 60 "$STORUS" show
	minicluster set MessageTimeout=60
	minicluster start-ctld
	expect_equal "$output" ""
	expect_match "$stderr" "storus show: cannot ask slurmctld for jobs and nodes: .*contact"
}

@test "storus view has the jobs, what scontrol says of them, and the states of the nodes" {
	echo 'var THREE;' >"$BATS_TEST_TMPDIR/three.js"
	first=$(allocate -N 6 --exclusive --job-name '</script><b>' --comment 'a "b"')
	scontrol update nodename='n[022-023]' state=drain reason=test
	scontrol update nodename=n021 state=down reason=test weight=7
	# topology/torus writes it a moment after the start.
	wait_until 30 eval '[ -n "$(system_comment "$first")" ]'
	run -0 "$STORUS" view --output "$BATS_TEST_TMPDIR/page.html" --three-js "$BATS_TEST_TMPDIR/three.js"
	sed -n 's,.*id="machine">\(.*\)</script>,\1,p' "$BATS_TEST_TMPDIR/page.html" >"$BATS_TEST_TMPDIR/data"
	run -0 jq -c '.jobs | map([.id, .name, .user, .partition, .state, .comment])' "$BATS_TEST_TMPDIR/data"
	expect_equal "$output" "$(jq -nc --arg id "$first" --arg user "$(id -un)" \
		--arg partition "$(squeue -h -j "$first" -o %P)" \
		'[[$id, "</script><b>", $user, $partition, "RUNNING", "a \"b\""]]')"
	run -0 jq -r '.jobs[0].system_comment' "$BATS_TEST_TMPDIR/data"
	expect_equal "$output" "$(token "$first")"
	run -0 jq -c '.jobs[0] | .start > 1600000000' "$BATS_TEST_TMPDIR/data"
	expect_equal "$output" true
	run -0 jq -c '.tori[0] | [.unusable, .weights[20], .weights[21]]' "$BATS_TEST_TMPDIR/data"
	expect_equal "$output" '[{"21":"down","22":"drained","23":"drained"},1,7]'
	scontrol update nodename=n021 weight=1
	# A job that is completing is not shown, but holds its nodes.
	touch "$BATS_FILE_TMPDIR/hold"
	scancel "$first"
	wait_until 30 eval '[ "$(squeue -h -t CG -j "'"$first"'" | wc -l)" = 1 ]'
	run -0 "$STORUS" view --output "$BATS_TEST_TMPDIR/page.html" --three-js "$BATS_TEST_TMPDIR/three.js"
	run -0 jq -c '[.jobs, .tori[0].others]' <<<"$(sed -n 's,.*id="machine">\(.*\)</script>,\1,p' "$BATS_TEST_TMPDIR/page.html")"
	expect_equal "$output" '[[],"0-5"]'
}

# value KEY: of the record in $output
value() { sed -n "s/^$1 //p" <<<"$output"; }

@test "the box that a waiting job could have at once where routers differ in nodes" {
	cp "$TORUS_CONF" "$BATS_TEST_TMPDIR/before.conf"
	# 3, 2, 1 and 2 nodes in the lower row, one each in the upper one
	printf '%s\n' "n000 0 0" "n001 0 0" "n002 0 0" "n003 1 0" "n004 1 0" "n005 2 0" "n006 3 0" "n007 3 0" \
		"n008 0 1" "n009 1 1" "n010 2 1" "n011 3 1" >"$CLUSTER/etc/uneven.coords"
	echo "TorusName=main Dims=4x2 Coords=uneven.coords Curve=row_major Allocator=best_fit" >"$TORUS_CONF"
	reconfigure
	take n000 >/dev/null
	for wanted in 12 8 7 6 4 1; do
		waits=$(submit --hold -N "$wanted" --exclusive)
		run -0 "$STORUS" show "$waits"
		echo "$wanted $(value at_once_nodes) $(value at_once_box_nodes) $(value at_once_box)"
		scancel "$waits"
	done >"$BATS_TEST_TMPDIR/said"
	# n000 takes its whole router from all boxes.
	expect_equal "$(cut -d' ' -f 1-3 "$BATS_TEST_TMPDIR/said" | paste -sd,)" "12 11 8,8 8 8,7 7 5,6 6 5,4 4 4,1 1 1"
	expect_equal "$(sed -n '2s/.* //p' "$BATS_TEST_TMPDIR/said")" 3x2
	# What it says starts, and nothing between that and what was asked for.
	for nodes in 8 5; do
		job=$(starts_at_once -N $nodes --exclusive --network=torus:shape=any)
		scancel "$job"
		wait_until 60 eval '[ "$(job_state "$job")" = CANCELLED ]'
		wait_until 60 eval '[ -z "$(squeue -h -t CG)" ]'
	done
	for nodes in 7 6; do
		! starts_at_once -N $nodes --exclusive --network=torus:shape=any || fail "$nodes nodes started"
	done
	cp "$BATS_TEST_TMPDIR/before.conf" "$TORUS_CONF"
	reconfigure
}
