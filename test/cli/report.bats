#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus report, from files as sacct prints them. A real slurmdbd is test/slurm/report.bats.
# shellcheck disable=SC2154 # output and stderr are set by run

load support

NAMES="JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|TimelimitRaw|ReqNodes|AllocNodes|State|NodeList|SystemComment"
# A Monday, 2026-10-05T00:00:00 UTC
MONDAY=1791158400

# line ID USER ACCOUNT BEGIN END NODES NODELIST [STATE [COMMENT]]: a line of sacct; BEGIN and
# END are seconds of that Monday
line() {
	local end=$5
	[[ $end == Unknown ]] || end=$((MONDAY + end))
	echo "$1|$2|$3|batch|$((MONDAY + $4 - 60))|$((MONDAY + $4 - 60))|$((MONDAY + $4))|$end|60|$6|$6|${8:-COMPLETED}|$7|${9-}"
}

# machine: torus.conf of 16 nodes on a line
machine() {
	echo "TorusName=main Dims=16 Wrap=none Nodes=n[00-15] Curve=row_major" >torus.conf
}

# report ARGUMENT...: on the file history
report() {
	TZ=UTC storus report --conf torus.conf --from-sacct history "$@"
}

# query ARGUMENT... FILTER: of the JSON in $output
query() { jq -cr "$@" <<<"$output"; }

# row BY NAME FIELD: a number of it
row() {
	query --arg by "$1" --arg name "$2" --arg field "$3" \
		'.[$by] | if type == "array" then .[] else . end | select(.name == $name) | .[$field]'
}

@test "random histories and machines against the slow twin" {
	seed=${TORUS_TEST_SEED:-$((RANDOM * 32768 + RANDOM))}
	echo "TORUS_TEST_SEED=$seed"
	run -0 python3 "$BATS_TEST_DIRNAME/report_oracle.py" "$storus_binary" "$seed" 60
}

@test "hops, pieces, box, foreign nodes and what the same job has alone" {
	machine
	{
		echo "$NAMES"
		line 1 ada phys 0 3600 4 "n[00-03]"
		line 2 bob bio 0 7200 3 "n[05,07,09]"
		line 3 bob bio 3600 7200 2 "n[06,08]"
	} >history
	run -0 --separate-stderr report --format json
	equal "$stderr" ""
	equal "$(row total all jobs) $(row total all node_hours)" "3 12"
	equal "$(row user ada ratio) $(row user ada pieces) $(row user ada box_fill)" "1 1 1"
	# Job 2: pairs at 2, 2 and 4 hops, alone at 1, 1 and 2; job 3: 2 hops for 1.
	equal "$(query '.job[] | [.name, .mean_hops, .alone_hops, .pieces, .box, .foreign_nodes, .excess_hop_hours]')" \
		$'["2",2.66666667,1.33333333,3,"5",0,8]\n["3",2,1,2,"3",1,2]'
	equal "$(row account bio excess_hop_hours)" 10
	equal "$(row size 3-4 jobs) $(row size 2 jobs)" "2 1"
	equal "$(row total all mean_wait)" 60
}

@test "why nodes were idle" {
	echo "TorusName=main Dims=8 Wrap=none Nodes=n[0-7] Curve=row_major" >torus.conf
	{
		echo "$NAMES"
		# n1, n3, n5 are idle from 0 to 14400 s, and nobody waits until 3600
		line 1 ada phys 0 14400 5 "n[0,2,4,6-7]"
		# waits for 5 nodes from 3600 on, in vain
		echo "2|ada|phys|batch|$((MONDAY + 3600))|$((MONDAY + 3600))|None|$((MONDAY + 14400))|60|5|0|CANCELLED by 0||"
		# for 2 from 7200 on: enough, but nowhere side by side
		echo "3|ada|phys|batch|$((MONDAY + 7200))|$((MONDAY + 7200))|Unknown|Unknown|60|2|0|PENDING|None assigned|"
		# for 1 from 10800 on: it would have fitted
		echo "4|ada|phys|batch|$((MONDAY + 10800))|$((MONDAY + 10800))|Unknown|Unknown|60|1|0|PENDING|None assigned|"
	} >history
	run -0 report --format json
	equal "$(query '.total | [.used_hours, .idle_unwanted_hours, .idle_too_few_hours, .idle_scattered_hours, .idle_held_hours, .down_hours]')" \
		"[20,3,3,3,3,0]"
	# A node that is known to be down is not idle.
	echo "n5 $MONDAY $((MONDAY + 7200))" >outages
	run -0 report --format json --outages outages
	equal "$(query '.total | [.used_hours, .idle_unwanted_hours, .idle_too_few_hours, .idle_scattered_hours, .idle_held_hours, .down_hours]')" \
		"[20,2,2,3,3,2]"
}

@test "what a run is: arrays, heterogeneous, requeued and resized jobs, months put together" {
	machine
	{
		echo "$NAMES"
		line 11 ada a 0 3600 1 n00
		line 12 ada a 0 3600 1 n01
		line 20 ada het 0 3600 2 "n[02-03]"
		line 21 ada het 0 3600 3 "n[04-06]"
		line 30 bob again 0 1800 2 "n[08-09]" REQUEUED
		line 30 bob again 3600 7200 2 "n[10-11]"
		line 40 eve grew 0 1800 1 n12 RESIZING
		line 40 eve grew 1800 3600 2 "n[12-13]"
		line 50 eve long 0 Unknown 1 n15 RUNNING
		echo "$NAMES"
		line 30 bob again 3600 7200 2 "n[10-11]"
		line 50 eve long 0 7200 1 n15
	} >history
	run -0 --separate-stderr report --format json
	equal "$stderr" "storus report: skipped 2 of the jobs: 2 duplicate (first on line 10)"
	equal "$(row total all jobs)" 9
	for expected in "a 2 2" "het 2 5" "again 2 3" "grew 2 1.5" "long 1 2"; do
		read -r name jobs hours <<<"$expected"
		equal "$name $(row account "$name" jobs) $(row account "$name" node_hours)" "$name $jobs $hours"
	done
}

@test "jobs across the ends of the time, and those that still run" {
	machine
	{
		echo "$NAMES"
		line 1 ada a -7200 3600 4 "n[00-03]"
		line 2 ada a 0 Unknown 4 "n[04-07]" RUNNING
		line 3 ada a -7200 -3600 4 "n[08-11]"
		line 4 ada a 7200 9000 4 "n[08-11]"
	} >history
	run -0 report --format json --from 2026-10-05 --to 2026-10-05T02:00
	# 1 and 2 count, with one hour and two; only 2 began, and waited
	equal "$(row total all jobs) $(row total all node_hours) $(row total all mean_wait)" "2 12 60"
	# What still runs in the accounts runs in December, too; and in September nothing did.
	run -0 report --format json --from 2026-12-01 --to 2026-12-02
	equal "$(row total all jobs) $(row total all node_hours) $(row total all mean_wait)" "1 96 null"
	for day in yesterday today tomorrow; do
		date=$(TZ=UTC date -d "$day" +%F)
		equal "$(report --format json --from "$day" --to "${date}T12:00" 2>&1)" \
			"$(report --format json --from "$date" --to "${date}T12:00" 2>&1)"
	done
	run -2 --separate-stderr report --from 2026-09-01 --to 2026-09-02
	equal "$stderr" "storus report: no job ran in that time, as far as the accounts show it"
}

@test "weeks begin on Mondays of the time zone, and share the hours of a job" {
	machine
	{
		echo "$NAMES"
		line 1 ada a $((6 * 86400)) $((8 * 86400)) 1 n00
	} >history
	run -0 report --format json
	equal "$(query '[.week[] | [.name, .jobs, .node_hours]]')" \
		'[["2026-10-05",1,24],["2026-10-12",0,24]]'
	run -0 env TZ=EST5 "$storus_binary" report --conf torus.conf --from-sacct history --format json
	equal "$(query '[.week[] | [.name, .jobs, .node_hours]]')" \
		'[["2026-10-05",1,29],["2026-10-12",0,19]]'
}

@test "nodes that are gone, tokens, several tori" {
	{
		echo "TorusName=a Dims=4 Wrap=none Nodes=n[0-3] Curve=row_major"
		echo "TorusName=b Dims=4 Wrap=none Nodes=m[0-3] Curve=row_major"
	} >torus.conf
	{
		echo "$NAMES"
		line 1 u gone 0 3600 2 "x[1-2]"
		line 2 u token 0 3600 2 "x[3-4]" COMPLETED "theirs torus=a,nodes=2,span=3,box=3,avghops=2.00"
		line 3 u spread 0 3600 2 "n0,m0"
		line 4 u moved 0 3600 2 "n[1-2]" COMPLETED "torus=a,nodes=2,span=3,box=3,avghops=3.00"
		line 5 u agrees 0 3600 2 "m[1-2]" COMPLETED "torus=b,nodes=2,span=2,box=2,avghops=1.00"
		line 6 u other 0 3600 2 "m[0,3]" COMPLETED "torus=b,nodes=4,span=4,box=4,avghops=9.00"
		line 7 u none 0 3600 2 "m[0"
	} >history
	run -0 --separate-stderr report --format json
	equal "$(query .unmeasured)" '{"elsewhere":2,"spread":1,"nodelist":1,"by_token":1,"moved":1}'
	[[ $stderr == *"2 of the jobs had nodes that torus.conf does not name"* ]]
	[[ $stderr == *"1 of the jobs have a token that says otherwise than torus.conf"* ]]
	equal "$(row account gone measured) $(row account gone mean_hops)" "0 null"
	equal "$(row account token mean_hops) $(row account token ratio) $(row account token pieces)" "2 2 null"
	equal "$(row account spread mean_hops) $(row account none mean_hops)" "null null"
	equal "$(row account moved mean_hops) $(row account moved pieces)" "3 null"
	equal "$(row account agrees mean_hops) $(row account agrees pieces)" "1 1"
	equal "$(row account other mean_hops) $(row account other pieces)" "3 2"
}

@test "on a machine of cubes: on the torus that the job's token says its cubes are joined to" {
	echo "TorusName=main Dims=4x4x4 Cube=2x2x2 Nodes=n[00-63] Curve=row_major" >torus.conf
	local two='n[00-01,04-05,16-17,20-21,42-43,46-47,58-59,62-63]'
	{
		echo "$NAMES"
		line 1 ada twisted 0 3600 16 "$two" COMPLETED \
			torus=main,nodes=16,span=64,box=2x2x4,avghops=1.73,cubes=0+7,joined=2x2x4_twisted
		line 2 ada straight 7200 9000 16 "$two" COMPLETED \
			torus=main,nodes=16,span=64,box=2x2x4,avghops=2.13,cubes=0+7,joined=2x2x4
	} >history
	run -0 --separate-stderr report --format json
	equal "$stderr" ""
	for twist in '' --twist; do
		hops=$(storus place --dims 4x4x4 --cube 2x2x2 --shape 2x2x4 $twist --format json |
			jq -r '.average_distance * 1e6 | round')
		account=$([ "$twist" ] && echo twisted || echo straight)
		equal "$(query --arg a "$account" '.account[] | select(.name == $a) | .mean_hops * 1e6 | round')" "$hops"
		# measured, not only told by the token
		equal "$(row account "$account" pieces)" 1
	done
}

@test "the comments of others are not looked at" {
	machine
	{
		echo "AdminComment|$NAMES|Comment"
		echo "JS1:H4sIAAAAtorus=main,nodes=2,avghops=7.00|$(line 1 ada a 0 3600 2 "n[00-01]")|torus=main,nodes=2,avghops=7.00"
	} >history
	run -0 --separate-stderr report --format json
	equal "$stderr $(row total all mean_hops)" " 1"
}

@test "replayed as they started, the jobs have the nodes that the simulator gives them" {
	machine
	{
		echo "$NAMES"
		line 1 ada a 0 3600 3 "n[05,07,09]"
		line 2 bob a 600 4200 4 "n[00-03]"
		line 3 bob a 600 7200 2 "n[14-15]"
		line 4 bob a 700 7200 2 "x[14-15]"
	} >history
	run -0 --separate-stderr report --format json --replay best_fit,free_list
	[[ $stderr == *"1 of the jobs are not replayed"* ]]
	equal "$(query '[.replay[] | [.name, .jobs, .ratio, .mean_wait]]')" \
		'[["recorded",3,1.27906977,60],["best_fit",3,1,60],["free_list",3,1,60]]'
	grep -v '|x\[' history >placed
	run -0 storus sim --conf torus.conf --from-sacct placed --scheduler recorded --allocator free_list --format json
	simulated=$(query .mean_components)
	equal "$simulated" 1
	# Under another scheduler jobs start when it decides, but none before the time of the report: at once, as
	# all fit together, and job 1, which waited before, a minute late.
	run -0 --separate-stderr report --format json --replay best_fit --scheduler easy
	equal "$(query '[.replay[] | .mean_wait]')" '[60,20]'
	run -2 --separate-stderr report --replay best_fit,wurst_fit
	[[ $stderr == "storus report: --replay: "*wurst_fit* ]]
	run -2 --separate-stderr report --replay best_fit,
	[[ $stderr == *"a name is missing at the end"* ]]
}

@test "text, CSV and JSON say the same" {
	machine
	{
		echo "$NAMES"
		line 1 "a,\"b" "x|y" 0 3600 2 "n[00,02]"
		line 2 'ünï "q",' a 0 3600 2 "n[00,02]"
	} >history
	run -0 --separate-stderr report --format csv
	[[ $stderr == *"skipped 1 of the jobs: 1 malformed (first on line 2)"* ]]
	python3 - 3<<<"$output" <<-'END'
		import csv
		rows = list(csv.DictReader(open(3, encoding="utf-8")))
		users = [row for row in rows if row["by"] == "user"]
		assert [row["name"] for row in users] == ['ünï "q",'], users
		assert users[0]["mean_hops"] == "2.00000000" and users[0]["used_hours"] == ""
		jobs = [row for row in rows if row["by"] == "job"]
		assert jobs[0]["user"] == users[0]["name"] and jobs[0]["box"] == "3", jobs
		assert {row["by"] for row in rows} == {"total", "account", "user", "partition", "size", "week", "job"}
	END
	run -0 --separate-stderr report
	[[ ${lines[0]} == "2026-10-05T00:00:00 to 2026-10-05T01:00:00, 16 nodes" ]]
	grep -Eq '^all +1 +2\.0 +2\.00 +1\.00 +2\.000 +2\.0 +2\.00 +0% +0\.67 +0\.0 +0:01:00$' <<<"$output"
	grep -Eq '^2 +ünï "q", +a +batch +2 +2\.0 +3 +2\.00 +1\.00 +2\.000 +2\.0 +2 +0$' <<<"$output"
	# Control characters of a terminal stay out.
	printf '%s\n' "$NAMES" "$(line 1 $'a\e[31mb' a 0 3600 2 "n[00,02]")" >history
	run -0 report
	[[ $output == *'a\x1b[31mb'* && $output != *$'\e'* ]]
}

@test "a file may be gzip'ed, or the standard input" {
	machine
	{ echo "$NAMES"; line 1 ada a 0 3600 2 "n[00,02]"; } >history
	run -0 report --format json
	expected=$output
	gzip history
	run -0 env TZ=UTC "$storus_binary" report --conf torus.conf --from-sacct history.gz --format json
	equal "$output" "$expected"
	run -0 env TZ=UTC "$storus_binary" report --conf torus.conf --from-sacct - --format json < <(zcat history.gz)
	equal "$output" "$expected"
}

@test "without a file sacct is asked, and nothing else" {
	machine
	mkdir bin
	{ echo "$NAMES"; line 1 ada a 0 3600 2 "n[00,02]"; } >history
	cat >bin/sacct <<-END
		#!/bin/sh
		printf '%s ' "\$SLURM_TIME_FORMAT" "\$@" >"$PWD/asked"
		cat "$PWD/history"
	END
	printf '#!/bin/sh\nprintf "\\nSlurmDBD configuration:\\nPrivateData            = none\\n"\n' >bin/sacctmgr
	chmod +x bin/sacct bin/sacctmgr
	PATH=$PWD/bin:$PATH TZ=UTC run -0 storus report --conf torus.conf --from 2026-10-05 --to 2026-10-06 --format json
	equal "$(row total all jobs) $(query .from)" "1 $MONDAY"
	equal "$(cat asked)" "%s -a -X -D -P -S uts$MONDAY -E uts$((MONDAY + 86400)) --format=${NAMES//|/,} "
	# The future is not in the accounts, and 30 days are looked at.
	PATH=$PWD/bin:$PATH run -2 --separate-stderr storus report --conf torus.conf --to now+1day
	[[ $stderr == *"no job ran in that time"* && $(cat asked) =~ uts([0-9]+)\ -E\ uts([0-9]+) ]]
	((BASH_REMATCH[2] <= $(date +%s) && BASH_REMATCH[2] - BASH_REMATCH[1] == 30 * 86400))
	printf '#!/bin/sh\necho "no slurmdbd" >&2\nexit 3\n' >bin/sacct
	PATH=$PWD/bin:$PATH run -2 --separate-stderr storus report --conf torus.conf
	equal "$output" ""
	[[ $stderr == "no slurmdbd"$'\n'"storus report: "* ]]
	rm bin/sacct
	run -2 --separate-stderr env PATH="$PWD/bin" "$storus_binary" report --conf torus.conf
	[[ $stderr == "storus report: cannot run sacct: No such file or directory" ]]
}

@test "bad input is refused, and an old page stays" {
	machine
	refuses report <<-'END'
		--from-sacct nowhere --conf torus.conf                 | cannot read 'nowhere': No such file
		--from-sacct torus.conf --conf torus.conf              | torus.conf:1: no column
		--from-sacct /dev/null --conf torus.conf               | no line with the names of columns
		--from-sacct torus.conf --conf nowhere                 | cannot read 'nowhere'
		--from toady                                           | 'toady' is no time
		--from now --to now-1day --from-sacct x                | --from has to be before --to
		--scheduler easy                                       | --scheduler is for --replay
		--worst some                                           | some
		one                                                    | unexpected argument
	END
	echo "$NAMES" >history
	echo old >page.html
	run -2 --separate-stderr report --html page.html
	[[ $stderr == *"history: no job in it has run"* ]]
	echo "${NAMES%|NodeList*}" >history
	run -2 --separate-stderr report --html page.html
	[[ $stderr == *"history: no column NodeList; have sacct -P print it: --format=JobIDRaw,"* ]]
	equal "$(ls; cat page.html)" $'history\npage.html\ntorus.conf\nold'
	{ echo "$NAMES"; line 1 ada a 0 3600 2 "n[00,02]"; } >history
	run -2 --separate-stderr report --html no/such/page.html
	[[ $stderr == *"cannot write 'no/such/page.html'"* && -z $output ]]
	run -0 report --html page.html
	grep -q '^<!DOCTYPE html>' page.html
}

# browser: headless, with no network and a profile of its own
browser() {
	timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--disable-background-networking --disable-component-update --user-data-dir="$PWD/profile" "$@" 2>/dev/null
}

@test "hostile names are text in the page, and nothing is fetched" {
	machine
	hostile='<img src=x onerror=document.body.dataset.hacked=1></title></svg><script>document.body.dataset.hacked=2</script>"'"'"'&amp;'
	{
		echo "$NAMES"
		line 1 "$hostile" "acc$hostile" 0 3600 2 "n[00,02]"
		line '2"><script>document["body"]["dataset"]["hacked"]=3</script>' $'\u202eevil\u2028\x01\xff' "$hostile" 0 3600 2 "n[03,05]"
	} >history
	run -0 report --html page.html --replay compact
	# The policy, the SVG name space of HTML being known without an address
	run grep -c '://' page.html
	equal "$output" 0
	grep -q "content=\"default-src 'none'; style-src 'nonce-[0-9a-f]\{32\}'; base-uri 'none'; form-action 'none'\"" page.html
	run ! grep -q '<script\|<img' page.html
	chromium=$(command -v chromium || command -v chromium-browser) || skip "no chromium"
	browser --dump-dom "file://$PWD/page.html" >dom
	grep -q 'data-jobs="2" data-nodes="16"' dom || { grep "<body" dom; return 1; }
	run ! grep -q 'data-hacked' dom
	# As text it stands there whole: in the table of users.
	grep -qF '<td>&lt;img src=x onerror=document.body.dataset.hacked=1&gt;&lt;/title&gt;&lt;/svg&gt;&lt;script&gt;document.body.dataset.hacked=2&lt;/script&gt;"' dom
	run grep -c '<svg ' dom
	((output >= 6))
	# That the question can be answered otherwise: without the policy and as markup
	sed 's/<meta http-equiv[^>]*>//; s/&lt;/</g; s/&gt;/>/g' page.html >unsafe.html
	browser --dump-dom "file://$PWD/unsafe.html" >dom
	grep -q 'data-hacked' dom
}

@test "nodes that are boxes of chips: chips and chip-hours beside nodes" {
	echo "TorusName=pod ChipDims=8x4x4 NodeShape=2x2x1 Nodes=n[00-31] Curve=row_major" >torus.conf
	{
		echo "$NAMES"
		line 1 ann science 0 3600 8 "n[00-07]"
		line 2 bob science 0 7200 2 "n[08,31]"
	} >history
	run -0 report --format json
	equal "$(row total all node_hours) $(row total all chip_hours) $(query .chips_per_node)" "12 48 4"
	equal "$(query '.job | map(select(.name == "2")) | .[0] | "\(.nodes) \(.chips) \(.chip_hours)"')" "2 8 16"
	run -0 report
	[[ ${lines[0]} == *", 32 nodes of 4 chips"* && $output == *"NODE-HOURS  CHIP-HOURS  HOPS"* ]]
	[[ $output == *"NODES  CHIPS  NODE-HOURS  CHIP-HOURS"* ]]
	report --format csv >table
	equal "$(head -1 table | sed 's/.*,box,//')" chip_hours,chips
	# tori whose nodes have different numbers of chips: no sum of theirs
	echo "TorusName=main Dims=4 Nodes=m[0-3]" >>torus.conf
	[[ $(report --format csv | head -1) == *,box ]]
}
