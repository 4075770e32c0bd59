#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus report from a real slurmdbd: what it says beside sacct and the plugin's tokens.
# shellcheck disable=SC2154 # output and stderr are set by run

load select_support
load truth_support
bats_require_minimum_version 1.5.0

setup_file()
{
	LACKS=$(accounting_lacks)
	export LACKS
	accounts_start --dims 4x3x2 --wrap all --exclusive
}
teardown_file() { [ -n "$LACKS" ] || cluster_stop; }
setup()
{
	[ -z "$LACKS" ] || skip "$LACKS"
	cd "$BATS_TEST_TMPDIR" || return
}

# ended JOB: the accounts have its end, and its token
ended() { account "$1" End,SystemComment | grep -q '^[0-9].*|.*torus='; }

# begun JOB: the accounts have its start
begun() { account "$1" Start | grep -q '^[0-9]'; }

# report ARGUMENT...: as JSON in $output, of the last hour
report() { run -0 --separate-stderr slurm "$STORUS" report --from now-1hour --format json "$@"; }
# query ARGUMENT... FILTER: of the JSON in $output
query() { jq -cr "$@" <<<"$output"; }

# have_nodes: the nodes, seconds and names of nodes of each line of the accounts that has any
have_nodes()
{
	sacct -a -n -P -X -D -o AllocNodes,ElapsedRaw,NodeList | grep -v 'None assigned' | awk -F'|' '$1 > 0'
}

@test "arrays, heterogeneous, requeued and running jobs: as many, as long and as far apart as they were" {
	plain=$(submit -N 6)
	array=$(submit --array=1-2 -N 2)
	het=$(sbatch --parsable --chdir=/ --output=/dev/null -N 3 : -N 4 <<-'END'
		#!/bin/sh
		sleep 300
	END
	)
	running=$(submit -N 5)
	again=$(submit -N 2)
	for job in "$plain" "${array}_1" "${array}_2" "$het+0" "$running" "$again"; do
		wait_until 60 eval '[ "$(squeue -h -j "$job" -o %T | sort -u)" = RUNNING ]'
	done
	waiting=$(submit -N 20)
	scontrol update job="$plain" AdminComment="JS1:theirs"
	# Of a run that is requeued before slurmctld has heard from slurmdbd that it has its start, the start is lost. It asks
	# every 5 seconds.
	wait_until 60 begun "$again"
	sleep 11
	scontrol requeue "$again"
	scancel "$plain" "$array" "$het"
	for job in "$plain" "${array}_1" "${array}_2" "$het+0" "$het+1"; do
		wait_until 60 ended "$job"
	done
	wait_until 60 eval '[ "$(sacct -n -P -X -D -j "$again" -o State | head -n 1)" = REQUEUED ]'
	scancel "$again"
	wait_until 60 begun "$running"
	# Every line of the accounts with nodes is a job; all but the running one have ended.
	wait_until 60 eval 'have_nodes >lines; [ "$(wc -l <lines)" -eq 7 ]'
	sleep 2 # there are idle nodes, too few for the job that waits

	report
	expect_equal "$(query .total.jobs)" 7 "jobs of $(
		sacct -a -n -P -X -D -o JobID,JobIDRaw,State,Submit,Eligible,Start,End,AllocNodes,NodeList) $stderr"
	expect_equal "$(query '[.size[] | [.name, .jobs]]')" '[["2",3],["3-4",2],["5-8",2]]'
	ended_hours=$(awk -F'|' '$1 != 5 { sum += $1 * $2 } END { print sum / 3600 }' lines)
	query '[.size[] | select(.name != "5-8") | .node_hours] | add' >hours
	awk -v all="$ended_hours" -v some="$(cat hours)" 'BEGIN { exit !(some > 0 && some < all) }'
	# The nodes of the accounts, measured, are as far apart as the plugin said at their start.
	expect_equal "$(query '[.total.measured, .unmeasured.moved, .unmeasured.elsewhere]')" '[1,0,0]'
	expect_equal "$(query '.total.ratio >= 1')" true
	# The job that waits keeps idle nodes from being unwanted.
	expect_equal "$(query '.total.idle_too_few_hours > 0')" true
	[ -n "$waiting" ]
	expect_equal "$(account "$plain" AdminComment)" "JS1:theirs"
}

@test "where torus.conf has other nodes, the tokens tell how far apart they were" {
	sed 's/Nodes=[a-z]*\[/Nodes=gone[/' "$CLUSTER/etc/torus.conf" >other.conf
	grep -q 'Nodes=gone' other.conf
	tokens=$(sacct -a -n -P -X -D -o SystemComment | grep -c torus=)
	[ "$tokens" -ge 5 ]
	report --conf "$PWD/other.conf"
	expect_equal "$(query .unmeasured.by_token)" "$tokens"
	expect_equal "$(query '.total.mean_hops > 0 and .total.pieces == null')" true
	[[ $stderr == *"had nodes that torus.conf does not name"* ]]
}

@test "down nodes of sacctmgr, by the command of docs/report.md" {
	node=$(sinfo -h -t idle -N -o %N | head -n 1)
	begin=$(date +%s)
	scontrol update node="$node" state=down reason=test
	wait_until 60 eval '[ -n "$(sacctmgr -n -P show event start=now-1hour format=nodename nodes="$node")" ]'
	sleep 2
	# The lines of the page, but for the day.
	sed -n '/^    SLURM_TIME_FORMAT.*sacctmgr/,/>outages/s/^    //p' "$TORUS_SRCDIR/docs/report.md" |
		sed 's/start=2026-10-01/start=now-1hour/' >recipe
	[ "$(wc -l <recipe)" -eq 2 ]
	bash recipe
	grep -q "^$node [0-9]* [0-9]*$" outages
	report --outages "$PWD/outages"
	expect_equal "$(query '.total.down_hours > 0')" true
	awk -v hours="$(query .total.down_hours)" -v most="$(($(date +%s) - begin + 3600))" \
		'BEGIN { exit !(hours * 3600 <= most) }'
}

@test "the same jobs replayed, and a page" {
	mkdir out
	report --replay compact,free_list --html "$PWD/out/page.html"
	expect_equal "$(query '[.replay[] | .name]')" '["recorded","compact","free_list"]'
	expect_equal "$(query '[.replay[] | .jobs] | unique | length')" 1
	expect_equal "$(query '.replay[0].node_hours > 0 and .replay[1].ratio <= .replay[2].ratio')" true
	grep -q "data-jobs=\"$(query .total.jobs)\"" out/page.html
	expect_equal "$(ls -A out)" page.html
}

# hidden_for WHO: whether storus report warns WHO that jobs of others are hidden; its other output is in $output
hidden_for()
{
	run --separate-stderr "$@" "$STORUS" report --from now-1hour --format json
	[[ $stderr == *"slurmdbd.conf's PrivateData=jobs hides jobs of others"*"as an operator (sacctmgr modify user "*")"* ]]
}
as_operator() { setpriv --reuid bin --regid bin --clear-groups "$@"; }

# keep_private WORDS: slurmdbd.conf's PrivateData
keep_private()
{
	sed -i '/^PrivateData=/d' "$CLUSTER/etc/slurmdbd.conf"
	echo "PrivateData=$1" >>"$CLUSTER/etc/slurmdbd.conf"
	sacctmgr -i reconfigure >/dev/null
	wait_until 60 is_private "$1"
}
is_private() { [ "$(sacctmgr -n show config | sed '1,/SlurmDBD/d' | sed -n 's/^PrivateData *= //p')" = "$1" ]; }

@test "where slurmdbd keeps jobs private, who does not see all is told so, and what helps" {
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	sacctmgr -i add account truth >/dev/null
	sacctmgr -i add user bin account=truth adminlevel=operator >/dev/null
	sacctmgr -i add user "$(id -nu "$ORDINARY")" account=truth >/dev/null
	as_ordinary sbatch --parsable --chdir=/ --output=/dev/null --account=truth -N 2 --wrap 'exec sleep 2' >own
	submit -N 3 >/dev/null
	wait_until 60 ended "$(<own)" # a job of the second that it began in has not run
	for words in none usage,users jobs,usage; do
		keep_private "$words"
		for who in env as_operator; do
			! hidden_for "$who" || fail "$words $who: $stderr"
			(($(query .total.jobs) >= 2)) || fail "$words $who: $output"
		done
		if [[ $words == *jobs* ]]; then
			hidden_for as_ordinary || fail "$words: $stderr"
			expect_equal "$(query .total.jobs)" 1 "$words: $output $stderr"
		else
			! hidden_for as_ordinary || fail "$words: $stderr"
			(($(query .total.jobs) >= 2)) || fail "$words: $output"
		fi
	done
	# The history of a page as well.
	chmod a+rx "$PWD" && mkdir -m 777 pages
	run -0 --separate-stderr as_ordinary "$STORUS" view --from now-1hour --output "$PWD/pages/page.html"
	[[ $stderr == *"PrivateData=jobs hides jobs of others"* ]]
	keep_private none
}
