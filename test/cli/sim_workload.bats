#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus sim --workload: jobs made up by rules, and the logs they are saved as.

load support

# sizes FILE: the node counts of the jobs in a log
sizes() {
	awk '!/^;/ { print $8 }' "$1"
}

@test "a saved workload replays as the workload itself" {
	for workload in cplant-stream:load=0.9 beta:sizes=small,jobs=40 beta:shaped=yes,jobs=40 \
		exponential:jobs=100 log-uniform:jobs=100,load=0.95; do
		machine=(--dims 8x8x5 --wrap xyz --scheduler conservative)
		storus sim "${machine[@]}" --workload "$workload" --seed 5 \
			--write-swf log.swf --out made >one
		storus sim "${machine[@]}" --trace log.swf --seed 5 --write-swf again.swf --out read >two
		cmp one two
		cmp made/jobs.csv read/jobs.csv
		# But for the note on where they come from
		diff <(grep -v '^; Note' log.swf) <(grep -v '^; Note' again.swf)
	done
}

@test "the seed makes the jobs, and the log says which" {
	make() { storus sim --dims 8x8 --workload exponential:mean=4 --seed "$1" --write-swf "$2" >/dev/null; }
	make 1 a && make 1 b && make 2 c
	cmp a b
	run -1 cmp -s a c
	grep -qx '; Note: storus sim --workload exponential:mean=4 --seed 2' c
}

@test "the Cplant stream has the jobs of the paper" {
	storus sim --dims 8x8 --nodes-per-router 4 --workload cplant-stream --write-swf log >/dev/null
	equal "$(sizes log | sort -n | uniq -c | awk '{ print $1 "x" $2 }' | xargs)" "91x2 33x5 31x25 33x30"
	# All there at time 0, all running equally long
	equal "$(awk '!/^;/ { print $2, $4, $9 }' log | sort -u)" "0 900 900"
}

@test "boxes that were drawn are what the jobs get" {
	storus sim --dims 8x8x8 --wrap xyz --workload beta:shaped=yes,jobs=60 --scheduler fcfs \
		--write-swf log --out out >/dev/null
	# The number of a box in field 14, its sides in the header
	awk '/^; Shape:/ { split($4, s, "x"); n[$3] = s[1] * s[2] * s[3] }
		!/^;/ { if (n[$14] != $5) exit 1; jobs++ } END { exit jobs != 60 }' log
	# Whose volume is all that a job has.
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["nodes"] != $at["volume"] { exit 1 }' out/jobs.csv
}

@test "--max-jobs and its like come before the log" {
	storus sim --dims 8x8 --workload exponential:mean=4 --max-jobs 7 --replicate 2 \
		--work-multiple 1.5 --write-swf log >/dev/null
	equal "$(sizes log | wc -l)" 14
	equal "$(storus sim --dims 8x8 --trace log --format csv)" \
		"$(storus sim --dims 8x8 --workload exponential:mean=4 --max-jobs 7 --replicate 2 \
			--work-multiple 1.5 --format csv)"
}

@test "bad workloads are refused, and leave no log" {
	refuses sim <<-'END'
		--dims 8x8 --workload nosuch --write-swf log | unknown workload 'nosuch'; known are cplant-stream, beta, exponential, log-uniform
		--dims 8x8 --workload beta:sizes=huge --write-swf log | beta: sizes='huge' is not one of small|medium|large
		--dims 8x8 --workload exponential:mean=65 --write-swf log | a mean of 65 nodes is more than the machine's 64
		--dims 8x8 --workload exponential --trace log | jobs of one source only
		--dims 8x8 --workload exponential --write-swf no/such | cannot write 'no/such'
	END
	[ ! -e log ]
}
