#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/studies/results, with a study that can be told what to do, and the pages about the
# published ones. quick.bats runs these.
# shellcheck disable=SC2154 # stderr is set by run

load ../../../test/cli/support
load results_support

# A study that can be told what to do, in a copy of contrib/studies/results.
make_study() {
	mkdir -p copy/contrib/studies/{published,pages,data}
	cp "$results" copy/contrib/studies
	cp "$top/contrib/studies/published/lib.bash" copy/contrib/studies/published
	cat >copy/contrib/studies/published/letters <<-'END'
		title="letters"
		parts() { printf '%s\n' a b c; }
		part() {
			echo "$1" >>"$source_dir/ran"
			[ ! -e "$source_dir/slow" ] || sleep 60
			[ ! -e "$source_dir/fail-$1" ]
			echo name,letters
			echo "$1,$(tr -dc "$1" <"$source_dir/text" | wc -c)"
		}
		inputs() { echo "$source_dir/text"; }
		table() { join_csv a b c; }
		figure() { echo "plot '$csv' using 0:2 with boxes notitle"; }
		published() { echo "letters a, in all|7|$(value "$csv" letters name=a)"; }
	END
	echo abacab >copy/text
	results=$PWD/copy/contrib/studies/results
}

@test "the tables in the pages are those of the CSV beside them" {
	mkdir copy
	cp -r "$top"/contrib/studies/{pages,data} copy
	chmod -R u+w copy
	for study in $(studies); do
		# Otherwise the pages would agree whatever the CSV said.
		grep -qx '<!-- table -->' "copy/pages/$study.md"
		grep -qx '<!-- published -->' "copy/pages/$study.md"
		[ "$(grep -cx '<!-- end -->' "copy/pages/$study.md")" -eq 2 ]
		xmllint --noout "copy/data/$study.svg"
		grep -qF "(pages/$study.md)" "$top/contrib/studies/README.md"
		grep -qF "contrib/studies/results" "copy/pages/$study.md"
	done
	results --pages --docs-dir copy
	diff -r "$top/contrib/studies/pages" copy/pages
	diff -r "$top/contrib/studies/data" copy/data
	# Each page is of a study, but for those on how contention is simulated and claims are judged.
	for page in copy/pages/*.md; do
		study=$(basename "$page" .md)
		case $study in
		contention | verdicts) ;;
		claims) [ "$(grep -c '^| .* | .* | .* | .* |$' "$page")" -gt 100 ] ;;
		*) results --list | grep -q "^$study " ;;
		esac
	done
	# The rule is the only source of verdicts, and no claim is without one.
	verdicts=$(awk -F, 'NR > 1 { print $NF }' copy/data/claims.csv | sort -u | paste -sd ,)
	equal "$verdicts" "differs,open,same,same order"
	equal "$(awk -F '|' '/^\|.*\|.*\|.*\| *\|$/ && $(NF - 1) ~ /^ *$/' copy/pages/*.md)" ""
}

@test "verdicts: the one rule of pages/verdicts.md" {
	while read -r verdict rule words; do
		# shellcheck disable=SC2016,SC2086 # the shell's own arguments; words are words
		equal "$rule $words: $(bash -c '. "$1"; judge "${@:2}"' bash \
			"$top/contrib/studies/published/lib.bash" $rule $words)" "$rule $words: ${verdict/_/ }"
	done <<-'END'
		same number 104.9 0 100
		differs number 105.1 0 100
		same number 100 5 100
		open number 104 2 100
		open number 111 7 100
		differs number 111 5.9 100
		same number -97 0 -100
		same correlation 0.93 0.01 0.97
		open correlation 0.93 0.02 0.97
		differs correlation 0.83 0.02 0.97
		same band 15 2 12.8 18.6
		open band 13 2 12.8 18.6
		differs band 2 10 12.8 18.6
		same_order order 0.3 0.2
		open order 0.1 0.2
		open order -0.1 0.2
		differs order -0.3 0.2
		differs order -0.1 0
		open order 0 0
		same_order share 25 25 1
		differs share 24 25 1
		same_order share 6 8 0.75
		differs share 5 8 0.75
		differs share 0 0 1
		- number - 0 100
		- order - 0
	END
	# Student's t: 2.776 for five values, whose deviation is the root of 2.5.
	# shellcheck disable=SC2016 # awk's
	equal "$(bash -c '. "$1"; awk "$judging"'"'"'BEGIN { printf "%.4f %.4f", half95(5, 15, 55), half95(1, 3, 9) }'"'"'' \
		bash "$top/contrib/studies/published/lib.bash")" "1.9629 0.0000"
}

@test "claims: those that have a verdict, of all studies" {
	make_study
	cat >>copy/contrib/studies/published/letters <<-'END'
		published() {
			echo "# First"
			echo "letters \"a\", in all|7|$(value "$csv" ours name=a)|$(judge number "$(value "$csv" ours name=a)" 0 7)"
			echo "not judged|-|3|-"
		}
		table() { join_csv a b c | sed 1s/letters/ours/; }
	END
	cat >copy/contrib/studies/pages/claims.md <<-'END'
		# Claims
		<!-- claims -->
		<!-- end -->
	END
	printf '%s\n' '<!-- published -->' '<!-- end -->' '<!-- table -->' '<!-- end -->' >copy/contrib/studies/pages/letters.md
	results --output out --docs letters
	equal "$(cat copy/contrib/studies/data/claims.csv)" 'study,claim,published,ours,verdict
letters,"First: letters ""a"", in all","7","3",differs'
	grep -qx '| \[letters\](letters.md) | 0 | 0 | 0 | 1 |' copy/contrib/studies/pages/claims.md
	grep -qx '| First: letters "a", in all | 7 | 3 | differs |' copy/contrib/studies/pages/claims.md
	sed -i s/a,3/a,7/ copy/contrib/studies/data/letters.csv
	results --pages
	grep -qx '| First: letters "a", in all | 7 | 7 | same |' copy/contrib/studies/pages/claims.md
}

@test "a page's tables follow the CSV" {
	make_study
	results --output out letters
	printf '%s\n' '# Letters' '<!-- published -->' old '<!-- end -->' text \
		'<!-- table -->' '<!-- end -->' last >copy/contrib/studies/pages/letters.md
	results --output out --docs letters
	cmp out/letters.csv copy/contrib/studies/data/letters.csv
	cmp out/letters.svg copy/contrib/studies/data/letters.svg
	equal "$(cat copy/contrib/studies/pages/letters.md)" '# Letters
<!-- published -->
|  | published | ours |
|---|---|---|
| letters a, in all | 7 | 3 |
<!-- end -->
text
<!-- table -->
| name | letters |
|---|---|
| a | 3 |
| b | 2 |
| c | 1 |
<!-- end -->
last'
	sed -i s/a,3/a,4/ copy/contrib/studies/data/letters.csv
	results --pages letters
	grep -qx '| a | 4 |' copy/contrib/studies/pages/letters.md
	grep -qx '| letters a, in all | 7 | 4 |' copy/contrib/studies/pages/letters.md
	# Tables below headings of their own, in the page and on the terminal.
	cat >>copy/contrib/studies/published/letters <<-'END'
		shown() { for name in b c; do echo "# Only $name"; rows name $name <"$csv"; done; }
		published() { printf '%s\n' "# First" "a|1|2" "b|1|3" "# Second" "c|7|8"; }
	END
	results --pages letters
	equal "$(sed -n '/^<!-- published/,$p' copy/contrib/studies/pages/letters.md)" '<!-- published -->
### First

|  | published | ours |
|---|---|---|
| a | 1 | 2 |
| b | 1 | 3 |

### Second

|  | published | ours |
|---|---|---|
| c | 7 | 8 |
<!-- end -->
text
<!-- table -->
### Only b

| name | letters |
|---|---|
| b | 2 |

### Only c

| name | letters |
|---|---|
| c | 1 |
<!-- end -->
last'
	results --output out letters >printed
	equal "$(sed -n '2,$s/ *$//p' printed)" 'First:
     published  ours
  a  1          2
  b  1          3

Second:
     published  ours
  c  7          8'
	# The figure alone, from the CSV that is there.
	cp copy/contrib/studies/data/letters.svg before.svg
	cp copy/contrib/studies/data/letters.csv before.csv
	rm copy/ran
	results --figures letters
	cmp before.csv copy/contrib/studies/data/letters.csv
	xmllint --noout copy/contrib/studies/data/letters.svg
	run ! cmp -s before.svg copy/contrib/studies/data/letters.svg # a is 4 there
	[ ! -e copy/ran ]
	rm copy/contrib/studies/data/letters.csv
	for what in --pages --figures; do
		run -1 --separate-stderr results $what letters
		[[ $stderr == *"letters: no "* ]]
	done
}

@test "what is there is used, unless what it depends on has changed" {
	make_study
	results --output out letters >first
	equal "$(sort copy/ran | xargs)" "a b c"
	results --output out letters >second
	diff first second
	equal "$(wc -l <copy/ran)" 3
	echo abacabb >copy/text
	results --output out letters | grep -q "letters a, in all *7 *3\$"
	equal "$(wc -l <copy/ran)" 6
	equal "$(value_of_csv b)" 3
	echo "# another study" >>copy/contrib/studies/published/letters
	results --output out letters
	equal "$(wc -l <copy/ran)" 9
	results --quick --output out letters
	equal "$(wc -l <copy/ran)" 12
}

value_of_csv() {
	sed -n "s/^$1,//p" out/letters.csv
}

@test "--set gives a study's parameters other values, and --quick prints nothing published" {
	make_study
	cat >>copy/contrib/studies/published/letters <<-'END'
		letters=(a b c)
		text=text
		parameters="letters text"
		parts() { printf '%s\n' "${letters[@]}"; }
		table() { join_csv "${letters[@]}" | sed '1s/$/,published,verdict/; 2,$s/$/,7,differs/'; }
		published() { echo "letters b, in all|7|$(value "$csv" letters name=b)|differs"; }
	END
	run -0 results --parameters letters
	equal "$output" "letters letters=a,b,c
letters text=text"
	run -0 results --output out letters
	[[ $output == *"published"*"letters b, in all"*7*2*differs* && $output != *With* ]]
	equal "$(sed -n 2p out/letters.csv)" "a,3,7,differs"
	run -0 results --output out --set letters=b,c --set text=one letters
	[[ $output == *"With letters=b,c text=one."*published* ]]
	equal "$(cat out/letters.csv)" "name,letters,published,verdict
b,2,7,differs
c,1,7,differs"
	# What is left out is neither shown nor judged.
	run -0 results --output out --set letters=a,c letters
	[[ $output =~ "letters b, in all"\ +7\ +-\ +-$ ]]
	run -0 results --output out --quick letters
	[[ $output == *"not the published ones"* && $output != *differs* && $output != *7* ]]
	equal "$(sed -n 2p out/letters.csv)" "a,3,-,-"
	run -2 results --set seeds=3 letters
	[[ $output == *"--set seeds=3: no such parameter; there are letters, text"* ]]
	for setting in letters letters= 3=4 "Letters=a"; do
		run -2 results --set "$setting" letters
		[[ $output == *"must be PARAMETER=VALUE"* ]]
	done
	run -2 results --docs --set text=one letters
	[[ $output == *"exclude each other"* ]]
	# Each parameter of a study is one of its variables.
	for study in $(command env "$top/contrib/studies/results" --list | awk '{ print $1 }'); do
		STORUS="$storus_binary" "$top/contrib/studies/results" --parameters "$study" >/dev/null
	done
}

@test "a part that fails is told of, and only it runs again" {
	make_study
	touch copy/fail-b
	run -1 --separate-stderr results --output out letters
	[[ $stderr == *"letters: b failed"*"letters: failed"* && -z $output ]]
	[ ! -e out/letters.csv ]
	rm copy/fail-b copy/ran
	results --output out letters
	equal "$(cat copy/ran)" b
}

@test "interrupted, it ends what it started, and goes on from there" {
	make_study
	results --output out letters
	echo cab >copy/text
	touch copy/slow
	rm copy/ran
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	for signal in INT TERM HUP; do
		env --default-signal=INT,TERM,HUP STORUS="$storus_binary" "$results" --jobs 2 --output out \
			letters >printed 2>err &
		process=$!
		until [ "$(wc -l 2>/dev/null <copy/ran)" = 2 ]; do sleep 0.05; done
		children=$(pgrep -P $process)
		kill -$signal $process
		status=0
		wait $process || status=$?
		equal "$status" 1
		equal "$(cat err)" "results: interrupted; the same command goes on where it was"
		for child in $children; do run ! kill -0 "$child"; done
		rm copy/ran
	done
	# What was there stays, but is of another text.
	equal "$(value_of_csv a)" 3
	rm copy/slow
	results --output out letters
	equal "$(value_of_csv a)" 1
	equal "$(ls -A "$TMPDIR")" ""
}

@test "a study that lacks something is left out" {
	make_study
	echo 'needs() { echo "no quill"; return 1; }' >>copy/contrib/studies/published/letters
	run -77 --separate-stderr results --output out letters
	equal "$stderr" "results: letters is left out: no quill"
	[ ! -e out/letters.csv ]
}

@test "bad usage is refused" {
	while IFS='|' read -r arguments pattern; do
		# shellcheck disable=SC2086 # arguments are words
		run -2 --separate-stderr results $arguments
		[[ -z $output && $stderr == "results: "*"${pattern# }"* ]] || {
			printf '%s\n' "$arguments" "$stderr" >&2
			return 1
		}
	done <<-'END'
		| which study?
		nosuch | nosuch: no such study
		../lib.bash | no such study
		lib.bash | no such study
		--jobs 0 all | --jobs 0: not a number
		--jobs | --jobs lacks its argument
		--nosuch | --nosuch: unknown
		--quick --docs all | exclude each other
	END
	run -2 --separate-stderr results --logs no/such all
	[[ -z $output && $stderr == *"no/such"* ]]
	run -0 results --help
	[[ $output == "Usage: results "* ]]
}
