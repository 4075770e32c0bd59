# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What contrib/check has found out: suites, their tests, and the closing lines.  Each suite
# has a file of results, one line a test: "pass|fail|skip<TAB>SUITE: NAME<TAB>WHY".  Wants
# from its caller $output, a directory, and in it the file "started", older than any result.
#
# shellcheck disable=SC2154 # $output

# progress TEXT: a line that overwrites itself, for people only
progress() { [ ! -t 2 ] || printf '\r\033[K%s' "$*" >&2; }

# path_of SUITE: where its files are, but for the suffix
path_of() { echo "$output/${1// /.}"; }

# begin NAME: a suite; sets $suite and $results
begin()
{
	suite=$1
	results=$(path_of "$suite").results
	suite_started=$SECONDS
	progress "$suite"
	: >"$results"
	: >"$(path_of "$suite").log"
}

# result pass|fail|skip NAME [WHY]
result() { printf '%s\t%s: %s\t%s\n' "$1" "$suite" "$2" "${3-}" >>"$results"; }

# end_of_log FILE: as a WHY, of one line
end_of_log() { tail -n 15 "$1" | tr '\t' ' ' | tr '\n' '\v'; }

# apart COMMAND...: in the background, for a trap to be able to end it, and in a process group
# of its own, with all that it starts
apart()
{
	set -m
	"$@" </dev/null &
	set +m
	wait $!
}

# one_test NAME COMMAND...: a test that is a command's exit status
one_test()
{
	local name=$1
	shift
	if apart "$@" >"$output/last.log" 2>&1; then
		result pass "$name"
	else
		result fail "$name" "$(end_of_log "$output/last.log")"
	fi
	cat "$output/last.log" >>"$output/$suite.log"
}

# count_tap NAME LOG [STATUS]: the tests in the TAP output of a program, which ended
# with STATUS.  A program that fails without a failed test, or that runs fewer tests
# than it announced, has failed.
count_tap()
{
	awk -v program="$suite: $1" -v status="${3:-0}" '
		function flush() {
			if (kind != "")
				printf "%s\t%s: %s\t%s\n", kind, program, name, why
			kind = ""
		}
		function is(what) { flush(); kind = what; why = ""; seen++; found[what]++ }
		function strip() { sub(/^(not )?ok [0-9]*( - | )?/, "", name) }
		{ gsub(/[\t\r]/, " ") }
		/^1\.\.[0-9]+/ { planned += substr($1, 4); next }
		/^(not )?ok .*# *[Ss][Kk][Ii][Pp]/ {
			is("skip")
			name = why = $0
			sub(/ *# *[Ss][Kk][Ii][Pp].*/, "", name)
			sub(/.*# *[Ss][Kk][Ii][Pp] */, "", why)
			strip()
			if (name == "" || name ~ /^(not )?ok/) {
				name = why
				why = ""
			}
			if (why == "")
				why = "gives no reason"
			flush()
			next
		}
		/^ok / { is("pass"); name = $0; strip(); next }
		/^not ok / { is("fail"); name = $0; strip(); next }
		/^#/ && kind == "fail" && length(why) < 2000 { why = why $0 "\v" }
		END {
			flush()
			for (i = seen; i < planned; i++)
				printf "fail\t%s: a test that did not run\texit status %d\n", program,
					status
			if (status && !found["fail"] && seen >= planned)
				printf "fail\t%s\texit status %s\n", program, status
			if (!status && !seen)
				printf "pass\t%s\t\n", program
		}' "$2" >>"$results"
}

# count_make_check BUILD: the tests that a "make check" there has run
count_make_check()
{
	local report log status name
	while read -r report; do
		log=${report%.trs}.log
		name=${log##*/}
		name=${name%.log}
		case $(sed -n 's/^:test-result: //p' "$report") in
		PASS) status=0 ;;
		SKIP)
			result skip "$name" "$(tail -n 1 "$log")"
			continue
			;;
		*) status=$(sed -n 's/^.*(exit status: \([0-9]*\))$/\1/p' "$log" | tail -n 1)
			[ "${status:-0}" -ne 0 ] || status=1 ;;
		esac
		count_tap "$name" "$log" "$status"
	done < <(find "$1/test" "$1/contrib" -name '*.trs' -newer "$output/started" | sort)
}

# end [SECONDS]: say how the suite went, which took so long.  One that ran nothing has failed.
end()
{
	progress ""
	[ -s "$results" ] || result fail "no test has run"
	awk -F '\t' -v suite="$suite" -v seconds="${1:-$((SECONDS - suite_started))}" '
		{ count[$1]++ }
		$1 == "fail" {
			sub(/[\v ]+$/, "", $3)
			gsub(/\v/, "\n        ", $3)
			failed = failed "    FAILED " $2 "\n" ($3 == "" ? "" : "        " $3 "\n")
		}
		END {
			printf "%-15s %5d passed, %d failed, %d skipped, %d s\n", suite,
				count["pass"], count["fail"], count["skip"], seconds
			printf "%s", failed
		}' "$results"
}

# close: what was skipped in any suite, what has passed only when it ran again ($output/again,
# lines of results), and the closing line; returns the exit status
close()
{
	[ ! -s "$output/again" ] || awk -F '\t' '{
		gsub(/\v/, "\n        ", $3)
		printf "PASSED ONLY WHEN RUN AGAIN: %s\n        %s\n", $2, $3
	}' "$output/again"
	sed -n 's/^skip\t\(.*\)\t\(.*\)$/skipped \1 (\2)/p' "$output"/*.results
	awk -F '\t' '
		{ count[$1]++ }
		END {
			printf "%d passed, %d failed", count["pass"], count["fail"]
			if (count["skip"])
				printf ", %d skipped", count["skip"]
			print ""
			exit count["fail"] || !count["pass"]
		}' "$output"/*.results
}
