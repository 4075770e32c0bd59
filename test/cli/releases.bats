#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/checks/releases: the table of tests by release is that of the results.
# shellcheck disable=SC2154 # output is set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")

releases() { "$top/contrib/checks/releases" "$@"; }

# numbers: the CSV without date and commit, which are those of the day
numbers() { cut -d, -f1-7 docs/releases.csv; }

make_docs() {
	mkdir docs
	printf '%s\n' '# Tests' '<!-- runs -->' old '<!-- end -->' text >docs/releases.md
}

# results: of contrib/check, a suite with two files of tests and something else
results() {
	printf '%s\t%s\t%s\n' pass "cluster: select_whole.bats: a job gets nodes" "" \
		pass "cluster: select_whole.bats: x.bats: a colon" "" \
		skip "cluster: select_whole.bats: another" "no GPU" \
		pass "cluster: show.bats: one" "" \
		fail "cluster: show.bats: two" "# why" \
		fail "cluster: show.bats" "exit status 1" \
		pass "cluster: cc" "" >results
}

@test "numbers come from the results, file by file, and the page from the numbers" {
	make_docs
	results
	releases --docs docs add 26.05.3 "bookworm (source)" topology results
	equal "$(numbers)" "slurm,system,plugin,file,passed,failed,skipped
26.05.3,bookworm (source),topology,select_whole,2,0,1
26.05.3,bookworm (source),topology,show,1,2,0"
	grep -qE '^26.*,20[0-9-]{8},[0-9a-f+-]+$' docs/releases.csv
	day=$(date -u +%F)
	sed -i "s/,20[0-9-]*,\(.*\)/,$day,\1/" docs/releases.csv
	releases --docs docs page
	equal "$(cat docs/releases.md)" "# Tests
<!-- runs -->
| Slurm | Debian | plugin | files | passed | failed | skipped | run on |
|---|---|---|---:|---:|---|---:|---|
| 26.05.3 | bookworm (source) | \`topology/torus\` | 2 | 3 | 2 (\`show\` 2) | 1 | $day |
<!-- end -->
text"
}

@test "a file that runs again replaces its numbers, and nobody else's" {
	make_docs
	results
	releases --docs docs add 26.05.3 bookworm topology results
	releases --docs docs add 22.05.8 bookworm select results
	releases --docs docs add 26.05.3 bookworm select results
	printf 'pass\tcluster both: show.bats: one\t\n' >again
	releases --docs docs add 26.05.3 bookworm select again
	equal "$(numbers | tail -n +2)" "22.05.8,bookworm,select,select_whole,2,0,1
22.05.8,bookworm,select,show,1,2,0
26.05.3,bookworm,select,select_whole,2,0,1
26.05.3,bookworm,select,show,1,0,0
26.05.3,bookworm,topology,select_whole,2,0,1
26.05.3,bookworm,topology,show,1,2,0"
}

@test "the page's table is that of its CSV" {
	mkdir docs
	cp "$top"/docs/releases.{md,csv} docs
	chmod -R u+w docs
	releases --docs docs page
	diff "$top/docs/releases.md" docs/releases.md
	[ "$(head -n 1 docs/releases.csv)" = "slurm,system,plugin,file,passed,failed,skipped,date,commit" ]
}

@test "continuous integration has a job for each release in the CSV, and no others" {
	diff <(tail -n +2 "$top/docs/releases.csv" | cut -d, -f1,2 | sort -u) \
		<(awk '!/^#/ { print $1 "," $2 ($3 == "-" ? "" : " (source)") }' "$top/.ci/releases" | sort -u)
}

# job RELEASE [OPTION...]: what .ci/run would run on a Debian that has no such name
job() {
	mkdir -p tree/contrib tree/.ci
	cp "$top"/.ci/run tree/.ci
	printf '%s\n' '1.0 forky -' '2.0 forky slurm-2-0' >tree/.ci/releases
	printf '#!/bin/sh\necho "check $*"\n' >tree/contrib/check
	printf '#!/bin/sh\necho "root $*"\n' >tree/contrib/debian-root
	chmod +x tree/contrib/*
	sh tree/.ci/run "$@"
}

@test "a job of continuous integration: on which Debian, and with which Slurm" {
	run -0 job
	equal "$output" "check --demo"
	run -0 job --quick
	equal "$output" "check --demo --quick"
	run -0 job 1.0 --all-files
	equal "$output" "root --suite forky --for build --for cluster --for accounting --for check --source build/debian-forky contrib/check --this-debian --all-files"
	run -0 job 2.0 --slurm-prefix /p --slurm-src /s
	equal "$output" "check --slurm-prefix /p --slurm-src /s"
	run -2 job 2.0
	[[ $output == *"build Slurm's tag slurm-2-0 and name it"* ]]
	run -2 job 3.0
	[[ $output == *"3.0 is none of 1.0 2.0"* ]]
	# shellcheck source=/dev/null
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	[ -n "$codename" ] || return 0
	job >/dev/null
	echo "4.0 $codename -" >>tree/.ci/releases
	run -0 sh tree/.ci/run 4.0
	equal "$output" "check --this-debian"
}

@test "results without cluster tests, and bad usage" {
	make_docs
	printf 'pass\tbuild: cc\t\n' >results
	run -1 releases --docs docs add 26.05.3 bookworm select results
	[[ $output == *"no cluster tests in results"* ]]
	[ ! -e docs/releases.csv ]
	for arguments in "" nonsense add "add 26.05.3 x select" "add master x select results" \
		"add 26.05.3 x none results" "add 26.05.3 a,b select results" "page more" --nosuch; do
		# shellcheck disable=SC2086 # arguments are words
		run -2 releases $arguments
	done
	run -2 "$top/contrib/check" --files nosuch
	[[ $output == *"--files nosuch: no such file of tests"* ]]
}
