#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus map.

load support

mappers="baseline grouping col_major row_major ordered corner all_corners overlay \
two_way_overlay rcb rcb:longest inc_improve rcb_turns anneal best"

two_tori() {
	cat >torus.conf <<-'END'
		TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[00-63] Curve=row_major
		TorusName=line Dims=10 Nodes=m[0-9]
	END
}

# A column of the CSV in $output, without its heading, as words.
column() {
	tail -n +2 <<<"$output" | cut -d, -f"$1" | xargs
}

@test "csv: where each task sits, in the order of the contract" {
	run -0 --separate-stderr storus map --grid 2x2 --mapper baseline --dims 4x3 --cells 5,0-1,11
	equal "$output" "task,node_or_cell,x,y
0,5,1,1
1,0,0,0
2,1,1,0
3,11,3,2"
	equal "$stderr" "storus map: baseline: average 3.000000 hops, maximum 5, \
variance 2.500000; baseline: average 3.000000, maximum 5, variance 2.500000"
}

@test "the averages reported are those of the file, worked out by awk" {
	for mapper in $mappers; do
		for stencil in 7 27; do
			run -0 --separate-stderr storus map --grid 3x4x2 --mapper "$mapper" \
				--stencil "$stencil" --periodic y --dims 5x4x3 --wrap xz \
				--cells 0-9,30-40,22,17,59
			said=$(sed -E 's/.*: average ([0-9.]+) hops, maximum ([0-9]+), variance ([0-9.]+); .*/\1 \2 \3/' <<<"$stderr")
			equal "$(awk -F, -v stencil="$stencil" '
				function apart(a, b, ring) {
					d = a > b ? a - b : b - a
					return ring && ring - d < d ? ring - d : d
				}
				NR > 1 { x[$1] = $3; y[$1] = $4; z[$1] = $5 }
				END {
					for (a = 0; a < 24; a++) for (b = 0; b < a; b++) {
						i = apart(a % 3, b % 3, 0)
						j = apart(int(a / 3) % 4, int(b / 3) % 4, 4)
						k = apart(int(a / 12), int(b / 12), 0)
						if (i > 1 || j > 1 || k > 1 || (stencil == 7 && i + j + k > 1))
							continue
						h = apart(x[a], x[b], 5) + apart(y[a], y[b], 0) + apart(z[a], z[b], 3)
						n++; sum += h; squares += h * h
						if (h > most) most = h
					}
					printf "%.6f %d %.6f\n", sum / n, most, squares / n - (sum / n) ^ 2
				}' <<<"$output")" "$said"
			equal "$(column 2 | tr ' ' '\n' | sort -n | xargs)" \
				"$(echo {0..9} 17 22 {30..40} 59)"
		done
	done
}

@test "rcb on a box of the grid's own shape: one hop an edge, in any rotation" {
	# 4x3x2 cells at (1,0,1) of 6x5x4, the grid turned.
	cells=31-34,37-40,43-46,61-64,67-70,73-76
	for grid in 4x3x2 2x3x4 3x2x4; do
		run -0 --separate-stderr storus map --grid $grid --mapper rcb --dims 6x5x4 --cells $cells
		[[ $stderr == *": rcb: average 1.000000 hops, maximum 1, variance 0.000000;"* ]]
	done
}

@test "slurm: a node name a task, uneven counts respected" {
	two_tori
	run -0 --separate-stderr storus map --grid 7 --mapper baseline --conf torus.conf \
		--nodelist n[00-01],n63 --tasks-per-node "3(x2),1"
	equal "$(xargs <<<"$output")" "n00 n00 n00 n01 n01 n01 n63"
	run -0 --separate-stderr storus map --grid 7x1x1 --conf torus.conf --format slurm \
		--nodelist n[00-01],n63 --tasks-per-node "3(x2),1"
	equal "$(sort <<<"$output" | uniq -c | xargs)" "3 n00 3 n01 1 n63"
}

@test "openmpi: ranks in order, slots of a node counted from 0" {
	two_tori
	run -0 --separate-stderr storus map --grid 2x2 --mapper row_major --conf torus.conf \
		--nodelist m1,m0 --tasks-per-node 2 --format openmpi
	equal "$output" "rank 0=m0 slot=0
rank 1=m0 slot=1
rank 2=m1 slot=0
rank 3=m1 slot=1"
}

@test "mpich: the ranks node by node, in allocation order" {
	two_tori
	run -0 --separate-stderr storus map --grid 5x1 --mapper row_major --conf torus.conf \
		--nodelist m1,m0 --tasks-per-node 2,3 --format mpich
	equal "$output" "3,4
0,1,2"
	run -0 --separate-stderr storus map --grid 4 --mapper baseline --dims 4 --cells 3-0 --format=mpich
	equal "$(xargs <<<"$output")" "0 1 2 3"
}

@test "hosts, torchrun: the order of nodes, each with consecutive tasks, no worse than as they come" {
	two_tori
	ok=(map --grid 8x4 --conf torus.conf --nodelist "n[00,21,42,63,03,20,41,62]" --tasks-per-node 4)
	run -0 --separate-stderr storus "${ok[@]}" --format hosts
	hosts=$output
	equal "$(sort <<<"$hosts" | xargs)" "n00 n03 n20 n21 n41 n42 n62 n63"
	[[ $stderr =~ order:\ average\ ([0-9.]+).*baseline:\ average\ ([0-9.]+) ]]
	said=${BASH_REMATCH[1]}
	awk -v order="$said" -v before="${BASH_REMATCH[2]}" 'BEGIN { exit !(order < before) }'
	# What it says is what the order comes to when tasks are dealt out in blocks.
	while read -r host; do
		for _ in 1 2 3 4; do echo "$host"; done
	done <<<"$hosts" >dealt
	run -0 --separate-stderr storus "${ok[@]::3}" --conf torus.conf --mapper baseline \
		--nodelist "$(xargs <<<"$hosts" | tr ' ' ,)" --tasks-per-node 4
	equal "$output" "$(<dealt)"
	[[ $stderr == *": baseline: average $said hops"* ]]
	run -0 --separate-stderr storus "${ok[@]}" --format torchrun
	first=$(head -n 1 <<<"$hosts")
	equal "$output" "$(awk -v first="$first" '{ print $1 " --nnodes=8 --node_rank=" NR - 1 \
		" --nproc_per_node=4 --master_addr=" first }' <<<"$hosts")"
	# A task a node: what the mapper says. Of uneven counts each has its own.
	run -0 --separate-stderr storus map --grid 2x2 --mapper rcb --conf torus.conf \
		--nodelist m[0-3] --format hosts
	hosts=$output
	run -0 --separate-stderr storus map --grid 2x2 --mapper rcb --conf torus.conf --nodelist m[0-3]
	equal "$hosts" "$output"
	run -0 --separate-stderr storus map --grid any --conf torus.conf --nodelist m[0-1] \
		--tasks-per-node 3,2 --format torchrun
	equal "$(grep -o 'm.*per_node=.' <<<"$output" | sed 's/ .*=/=/' | sort | xargs)" "m0=3 m1=2"
	# Dealt out one a node in turn, an order of nodes is all that a launcher needs.
	run -0 --separate-stderr storus map --grid any --distribution cyclic --conf torus.conf \
		--nodelist m[0-3] --tasks-per-node 2 --format hosts
	equal "$(sort <<<"$output" | xargs)" "m0 m1 m2 m3"
}

@test "hosts with a graph: who talks to whom decides" {
	two_tori
	# Tasks 0 to 3 in a line 0-2-1-3.
	printf '0 2 1\n2 1 1\n1 3 1\n' >edges
	run -0 --separate-stderr storus map --grid 4 --graph edges --conf torus.conf \
		--nodelist m[0-3] --format hosts
	[[ $(xargs <<<"$output") == "m0 m2 m1 m3" || $(xargs <<<"$output") == "m3 m1 m2 m0" ]]
	[[ $stderr == *": order: average 1.000000 hops"* ]]
	# The same, two tasks a node, on eight tasks.
	printf '0 4 1\n5 2 1\n3 6 1\n' >edges
	run -0 --separate-stderr storus map --grid 8 --graph edges --conf torus.conf \
		--nodelist m[0-3] --tasks-per-node 2 --format hosts
	[[ $(xargs <<<"$output") == "m0 m2 m1 m3" || $(xargs <<<"$output") == "m3 m1 m2 m0" ]]
}

@test "json: the machine, and the nodes as their first tasks come" {
	two_tori
	run -0 --separate-stderr storus map --grid 5x1 --mapper row_major --conf torus.conf \
		--nodelist m1,m0 --tasks-per-node 2,3 --format json
	equal "$(jq -c . <<<"$output")" '{"tasks":5,"dims":[10],"wrap":[false],"nodes":[{"name":"m0","coordinates":[0],"tasks":[0,1,2]},{"name":"m1","coordinates":[1],"tasks":[3,4]}]}'
	run -0 --separate-stderr storus map --grid 2x2 --mapper baseline --dims 4x3 --wrap y \
		--cells 5,0-1,11 --format json
	equal "$(jq -c .nodes <<<"$output")" '[{"cell":5,"coordinates":[1,1],"tasks":[0]},{"cell":0,"coordinates":[0,0],"tasks":[1]},{"cell":1,"coordinates":[1,0],"tasks":[2]},{"cell":11,"coordinates":[3,2],"tasks":[3]}]'
	equal "$(jq -c .wrap <<<"$output")" '[false,true]'
	# Any mapping can be written, and it is that of the other formats.
	run -0 --separate-stderr storus map --grid 4x4x4 --mapper rcb --conf torus.conf \
		--nodelist "n[00-31]" --tasks-per-node 2 --format json
	json=$(jq -r '.nodes[] | .name as $name | .tasks[] | "\(.) \($name)"' <<<"$output" |
		sort -n | cut -d ' ' -f 2)
	run -0 --separate-stderr storus map --grid 4x4x4 --mapper rcb --conf torus.conf \
		--nodelist "n[00-31]" --tasks-per-node 2
	equal "$json" "$output"
}

@test "hosts, torchrun: refused where an order of nodes cannot say it" {
	two_tori
	refuses map <<-'END'
		--grid 2x2 --dims 4 --cells 0-3 --format hosts | --format=hosts needs node names
		--grid 2x2 --dims 4 --cells 0-3 --format torchrun | --format=torchrun needs node names
		--grid 4x2 --conf torus.conf --nodelist n[00,05,10,15] --tasks-per-node 2 --mapper rcb --format hosts | leave --mapper out, or use --format=json
		--grid any --distribution cyclic --conf torus.conf --nodelist m[0-3] --tasks-per-node 2 --format torchrun | leave --distribution out
		--grid 4 --conf torus.conf --nodelist m[0-3] --format jason | csv, hosts, json, torchrun
	END
}

# MPI_Dims_create() gives 3x2x2, 7x1x1, 4x3x2, and MPI_Cart_create() has the last fastest.
@test "grid auto is the grid of programs that let MPI choose, as near to a cube as the tasks allow" {
	for sizes in "0-7 2x2x2" "0-11 2x2x3" "0-6 1x1x7" "0-23 2x3x4"; do
		set -- $sizes
		run -0 --separate-stderr storus map --grid auto --mapper rcb --dims 4x4x4 --cells "$1"
		auto=$output
		run -0 --separate-stderr storus map --grid "$2" --mapper rcb --dims 4x4x4 --cells "$1"
		equal "$auto" "$output"
	done
}

@test "mpi-dims takes the sides as MPI_Cart_create does, the last one fastest" {
	job=(--mapper rcb --dims 8x8x4 --cells 0-63)
	run -0 --separate-stderr storus map --grid 2x4x8 --periodic x --stencil 27 "${job[@]}"
	plain=$output said=$stderr
	for words in "--mpi-dims 8,4,2" "--mpi-dims=8x4x2" "--grid mpi:8x4x2" "--grid MPI:8x4x2"; do
		run -0 --separate-stderr storus map $words --periodic 0,0,1 --stencil 27 "${job[@]}"
		equal "$output" "$plain"
		equal "$stderr" "$said"
	done
	run -0 --separate-stderr storus map --mpi-dims 64 "${job[@]}"
	run -2 storus map --mpi-dims 8,4,2 --grid 8x4x2 "${job[@]}"
	[[ $output == *"--grid and --mpi-dims exclude each other"* ]]
	run -2 storus map --mpi-dims 8,0,2 "${job[@]}"
	[[ $output == *"--mpi-dims: '8,0,2' is not of the form 8,4,2: 1 to 6 numbers"* ]]
	run -2 storus map --mpi-dims 8,4 "${job[@]}"
	[[ $output == *"grid mpi:8x4 is for 32 tasks, and the job has 64"* ]]
}

@test "compare: every mapper, best no worse than any, in all formats" {
	run -0 --separate-stderr storus map --grid 4x4x4 --dims 8x8x5 --wrap xyz \
		--cells 0-31,100-131 --compare
	equal "$(awk 'NR > 1 { print $1 }' <<<"$output" | xargs)" "$mappers"
	[[ ${lines[0]} == *average*maximum*variance*seconds*improvement* ]]
	run -0 --separate-stderr storus map --grid 4x4x4 --dims 8x8x5 --wrap xyz \
		--cells 0-31,100-131 --compare --format csv
	equal "${lines[0]}" mapper,average,maximum,variance,hop_bytes,seconds,improvement_percent
	equal "$(column 1)" "$mappers"
	awk -F, 'NR == 2 { base = $2 } NR > 1 { avg[$1] = $2; gain = 100 * (base - $2) / base
			if (gain - $7 > 1e-5 || $7 - gain > 1e-5) exit 1 }
		END { for (m in avg) if (avg["best"] > avg[m]) exit 1
			exit avg["ordered"] > avg["row_major"] || avg["ordered"] > avg["col_major"] }' \
		<<<"$output"
	run -0 --separate-stderr storus map --grid 2x2 --dims 4x4 --cells 0-3 --compare --format json
	equal "$(grep -c '"mapper":' <<<"$output")" 15
	# With --output the mapping is written too.
	run -0 --separate-stderr storus map --grid 2x2 --dims 4x4 --cells 0-3 --compare --output out
	equal "$(wc -l <out)" 5
	equal "$(wc -l <<<"$output")" 16
}

@test "--no-rotation lays the axes of the grid along those of the machine" {
	# Eight cells of one row, and a grid whose long axis is the second.
	run -0 storus map --grid 2x4 --dims 8x8 --cells 0-1,8-9,16-17,24-25 --mapper row_major --no-rotation
	turned=$output
	run -0 storus map --grid 2x4 --dims 8x8 --cells 0-1,8-9,16-17,24-25 --mapper row_major
	equal "$output" "$turned"
	run -0 --separate-stderr storus map --grid 2x4 --dims 8x8 --cells 0-3,8-11 --mapper rcb
	[[ $stderr == *"average 1 hop"* || $stderr == *"average 1.0"* ]]
	run -0 --separate-stderr storus map --grid 2x4 --dims 8x8 --cells 0-3,8-11 --mapper rcb --no-rotation
	[[ $stderr != *"average 1 hop"* && $stderr != *"average 1.0"* ]]
}

@test "the same seed and budget give the same mapping, another seed may not" {
	arguments=(--grid 8x8x4 --dims 8x8x8 --wrap xyz --cells "0-99,200-299,401-456")
	for mapper in inc_improve best; do
		for seed in 1 2 3; do
			storus map "${arguments[@]}" --mapper $mapper --seed $seed --budget 0.02 --output a.$seed
			storus map "${arguments[@]}" --mapper $mapper --seed $seed --budget 0.02 --output b.$seed
			cmp a.$seed b.$seed
		done
		! cmp -s a.1 a.2 || ! cmp -s a.2 a.3
	done
}

@test "on several threads: the same mapping each time, of fewer hops for a large job" {
	local arguments=(--grid 8x8x8 --dims 16x8x8 --cells 0-199,300-611 --mapper anneal --budget 0.05)
	for threads in 1 4; do
		storus map "${arguments[@]}" --threads $threads --output a.$threads 2>said.$threads
		storus map "${arguments[@]}" --threads $threads --output b.$threads
		cmp a.$threads b.$threads
	done
	run ! cmp -s a.1 a.4
	# On one processor, the first that it may use, too.
	first=$(taskset -cp $BASHPID | sed 's/.*: //; s/[^0-9].*//')
	taskset -c "$first" "$STORUS" map "${arguments[@]}" --threads 4 --output c.4
	cmp a.4 c.4
	sed -E 's/.*: average ([0-9.]+) hops.*/\1/' said.1 said.4 | paste -s | awk '{ exit $2 >= $1 }'
	# A small one is searched by one.
	storus map --grid 4x4 --dims 9x9 --cells 3-18 --output one
	storus map --grid 4x4 --dims 9x9 --cells 3-18 --threads 4 --output four
	cmp one four
}

@test "a budget of nothing is no reason to fail, nor to be worse than rcb" {
	for mapper in rcb inc_improve best; do
		run -0 --separate-stderr storus map --grid 5x4 --dims 9x9 --cells 3-22 --mapper $mapper --budget 0
		averages+=" $(sed -E 's/.*: average ([0-9.]+) hops.*/\1/' <<<"$stderr")"
	done
	awk '{ exit $2 > $1 || $3 > $1 }' <<<"$averages"
}

@test "graph: edges from a file decide" {
	# A ring 0-2-1-3-0 on a line of four: the pairs that talk must end up side by side.
	printf '%s\n' '# who talks to whom' '0 2 100' '2 1 1' '1 3 100' >graph
	run -0 --separate-stderr storus map --grid 4 --graph graph --dims 9 --cells 0-3
	[[ $stderr == *": best: average 1.000000 hops, maximum 1,"* ]]
	[[ $stderr == *"baseline: average 1.995025, maximum 2,"* ]]
	# A graph that is the stencil gives the stencil's numbers.
	awk 'BEGIN { for (t = 0; t < 24; t++) { if (t % 4 < 3) print t, t + 1, 1
		if (t % 12 < 8) print t, t + 4, 1; if (t < 12) print t, t + 12, 1 } }' >graph
	for mapper in rcb ordered; do
		run -0 --separate-stderr storus map --grid 4x3x2 --mapper $mapper --dims 9x9x9 --cells 3-26
		by_stencil=$stderr
		run -0 --separate-stderr storus map --grid 4x3x2 --mapper $mapper --dims 9x9x9 --cells 3-26 --graph graph
		equal "$stderr" "$by_stencil"
	done
}

@test "output: replaced whole, links kept, nothing beside it" {
	two_tori
	echo old >real
	ln -s real link
	run -0 --separate-stderr storus map --grid 2x2 --conf torus.conf --nodelist m[0-3] --output link
	equal "$output" ""
	[[ -L link ]]
	equal "$(sort real | xargs)" "m0 m1 m2 m3"
	equal "$(ls | xargs)" "link real torus.conf"
	run -0 --separate-stderr storus map --grid 2x2 --conf torus.conf --nodelist m[0-3] --output out --print-path
	equal "$output" "$PWD/out"
}

@test "print-path: a file in TMPDIR, else where the job was submitted" {
	two_tori
	mkdir tmp submit
	export SLURM_SUBMIT_DIR=$PWD/submit
	run -0 --separate-stderr env TMPDIR="$PWD/tmp" "$storus_binary" map --grid 2x2 \
		--conf torus.conf --nodelist m[0-3] --print-path
	[[ $output == "$PWD"/tmp/* ]]
	equal "$(sort "$output" | xargs)" "m0 m1 m2 m3"
	unset TMPDIR
	run -0 --separate-stderr storus map --grid 2x2 --conf torus.conf --nodelist m[0-3] --print-path
	[[ $output == "$PWD"/submit/* ]]
	equal "$(sort "$output" | xargs)" "m0 m1 m2 m3"
	unset SLURM_SUBMIT_DIR
	run -0 --separate-stderr storus map --grid 2x2 --conf torus.conf --nodelist m[0-3] --print-path
	equal "$(dirname "$output")" "$PWD"
}

@test "print-path: a new private file each time, never one that is there or linked to" {
	two_tori
	mkdir tmp
	export TMPDIR=$PWD/tmp SLURM_JOB_ID=7
	ok=(map --grid 2x2 --conf torus.conf --nodelist m[0-3] --print-path)
	umask 0
	run -0 --separate-stderr storus "${ok[@]}"
	first=$output
	run -0 --separate-stderr storus "${ok[@]}"
	[[ $output != "$first" && $output =~ ^"$TMPDIR"/storus-map\.7\.[A-Za-z0-9]{6}\.slurm$ ]]
	equal "$(stat -c %a "$first" "$output" | xargs)" "600 600"
	# A link where a name could be foreseen is not followed.
	run -0 --separate-stderr bash -c 'ln -s ../victim "$TMPDIR/storus-map.7.$$.slurm"
		exec "$0" "$@"' "$storus_binary" "${ok[@]}"
	[[ -f $output && ! -L $output && ! -e victim ]]
	# Nothing stays of one that fails.
	rm -r tmp/*
	run -2 --separate-stderr storus "${ok[@]}" --svg missing/a.svg
	equal "$output$(ls tmp)" ""
}

@test "inside a heterogeneous job: component 0 or the one asked for" {
	two_tori
	export SLURM_HET_SIZE=2 SLURM_NTASKS=5 \
		SLURM_JOB_NODELIST_HET_GROUP_0=n[00-01] SLURM_TASKS_PER_NODE_HET_GROUP_0="2,1" \
		SLURM_JOB_NODELIST_HET_GROUP_1=m[3-4] SLURM_TASKS_PER_NODE_HET_GROUP_1="1(x2)"
	ok=(map --grid auto --mapper baseline --conf torus.conf)
	run -0 --separate-stderr storus "${ok[@]}"
	equal "$(xargs <<<"$output")" "n00 n00 n01"
	run -0 --separate-stderr storus "${ok[@]}" --het-group 0
	equal "$(xargs <<<"$output")" "n00 n00 n01"
	run -0 --separate-stderr storus "${ok[@]}" --het-group=1
	equal "$(xargs <<<"$output")" "m3 m4"
	refuses map <<-'END'
		--grid auto --conf torus.conf --het-group 2 | no component 2 but 0 to 1
		--grid auto --conf torus.conf --het-group 4294967296 | no component 4294967296
		--grid auto --conf torus.conf --het-group 0,1 | '0,1' is not the number of one component
		--grid auto --conf torus.conf --het-group= | '' is not the number of one component
		--grid auto --conf torus.conf --het-group 1 --job 12 | with --job say 12+1
		--grid auto --conf torus.conf --het-group 1 --nodelist n00 | excludes
	END
	unset SLURM_HET_SIZE
	export SLURM_JOB_NODELIST=n[00-01]
	run -2 --separate-stderr storus "${ok[@]}" --het-group 0
	[[ $stderr == *"--het-group: not inside a heterogeneous job"* ]]
}

@test "a job that says nothing of its tasks is warned about" {
	two_tori
	export SLURM_JOB_NODELIST=n[00-02]
	run -0 --separate-stderr storus map --grid 3 --mapper baseline --conf torus.conf
	equal "$(xargs <<<"$output")" "n00 n01 n02"
	[[ $stderr == *"does not say how many tasks it has: a task a node is assumed, --tasks-per-node"* ]]
	run -0 --separate-stderr storus map --grid 3 --mapper baseline --conf torus.conf --tasks-per-node 1
	[[ $stderr != *"does not say"* ]]
}

@test "STORUS_CONF: the torus.conf where none is beside slurm.conf" {
	two_tori
	mkdir elsewhere
	mv torus.conf elsewhere
	export STORUS_CONF=$PWD/elsewhere/torus.conf SLURM_CONF=$PWD/slurm.conf
	run -0 --separate-stderr storus map --grid 2 --mapper baseline --nodelist m[4,7]
	equal "$(xargs <<<"$output")" "m4 m7"
	# --conf goes first.
	echo "TorusName=main Dims=4 Nodes=n[00-03]" >other.conf
	run -2 --separate-stderr storus map --grid 2 --nodelist m[4,7] --conf other.conf
	[[ $stderr == *"other.conf: node 'm4' has no coordinates"* ]]
}

@test "inside a job: nodes and counts from the environment" {
	two_tori
	export SLURM_JOB_NODELIST=n[00-02] SLURM_TASKS_PER_NODE="2(x2),1"
	run -0 --separate-stderr storus map --grid 5 --mapper baseline --conf torus.conf
	equal "$(xargs <<<"$output")" "n00 n00 n01 n01 n02"
	# torus.conf beside slurm.conf
	SLURM_CONF=$PWD/slurm.conf
	if storus map --help | grep -q "beside slurm.conf" && ldd "$storus_binary" | grep -q libslurm; then
		printf '%s\n' ClusterName=c SlurmctldHost=localhost "NodeName=n[00-63]" \
			"PartitionName=p Nodes=ALL" >slurm.conf
		run -0 --separate-stderr storus map --grid 5 --mapper baseline
		equal "$(xargs <<<"$output")" "n00 n00 n01 n01 n02"
	fi
	# Only the number of tasks: as even as can be.
	unset SLURM_TASKS_PER_NODE
	export SLURM_NTASKS=8
	run -0 --separate-stderr storus map --grid 2x2x2 --mapper baseline --conf torus.conf
	equal "$(xargs <<<"$output")" "n00 n00 n00 n01 n01 n01 n02 n02"
	# What is asked for on the command line goes first.
	run -0 --separate-stderr storus map --grid 3 --mapper baseline --conf torus.conf --tasks-per-node 1
	equal "$(xargs <<<"$output")" "n00 n01 n02"
	run -0 --separate-stderr storus map --grid 2 --mapper baseline --conf torus.conf --nodelist m[4,7]
	equal "$(xargs <<<"$output")" "m4 m7"
}

@test "a long search shows the seconds on a terminal, and takes them away at the end" {
	command -v script >/dev/null || skip "no script(1) to make a terminal"
	run -0 script -qec "$storus_binary map --grid 16x16x16 --dims 32x32x16 --cells 0-4095 --mapper anneal --budget 4 --output /dev/null" /dev/null
	[[ $output == *$'\r'"storus map: anneal 1 s"*$'\r'"storus map: anneal 2 s"* ]]
	[[ $output =~ s$'\r'\ +$'\r'"storus map: anneal: average "[^$'\r']*$'\r'?$ ]]
}

@test "svg: a square a node in each of two pictures" {
	run -0 --separate-stderr storus map --grid 4x4 --dims 5x5x2 --cells 10-25 --svg a.svg
	equal "$(wc -l <<<"$output")" 17
	equal "$(grep -c 'class="heading"' a.svg)" 2
	equal "$(grep -c 'class="frame"' a.svg)" 4
	equal "$(grep -c '<rect x=.* fill="#' a.svg)" 32
	# Every node has another task: as many colours as the axis has positions.
	equal "$(grep '<rect x=.* fill="#' a.svg | grep -o '#[0-9a-f]*' | sort | uniq -c | awk '{print $1}' | xargs)" "8 8 8 8"
	if command -v xmllint >/dev/null; then xmllint --noout a.svg; fi
}

@test "bad input: status 2, a message that names it, no file" {
	two_tori
	printf '0 9 1\n' >graph
	refuses map <<-'END'
		| which task grid
		--grid 2x2 | which nodes?
		--grid 2x2 --dims 4x4 | --dims and --cells go together
		--grid 2x2 --cells 0-3 | --dims and --cells go together
		--grid 2x2 --wrap x | --dims and --cells go together
		--grid 2x2 --dims 4x4 --cells 0-3 --conf torus.conf | --conf and --dims exclude each other
		--grid 2x2 --dims 4x4 --cells 0-3 --job 7 | --job and --dims exclude each other
		--grid 2x2 --nodelist n00 --job 7 --conf torus.conf | exclude each other
		--grid 3x2 --dims 4x4 --cells 0-3 | grid 3x2 has 6 tasks, but the job's 4 nodes take 4
		--grid 0x2 --dims 4x4 --cells 0-3 | --grid: '0x2'
		--grid 2,2 --dims 4x4 --cells 0-3 | --grid: '2,2'
		--grid 2x2 --dims 4x4 --cells 13-16 | --cells:
		--grid 2x2 --dims 4x4 --cells= | --cells:
		--grid 2x2 --dims 4x4 --cells 0-3 --stencil 8 | stencil '8'
		--grid 2x2 --dims 4x4 --cells 0-3 --periodic z | --periodic:
		--grid 2x2 --dims 4x4 --cells 0-3 --mapper none | 'none' is not a mapper: baseline, grouping
		--grid 2x2 --dims 4x4 --cells 0-3 --tasks-per-node 0 | --tasks-per-node: task counts '0'
		--grid 2x2 --dims 4x4 --cells 0-3 --tasks-per-node 1(x3) | are for 3 nodes, not 4
		--grid 2x2x1 --dims 4x4 --cells 0-3 --mapper rcb --no-rotation | without rotation
		--grid any --dims 4x4 --cells 0-3 --no-rotation | --grid any and --no-rotation exclude each other
		--grid 2x2 --dims 4x4 --cells 0-3 --budget x | --budget: 'x'
		--grid 2x2 --dims 4x4 --cells 0-3 --budget -1 | --budget: '-1'
		--grid 2x2 --dims 4x4 --cells 0-3 --threads 0 | --threads: 0 is too small
		--grid 2x2 --dims 4x4 --cells 0-3 --seed x | --seed: 'x'
		--grid 2x2 --dims 4x4 --cells 0-3 --format xml | unknown format 'xml'
		--grid 2x2 --dims 4x4 --cells 0-3 --format slurm | needs node names
		--grid 2x2 --dims 4x4 --cells 0-3 --compare --print-path | exclude each other
		--grid 2x2 --dims 4x4 --cells 0-3 extra | unexpected argument 'extra'
		--grid 2x2 --conf torus.conf --nodelist n[00-02],q7 | node 'q7' has no coordinates
		--grid 2x2 --conf torus.conf --nodelist n[00-02],m1 | nodes of different tori: 'n00' is on 'main', 'm1' on 'line'
		--grid 2x2 --conf torus.conf --nodelist n[00-02],n01 | node 'n01' is in the list twice
		--grid 2x2 --conf torus.conf --nodelist n[00-02 | node list:
		--grid 2x2 --conf torus.conf --nodelist= | node list
		--grid 2x2 --conf missing.conf --nodelist n[00-03] | missing.conf
		--grid 2x2 --dims 4x4 --cells 0-3 --graph graph | graph:1: task 9 is out of range
		--grid 2x2 --dims 4x4 --cells 0-3 --graph missing | cannot read 'missing'
	END
	equal "$(ls | xargs)" "graph torus.conf"
}

@test "files that cannot be written: status 2, no file left behind" {
	two_tori
	mkdir full
	ok=(map --grid 2x2 --conf torus.conf --nodelist m[0-3])
	run -2 --separate-stderr storus "${ok[@]}" --output missing/out
	[[ $stderr == *"cannot write 'missing/out'"* && -z $output ]]
	run -2 --separate-stderr storus "${ok[@]}" --output out --svg missing/a.svg
	[[ $stderr == *"cannot write 'missing/a.svg'"* ]]
	run -2 --separate-stderr env TMPDIR=missing "$storus_binary" "${ok[@]}" --print-path
	[[ -z $output ]]
	run -2 --separate-stderr storus "${ok[@]}" --output full
	# A bad graph is found before anything is written.
	echo "0 4 1" >graph
	run -2 --separate-stderr storus "${ok[@]}" --output out --svg a.svg --graph graph
	rmdir full
	equal "$(ls | xargs)" "graph torus.conf"
	if [[ -w /dev/full ]]; then
		run -2 --separate-stderr bash -c '"$0" "$@" >/dev/full' "$storus_binary" "${ok[@]}"
		run -2 --separate-stderr storus "${ok[@]}" --output /dev/full
	fi
}

@test "grid any: all tasks, fewer hops over a ring and two grids, the same each time" {
	arguments=(--dims 8x8x8 --wrap xyz --cells 453,389,325,261-262,326,390,454,430,494,429)
	run -0 --separate-stderr storus map --grid any "${arguments[@]}"
	[ "${lines[0]}" = task,node_or_cell,x,y,z ]
	[ "${#lines[@]}" -eq 12 ]
	cells=$(tail -n +2 <<<"$output" | cut -d, -f2 | sort -n | tr '\n' ' ')
	[ "$cells" = "261 262 325 326 389 390 429 430 453 454 494 " ]
	first=$output
	awk '/average/ { ours += $(NF - 6); given += $NF; patterns++ }
		END { exit !(patterns == 3 && ours < given) }' <<<"$stderr"
	run -0 --separate-stderr storus map --grid ANY "${arguments[@]}"
	[ "$output" = "$first" ]
}

# What --grid any says of the three patterns, worked out by awk from the file: no more hops
# than in the nodes' order, in none of them.
@test "grid any: the hops of a ring and of MPI's grids, none more than in the nodes' order" {
	cells=453,389,325,261,262,326,390,454,430,494,429,17,18,33,490,491,7,63,64,65,128,129,200,201
	for job in "$(tr , '\n' <<<"$cells" | sort -n | paste -sd,)" "$cells"; do
		run -0 --separate-stderr storus map --grid any --dims 8x8x8 --wrap xz --cells "$job"
		equal "$(sed -n 2p <<<"$output" | cut -d, -f2)" "${job%%,*}"
		awk -F, -v cells="$job" '
			function apart(a, b, ring) {
				d = a > b ? a - b : b - a
				return ring && ring - d < d ? ring - d : d
			}
			function hops(a, b) {
				xy = apart(a % 8, b % 8, 8) + apart(int(a / 8) % 8, int(b / 8) % 8, 0)
				return xy + apart(int(a / 64), int(b / 64), 8)
			}
			# MPI_Dims_create() gives 24 tasks 6x4 and 4x3x2, and the last is fastest.
			function measure(cell, name) {
				for (t = 0; t < 24; t++) {
					sum["ring", name] += hops(cell[t], cell[(t + 1) % 24])
					if (t % 4 < 3) sum["2D", name] += hops(cell[t], cell[t + 1])
					if (t < 20) sum["2D", name] += hops(cell[t], cell[t + 4])
					if (t % 2 < 1) sum["3D", name] += hops(cell[t], cell[t + 1])
					if (int(t / 2) % 3 < 2) sum["3D", name] += hops(cell[t], cell[t + 2])
					if (t < 18) sum["3D", name] += hops(cell[t], cell[t + 6])
				}
			}
			NR > 1 { ours[$1] = $2 }
			END {
				split(cells, words, ",")
				for (t = 0; t < 24; t++) names[t] = words[t + 1]
				measure(ours, "ours")
				measure(names, "names")
				printf "ring: average %.6f hops; in the nodes\047 order %.6f\n",
					sum["ring", "ours"] / 24, sum["ring", "names"] / 24
				printf "2D grid: average %.6f hops; in the nodes\047 order %.6f\n",
					sum["2D", "ours"] / 38, sum["2D", "names"] / 38
				printf "3D grid: average %.6f hops; in the nodes\047 order %.6f\n",
					sum["3D", "ours"] / 46, sum["3D", "names"] / 46
				for (k in sum) {
					split(k, part, SUBSEP)
					if (sum[part[1], "ours"] > sum[part[1], "names"]) print "longer: " part[1]
				}
			}' <<<"$output" >expected
		equal "$(sed 's/^storus map: //' <<<"$stderr")" "$(cat expected)"
	done
}

@test "task 0 stays on the first node, in every format, unless it need not" {
	two_tori
	job=(--conf torus.conf --nodelist n07,n60,n21,n22,n23,n37,n38,n39,n53,n54,n55,n06)
	for grid in "--grid any" "--grid auto" "--mpi-dims 4,3" "--grid 12 --periodic x"; do
		for counts in 1 2,1,1,1,1,1,1,1,1,1,1,1 2; do
			[[ $grid == "--grid any" || $grid == "--grid auto" || $counts == 1 ]] || continue
			for format in slurm hosts; do
				run -0 --separate-stderr storus map $grid --tasks-per-node "$counts" "${job[@]}" --format "$format"
				equal "${lines[0]}" n07
			done
			run -0 --separate-stderr storus map $grid --tasks-per-node "$counts" "${job[@]}" --format openmpi
			[[ ${lines[0]} == "rank 0=n07 "* ]]
			run -0 --separate-stderr storus map $grid --tasks-per-node "$counts" "${job[@]}" --format mpich
			[[ ${lines[0]} == 0 || ${lines[0]} == 0,* ]]
			run -0 --separate-stderr storus map $grid --tasks-per-node "$counts" "${job[@]}" --format json
			[[ ${lines[1]} == *'"n07"'*'"tasks": [0'* || ${lines[2]} == *'"n07"'*'"tasks": [0'* ]]
		done
		run -0 --separate-stderr storus map $grid "${job[@]}" --head free --format slurm
		[ "${lines[0]}" != n07 ]
		run -0 --separate-stderr storus map $grid "${job[@]}" --head=First --format slurm
		equal "${lines[0]}" n07
	done
	run -0 --separate-stderr storus map --grid any "${job[@]}" --format torchrun
	[[ ${lines[0]} == "n07 --nnodes=12 --node_rank=0 "* && $output != *master_addr=n[!0]* ]]
	# A mapper that is named is left as its rule has it.
	run -0 --separate-stderr storus map --grid 4x3 --mapper rcb "${job[@]}"
	rcb=$output
	run -0 --separate-stderr storus map --grid 4x3 --mapper rcb --head free "${job[@]}"
	equal "$output" "$rcb"
	run -0 --separate-stderr storus map --grid 4x3 --mapper rcb --head first "${job[@]}"
	equal "${lines[0]}" n07
	run -2 storus map --grid 4x3 --head last "${job[@]}"
	[[ $output == *"--head: 'last' is neither first nor free"* ]]
}

@test "nodes that are a ring or a line stay in their order" {
	for length in 3 4 6 8 16; do
		run -0 --separate-stderr storus map --grid any --dims 5x16x$length --wrap z \
			--cells "$(seq -s, 42 80 $((42 + 80 * (length - 1))))"
		equal "$(column 4)" "$(seq -s ' ' 0 $((length - 1)) | sed 's/[0-9]*/8/g')"
		equal "$(column 5)" "$(seq -s ' ' 0 $((length - 1)))"
		[[ $stderr == *"ring: average 1.000000 hops"* ]]
	done
	run -0 --separate-stderr storus map --grid any --dims 9x4 --cells 17-11
	equal "$(column 2)" "17 16 15 14 13 12 11"
}

@test "grid any deals several tasks a node out in blocks or in turn" {
	run -0 --separate-stderr storus map --grid any --dims 4x4 --cells 0-2 --tasks-per-node 3,1,2
	[ "$(cut -d, -f2 <<<"$output" | uniq | wc -l)" -eq 4 ]
	run -0 --separate-stderr storus map --grid any --dims 4x4 --cells 0-2 --tasks-per-node 3,1,2 \
		--distribution cyclic
	# The first three tasks are on three nodes, the last on the one that takes three.
	[ "$(sed -n 2,4p <<<"$output" | cut -d, -f2 | sort -u | wc -l)" -eq 3 ]
	[ "$(tail -n 1 <<<"$output" | cut -d, -f1,2)" = 5,0 ]
}

@test "grid any has no other options of a grid, and a grid no distribution" {
	for option in --stencil=5 --periodic=x --graph=file --mapper=rcb --compare; do
		run -2 storus map --grid any "$option" --dims 4x4 --cells 0-3
		[[ $output == *"--grid any and ${option%%=*} exclude each other"* ]]
	done
	run -2 storus map --grid 2x2 --distribution block --dims 4x4 --cells 0-3
	[[ $output == *"--distribution goes with --grid any"* ]]
	run -2 storus map --grid any --distribution plane=2 --dims 4x4 --cells 0-3
	[[ $output == *"--distribution: 'plane=2' is neither block nor cyclic"* ]]
}

# chips: a machine of 6x4x2 chips in nodes of 2x2x1, which wraps in x and z
chips() {
	echo "TorusName=pod ChipDims=6x4x2 NodeShape=2x2x1 Wrap=xz Nodes=t[00-11]" >torus.conf
}

@test "a task a chip: hops are between chips, worked out by awk, and chips in the order of ranks" {
	chips
	for mapper in $mappers; do
		run -0 --separate-stderr storus map --conf torus.conf --nodelist 't[00-03,05-06,08-11]' \
			--tasks-per-node 4 --grid 5x4x2 --periodic y --mapper "$mapper" --format csv
		equal "${stderr_lines[0]}" "storus map: a task a chip: hops are between chips, and task i of a node is on its chip i"
		said=$(sed -E 's/.*: average ([0-9.]+) hops, maximum ([0-9]+), variance ([0-9.]+); .*/\1 \2 \3/' <<<"${stderr_lines[1]}")
		equal "$(awk -F, '
			function apart(a, b, ring) {
				d = a > b ? a - b : b - a
				return ring && ring - d < d ? ring - d : d
			}
			NR > 1 { x[$1] = $3; y[$1] = $4; z[$1] = $5 }
			END {
				for (a = 0; a < 40; a++) for (b = 0; b < a; b++) {
					i = apart(a % 5, b % 5, 0)
					j = apart(int(a / 5) % 4, int(b / 5) % 4, 4)
					k = apart(int(a / 20), int(b / 20), 0)
					if (i + j + k > 1)
						continue
					h = apart(x[a], x[b], 6) + apart(y[a], y[b], 0) + apart(z[a], z[b], 2)
					n++; sum += h; squares += h * h
					if (h > most) most = h
				}
				printf "%.6f %d %.6f\n", sum / n, most, squares / n - (sum / n) ^ 2
			}' <<<"$output")" "$said" "$mapper"
		# node tNN is at (NN mod 3, NN/3 mod 2, NN/6): which chip of it each task has
		equal "$(awk -F, 'NR > 1 {
				node = substr($2, 2) + 0
				x = $3 - 2 * (node % 3); y = $4 - 2 * (int(node / 3) % 2)
				if (x < 0 || x > 1 || y < 0 || y > 1 || $5 != int(node / 6)) print "elsewhere"
				if (x + 2 * y != seen[$2]++ + 0) print "out of order"
			}' <<<"$output")" "" "$mapper"
		hosts=$(column 2 | tr ' ' '\n')
		run -0 --separate-stderr storus map --conf torus.conf --nodelist 't[00-03,05-06,08-11]' \
			--tasks-per-node 4 --grid 5x4x2 --periodic y --mapper "$mapper"
		equal "$output" "$hosts" "$mapper"
	done
}

@test "a grid like the machine of chips has one hop between neighbours; --compare agrees" {
	chips
	run -0 --separate-stderr storus map --conf torus.conf --nodelist 't[00-11]' --tasks-per-node 4 \
		--grid 6x4x2 --mapper best --format csv
	[[ ${stderr_lines[1]} == "storus map: best: average 1.000000 hops, maximum 1, "* ]]
	run -0 --separate-stderr storus map --conf torus.conf --nodelist 't[00-11]' --tasks-per-node 4 \
		--grid 6x4x2 --compare --format csv
	equal "$(grep '^best,' <<<"$output" | cut -d, -f2,3)" "1.00000000,1"
	# other numbers of tasks are mapped onto nodes
	run -0 --separate-stderr storus map --conf torus.conf --nodelist 't[00-11]' --tasks-per-node 2 --grid 6x4
	[[ $stderr != *"a task a chip"* ]]
}

@test "--cube: tasks are ordered on the torus that the job's cubes are joined to" {
	cat >torus.conf <<-'END'
		TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[00-63] Curve=row_major
	END
	# cubes 0 and 7, by name and by cell
	nodes='n[00-01,04-05,16-17,20-21,42-43,46-47,58-59,62-63]'
	run -0 --separate-stderr storus map --grid 2x2x4 --periodic z --conf torus.conf \
		--nodelist "$nodes" --network torus:shape=2x2x4 --format csv --mapper best
	equal "$(tail -n +2 <<<"$output" | cut -d, -f3- | LC_ALL=C sort -u | wc -l)" 16
	equal "$(cut -d, -f5 <<<"$output" | tail -n +2 | LC_ALL=C sort -u | xargs)" '0 1 2 3'
	[[ $stderr == *'best: average 1.000000 hops, maximum 1,'* ]]
	run -0 --separate-stderr storus map --grid 16 --mapper baseline --dims 4x4x4 --cube 2x2x2 \
		--cells 0-1,4-5,16-17,20-21,42-43,46-47,58-59,62-63 --network torus:shape=2x2x4
	equal "$(tail -n 1 <<<"$output")" 15,63,1,1,3
	equal "$(sed -n 10p <<<"$output")" 8,42,0,0,2
	# twisted: a step around x is two on along z
	echo '0 9 1' >graph
	for twist in '' ,twist; do
		run -0 --separate-stderr storus map --grid 16 --mapper baseline --dims 4x4x4 --cube 2x2x2 \
			--cells 0-1,4-5,16-17,20-21,42-43,46-47,58-59,62-63 --graph graph \
			--network "torus:shape=2x2x4$twist" --format json
		[[ $stderr == *"baseline: average $([ "$twist" ] && echo 1 || echo 3).000000 hops"* ]]
		[[ $output == *'"dims": [2, 2, 4], "wrap": [true, true, true]'* ]]
		equal "$(grep -c '"twist": \[false, false, true\]' <<<"$output")" "$([ "$twist" ] && echo 1 || echo 0)"
	done
	# inside a cube: a mesh, and what is not joined stays on the grid
	run -0 --separate-stderr storus map --grid 2 --mapper baseline --dims 4x4x4 --cube 2x2x2 --cells 42,63
	equal "$(tail -n 1 <<<"$output")" 1,63,1,1,1
	run -0 --separate-stderr storus map --grid 2 --mapper baseline --dims 4x4x4 --cube 2x2x2 --cells 0,63
	equal "$(tail -n 1 <<<"$output")" 1,63,3,3,3
	run -2 --separate-stderr storus map --grid 2 --dims 4x4x4 --cube 3x3x3 --cells 0,63
	[[ $stderr == *'cubes of 3x3x3 do not fill the machine 4x4x4'* ]]
	run -2 --separate-stderr storus map --grid 2 --dims 4x4x4 --cells 0,63 --network torus:shap=4
	[[ $stderr == *'--network: '* ]]
}
