#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus view on jobs from a file: the command line and the page's text. What a browser
# makes of it is view_page.bats.

load support

small() {
	echo "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" >torus.conf
	cat >jobs <<-'END'
		7 n[00-05] name=ocean user=ada account=physics start=1000
		8 n[06-08,24-26]
	END
	echo 'var THREE = {};' >three.js
}

view() { storus view --conf torus.conf --jobs jobs --three-js three.js "$@"; }

# data FILE: the page's JSON
data() { sed -n 's,.*id="machine">\(.*\)</script>,\1,p' "$1"; }

@test "one page with the library and the data in it" {
	small
	run -0 view
	equal "$output" ""
	equal "$(echo *)" "jobs machine.html three.js torus.conf"
	equal "$(grep -c '^<script nonce="[0-9a-f]*">var THREE = {};$' machine.html)" 1
	equal "$(data machine.html | jq -c '[.format, (.tori | length), (.jobs | length)]')" "[1,1,2]"
	equal "$(data machine.html | jq -c '.tori[0] | [.name, .dims, .wrap, .curve, .span, (.names | length), .cells, .ranks, .unusable, .others, .weights]')" \
		'["main",[6,3,2],[true,false,false],"row_major","ring",36,"0-35","0-35",{},"",null]'
	equal "$(data machine.html | jq -c '.jobs[0] | del(.parts)')" \
		'{"id":"7","name":"ocean","user":"ada","account":"physics","start":1000}'
	equal "$(data machine.html | jq -c '.jobs[1] | del(.parts)')" '{"id":"8"}'
}

@test "the metrics are those of storus show" {
	small
	view
	equal "$(data machine.html | jq -cS '[.jobs[].parts[] | del(.origin, .torus)]')" \
		"$(storus show --conf torus.conf --jobs jobs --format json |
			jq -cS '[.[] | del(.job, .name, .user, .torus, .cells)]')"
	# 8 has x=0-2 in y=1 of both planes
	equal "$(data machine.html | jq -c '.jobs[1].parts[0].origin')" "[0,1,0]"
}

@test "how many jobs use each link, upward and downward in each dimension" {
	small
	# In x=0-5 of y=z=0, a ring: upward a job takes the half that is nearer and the tie; in
	# x=0-2 both ways between each two. A second job in the same row uses links, too.
	printf '%s\n' "7 n[00-05]" "8 n[06-08]" "9 n[00-01]" "10 n[35]" >jobs
	view
	equal "$(data machine.html | jq -c '.tori[0].links')" \
		'["2,1*7,0*28","1,2,1*4,0,1*2,0*27","0*36","0*36","0*36","0*36"]'
	# The same as the metrics: links in use, and those in use by several.
	equal "$(data machine.html | jq -c '[.jobs[].parts[0] | .links_used, .links_shared]')" "[12,2,4,0,2,2,0,0]"
	: >jobs
	view
	equal "$(data machine.html | jq -c '.tori[0].links')" null
}

@test "where nodes stand, from the file of Racks=" {
	small
	sed -i 's/$/ Racks=room/' torus.conf
	echo "n[00-35] 3-4 7,9 0-2 0-2" >room
	run -2 --separate-stderr view
	[[ -z $output && $stderr == *"room:1: '7,9' is not a cabinet"* && ! -e machine.html ]]
	echo "<img/src=x> 0 0 0 0" >room
	run -2 --separate-stderr view
	[[ $stderr == *"room:1: hostlist: "* ]]
	printf 'n00\e[31m 0 0 0 0\n' >room
	run -2 --separate-stderr view
	[[ $stderr == *"room:1: a control character"* ]]
	echo "n[00-35] 3-4 7,9 0-2 0-2" >room
	# It is of no consequence elsewhere.
	run -0 storus show --conf torus.conf --jobs jobs
	printf '%s\n' "n[00-17] 3-4 9 0-2 0-2" "n[18-35] 3-4 7 0-2 0-2" >room
	run -0 view
	equal "$(data machine.html | jq -c .racks)" '{"rows":"3-4","cabinets":"7,9","cages":"0-2","slots":"0-2"}'
	equal "$(data machine.html | jq -c '.tori[0].places')" '"9-17,27-35,0-8,18-26"'
}

@test "one torus with racks and one without" {
	small
	printf '%s\n' "TorusName=east Dims=4 Nodes=e[0-3]" "TorusName=west Dims=3x2 Nodes=w[0-5] Racks=$PWD/west" >torus.conf
	echo "w[0-5] 0 0 0 5-10" >west
	: >jobs
	view
	equal "$(data machine.html | jq -c '[.tori[].places]')" '[null,"0-5"]'
	rm west
	run -2 --separate-stderr view
	[[ $stderr == *"torus.conf:2: Racks=: cannot read '$PWD/west': No such file"* ]]
	echo "w[0-5] 0 0 0 5-10" >west
	echo "e0 0 0 0 0" >>west
	run -2 --separate-stderr view
	[[ $stderr == *"west:2: node 'e0' is on torus east, whose Racks= is another one"* ]]
}

@test "a box that goes round the end begins behind the largest gap" {
	small
	echo "1 n05,n00" >jobs
	view
	equal "$(data machine.html | jq -c '.jobs[0].parts[0] | [.origin, .box]')" '[[5,0,0],"2x1x1"]'
}

@test "jobs on several tori and on nodes that torus.conf does not name" {
	small
	printf '%s\n' "TorusName=east Dims=4 Nodes=e[0-3]" "TorusName=west Dims=3x2 Nodes=w[0-5]" >torus.conf
	echo "1 w[0-1],e0,login[1-2]" >jobs
	view
	equal "$(data machine.html | jq -c '.jobs[0].parts | map([.torus, .nodes, .nodelist])')" \
		'[[0,1,"e0"],[1,2,"w[0-1]"],[null,2,"login[1-2]"]]'
}

@test "names are data: no tag ends the script, no control character gets in" {
	small
	printf '%s\n' "</script><script>alert(1)</script> n00 name=<!--<script> user=\"'&" \
		$'b\e[31m n01 name=\xff' >jobs
	view
	equal "$(grep -c '<script' machine.html)" 3
	# The program's own text has neither.
	equal "$(grep -o '</script>' machine.html | wc -l)" 3
	equal "$(data machine.html | jq -c '.jobs[0] | [.id, .name, .user]')" \
		"[\"</script><script>alert(1)</script>\",\"<!--<script>\",\"\\\"'&\"]"
	equal "$(data machine.html | jq -c '.jobs[1] | [.id, .name]')" '["b\\x1b[31m","\\xff"]'
}

@test "the policy lets run what carries the page's number, the two scripts and the style" {
	small
	view
	number=$(sed -n "s/.*script-src 'nonce-\\([0-9a-f]\\{32\\}\\)'.*/\\1/p" machine.html)
	grep -F "content=\"default-src 'none'; script-src 'nonce-$number'; style-src 'nonce-$number'; img-src data: blob:; base-uri 'none'; form-action 'none'\"" machine.html
	equal "$(grep -oE '<(script|style)( [^>]*)?>' machine.html)" "<style nonce=\"$number\">
<script nonce=\"$number\">
<script type=\"application/json\" id=\"machine\">
<script nonce=\"$number\">"
	# Another page has another.
	cp machine.html first.html
	view
	run -1 grep -q "$number" machine.html
}

@test "no address of anything elsewhere is in the page" {
	small
	echo 'var THREE = {space: "http://www.w3.org/1999/xhtml"}; // https://example.org/paper' >three.js
	view
	grep -qF '"http:\x2f\x2fwww.w3.org/1999/xhtml"' machine.html
	run -1 grep -nE '(src|href|action) *= *"|https?://|url\(|@import|fetch\(|XMLHttpRequest|WebSocket|innerHTML|insertAdjacentHTML|document\.write' machine.html
}

@test "without three.js, the package is named" {
	small
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js none.js
	[[ -z $output && $stderr == *libjs-three*"cannot read 'none.js'"* && ! -e machine.html ]]
	echo 'a = "</script>"' >bad.js
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js bad.js
	[[ $stderr == *"bad.js cannot stand in a page"* && ! -e machine.html ]]
}

@test "a page is replaced as a whole or stays as it was" {
	small
	echo old >machine.html
	run -2 storus view --conf torus.conf --jobs jobs --three-js none.js
	equal "$(<machine.html)" old
	run -2 --separate-stderr view --output /dev/full
	[[ $stderr == *"cannot write '/dev/full': No space left on device" ]]
	run -2 --separate-stderr view --output no/such/dir.html
	[[ $stderr == *"cannot write 'no/such/dir.html'"* ]]
	view --output - && [[ -e ./- ]]
}

@test "more of a job in the file of --jobs, in storus show as well" {
	small
	run -0 storus show --conf torus.conf --jobs jobs --format csv
	[[ ${lines[1]} == 7,ocean,ada,main,* && ${lines[2]} == 8,,,main,* ]]
	for line in "7 n00 colour=red | jobs:1: unknown 'colour=' of job '7'" "7 n00 n01 | jobs:1: unexpected 'n01'" \
		"7 n00 start=soon | jobs:1: 'soon' is not a time" "7 n00 end=-1 | jobs:1: '-1' is not a time"; do
		echo "${line%% |*}" >jobs
		refuses view <<<"--conf torus.conf --jobs jobs | ${line##*| }"
	done
	# The last one counts.
	echo "7 n00 user=a user=b" >jobs
	run -0 storus show --conf torus.conf --jobs jobs --format csv
	[[ ${lines[1]} == 7,,b,* ]]
}

@test "without a Slurm to ask, status 2 and a reason" {
	small
	export SLURM_CONF=$PWD/slurm.conf
	printf '%s\n' ClusterName=c SlurmctldHost=localhost SlurmctldPort=1 MessageTimeout=1 \
		AuthType=auth/none NodeName=n01 "PartitionName=p Nodes=ALL" >slurm.conf
	run -2 --separate-stderr storus view --conf torus.conf
	[[ -z $output && -n $stderr && ! -e machine.html ]]
}

@test "bad input is refused" {
	small
	refuses view <<-'END'
		--jobs jobs                        | --jobs needs --conf
		--conf torus.conf --jobs none      | none: No such file
		--conf none.conf --jobs jobs       | none.conf
		--conf torus.conf --jobs jobs more | unexpected argument 'more'
	END
}

# history CONF...: a page of the simulation in out/
history() { storus view --conf torus.conf --history out --three-js three.js "$@"; }

# runs FILE: the data of a page with a history, its runs unpacked
runs() { data "$1" | python3 -B "$BATS_TEST_DIRNAME/view_runs.py"; }

@test "a history: the jobs of a simulation, each on its nodes from its start to its end" {
	small
	printf '%s -1 1 1 1 1 1 -1 -1 -1\n' "1 0 -1 10 2 -1 -1 2 10" "2 5 -1 10 6 -1 -1 6 10" >log.swf
	storus sim --allocator best_fit --conf torus.conf --trace log.swf --out out >/dev/null
	run -0 history
	equal "$(data machine.html | jq -c '[.format, .history, .time, .jobs]')" "[2,true,0,[]]"
	equal "$(runs machine.html | jq -c '[.jobs[] | [.id, .start, .end, .parts[0].nodelist]]')" \
		'[["1",0,10,"n[00-01]"],["2",5,15,"n[02-07]"]]'
	equal "$(runs machine.html | jq -c '[.jobs[].parts[0].average_distance]')" \
		"$(cut -d, -f18 out/jobs.csv | tail -n +2 | jq -sc .)"
}

@test "a history: the metrics of runs are those of storus show, on any nodes" {
	local seed=${TORUS_TEST_SEED:-$((RANDOM * 32768 + RANDOM))} i
	small
	sed -i 's/row_major/hilbert/' torus.conf
	echo "TORUS_TEST_SEED=$seed"
	awk -v seed="$seed" 'BEGIN { srand(seed); for (j = 1; j <= 40; j++) { n = 1 + int(rand() * 12); list = ""; split("", had)
		for (i = 0; i < n; i++) { k = int(rand() * 36); if (!(k in had)) { had[k]; list = list (list == "" ? "" : ",") sprintf("n%02d", k) } }
		print j, list, "start=" j, "end=" j + 50 } }' >jobs
	{ echo 'JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|TimelimitRaw|ReqNodes|AllocNodes|State|NodeList|SystemComment'
		awk '{ n = split($2, list, ","); split($3, s, "="); split($4, e, "="); print $1 "|ada|a|p|0|0|" s[2] "|" e[2] "|9|" n "|" n "|COMPLETED|" $2 "|" }' jobs
	} >accounts
	run -0 storus view --conf torus.conf --from-sacct accounts --three-js three.js
	equal "$(runs machine.html | jq -cS '[.jobs[] | .parts[] | {nodes, box, diameter, components, average_distance, stretch_span}]')" \
		"$(while read -r id nodes times; do
			echo "$id $nodes" | storus show --conf torus.conf --jobs - --format json
		done <jobs | jq -csS '[.[][] | {nodes, box, diameter, components, average_distance, stretch_span}]')"
}

@test "a history on several tori" {
	small
	printf '%s\n' "TorusName=east Dims=4 Nodes=e[0-3]" "TorusName=west Dims=3x2 Nodes=w[0-5] Curve=row_major" >torus.conf
	mkdir out
	printf '%s\n' job,start,end,cells,torus "1,0,9,1-2,west" "2,3,4.5,0;3|5-4,east|west" >out/jobs.csv
	run -0 history
	equal "$(runs machine.html | jq -c '[.jobs[].parts[] | [.torus, .nodelist]]')" \
		'[[1,"w[1-2]"],[0,"e[0,3]"],[1,"w[4-5]"]]'
}

@test "a history that is none, or of another machine, is refused" {
	small
	mkdir out
	while IFS='|' read -r lines message; do
		printf '%b' "$lines" >out/jobs.csv
		run -2 --separate-stderr history
		[[ -z $output && $stderr == *"$message"* && ! -e machine.html ]] || {
			printf '%s\nexpected: %s\nstderr:   %s\n' "$lines" "$message" "$stderr" >&2
			return 1
		}
	done <<-'END'
		|out/jobs.csv: empty
		job,start,end,cells\n|out/jobs.csv:1: the heading has no column 'torus'
		job,start,end,cells,torus\n1,0,9\n|out/jobs.csv:2: the line has no 'cells'
		job,start,end,cells,torus\n1,x,9,0,main\n|out/jobs.csv:2: 'x' is not a number of seconds
		job,start,end,cells,torus\n1,0,nan,0,main\n|out/jobs.csv:2: 'nan' is not a number of seconds
		job,start,end,cells,torus\n1,0,9,36,main\n|out/jobs.csv:2:
		job,start,end,cells,torus\n1,0,9,,main\n|out/jobs.csv:2:
	END
	rm out/jobs.csv
	run -2 --separate-stderr history
	[[ $stderr == *"out/jobs.csv: No such file"* ]]
	printf '%s\n' job,start,end,cells,torus 1,0,9,0,main >out/jobs.csv
	echo "TorusName=main Dims=6x3x2 NodesPerRouter=2 Nodes=n[00-71]" >torus.conf
	run -2 --separate-stderr history
	[[ $stderr == *"main has several nodes on a router"* ]]
	{ echo job,start,end,cells,torus; yes 1,0,9,0,main | head -n 1000001; } >out/jobs.csv
	echo "TorusName=main Dims=6x3x2 Nodes=n[00-35]" >torus.conf
	run -2 --separate-stderr history
	[[ $stderr == *"out/jobs.csv:1000002: more than 1000000 jobs are too many for a page"* ]]
	refuses view <<-'END'
		--history out                           | --history needs --conf
		--conf torus.conf --history out --jobs - | --jobs and --history exclude each other
	END
}
