#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus view of a time: what sacct has printed, and what --record has kept. The page's
# slider is in view_page.bats.

load support

small() {
	echo "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" >torus.conf
	echo 'var THREE = {};' >three.js
}

teardown() {
	[[ -z ${recorder-} ]] || { kill $recorder; wait $recorder; } 2>/dev/null || true
}

# page OPTION...: write it, and its data
page() {
	storus view --conf torus.conf --three-js three.js "$@" || return
	sed -n 's,.*id="machine">\(.*\)</script>,\1,p' machine.html | python3 -B "$BATS_TEST_DIRNAME/view_runs.py" >data
}

accounts() {
	cat <<-'END'
		JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|TimelimitRaw|ReqNodes|AllocNodes|State|NodeList|SystemComment
		1|ada|physics|batch|100|100|200|300|60|6|6|COMPLETED|n[00-05]|torus=main,nodes=6
		1|ada|physics|batch|100|100|400|500|60|6|6|COMPLETED|n[06-11]|
		2|<b>|</script>|batch|150|150|250|Unknown|60|2|2|RUNNING|n[12-13]|
		3|ada|physics|batch|100|100|Unknown|Unknown|60|6|0|PENDING|None assigned|
		4|ada|physics|batch|100|100|300|350|60|2|2|TIMEOUT|n35,gone|
	END
}

@test "from sacct: runs with their nodes, those that still run until the end" {
	small
	accounts >accounts
	page --from-sacct accounts
	equal "$(jq -c '[.history, .dates, .time]' data)" '[true,true,0]'
	equal "$(jq -c '.jobs | map([.id, .user, .start, .end, (.parts | map([.torus, .nodelist]))])' data)" \
		'[["1","ada",200,300,[[0,"n[00-05]"]]],["2","<b>",250,500,[[0,"n[12-13]"]]],["4","ada",300,350,[[0,"n35"],[null,"gone"]]],["1","ada",400,500,[[0,"n[06-11]"]]]]'
	equal "$(jq -r '.jobs[0] | .account, .partition, .system_comment' data | paste -sd,)" "physics,batch,torus=main,nodes=6"
	cp data plain
	accounts | gzip | page --from-sacct -
	cmp data plain
	# STORUS_CONF will do.
	STORUS_CONF=torus.conf storus view --three-js three.js --from-sacct accounts
}

@test "from sacct: asked for itself" {
	small
	mkdir bin
	cat >bin/sacct <<-END
		#!/bin/sh
		echo "\$@" >'$PWD/asked'
		cat '$PWD/accounts'
	END
	chmod +x bin/sacct
	accounts >accounts
	PATH=$PWD/bin:$PATH TZ=UTC0 page --from 2026-11-01 --to 2026-11-02T12:00
	equal "$(jq '.jobs | length' data)" 4
	grep -q 2026-11-01T00:00:00 asked || grep -q 1793491200 asked
	printf '#!/bin/sh\necho no >&2\nexit 3\n' >bin/sacct
	PATH=$PWD/bin:$PATH run -2 --separate-stderr storus view --conf torus.conf --three-js three.js --from 2026-11-01
	[[ $stderr == *"storus view: "*sacct* ]]
}

@test "from sacct: what is no history" {
	small
	accounts | sed -n 1p >none
	echo 'JobIDRaw|State' >few
	accounts | sed '3s/|.*//' >bad
	refuses view <<-'END'
		--conf torus.conf --from-sacct none                     | none: no job that ran
		--conf torus.conf --from-sacct few                      | few:1:
		--conf torus.conf --from-sacct missing                  | cannot read 'missing'
		--conf torus.conf --from-sacct none --from 2026-11-01   | one of them
		--conf torus.conf --from-sacct none --history x         | exclude each other
		--conf torus.conf --from 2026-11-02 --to 2026-11-01     | --from has to be before --to
		--conf torus.conf --from lately                         | lately
		--conf torus.conf --to 2026-11-02                       | --to needs --from
		--conf torus.conf --serve --from 2026-11-02             | of what runs now
		--conf torus.conf --record x --from 2026-11-02          | of what runs now
		--conf torus.conf --record x --serve                    | exclude each other
		--conf torus.conf --record x --output y                 | exclude each other
		--conf torus.conf --record x --jobs -                   | name a file
		--conf torus.conf --keep 3                              | --keep needs --record
		--conf torus.conf --record torus.conf --jobs none       | cannot record in 'torus.conf': Not a directory
		--conf torus.conf --history .                           | ./jobs.csv: No such file, and no *.frames either
	END
	run -0 --separate-stderr storus view --conf torus.conf --three-js three.js --from-sacct bad
	equal "$stderr" "storus view: bad: lines that cannot be read: 1, the first is line 3"
}

# record: in the background, a look every second
record() {
	"$storus_binary" view --conf torus.conf --jobs jobs --record frames --every 1 2>said 3>&- &
	recorder=$!
}

# lines_are COUNT: the frames have so many lines, within ten seconds
lines_are() {
	for ((i = 0; i < 200; i++)); do
		[[ $(cat frames/*.frames 2>/dev/null | wc -l) != "$1" ]] || return 0
		sleep 0.05
	done
	cat frames/*
	return 1
}

stop() {
	kill "$1" $recorder
	wait $recorder || true
	recorder=
}

@test "recorded: changes only, and played back" {
	small
	echo "7 n[00-05] name=ocean user=ada start=1000" >jobs
	record
	lines_are 1
	equal "$(stat -c %a frames frames/*)" $'700\n600'
	sleep 2
	lines_are 1
	echo "8 n06 comment=\"<b>" >>jobs
	lines_are 2
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --record frames
	[[ $stderr == *"cannot record in 'frames': another process does already"* ]]
	sed -i 1d jobs
	lines_are 3
	# The same number with other nodes is another run.
	echo "8 n07" >jobs
	lines_are 4
	stop -TERM
	page --history frames
	equal "$(jq -c '[.history, .dates, (.jobs | map([.id, .name, .user, .comment, .parts[0].nodelist]))]' data)" \
		'[true,true,[["7","ocean","ada",null,"n[00-05]"],["8",null,null,"\"<b>","n06"],["8",null,null,null,"n07"]]]'
	equal "$(jq -c '.jobs | [.[0].start, (.[0].end == .[1].end), .[1].start < .[0].end, .[1].end == .[2].start, .[2].end == .[2].start]' data)" \
		'[1000,false,true,true,true]'
}

@test "recorded: goes on after an end, also one by a crash in the middle of a line" {
	small
	printf '%s\n' "7 n[00-05] start=1000" "8 n06 start=1000" >jobs
	record
	lines_are 1
	stop -KILL
	printf '{"time":17,"come":[{"id":"9","nodelist":"n0' >>"$(echo frames/*)"
	# A reader takes no notice of it, nor does the next recorder.
	page --history frames
	equal "$(jq -c '.jobs | map(.id)' data)" '["7","8"]'
	sed -i 1d jobs
	sleep 1
	record
	lines_are 2
	stop -TERM
	page --history frames
	equal "$(jq -c '.jobs | [map(.id), .[0].end == .[1].end, .[1].start]' data)" '[["7","8"],true,1000]'
	! grep -q '"9"' frames/* || return 1
}

@test "recorded: files of former days go, others stay" {
	small
	echo "7 n00" >jobs
	mkdir frames
	touch frames/2001-01-01.frames frames/2001-01-01.frames.txt frames/notes.frames
	echo '{"time":5,"all":true,"come":[]}' >"frames/$(date -u -d yesterday +%F).frames"
	record
	lines_are 2
	stop -TERM
	equal "$(ls frames | paste -sd' ')" "2001-01-01.frames.txt $(date -u -d yesterday +%F).frames $(date -u +%F).frames notes.frames"
}

@test "recorded: a look that fails is said once and left out" {
	small
	echo "7 n00" >jobs
	record
	lines_are 1
	echo broken >jobs
	for ((i = 0; i < 100; i++)); do [[ ! -s said ]] || break; sleep 0.05; done
	sleep 2
	equal "$(<said)" "storus view: jobs:1: job 'broken' without nodes"
	echo "8 n00" >jobs
	lines_are 2
	grep -q 'recording again' said
}

@test "recorded: a damaged line is passed over, and said" {
	small
	mkdir frames
	# The lines before and behind it are good.
	local before='{"time":1795392001,"all":true,"come":[{"id":"1","nodelist":"n00"},{"id":"2","nodelist":"n01"}]}'
	local after='{"time":1795392300,"gone":["1"]}'
	bad() {
		printf '%s\n' "$before" "$1" "$after" >frames/2026-11-23.frames
		run -0 --separate-stderr page --history frames
		[[ $stderr == "storus view: lines that are damaged and were passed over: 1, the first is frames/2026-11-23.frames:2: $2"* ]] ||
			{ echo "$stderr" >&2; return 1; }
		equal "$(jq -c '[.jobs[] | [.id, .start, .end]]' data)" "${3:-[[\"1\",1795392001,1795392300],[\"2\",1795392001,1795392300]]}"
	}
	bad '{"time":' ""
	bad $'\xff\xfe\x01' ""
	bad '[]' "no time"
	bad '{"time":1795392000}' "no time, or one before"
	bad '{"time":99999999999,"all":true,"come":[]}' "a time that is not of this file's day"
	bad '{"time":1795392100,"come":[{"id":"3"}]}' "a job without id or nodelist"
	bad '{"time":1795392100,"come":[{"id":3,"nodelist":"n02"}]}' "a job without id or nodelist"
	bad '{"time":1795392100,"come":[7]}' "a job without id or nodelist"
	# What is good in the line counts.
	bad '{"time":1795392100,"gone":["2"],"come":[{"id":"3","nodelist":"n[0"},{"id":"4","nodelist":"n03"}]}' "hostlist: " \
		'[["1",1795392001,1795392300],["2",1795392001,1795392100],["4",1795392100,1795392300]]'
	# A file of one such line has no job; several files are read on.
	printf '%s\n' '{"time":' >frames/2026-11-22.frames
	run -0 --separate-stderr page --history frames
	[[ $stderr == *"passed over: 2, the first is frames/2026-11-22.frames:1: "* ]]
}
