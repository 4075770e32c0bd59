#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/minicluster up --accounting: a cluster with slurmdbd and a database of its own,
# where the token of a job stays when the job has left slurmctld.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	LACKS=$(accounting_lacks)
	export LACKS
	accounts_start --dims 4x3x2 --wrap all --exclusive
}
teardown_file() { [ -n "$LACKS" ] || cluster_stop; }
setup() { [ -z "$LACKS" ] || skip "$LACKS"; }
teardown() { [ -n "$LACKS" ] || cluster_clear; }

@test "sacct shows a job that has ended, and the nodes that it had" {
	job=$(sbatch --parsable --chdir=/ --output=/dev/null -N 5 --job-name=kept --wrap true)
	wait_until 60 in_state "$job" COMPLETED
	wait_until 60 accounted "$job" JobName,State,AllocNodes,NodeList \
		"kept|COMPLETED|5|$(job_nodes "$job")"
}

@test "contrib/account-token keeps the token in SystemComment, and leaves AdminComment alone" {
	job=$(submit -N 6)
	wait_until 60 in_state "$job" RUNNING
	scontrol update job="$job" AdminComment="of the administrator"
	written=$(token "$job")
	expect_match "$written" '^torus=main,nodes=6,span=[0-9]+,box=[0-9]x[0-9]x[0-9],avghops=[0-9.]+$'
	scancel "$job"
	wait_until 60 accounted "$job" State,SystemComment,AdminComment \
		"CANCELLED by $(id -u)|$written|of the administrator"
}

# own_token JOB: of this record alone, as Slurm's library has it
own_token() { slurm "$STORUS" token "$1"; }

@test "an array and a heterogeneous job: each record keeps its own token" {
	array=$(sbatch --parsable --chdir=/ --output=/dev/null --array=1-3 -N 2 --wrap 'sleep 300')
	het=$(sbatch --parsable --chdir=/ --output=/dev/null -N 3 : -N 5 <<-'END'
		#!/bin/sh
		sleep 300
	END
	)
	parts=("${array}_1" "${array}_2" "${array}_3" "$het+0" "$het+1")
	for part in "${parts[@]}"; do
		# squeue prints all components of a heterogeneous job, whichever is asked for.
		wait_until 60 eval '[ "$(squeue -h -j "$part" -o %T | sort -u)" = RUNNING ]'
	done
	declare -A written
	for part in "${parts[@]}"; do
		written[$part]=$(own_token "$part")
		expect_match "${written[$part]}" '^torus=main,nodes=[235],span=[0-9]+,box=[0-9x]+,avghops=[0-9.]+$'
	done
	expect_match "${written[$het+0]}" 'nodes=3,'
	expect_match "${written[$het+1]}" 'nodes=5,'
	# The number of all of them is the number of none.
	run -2 own_token "$array"
	[[ $output == *"job $array is an array: name one of its tasks, "*"${array}_2"* ]]
	run -2 own_token "$het"
	[[ $output == *"job $het is heterogeneous: name one of its components, $het+0, $het+1"* ]]
	run -2 own_token "${array}_4"
	run -2 own_token "$het+2"
	scancel "$array" "$het"
	for part in "${parts[@]}"; do
		wait_until 60 accounted "$part" SystemComment "${written[$part]}"
	done
}

@test "texts of the job's owner are never taken for a token" {
	forged=torus=forged,nodes=1,span=1
	line=$'x\nJobId=1 SystemComment='$forged$' Comment=y'
	# Whether the plugin gave it a token or not.
	for how in "-N 3" "-N 3 --begin=now+1hour"; do
		# shellcheck disable=SC2086 # several words
		job=$(sbatch --parsable --chdir=/ --output=/dev/null $how --comment="x SystemComment=$forged" \
			--job-name="$line" --wrap 'sleep 300')
		case $how in
		*begin*)
			run -1 own_token "$job"
			[ -z "$output" ]
			scancel "$job"
			wait_until 60 accounted "$job" State "CANCELLED by $(id -u)"
			env SLURM_JOB_ID="$job" "$BATS_FILE_TMPDIR/epilog"
			expect_equal "$(account "$job" SystemComment)" ""
			;;
		*)
			wait_until 60 eval '[ "$(squeue -h -j "$job" -o %T)" = RUNNING ]'
			run -0 own_token "$job"
			expect_match "$output" '^torus=main,nodes=3,'
			written=$output
			scancel "$job"
			wait_until 60 accounted "$job" SystemComment "$written"
			;;
		esac
	done
}

@test "jobs reach the accounts that ended before and after a restart of slurmctld" {
	before=$(submit -N 2)
	wait_until 60 in_state "$before" RUNNING
	daemons=$(minicluster status | grep '^slurmdbd')
	minicluster restart-ctld
	after=$(submit -N 3)
	wait_until 60 in_state "$after" RUNNING
	scancel "$before" "$after"
	wait_until 60 accounted "$before" AllocNodes,State "2|CANCELLED by $(id -u)"
	wait_until 60 accounted "$after" AllocNodes,State "3|CANCELLED by $(id -u)"
	expect_match "$daemons" '^slurmdbd  [0-9]+$'
	expect_equal "$(minicluster status | grep '^slurmdbd')" "$daemons"
}

# listening PID: the addresses on which it listens
listening()
{
	local inode
	for inode in $(find "/proc/$1/fd" -lname 'socket:*' -printf '%l\n' | tr -dc '0-9\n'); do
		awk -v inode="$inode" '$4 == "0A" && $10 == inode { print $2 }' \
			"/proc/$1/net/tcp" "/proc/$1/net/tcp6"
	done
}

@test "the database listens on no network, and only its owner can look at its files" {
	database=$(cat "$CLUSTER/run/mariadbd.pid")
	expect_equal "$(listening "$database")" ""
	# That the question can be answered otherwise:
	expect_match "$(listening "$(cat "$CLUSTER/run/slurmdbd.pid")")" ':[0-9A-F]{4}$'
	expect_equal "$(stat -c %a "$CLUSTER/database" "$CLUSTER/etc/slurmdbd.conf" | xargs)" \
		"700 600"
}

@test "down leaves no process, and the next up begins with empty accounts" {
	export CLUSTER=$BATS_TEST_TMPDIR/own
	minicluster up --nodes 2 --accounting
	has_processes "$CLUSTER/database"
	job=$(slurm sbatch --parsable --chdir=/ --output=/dev/null --wrap true)
	wait_until 60 eval '[ -n "$(slurm sacct -n -X -j "$job" -o State)" ]'
	minicluster down
	no_processes "$CLUSTER/"
	minicluster up --nodes 2 --accounting
	expect_equal "$(slurm sacct -a -n -X)" ""
	# A database that somebody killed stands in nobody's way.
	kill -KILL "$(cat "$CLUSTER/run/mariadbd.pid")"
	minicluster down
	no_processes "$CLUSTER/"
}

# in_namespace SCRIPT ARGUMENT...: with mounts of its own, "up" after the script
in_namespace()
{
	local script=$1
	shift
	unshare --mount sh -ec "$script"'
		shift $(($# - 3))
		exec "$1/contrib/minicluster" --dir "$2" up --nodes 2 --accounting \
			${3:+--slurm-prefix "$3"}' - "$@" "$TORUS_SRCDIR" "$CLUSTER" "${SLURM_PREFIX-}"
}

@test "what is not installed is named, with the cure" {
	export CLUSTER=$BATS_TEST_TMPDIR/own
	unshare --mount true 2>/dev/null || skip "name spaces are not for this user"
	mkdir "$BATS_TEST_TMPDIR/sbin"
	for hidden in slurmdbd mariadbd; do
		place=$(realpath "$(dirname "$(command -v "$hidden")")")
		run -1 in_namespace 'mount --bind "$3" "$1"; mount -t tmpfs none "$3"
			ln -s "$1"/* "$3"; rm "$3/$2"' "$BATS_TEST_TMPDIR/sbin" "$hidden" "$place"
		[[ $output == *"$hidden is not installed"*"contrib/deps accounting"* ]]
		no_processes "$CLUSTER/"
	done
}

@test "a database that does not start: the end of its own log" {
	export CLUSTER=$BATS_TEST_TMPDIR/own
	unshare --mount true 2>/dev/null || skip "name spaces are not for this user"
	cat >"$BATS_TEST_TMPDIR/mariadbd" <<-'END'
		#!/bin/sh
		for option; do
			case $option in
			--bootstrap) exec cat >/dev/null ;;
			--log-error=*) echo "no luck today" >"${option#*=}" ;;
			esac
		done
		exit 1
	END
	chmod 755 "$BATS_TEST_TMPDIR/mariadbd"
	run -1 in_namespace 'mount --bind "$1" "$(realpath /usr/sbin/mariadbd)"' \
		"$BATS_TEST_TMPDIR/mariadbd"
	[[ $output == *"the database does not start"*"no luck today"* ]]
	no_processes "$CLUSTER/"
}

@test "an ordinary user can do the same, in a directory with a long name" {
	as_nobody <<-'END'
		own=$(printf 'long %.0s' {1..20})
		minicluster up --nodes 3 --accounting || exit
		minicluster run srun -N 3 true
		for try in {1..600}; do
			[ "$(minicluster run sacct -n -X -P -o AllocNodes,State)" = "3|COMPLETED" ] && break
			sleep 0.1
		done
		minicluster run sacct -n -X -P -o AllocNodes,State
		minicluster down
	END
	[ "$output" = "3|COMPLETED" ]
}
