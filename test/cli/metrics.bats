#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus metrics. Prometheus itself reads the text in metrics_prometheus.bats; a live cluster is
# test/slurm/metrics.bats.
# shellcheck disable=SC2154 # output and stderr are set by run

load support

# a line of eight: aab.rr.. with jobs a and b, and r reserved
line() {
	echo "TorusName=main Dims=8 Nodes=n[0-7] Curve=row_major" >torus.conf
	printf '%s\n' "a n[0-1]" "b n2" "r n[4-5] reservation=yes" >jobs
}

# sample NAME[{LABELS}]: its value in $output
sample() { awk -v name="$1" '$1 == name { print $2 }' <<<"$output"; }

@test "a small machine by hand" {
	line
	run -0 --separate-stderr storus metrics --conf torus.conf --jobs jobs --free 0-6
	equal "$stderr" ""
	for expected in 'nodes free 2' 'nodes used 3' 'nodes reserved 2' 'nodes down 1'; do
		read -r name state value <<<"$expected"
		equal "$(sample "slurm_torus_$name{torus=\"main\",state=\"$state\"}")" "$value"
	done
	equal "$(sample 'slurm_torus_largest_free_box_nodes{torus="main",kind="any"}')" 1
	equal "$(sample 'slurm_torus_free_boxes{torus="main",nodes="1",shape="1"}')" 2
	equal "$(sample 'slurm_torus_free_boxes{torus="main",nodes="2",shape="2"}')" 0
	equal "$(sample 'slurm_torus_free_intervals{torus="main"}')" 2
	equal "$(sample 'slurm_torus_fragmentation_ratio{torus="main"}')" 0.5
	equal "$(sample 'slurm_torus_jobs{torus="main"}')" 2
	# two neighbours: one hop, as it would be alone; b has one node and no hops
	equal "$(sample 'slurm_torus_job_hops{torus="main"}')" 1
	equal "$(sample 'slurm_torus_job_compact_hops{torus="main"}')" 1
	equal "$(sample 'slurm_torus_used_links{torus="main"}')" 2
	equal "$(tail -n 1 <<<"$output")" "# EOF"
}

@test "pieces, shared links and hops are those of storus show" {
	echo "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" >torus.conf
	printf '%s\n' "1 n[00-03,18-21]" "2 n[04-05,22-30]" "3 n[10,31]" "4 n35" >jobs
	table=$(storus show --conf torus.conf --jobs jobs --format json)
	run -0 storus metrics --conf torus.conf --jobs jobs
	equal "$(sample 'slurm_torus_jobs_in_one_piece{torus="main"}')" \
		"$(jq '[.[] | select(.components == 1)] | length' <<<"$table")"
	equal "$(sample 'slurm_torus_job_hops{torus="main"}')" \
		"$(jq -r '[.[] | select(.nodes > 1)] | (map(.nodes * .average_distance) | add) / (map(.nodes) | add)
			| . * 1e8 | round / 1e8' <<<"$table")"
	# each shared link is shared by two jobs here
	equal "$(sample 'slurm_torus_shared_links{torus="main"}')" \
		"$(jq '(map(.links_shared) | add) / 2' <<<"$table")"
	equal "$(sample 'slurm_torus_used_links{torus="main"}')" \
		"$(jq '(map(.links_used) | add) - (map(.links_shared) | add) / 2' <<<"$table")"
	equal "$(sample 'slurm_torus_shared_links{torus="main"}' | grep -cv '^0$')" 1
}

@test "what is free agrees with storus capacity, class by class" {
	run -0 storus metrics --dims 8x8x5 --wrap xyz --free 0-99,130-200,230-319
	metrics=$output
	run -0 storus capacity --dims 8x8x5 --wrap xyz --free 0-99,130-200,230-319
	free=$(value_of free) interval=$(value_of largest_interval) box=$(value_of largest_box_nodes)
	output=$metrics
	equal "$(sample 'slurm_torus_nodes{torus="dims",state="free"}')" "$free"
	equal "$(sample 'slurm_torus_largest_free_interval_nodes{torus="dims"}')" "$interval"
	equal "$(sample 'slurm_torus_largest_free_box_nodes{torus="dims",kind="any"}')" "$box"
	classes=$(sed -n 's/^slurm_torus_free_boxes{.*nodes="\(.*\)",shape="\(.*\)"} \(.*\)/\1 \2 \3/p' <<<"$metrics")
	equal "$(wc -l <<<"$classes")" 9
	while read -r nodes shape boxes; do
		run storus capacity --dims 8x8x5 --wrap xyz --free 0-99,130-200,230-319 --shape "$shape"
		((boxes <= $(value_of shape_at_once_most)))
		(($(tr x '*' <<<"$shape") >= nodes))
		equal "$((boxes > 0))" "$(($(value_of shape_boxes) > 0))"
	done <<<"$classes"
}

@test "several tori; one with nothing on it has no hops" {
	printf '%s\n' "TorusName=east Dims=4 Nodes=n[0-3]" "TorusName=west Dims=3x2 Nodes=w[0-5]" >torus.conf
	printf '%s\n' "1 w[0-1],n0,login[1-2]" >jobs
	run -0 storus metrics --conf torus.conf --jobs jobs
	equal "$(sample 'slurm_torus_jobs{torus="east"}')" 1
	equal "$(sample 'slurm_torus_jobs{torus="west"}')" 1
	equal "$(grep -c '^slurm_torus_job_hops' <<<"$output")" 1
	run -0 storus metrics --conf torus.conf --torus west
	equal "$(grep -c '^slurm_torus_job_hops' <<<"$output")" 0
	equal "$(sample 'slurm_torus_free_boxes{torus="west",nodes="4",shape="2x2"}')" 1
}

@test "routers with several nodes: boxes have room for the nodes of a class" {
	run -0 storus metrics --dims 4x4 --nodes-per-router 3 --curve row_major
	equal "$(sample 'slurm_torus_free_boxes{torus="dims",nodes="4",shape="1x2"}')" 8
	equal "$(sample 'slurm_torus_largest_free_box_nodes{torus="dims",kind="any"}')" 48
}

@test "a machine of cubes: whole ones, boxes within one, and hops on the job's own torus" {
	echo "TorusName=c Dims=8x8 Cube=4x4 Nodes=n[00-63] Curve=row_major" >torus.conf
	# cubes 0 and 3, joined to a torus of 4x8, and a node of cube 1
	printf '%s\n' "1 n[00-03,08-11,16-19,24-27,36-39,44-47,52-55,60-63]" "2 n04" >jobs
	run -0 storus metrics --conf torus.conf --jobs jobs
	equal "$(sample 'slurm_torus_free_cubes{torus="c"}')" 1
	equal "$(sample 'slurm_torus_largest_free_box_nodes{torus="c",kind="any"}')" 16
	equal "$(sample 'slurm_torus_free_boxes{torus="c",nodes="4",shape="2x2"}')" 7
	equal "$(sample 'slurm_torus_free_boxes{torus="c",nodes="16",shape="4x4"}')" 1
	equal "$(sample 'slurm_torus_free_boxes{torus="c",nodes="32",shape="4x8"}')" 0
	hops=$(sample 'slurm_torus_job_hops{torus="c"}')
	equal "$hops" "$(storus place --dims 8x8 --cube 4x4 --shape 4x8 | sed -n 's/average_distance //p' | sed 's/0*$//')"
	# wherever cubes are, a job of whole ones has what it would have alone
	equal "$(sample 'slurm_torus_job_compact_hops{torus="c"}')" "$hops"
	run -0 storus metrics --dims 4x4
	[[ $output != *$'\n'slurm_torus_free_cubes* ]]
}

@test "nodes that are boxes of chips: chips beside nodes" {
	printf '%s\n' "TorusName=pod ChipDims=8x4x4 NodeShape=2x2x1 Nodes=n[00-31]" "TorusName=main Dims=4 Nodes=m[0-3]" \
		>torus.conf
	echo "1 n[00-04]" >jobs
	run -0 storus metrics --conf torus.conf --jobs jobs
	equal "$(sample 'slurm_torus_chips{torus="pod",state="used"}')" 20
	equal "$(sample 'slurm_torus_chips{torus="pod",state="free"}')" 108
	[[ $output != *'slurm_torus_chips{torus="main"'* ]]
}

@test "--output is replaced as a whole, and stays as it was after an error" {
	line
	run -0 storus metrics --conf torus.conf --jobs jobs --output torus.prom
	equal "$output" ""
	equal "$(cat torus.prom)" "$(storus metrics --conf torus.conf --jobs jobs)"
	equal "$(echo *)" "jobs torus.conf torus.prom"
	cp torus.prom before
	echo "c n[" >>jobs
	run -2 --separate-stderr storus metrics --conf torus.conf --jobs jobs --output torus.prom
	[[ $stderr == "storus metrics: jobs:4: "* ]]
	cmp torus.prom before
	line
	run -2 storus metrics --conf torus.conf --jobs jobs --free 8 --output torus.prom
	cmp torus.prom before
	equal "$(echo *)" "before jobs torus.conf torus.prom"
}

@test "bad usage and input, with a cure" {
	line
	refuses metrics <<-'END'
		--dims 8 --jobs jobs | --jobs needs --conf
		--free 0-7           | --free needs --dims or --conf
		--dims 8 --free 8    | --free:
		--conf none.conf     | none.conf
		--dims 8 --decisions none | none: No such file or directory
		--dims 8 --decisions jobs | jobs:1: not a file of decisions that this version writes
		--conf torus.conf --output none/torus.prom | cannot write 'none/torus.prom'
	END
}
