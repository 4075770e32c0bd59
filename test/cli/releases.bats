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

# every OPTION...: contrib/check --releases, of three releases and a Slurm that is made at once
every() {
	local top_of_it=$PWD/every
	if [ ! -e "$top_of_it" ]; then
		mkdir -p "$top_of_it"/{contrib/checks,.ci,git}
		cp "$top"/contrib/checks/every-release "$top_of_it/contrib/checks"
		printf '%s\n' '# releases' '1.0.1 forky -' '2.0.2 sid -' '3.0.3 forky slurm-3-0' \
			'4.0.4 forky slurm-4-0' >"$top_of_it/.ci/releases"
		write_slurm "$top_of_it/git" >/dev/null
		cat >"$top_of_it/contrib/check" <<-'END'
			#!/bin/sh
			echo "check $*"
			echo "7 passed, 0 failed"
		END
		chmod +x "$top_of_it/contrib/check"
	fi
	"$top_of_it/contrib/checks/every-release" "$@" 2>stderr
}

# write_slurm DIR: a repository of two releases, the later of which does not compile
write_slurm() (
	cd "$1" || return
	git init -q .
	cat >configure <<-'END'
		#!/bin/sh
		for option; do case $option in --prefix=*) prefix=${option#*=} ;; esac; done
		printf 'all:\n\ninstall:\n\tmkdir -p %s/sbin\n\tcp configure %s/sbin/slurmctld\n' \
			"$prefix" "$prefix" >Makefile
	END
	chmod +x configure
	git add configure
	git -c user.name=x -c user.email=x commit -qm one
	git tag slurm-3-0
	echo 'echo "no compiler"; exit 1' >>configure
	git -c user.name=x -c user.email=x commit -qam two
	git tag slurm-4-0
)

@test "all releases in one command: built from source where they are, and each counted" {
	command -v git >/dev/null || skip "no git"
	# What cannot be had does not keep the others from it.
	run -1 every --slurm-git every/git --slurm-dir slurm --files "select_*" --minutes 9
	equal "$output" "== 1.0.1 2.0.2
check --record --files select_* --minutes 9
7 passed, 0 failed
== 3.0.3
check --slurm-prefix $PWD/slurm/slurm-3.0.3 --slurm-src $PWD/slurm/slurm-3.0.3/src --record --files select_* --minutes 9
7 passed, 0 failed
== all
1.0.1 2.0.2              7 passed, 0 failed
3.0.3                    7 passed, 0 failed
4.0.4                    not built"
	grep -q "slurm-4-0 was not built, all of it in $PWD/slurm/slurm-4.0.4.log" stderr
	grep -q "^no compiler" stderr
	# What is there is not built again, and needs no repository.
	run -0 every --slurm-dir slurm --only 3.0.3 --build-only
	equal "$output" "== all
3.0.3                    $PWD/slurm/slurm-3.0.3"
	run -1 every --slurm-dir slurm --only=4.0.4
	grep -q "say where to take it from, --slurm-git DIR" stderr
	run -0 every --slurm-dir slurm --only "2.0.2"
	[[ $output == "== 2.0.2"*"check --record"$'\n'* ]]
}

@test "all releases in one command: tests that fail, and bad usage" {
	command -v git >/dev/null || skip "no git"
	run -0 every --help
	[[ $output == "Usage: contrib/check --releases "* ]]
	printf '#!/bin/sh\necho "6 passed, 1 failed"\nexit 1\n' >every/contrib/check
	run -1 every --slurm-dir slurm --only 1.0.1
	[[ $output == *"1.0.1                    6 passed, 1 failed" ]]
	run -2 every --only 5.0
	grep -q -- "--only 5.0: none of 1.0.1 2.0.2 3.0.3 4.0.4" stderr
	run -2 every --slurm-git /nonexistent
	grep -q "not a git repository" stderr
	for option in --only --slurm-git --slurm-dir --files --quick --record --slurm-prefix=/ x; do
		run -2 every "$option"
	done
	run -0 "$top/contrib/check" --releases --help
	[[ $output == "Usage: contrib/check --releases "* ]]
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
