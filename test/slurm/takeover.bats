#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A second slurmctld takes over from the first, which has ended or was killed, and gives the
# cluster back; and slurmctld -R. Jobs run on where they are and keep their tokens, and the
# next ones are placed as ever; beside stock Slurm, with the same jobs. 4x4x2 torus.
#
# Slurm knows a slurmctld by the name of its host. So both run in a UTS namespace of their
# own, whose name is a loopback address.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	export BACKUP_TIMEOUT=10
	[ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null || return 0
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		SlurmctldHost=127.0.0.1
		SlurmctldHost=127.0.0.2
		SlurmctldTimeout=$BACKUP_TIMEOUT
	END
	pair_start --dims 4x4x2 --wrap all --exclusive --conf-append "$BATS_FILE_TMPDIR/conf"
	pair_do start_backup
}
teardown_file() { [ ! -d "$BATS_FILE_TMPDIR/torus" ] || pair_stop; }
setup()
{
	[ -d "$BATS_FILE_TMPDIR/torus" ] || skip "needs root's rights and UTS namespaces"
	use_cluster torus
}
teardown()
{
	[ -d "$BATS_FILE_TMPDIR/torus" ] || return 0
	# If the test failed, what the second one said last
	[ -n "${BATS_TEST_COMPLETED-}" ] || tail -n 20 "$CLUSTER/log/slurm-backup.log"
	pair_do end_with_primary
	pair_clear
}

# on HOST COMMAND...: on a host of that name
on()
{
	# shellcheck disable=SC2016 # for the shell within to expand
	unshare --uts sh -c 'echo "$0" >/proc/sys/kernel/hostname && exec "$@"' "$@"
}

# Everything of the cluster but the second slurmctld is on the first one's host.
minicluster()
{
	local command=$1
	shift
	if [ "$command" = up ] && [ -n "${SLURM_PREFIX-}" ]; then
		set -- --slurm-prefix "$SLURM_PREFIX" "$@"
	fi
	on 127.0.0.1 "$TORUS_SRCDIR/contrib/minicluster" --dir "$CLUSTER" "$command" "$@"
}

# start_backup: it has a configuration of its own, as a host has, of the same content but for
# the file in which it writes its number, and the same saved state
start_backup()
{
	local etc=$CLUSTER/backup fd before
	touch "$CLUSTER/log/slurm-backup.log"
	before=$(said_by_backup 'running in background mode')
	rm -rf "$etc"
	cp -r "$CLUSTER/etc" "$etc"
	sed -i "s|^SlurmctldPidFile=.*|SlurmctldPidFile=$CLUSTER/run/backup.pid|" "$etc/slurm.conf"
	(
		# bats waits for whoever holds its descriptors.
		for fd in "/proc/$BASHPID/fd"/*; do
			[ "${fd##*/}" -le 2 ] || eval "exec ${fd##*/}>&-"
		done 2>/dev/null
		SLURM_CONF=$etc/slurm.conf on 127.0.0.2 slurmctld -f "$etc/slurm.conf" \
			-L "$CLUSTER/log/slurm-backup.log" </dev/null >>"$CLUSTER/log/start.log" 2>&1
	)
	wait_until 30 backup_says $((before + 1)) 'running in background mode'
}

# backup_says COUNT TEXT: the second slurmctld has said so that often
backup_says() { [ "$(grep -c "$2" "$CLUSTER/log/slurm-backup.log")" -ge "$1" ]; }
said_by_backup() { grep -c "$1" "$CLUSTER/log/slurm-backup.log" || true; }

primary_up() { scontrol ping | grep -q '^Slurmctld(primary) .* is UP'; }
primary_down() { scontrol ping | grep -q '^Slurmctld(primary) .* is DOWN'; }
answers() { [ -n "$(sinfo -h -o %D)" ]; }

# taken_over COMMAND...: it makes the second slurmctld take over
taken_over()
{
	local before
	before=$(said_by_backup 'taking over')
	"$@" || return
	wait_until 180 backup_says $((before + 1)) 'taking over' || return
	wait_until 180 answers || return
	primary_down
}

# returns_in_time: the second slurmctld leaves the saved state before the first one reads it.
# From 24.11 on it has not done so by the time (half a minute) that the first one waits for
# it: stock Slurm then finds "No job state file" now and then, and has lost all jobs.
returns_in_time() { ! is_since 24.11; }

# given_back: start the first one again; where these two would disturb each other, when the
# second has ended
given_back()
{
	local before
	before=$(said_by_backup 'running in background mode')
	nothing_to_save || wait_saved
	if ! returns_in_time; then
		end_backup TERM
		wait_until 120 backup_ended || end_hanging_backup || return
	fi
	minicluster start-ctld || return
	wait_until 180 primary_up || return
	returns_in_time || start_backup || return
	# Without a number, "return" would return the failure after which bats calls teardown.
	if wait_until 60 backup_says $((before + 1)) 'running in background mode'; then return 0; fi
	if hangs_at_its_end; then
		end_hanging_backup && start_backup
	else
		wait_until 120 backup_says $((before + 1)) 'running in background mode'
	fi
}

# nothing_to_save: should the second slurmctld hang at its end
nothing_to_save() { [ -z "$(squeue -h -o %A)" ]; }

# backup_process: its number, while it runs. The file stays, and the number soon is another's.
backup_process()
{
	local process
	process=$(cat "$CLUSTER/run/backup.pid" 2>/dev/null) && [ -n "$process" ] &&
		grep -qzxF "SLURM_CONF=$CLUSTER/backup/slurm.conf" "/proc/$process/environ" 2>/dev/null &&
		echo "$process"
}
backup_ended() { [ -z "$(backup_process)" ]; }

# end_backup SIGNAL
end_backup()
{
	local process
	process=$(backup_process) || return 0
	kill "-$1" "$process" 2>/dev/null || true
}

# end_hanging_backup: of the releases that do so now and then
end_hanging_backup()
{
	hangs_at_its_end || return
	echo "the second slurmctld hangs at its end" >&2
	end_backup KILL
	wait_until 30 backup_ended
}
end_with_primary() { primary_up || given_back; }

# some_jobs: one on each of 0-4, 8-12 and 16-17
some_jobs()
{
	local hole other
	submit -N 5 || return
	hole=$(submit -N 3)
	submit -N 5 || return
	other=$(submit -N 3)
	submit -N 2 || return
	wait_until 180 runs 5 || return
	scancel "$hole" "$other"
	wait_until 180 runs 3
	wait_until 180 none_ends
}
none_ends() { [ -z "$(squeue -h -t CG -o %A)" ]; }
runs() { [ "$(squeue -h -t R -o %A | wc -l)" -eq "$1" ]; }

# running: "JOB NODES STATE" of each job
running() { squeue -h -o '%A %N %T %D' | sort; }
tokens() { for job in $(squeue -h -t R -o %A | sort); do system_comment "$job"; done; }

# keeps COMMAND...: with jobs on both clusters it changes nothing of them
keeps()
{
	local name job
	for name in stock torus; do
		use_cluster "$name"
		some_jobs >/dev/null || return
	done
	mapfile -t jobs < <(squeue -h -o %A | sort -n)
	expect_equal "${#jobs[@]}" 3 jobs
	expect_ranks "${jobs[0]}" 0-4
	expect_ranks "${jobs[1]}" 8-12
	expect_ranks "${jobs[2]}" 16-17
	tokens >"$BATS_TEST_TMPDIR/tokens"
	for name in stock torus; do
		use_cluster "$name"
		running >"$BATS_TEST_TMPDIR/$name"
		[ "${*: -1}" != KILL ] || wait_saved
		"$@" || fail "$name: $*" || return
		expect_equal "$(running)" "$(<"$BATS_TEST_TMPDIR/$name")" "jobs of $name"
		wait_until 180 nodes_idle 20 || return
	done
	expect_equal "$(tokens)" "$(<"$BATS_TEST_TMPDIR/tokens")" tokens
}

# goes_on: what is decided from now on is right: new jobs between the others, one that is
# resized, one that is requeued
goes_on()
{
	local job
	job=$(allocate -N 3)
	expect_ranks "$job" 5-7 || return
	scancel "$job"
	job=$(allocate -N 6)
	expect_ranks "$job" 18-23 || return
	scancel "$job"
	job=$(allocate --network=torus:shape=2x2x1)
	expect_match "$(token "$job")" ',nodes=4,.*,box=(2x2x1|2x1x2|1x2x2),' || return
	scancel "$job"
	wait_until 180 nodes_idle 20
}

has_nodes() { [ "$(squeue -h -j "$1" -o %D)" = "$2" ]; }

# changes JOB: it gives nodes back
changes()
{
	local job=$1 ranks
	scontrol update JobId="$job" NumNodes=3
	wait_until 30 has_nodes "$job" 3 || return
	ranks=$(job_ranks "$job")
	expect_equal "$(expand_ranks "$ranks" | wc -l)" 3 "nodes of the smaller job" || return
	expect_ranks "$job" "$ranks"
}

@test "scontrol takeover, and back" {
	keeps taken_over scontrol takeover
	goes_on
	changes "${jobs[0]}"
	expect_ranks "${jobs[1]}" 8-12
	tokens >"$BATS_TEST_TMPDIR/tokens"
	running >"$BATS_TEST_TMPDIR/running"
	given_back
	expect_equal "$(running)" "$(<"$BATS_TEST_TMPDIR/running")" "jobs after the return"
	expect_equal "$(tokens)" "$(<"$BATS_TEST_TMPDIR/tokens")" "tokens after the return"
	changes "${jobs[1]}"
}

@test "the first slurmctld is killed, and comes back" {
	keeps taken_over minicluster kill-ctld KILL
	goes_on
	given_back
	expect_equal "$(running)" "$(<"$BATS_TEST_TMPDIR/torus")" "jobs after the return"
	goes_on
}

@test "a job that waits starts under the second slurmctld, and ends under the first" {
	first=$(occupy 0-27)
	job=$(submit -N 8)
	wait_refused "$job"
	wait_saved
	taken_over scontrol takeover
	expect_ranks "$first" 0-27
	scancel "$first"
	wait_running "$job"
	expect_ranks "$job" 0-7
	given_back
	expect_ranks "$job" 0-7
	scancel "$job"
	wait_until 180 in_state "$job" CANCELLED
	expect_token "$job" "$(token_for 0-7)"
}

# recovered: slurmctld -R
recovered()
{
	minicluster kill-ctld TERM || return
	MINICLUSTER_ID=$(sed -n 's/^ClusterName=//p' "$SLURM_CONF") \
		on 127.0.0.1 slurmctld -R -f "$SLURM_CONF" </dev/null >>"$CLUSTER/log/start.log" 2>&1 3>&- || return
	wait_until 180 primary_up
}

@test "slurmctld -R" {
	keeps recovered
	goes_on
	changes "${jobs[1]}"
}

waits_for_box() { [[ $(system_comment "$1") == torus_wait=shape,* ]]; }

@test "a job that waits within= for a box waits no longer under the second slurmctld" {
	local job comment until start
	# Neighbours on the curve are neighbours: no two of the nodes left free are.
	occupy "$(seq -s , 0 2 30)"
	job=$(submit -N 2 --network=torus:shape=2x1x1,within=1:30)
	wait_until 30 waits_for_box "$job"
	wait_saved
	comment=$(system_comment "$job")
	until=$(sed -E 's/.*,until=([^ ,]*).*/\1/' <<<"$comment")
	taken_over scontrol takeover
	[ "$(date +%s)" -ge "$(date -d "$until" +%s)" ] || expect_equal "$(system_comment "$job")" "$comment" "token"
	wait_until 180 in_state "$job" RUNNING
	start=$(scontrol -o show job "$job" | sed -nE '1s/.* StartTime=([^ ]*).*/\1/p')
	start=$(($(date -d "$start" +%s) - $(date -d "$until" +%s)))
	echo "started $start s after the end of its patience"
	((start >= 0 && start <= 80))
	given_back
	expect_equal "$(job_state "$job")" RUNNING
}
