#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/placement.md: its tables are those of its CSV files, and the commands that made
# these still run.
# shellcheck disable=SC2154 # storus_binary is set by support

load ../../../test/cli/support

top=$(realpath "$BATS_TEST_DIRNAME/../../..")
page=$top/docs/placement.md
tables=$top/contrib/studies/scripts/placement_tables

@test "every table of the page is what the command above it prints" {
	"$tables" page "$page" | diff "$page" -
	# It is the numbers that are shown.
	run -0 grep -c '^    contrib/studies/scripts/placement_tables ' "$page"
	[ "$output" -ge 9 ]
	"$tables" change distance "$top/contrib/studies/data/placement.csv" >table
	[ "$(wc -l <table)" -gt 10 ]
	grep -qxFf table "$page"
}

@test "the tables follow the numbers" {
	cat >table.csv <<-'END'
		machine,wrap,jobs,load,strategy,curve,streams,occupancy,distance,distance_ci95,distance_change,distance_change_ci95
		8x8,all,beta,0.7,best_fit,hilbert,2,0.5,2,1,,
		8x8,all,beta,0.7,compact,hilbert,2,0.5,1.9,1,-5,1.25
		8x8,all,beta,0.7,best_fit,snake,2,0.5,1.8,1,-10,2
		8x8,all,beta,0.9,best_fit,hilbert,2,0.6,2,1,,
		8x8,all,beta,0.9,compact,hilbert,2,0.6,1.7,1,-15,1
		8x8,all,beta,0.9,best_fit,snake,2,0.6,1.8,1,-10,2
		9x9,none,LOG,x1,best_fit,hilbert,1,0.8,2,,,
		9x9,none,LOG,x1,compact,hilbert,1,0.8,2.2,,10,
	END
	run -0 "$tables" change distance table.csv
	equal "$output" "| machine | compact | best_fit, snake |
|---|---:|---:|
| 8x8 torus | -10.0 | -10.0 |
| 9x9 mesh | +10.0 | - |
| all, torus | **-10.0** | **-10.0** |
| all, mesh | **+10.0** | - |"
	run -0 "$tables" misses table.csv
	equal "$output" "| setting | strategy | its distance | that of compact |
|---|---|---:|---:|
| 8x8 torus, beta, load 0.7 | best_fit, snake | 1.8 | 1.9 |
| 9x9 mesh, LOG, load x1 | best_fit | 2 | 2.2 |"
	run -0 "$tables" loads table.csv
	equal "$output" "| machine, jobs | 0.7 | 0.9 |
|---|---:|---:|
| 8x8 torus, beta | -5.0 ± 1.2 | -15.0 ± 1.0 |

| machine, log; run times | x1 |
|---|---:|
| 9x9 mesh, LOG | +10.0 |"
	run -0 "$tables" occupancy table.csv
	[[ $output == *"| 8x8, beta | 50% | 60% |"* ]]
	run -1 "$tables" change components table.csv
	[[ $output == *"no column components_change"* ]]
	run -2 "$tables" change table.csv
	run -2 "$tables" nonsense table.csv
}

@test "bench_compact in its quick version, and again from what it kept" {
	cd "$(dirname "$storus_binary")"
	here=$BATS_TEST_TMPDIR
	"$top/contrib/studies/scripts/bench_compact" --quick --jobs 60 --out "$here/kept" -j2 >"$here/first" 2>/dev/null
	# All settings, all strategies, nothing empty but where the baseline is itself.
	equal "$(wc -l <"$here/first")" $((1 + 2 * 2 * 2 * 2 * 8))
	awk -F, 'NR == 1 { fields = NF }
		NF != fields { exit 1 }
		NR > 1 && (/(^|,)(,|$)/ != ($5 == "best_fit" && $6 == "hilbert")) { exit 1 }' "$here/first"
	"$top/contrib/studies/scripts/bench_compact" --quick --jobs 60 --out "$here/kept" -j2 >"$here/again" 2>/dev/null
	cmp "$here/first" "$here/again"
	# The change is that of the means, in percent.
	awk -F, 'NR > 1 && $6 == "hilbert" && $5 == "best_fit" { base[$1 $2 $3 $4] = $10 }
		NR > 1 && $5 == "mm" { mean[$1 $2 $3 $4] = $10; change[$1 $2 $3 $4] = $12 }
		END {
			for (s in base) {
				d = 100 * (mean[s] / base[s] - 1) - change[s]
				if ((d < 0 ? -d : d) > 0.02) exit 1
				n++
			}
			exit n != 16
		}' "$here/first"
	run -1 "$top/contrib/studies/scripts/bench_compact" --logs "$here"
	[[ $output == *"no KTH-SP2-1996-2.1-cln.swf or"* ]]
}

@test "bench_worth's table, from times that are known" {
	# Two states of a line of 4 routers: two jobs, 2 and 1 nodes; 8 and 4 seconds against 2 are
	# slowdowns of 4 and 2. The second strategy is the baseline.
	cat >lines <<-END
		busy none 2
		none 1 halo best far 7 2 8 2
		none 1 halo best far 8 1 4 2
		none 1 halo best near 7 2 4 2
		none 1 halo best near 8 1 2 2
		busy none 4
		none 2 halo best far 7 2 3 1
		none 2 halo best near 7 2 2 1
	END
	run -0 awk -v dims=4 -f "$top/contrib/studies/scripts/bench_worth.awk" lines
	# Changes of 6 to 3 and of 3 to 2: 100% and 50%, 75 +- 12.706 * 35.355 / sqrt(2).
	equal "$output" "machine,wrap,pattern,order,strategy,busy,states,jobs,mean_slowdown,\
p95_slowdown,node_weighted_slowdown,change,change_ci95
4,none,halo,best,far,0.750,2,3,3.000,4.000,3.200,75.00,317.65
4,none,halo,best,near,0.750,2,3,1.667,2.000,1.800,,"
}

@test "bench_worth on a small machine, and again from what it kept" {
	here=$BATS_TEST_TMPDIR
	cd "${storus_binary%/*}"
	worth() {
		"$top/contrib/studies/scripts/bench_worth" --dims 4x4 --states 1 --out "$here/kept" "$@"
	}
	worth --strategies free_list@row_major,best_fit@hilbert >"$here/first" 2>/dev/null
	equal "$(wc -l <"$here/first")" $((1 + 2 * 3 * 3 * 2))
	# Nobody is faster beside others than a message that has its links to itself.
	awk -F, 'NR > 1 && ($8 < 1 || $9 <= 0 || $10 < $9) { exit 1 }' "$here/first"
	stat -c '%Y %i' "$here"/kept/*.1/result >"$here/before"
	worth --strategies free_list@row_major,best_fit@hilbert >"$here/again" 2>/dev/null
	cmp "$here/first" "$here/again"
	stat -c '%Y %i' "$here"/kept/*.1/result | cmp - "$here/before"
	run -1 worth
	[[ $output == *"has results of other options or another build"* ]]
	# Some of the orders: their lines of the table.
	worth --out "$here/some" --strategies free_list@row_major,best_fit@hilbert --orders any,names \
		>"$here/some.csv" 2>/dev/null
	cmp <(grep -v ,best, "$here/first" | sort) <(sort "$here/some.csv")
	# Fewer rounds take less time, and are other results; so are smaller jobs.
	run -1 worth --strategies free_list@row_major,best_fit@hilbert --rounds 2
	run -1 worth --strategies free_list@row_major,best_fit@hilbert --largest 2
	worth --out "$here/few" --orders names --patterns ring --rounds 2 --largest 2 \
		--strategies free_list@row_major,best_fit@hilbert >"$here/few.csv" 2>/dev/null
	awk '$7 > 2 { exit 1 }' "$here"/few/*.1/result
	grep -q "ring 2 " "$here"/few/alone.ring.*.jobs.*
	run -1 worth --rounds 0
	[[ $output == *"'0' is no number above 0"* ]]
	run -1 worth --orders any,worst
	[[ $output == *"no such order of tasks: worst"* ]]
}
