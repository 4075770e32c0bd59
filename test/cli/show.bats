#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus show on jobs from a file. A live cluster is test/slurm/show.bats.

load support

small() {
	echo "TorusName=main Dims=6x3x2 Wrap=none Nodes=n[00-35] Curve=row_major" >torus.conf
	cat >jobs <<-'END'
		# of a quiet night
		7 n[00-05]

		8 n[06-08,24-26]	# two planes
	END
}

@test "the machine as slices, and a table with every metric" {
	small
	run -0 storus show --conf torus.conf --jobs jobs
	equal "$output" \
		"  JOB NAME USER TORUS NODES SPAN STRETCH COMP BOX   AVGDIST DIAM   APD FOREIGN SHARED CONTIG RING LINEAR VOLUME SIDES CUBE AFFNODES AFFLINKS LINKS SUMDIST CENTER
a 7   -    -    main      6    6   1.000    1 6x1x1   2.333    5 1.667       0      0 yes       6      6      6     8    6        6        5    10      70      9
b 8   -    -    main      6   21   3.500    1 3x1x2   1.667    3 1.190       0      0 no       21     21      6     6    3        6        7    14      50      7
links of main: 24 in use, 0 of them by several jobs; most jobs on a link 1, mean of links shared 0.000

main: 6x3x2 mesh, 36 nodes: 12 in use, 24 free, 0 unusable
z=0      z=1
aaaaaa   ......
bbb...   bbb...
......   ......"
}

@test "nodes that are boxes of chips" {
	echo "TorusName=pod ChipDims=4x4x2 NodeShape=2x2x1 Wrap=z Nodes=t[0-7]" >torus.conf
	echo "7 t[0-3]" >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	[[ $output == *$'\npod: 2x2x2 torus wrapping in z, 8 nodes of 2x2x1 chips: 4 in use, 4 free, 0 unusable\n'* ]]
}

@test "CSV and JSON have the metrics that storus place prints" {
	small
	grep -v '^8' jobs >others
	place=$(storus place --conf torus.conf --jobs others --free 6-8,24-26 --nodes 6 --format=json)
	run -0 --separate-stderr storus show --conf torus.conf --jobs jobs --format=json
	jq -e --argjson place "$place" '.[1] as $row | ($place | del(.nodes)) |
		to_entries | map($row[.key] == .value) | all and length == 21' <<<"$output"
	run -0 storus show --conf torus.conf --jobs jobs --format=csv
	equal "${#lines[@]}" 3
	equal "${lines[0]}" "job,name,user,torus,nodes,nodelist,ranks,cells,span_ring,\
span_linear,stretch_span,contiguous,components,box,volume,side_sum,cube_side,\
nodes_affected,links_affected,average_distance,summed_distance,distance_from_center,\
diameter,apd,foreign_nodes,links_used,links_shared"
	[[ ${lines[2]} == '8,,,main,6,"n[06-08,24-26]","6-8,24-26","6-8,24-26",21,21,3.50000000,no,1,3x1x2,'* ]]
}

@test "how much jobs are in each other's way, counted by hand" {
	echo "TorusName=main Dims=4x3 Nodes=n[00-11] Curve=row_major" >torus.conf
	# 1 1 . .   Job 1: in row 0 there and back, 2 links; (0,2) sends to (1,0) along row 2,
	# . 2 . .   1 link; column 0 down and up, 4; column 1 up from (1,2) to (1,0), 2: 9.
	# 1 2 . .   Job 2: up and down between (1,1) and (1,2), 2 links; job 1 uses the one up.
	# Both of job 2's nodes are in job 1's box, 2x3; of job 1 none is in job 2's.
	printf '%s\n' "1 n[00-01],n08" "2 n05,n09" >jobs
	run -0 storus show --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c 'map([.foreign_nodes, .links_used, .links_shared])' <<<"$output")" \
		"[[2,9,1],[0,2,1]]"
	run -0 storus show --conf torus.conf --jobs jobs
	equal "${lines[3]}" "links of main: 10 in use, 1 of them by several jobs; most jobs on a link 2, mean of links shared 1.000"
	# A third that has nodes of both, as shared nodes are. They are foreign in its box, 2x2,
	# though its own as well; and n08 is foreign to job 1 now. Links: row 2 both ways (job 1
	# uses one), row 1 from (1,1) to 0, column 0 down (job 1), column 1 both ways (job 2).
	echo "3 n08,n09,n05" >>jobs
	run -0 storus show 3 --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c 'map([.foreign_nodes, .links_used, .links_shared])' <<<"$output")" "[[3,6,4]]"
	run -0 storus show 1 --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c '.[0].foreign_nodes' <<<"$output")" 3
}

@test "no job at all: headings, an empty machine, an empty array" {
	small
	: >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	[[ ${lines[0]} == "  JOB NAME"* && ${lines[1]} == "main: "*" 0 in use, 36 free"* ]]
	run -0 storus show --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c . <<<"$output")" "[]"
	run -0 storus show --conf torus.conf --jobs jobs --format=csv
	equal "${#lines[@]}" 1
}

@test "one job: all of it, and the others as +" {
	small
	run -0 storus show 8 --conf torus.conf --jobs jobs
	equal "$(value_of job)" 8
	equal "$(value_of nodes)" 6
	equal "$(value_of nodelist)" "n[06-08,24-26]"
	equal "$(value_of stretch_span)" 3.50000000
	[[ $output != *$'\nname '* ]]
	equal "$(tail -n 4 <<<"$output")" "z=0      z=1
++++++   ......
aaa...   aaa...
......   ......"
	run -0 storus show 8 --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c '[length, .[0].job]' <<<"$output")" '[1,"8"]'
	run -2 --separate-stderr storus show 9 --conf torus.conf --jobs jobs
	[[ -z $output && $stderr == "storus show: no running job and no node '9'" ]]
}

@test "jobs from the standard input" {
	small
	run -0 bash -c 'echo "x n35" | "$0" show --conf torus.conf --jobs -' "$storus_binary"
	equal "${lines[-1]}" "......   .....a"
}

@test "several nodes on a router, coordinates without a node, several jobs on a node" {
	printf '%s\n' "a 0 0" "b 0 0" "c 1 0" "d 2 1" >coords
	echo "TorusName=t Dims=3x2 Wrap=x Coords=coords" >torus.conf
	printf '%s\n' "1 a,c" "2 c,d" >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	equal "$(tail -n 3 <<<"$output")" \
		"t: 3x2 torus wrapping in x, 4 nodes: 3 in use, 1 free, 0 unusable
a. *    
      b "
}

@test "two dimensions are one plane, one is a line, five are a plane for each z, u, v" {
	echo "1 n1" >jobs
	echo "TorusName=t Dims=4x2 Nodes=n[1-8]" >torus.conf
	run -0 storus show --conf torus.conf --jobs jobs
	equal "$(tail -n 2 <<<"$output")" $'a...\n....'
	echo "TorusName=t Dims=8 Nodes=n[1-8]" >torus.conf
	run -0 storus show --conf torus.conf --jobs jobs
	equal "${lines[-1]}" "a......."
	echo "TorusName=t Dims=2x1x1x2x2 Nodes=n[1-8]" >torus.conf
	run -0 storus show --conf torus.conf --jobs jobs
	equal "$(tail -n 2 <<<"$output")" \
		"z=0 u=0 v=0   z=0 u=1 v=0   z=0 u=0 v=1   z=0 u=1 v=1
a.            ..            ..            .."
}

@test "planes that do not fit into 80 columns go below each other" {
	echo "TorusName=t Dims=38x1x3 Nodes=n[001-114]" >torus.conf
	echo "1 n114" >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	equal "$(tail -n 5 <<<"$output" | tr -d .)" $'z=0                                      z=1\n   \n\nz=2\na'
	while read -r line; do
		((${#line} <= 80))
	done < <(tail -n 5 <<<"$output")
}

@test "jobs on several tori, and on nodes that torus.conf does not name" {
	cat >torus.conf <<-'END'
		TorusName=east Dims=4 Nodes=e[0-3]
		TorusName=west Dims=3x2 Nodes=w[0-5] Curve=row_major Span=ring
	END
	echo "1 w[0-1],e0,login[1-2],e0" >jobs
	run -0 storus show --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c 'map([.torus, .nodes, .nodelist, .span_ring])' <<<"$output")" \
		'[["east",1,"e0",1],["west",2,"w[0-1]",2],[null,2,"login[1-2]",null]]'
	run -0 storus show --conf torus.conf --jobs jobs --format=csv
	[[ ${lines[3]} == '1,,,,2,login[1-2],,,,,,,,,,,,,,,,,,,,,' ]]
	run -0 storus show --conf torus.conf --jobs jobs
	[[ ${lines[1]} == "a 1   -    -    east "* && ${lines[3]} == "a 1   -    -    -  "* ]]
	[[ $output == *$'\neast: 4 mesh, 4 nodes: 1 in use'*$'\na...\n\nwest: 3x2 mesh'*$'\naa.\n...' ]]
	run -0 storus show 1 --conf torus.conf --jobs jobs
	equal "$(grep -c '^job 1$' <<<"$output")" 3
}

@test "letters go round without the x of unusable nodes" {
	echo "TorusName=t Dims=63 Nodes=n[1-63]" >torus.conf
	for i in {1..63}; do echo "$i n$i"; done >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	equal "${lines[-1]}" \
		"abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ab"
}

@test "colours when asked for or on a terminal, not in files or against NO_COLOR" {
	small
	show=("$storus_binary" show --conf torus.conf --jobs jobs)
	run -0 "${show[@]}"
	[[ $output != *$'\e'* ]]
	for colour in --color --color=always; do
		run -0 "${show[@]}" $colour
		[[ $output == *$'\e[30;48;5;39ma\e[0m'* && $output == *$'\e[30;48;5;208mb\e[0m'* ]]
		# colours are all that is added
		equal "$(sed 's/\x1b\[[0-9;]*m//g' <<<"$output")" "$("${show[@]}")"
	done
	NO_COLOR=1 run -0 "${show[@]}" --color=always
	[[ $output == *$'\e[30;'* ]]
	command -v script >/dev/null || skip "no script(1) to make a terminal"
	export TERM=xterm
	on_terminal() {
		script -qec "stty cols 100; $(printf '%q ' "${show[@]}" "$@")" /dev/null
	}
	run -0 on_terminal
	[[ $output == *$'\e[30;48;5;39ma\e[0m'* ]]
	# 100 columns: the last ones of the table are left out
	[[ $output == *AVGDIST* && $output != *AFFLINKS* ]]
	run -0 on_terminal --color=never
	[[ $output != *$'\e[30'* ]]
	NO_COLOR=1 run -0 on_terminal
	[[ $output != *$'\e[30'* ]]
	NO_COLOR='' run -0 on_terminal
	[[ $output == *$'\e[30'* ]]
	TERM=dumb run -0 on_terminal
	[[ $output != *$'\e[30'* ]]
}

@test "--svg writes a picture besides" {
	small
	echo "<9&> n35,n07" >>jobs
	text=$(storus show --conf torus.conf --jobs jobs)
	run -0 storus show --conf torus.conf --jobs jobs --svg picture.svg
	equal "$output" "$text"
	# 36 nodes, 5 entries of the legend (free, several jobs), 2 frames, the background
	equal "$(grep -c '<rect' picture.svg)" $((36 + 5 + 2 + 1))
	equal "$(grep -c 'class="node".*>a<' picture.svg)" $((6 + 1))
	[[ $(<picture.svg) == *"&lt;9&amp;&gt;: 2 nodes, span 29, average distance"* ]]
	equal "$(stat -c %a picture.svg)" "$(printf '%o' $((0666 & ~$(umask))))"
	equal "$(echo *)" "jobs picture.svg torus.conf"
	command -v rsvg-convert >/dev/null || skip "no rsvg-convert to read it"
	rsvg-convert picture.svg -o picture.png
	[[ -s picture.png ]]
}

@test "an SVG file is replaced as a whole or stays as it was" {
	small
	echo old >real.svg
	ln -s real.svg link.svg
	run -0 storus show --conf torus.conf --jobs jobs --svg link.svg
	[[ -L link.svg && $(<real.svg) == "<?xml"*"</svg>" ]]
	run -2 --separate-stderr storus show --conf torus.conf --jobs jobs --svg no/such/dir.svg
	[[ -z $output && $stderr == "storus show: cannot write 'no/such/dir.svg': No such file"* ]]
	run -2 --separate-stderr storus show --conf torus.conf --jobs jobs --svg /dev/full
	[[ $stderr == *"cannot write '/dev/full': No space left on device" && -c /dev/full ]]
	echo old >kept.svg
	run -2 --separate-stderr bash -c 'ulimit -f 1; trap "" XFSZ
		exec "$0" show --conf torus.conf --jobs jobs --svg kept.svg' "$storus_binary"
	[[ $stderr == *"cannot write '"*"kept.svg': "* ]]
	equal "$(<kept.svg)" old
	equal "$(echo *)" "jobs kept.svg link.svg real.svg torus.conf"
}

@test "names of jobs cannot smuggle control characters" {
	small
	# escape, no UTF-8 at all, and CSI both as a byte and as U+009B
	printf 'a\e[31mb n01\n\xff n02\n\x9b1m n03\n\xc2\x9b2m n04\nd\xc3\xbcr n05\n' >jobs
	run -0 storus show --conf torus.conf --jobs jobs --svg picture.svg
	[[ $output == *'a a\x1b[31mb '* && $output == *'b \xff '* && $output == *'c \x9b1m '* &&
		$output == *'d \xc2\x9b2m '* && $output == *'e dür '* ]]
	LC_ALL=C run -1 grep -aP '[\x00-\x08\x0b-\x1f\x7f]|(?<![\xc2-\xdf])[\x80-\x9f]|\xc2[\x80-\x9f]' \
		picture.svg - <<<"$output"
	run -0 storus show --conf torus.conf --jobs jobs --format=json
	equal "$(jq -c 'map(.job)' <<<"$output")" \
		'["a\\x1b[31mb","\\xff","\\x9b1m","\\xc2\\x9b2m","dür"]'
}

@test "without a Slurm to ask, status 2 and a reason" {
	small
	export SLURM_CONF=$PWD/slurm.conf
	printf '%s\n' ClusterName=c SlurmctldHost=localhost SlurmctldPort=1 MessageTimeout=1 \
		AuthType=auth/none NodeName=n01 "PartitionName=p Nodes=ALL" >slurm.conf
	run -2 --separate-stderr storus show
	[[ -z $output && -n $stderr ]]
	run -2 --separate-stderr storus show 12 --svg picture.svg
	[[ -z $output && -n $stderr && ! -e picture.svg ]]
}

@test "bad input is refused" {
	small
	echo "7" >nodes-missing
	echo "7 n1 n2" >too-many
	printf '7 n01\n\n8 n[1\n' >bad-list
	printf '7 n01\n7 n02\n' >twice
	echo "TorusName=t Dims=2x2 Nodes=n[1-5]" >bad.conf
	refuses show <<-'END'
		--jobs jobs                             | --jobs needs --conf
		--conf torus.conf --jobs none           | none: No such file
		--conf torus.conf --jobs .              | .: Is a directory
		--conf torus.conf --jobs nodes-missing  | nodes-missing:1: job '7' without nodes
		--conf torus.conf --jobs too-many       | too-many:1: unexpected 'n2'
		--conf torus.conf --jobs bad-list       | bad-list:3:
		--conf torus.conf --jobs twice          | twice:2: job '7' was given before
		--conf bad.conf --jobs jobs             | bad.conf:1
		--conf torus.conf --jobs jobs --color=sometimes | 'sometimes' is none of
		--conf torus.conf --jobs jobs 7 8       | unexpected argument '8'
	END
}

@test "on a machine of cubes: the torus that a job's cubes are joined to, by the shape it asked for" {
	cat >torus.conf <<-'END'
		TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[00-63] Curve=row_major
	END
	# cubes 0 and 7 twice, twisted and not, and two nodes of cube 1
	local two='n[00-01,04-05,16-17,20-21,42-43,46-47,58-59,62-63]'
	printf '%s\n' "1 $two network=torus:shape=2x2x4,twist" "3 n[02-03]" >jobs
	run -0 storus show --conf torus.conf --jobs jobs --format=json
	equal "$(jq -r '.[0] | [.cubes, .joined, .box] | join(" ")' <<<"$output")" "0,7 2x2x4_twisted 2x2x4"
	equal "$(jq -r '.[0] | .joined_cells' <<<"$output")" 0-15
	equal "$(jq -r '.[0].average_distance' <<<"$output")" "$(storus place --dims 4x4x4 --cube 2x2x2 \
		--shape 2x2x4 --twist --format json | jq .average_distance)"
	equal "$(jq -r '.[1] | [.cubes, .joined, .joined_cells] | map(tostring) | join(" ")' <<<"$output")" "1 null 0-1"
	run -0 storus show 1 --conf torus.conf --jobs jobs
	[[ $output == *"joined 2x2x4_twisted"* ]]
	COLUMNS=999 run -0 storus show --conf torus.conf --jobs jobs
	[[ ${lines[0]} == *JOINED* && ${lines[1]} == *2x2x4_twisted* ]]
	sed -i 's/,twist//' jobs
	run -0 storus show --conf torus.conf --jobs jobs --format=csv
	[[ ${lines[0]} == *,links_shared,cubes,joined,joined_cells ]]
	[[ ${lines[1]} == *,2x2x4,0-15 ]]
}

@test "nodes that are boxes of chips: how many, and the box in chips" {
	printf '%s\n' "TorusName=pod ChipDims=8x4x4 NodeShape=2x2x1 Nodes=n[00-31] Curve=row_major" \
		"TorusName=main Dims=4 Nodes=m[0-3]" >torus.conf
	printf '%s\n' "1 n[00-03,08-11]" "2 m0" >jobs
	run -0 storus show --conf torus.conf --jobs jobs --format json
	equal "$(jq -r '.[] | "\(.nodes) \(.chips) \(.box) \(.chip_box)"' <<<"$output" | paste -sd,)" \
		"8 32 4x1x2 8x2x2,1 null 1 null"
	run -0 storus show --conf torus.conf --jobs jobs
	[[ ${lines[0]} == *"NODES CHIPS "*" CHIPBOX"* ]]
	run -0 storus show 1 --conf torus.conf --jobs jobs
	[[ $output == *$'\nchips 32\nchip_box 8x2x2'* ]]
	echo "TorusName=main Dims=4 Nodes=m[0-3]" >torus.conf
	echo "2 m0" >jobs
	run -0 storus show --conf torus.conf --jobs jobs
	[[ $output != *CHIP* ]]
}

@test "reservations: free nodes of those in force are reserved, and each is named with its nodes and times" {
	echo "TorusName=main Dims=4x3x1 Wrap=xy Nodes=n[00-11] Curve=row_major" >torus.conf
	now=$(date +%s)
	cat >jobs <<-END
		7 n[00-01]
		upkeep n[01-03],elsewhere reservation=yes start=$((now - 60)) end=$((now + 3600))
		later n[04-05] reservation=yes start=$((now + 600)) end=$((now + 1200))
		past n06 reservation=yes start=$((now - 900)) end=$((now - 600))
		daily n07 reservation=yes start=$((now - 90000)) end=$((now - 89000)) repeat=daily
	END
	run -0 storus show --conf torus.conf --jobs jobs --svg picture.svg
	at() { date -d "@$1" +%FT%T; }
	equal "$(tail -n 9 <<<"$output")" "$(cat <<-END
		main: 4x3x1 torus wrapping in xy, 12 nodes: 2 in use, 8 free, 2 reserved, 0 unusable
		z=0
		aa==
		....
		....

		= upkeep until $(at $((now + 3600))): n[01-03]
		= later from $(at $((now + 600))) until $(at $((now + 1200))): n[04-05]
		= daily from $(at $((now - 90000 + 2 * 86400))) until $(at $((now - 89000 + 2 * 86400))): n07
	END
	)"
	grep -q '>reserved<' picture.svg
}

@test "a node: where it is, who has it, and why not" {
	printf 'TorusName=a Dims=3x2 Nodes=n[00-05] Curve=row_major\nTorusName=b Dims=2 Nodes=m[0-1] Curve=row_major\n' >torus.conf
	printf '%s\n' "7 n[01-02]" "8 n02,m1" "upkeep n[03-04] reservation=yes" >jobs
	run -0 storus show n02 --conf torus.conf --jobs jobs
	equal "$output" $'node n02\ntorus a\nposition 2,0\nrank 2\nstate in use\njobs 7,8'
	run -0 storus show n04 --conf torus.conf --jobs jobs
	equal "$output" $'node n04\ntorus a\nposition 1,1\nrank 4\nstate reserved\nreservations upkeep'
	run -0 storus show m0 --conf torus.conf --jobs jobs --format csv
	equal "$output" $'node,torus,position,rank,state,why,reason,jobs,reservations\nm0,b,0,0,free,,,,'
	run -2 --separate-stderr storus show m7 --conf torus.conf --jobs jobs
	equal "$stderr" "storus show: no running job and no node 'm7'"
}

@test "-u: the jobs of a user, those of others as +" {
	echo "TorusName=main Dims=4x2 Nodes=n[00-07] Curve=row_major" >torus.conf
	printf '%s\n' "7 n[00-01] user=ada" "8 n[02-03] user=bob" "9 n04 user=ada" >jobs
	for words in "-u ada" "-uada" "--user ada" "--user=ada"; do
		run -0 storus show $words --conf torus.conf --jobs jobs
		equal "$(tail -n 2 <<<"$output" | xargs)" "aa++ b..."
		equal "$(awk 'NR > 1 && NR < 4 { print $2 }' <<<"$output" | xargs)" "7 9"
	done
	refuses show <<-'END'
		--conf torus.conf --jobs jobs --me --user ada | --me and --user exclude each other
		--conf torus.conf --jobs jobs 7 --user ada    | --user goes with all jobs, not with '7'
		--conf torus.conf --jobs jobs -u              | option '-u' needs a value, NAME
	END
}

# The slow twin: hops by walks over the torus of 32x4 and its chords, jobs from `jobs`
by_walks() {
	python3 - "$@" <<-'END'
		import json, sys
		X, Y = 32, 4
		chords = [((8 * c, y), (8 * c + 16, y)) for c in range(2) for y in range(Y)]
		near = {(x, y): {((x + 1) % X, y), ((x - 1) % X, y), (x, (y + 1) % Y), (x, (y - 1) % Y)}
		        for x in range(X) for y in range(Y)}
		for a, b in chords:
		    near[a].add(b)
		    near[b].add(a)
		def walk(start):
		    hops, queue = {start: 0}, [start]
		    for at in queue:
		        for to in near[at] - hops.keys():
		            hops[to] = hops[at] + 1
		            queue.append(to)
		    return hops
		jobs = [[int(n) for n in line.split()[1][2:-1].split(",")] for line in open("jobs")]
		for job in jobs:
		    cells = [(n % X, n // X) for n in job]
		    hops = {a: walk(a) for a in cells}
		    pairs = [hops[a][b] for a in cells for b in cells if a != b]
		    pieces, left = 0, set(cells)
		    while left:
		        pieces, queue = pieces + 1, [left.pop()]
		        for at in queue:
		            queue += near[at] & left
		            left -= near[at]
		    print(f"{pieces} {sum(pairs) / len(pairs):.3f} {max(pairs)}")
	END
}

@test "links beside the torus's own, by walks over them" {
	printf '%s,\n' {0,8}:{0..3} | awk -F '[:,]' '{ print $1 ":" $2 "-" $1 + 16 ":" $2 }' >chords
	echo "TorusName=main Dims=32x4 Wrap=xy Nodes=n[000-127] Links=file:chords Curve=row_major" >torus.conf
	cat >jobs <<-'END'
		1 n[000,016]
		2 n[008,024,025,026]
		3 n[032,048,049,064,080,010]
		4 n[001,002,017,018,033,034]
	END
	by_walks >expected
	run -0 storus show --conf torus.conf --jobs jobs --format json
	equal "$(jq -r '.[] | "\(.components) \(.average_distance) \(.diameter)"' <<<"$output" |
		awk '{ printf "%d %.3f %d\n", $1, $2, $3 }')" "$(cat expected)"
	run -0 storus metrics --conf torus.conf --jobs jobs
	equal "$(awk '$1 == "slurm_torus_jobs_in_one_piece{torus=\"main\"}" { print $2 }' <<<"$output")" \
		"$(grep -c '^1 ' expected)"
	equal "$(awk '$1 == "slurm_torus_job_hops{torus=\"main\"}" { printf "%.3f", $2 }' <<<"$output")" \
		"$(awk '{ n = NR == 1 ? 2 : NR == 2 ? 4 : 6; sum += n * $2; all += n }
			END { printf "%.3f", sum / all }' expected)"
	# the same without them
	sed -i 's/ Links=[^ ]*//' torus.conf
	run -0 storus show --conf torus.conf --jobs jobs --format json
	equal "$(jq -c '[.[] | .components]' <<<"$output")" '[2,2,3,2]'
}

@test "links beside the torus's own: the hops of an order of tasks" {
	echo "TorusName=main Dims=16 Wrap=x Nodes=n[00-15] Links=0-8,4-12" >torus.conf
	run -0 --separate-stderr storus map --grid 4 --mapper baseline --conf torus.conf \
		--nodelist n00,n08,n04,n12 --format json
	equal "$(jq -c '.links' <<<"$output")" '[[[0],[8]],[[4],[12]]]'
	equal "$(grep -o 'average [0-9.]* hops, maximum [0-9]*' <<<"$stderr" | head -n 1)" \
		"average 2.000000 hops, maximum 4"
}
