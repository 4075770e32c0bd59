#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job that stock Slurm would start is started: with several tori of which none, or only
# some, have what the job needs. Beside stock select/cons_tres on the same configuration: a
# mesh "big" of 4x4x4 nodes and a torus "small" of 4x4x2. On each, four nodes have more
# memory and four others a GPU.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=big Dims=4x4x4 Nodes=n[000-063]
		TorusName=small Dims=4x4x2 Wrap=all Nodes=n[064-095]
	END
	cat >"$BATS_FILE_TMPDIR/nodes.conf" <<-END
		GresTypes=gpu
		NodeName=n[010-013,070-073] RealMemory=4000
		NodeName=n[020-023,080-083] Gres=gpu:1
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
	END
	echo 'NodeName=n[020-023,080-083] Name=gpu File=/dev/null' >"$BATS_FILE_TMPDIR/gres.conf"
	pair_start --nodes 96 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--select-params CR_CPU_Memory --copy "$BATS_FILE_TMPDIR/gres.conf" \
		--conf-append "$BATS_FILE_TMPDIR/nodes.conf"
}
teardown_file() { pair_stop; }
teardown()
{
	pair_do delete_reservations
	pair_clear
}

delete_reservations()
{
	local name
	for name in some soon; do
		! scontrol show reservation "$name" >/dev/null 2>&1 ||
			scontrol delete reservation="$name"
	done
}

# would_start OPTION...: sbatch --test-only says that the job starts within the minute
would_start()
{
	local text start
	text=$(sbatch --test-only "$@" --wrap true 2>&1) || fail "--test-only $*: $text" || return
	[[ $text =~ to\ start\ at\ ([0-9T:-]+) ]] || fail "--test-only $*: $text" || return
	start=$(date -d "${BASH_REMATCH[1]}" +%s)
	((start <= $(date +%s) + 60)) || fail "--test-only $*: $text"
}

# starts OPTION...: sbatch --test-only says so, and the job does
starts()
{
	would_start "$@" && wait_running "$(submit "$@")"
}

# tori_of JOB: the tori it is on, by its token
tori_of() { token "$1" | sed 's/^torus=\([^,]*\),.*/\1/'; }

@test "more tasks than any torus has processors" {
	pair_do starts -n 140
}

@test "more nodes with the memory than any torus has" {
	pair_do starts -N 6 --mem=3000
}

@test "more nodes with the GRES than any torus has" {
	pair_do starts -N 6 --gres=gpu:1
}

@test "more GPUs in all than any torus has" {
	pair_do starts --gpus=6
}

@test "reservations leave too few nodes of each torus" {
	reserve()
	{
		scontrol create reservation ReservationName=some Users=daemon StartTime=now \
			Duration=UNLIMITED Nodes='n[000-039,064-073]'
	}
	pair_do reserve
	pair_do starts -N 30
}

@test "a reservation that begins before the job would end counts, too" {
	reserve()
	{
		scontrol create reservation ReservationName=soon Users=daemon StartTime=now+30minutes \
			Duration=UNLIMITED Nodes='n[000-039,064-073]'
	}
	pair_do reserve
	pair_do starts -N 30 --time=60
	# it ends before: one torus, then
	use_cluster torus
	cluster_clear
	job=$(submit -N 30 --time=10)
	wait_running "$job"
	[[ $(tori_of "$job") != *+* ]]
}

@test "one torus that has enough of what the job needs gets it" {
	use_cluster torus
	job=$(submit -N 3 --gres=gpu:1)
	wait_running "$job"
	[[ $(tori_of "$job") != *+* ]]
	job=$(submit -N 4 --mem=3000)
	wait_running "$job"
	[[ $(tori_of "$job") != *+* ]]
	job=$(submit -n 100)
	wait_running "$job"
	expect_equal "$(tori_of "$job")" big torus
}

@test "a job waits for a torus that can hold it one day, and for no other" {
	use_cluster torus
	busy=$(allocate -N 1 --nodelist=n020)
	allocate -N 1 --nodelist=n080
	job=$(submit -N 4 --gres=gpu:1)
	wait_refused "$job"
	scancel "$busy"
	wait_running "$job"
	expect_equal "$(tori_of "$job")" big torus
}

@test "a job that must wait says when it will start" {
	use_cluster torus
	allocate -N 1 --nodelist=n020 --time=5
	allocate -N 1 --nodelist=n080 --time=20
	text=$(sbatch --test-only -N 4 --gres=gpu:1 --wrap true 2>&1)
	[[ $text =~ to\ start\ at\ ([0-9T:-]+) ]] || fail "$text"
	start=$(($(date -d "${BASH_REMATCH[1]}" +%s) - $(date +%s)))
	((start > 200 && start <= 300)) || fail "starts in $start s: $text"
}
