#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A change of the map is nothing to jobs that run: they go on, and hold the cores and GPUs
# that they held. torus.conf changes, our plugins come and go, slurmctld is killed, under
# batch jobs and allocations on nodes of their own and on shared ones. 8x4 torus; 16 nodes
# have 2 sockets of 4 cores, 16 have 1, all have 4 GPUs.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/conf" <<-END
		GresTypes=gpu
		NodeName=n[000-015] CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4
		NodeName=n[016-031] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4
		DefMemPerCPU=10
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	for device in null zero full random; do
		echo "NodeName=n[000-031] Name=gpu File=/dev/$device"
	done >"$BATS_FILE_TMPDIR/gres.conf"
	cluster_start --dims 8x4 --wrap all --select-params CR_Core_Memory \
		--copy "$BATS_FILE_TMPDIR/gres.conf" --conf-append "$BATS_FILE_TMPDIR/conf"
	cp "$TORUS_CONF" "$CLUSTER/torus.conf.first"
	start_jobs
}
teardown_file()
{
	cluster_cancel
	wait_until 60 eval '[ -z "$(squeue -h -o %A)" ]' || true
	cluster_stop
}

setup() { log_mark; }
teardown()
{
	minicluster status >/dev/null || minicluster start-ctld
	cancel_new
}

# --- jobs that run right through everything ----------------------------------

# batch OPTION...: a batch job that notes its start, and its end once the file "go" is there
batch()
{
	sbatch --parsable --job-name=old --chdir=/ --output=/dev/null "$@" --wrap "
		echo start \$SLURM_JOB_ID >>'$CLUSTER/record'
		until [ -e '$CLUSTER/go' ]; do sleep 0.5; done
		echo end \$SLURM_JOB_ID >>'$CLUSTER/record'"
}

# start_jobs: on shared nodes 8 processors and 4 GPUs of one and 1 and 1 of another; whole
# nodes of both kinds; shared ones of both kinds; a step that runs; a reservation
start_jobs()
{
	local job
	for job in \
		"$(batch -w 'n[000-001]' -N 2 -n 9 --gpus=5)" \
		"$(batch -w 'n[012-013,018-019]' -N 4 -n 4 -c 2 --gres=gpu:1 --mem=100)" \
		"$(batch -w 'n[010,022]' -N 2 -n 3 --gpus=3)" \
		"$(batch -w n030 -n 2)" \
		"$(batch -x 'n[014-017]' -N 5 -n 7 --gpus-per-node=2)"; do
		wait_running "$job"
		echo "$job" >>"$CLUSTER/batch"
	done
	allocate --job-name=old -w 'n[014-017]' -N 4 --exclusive >/dev/null
	allocate --job-name=old -N 3 -n 3 --gpus=5 >/dev/null
	job=$(allocate --job-name=old -w 'n[002-003,024]' -N 3 -n 7 --gpus=4)
	SLURM_JOB_ID=$job srun --chdir=/ -n 7 sh -c "until [ -e '$CLUSTER/go' ]; do sleep 0.5; done" \
		</dev/null >/dev/null 2>&1 3>&- &
	wait_until 60 eval "[ -n \"\$(squeue -h -s -j $job -o %i | grep -v -E 'extern|interactive')\" ]"
	scontrol create reservation ReservationName=kept StartTime=now+1hour Duration=60 \
		NodeCnt=6 Users=root PartitionName=all >/dev/null
	held >"$CLUSTER/held"
}

# held: who holds what, as the jobs, the nodes and the reservations have it
held()
{
	scontrol -o -d show jobs | grep ' JobName=old ' |
		grep -oE '(^JobId| JobState| Restarts| NodeList| NumNodes| NumCPUs| Nodes| CPU_IDs| Mem| GRES)=[^ ]*'
	scontrol -o -d show nodes |
		grep -oE '(NodeName|CPUAlloc|AllocMem|GresUsed)=[^ ]*'
	scontrol -o show reservations | grep -oE '(ReservationName|Nodes|NodeCnt)=[^ ]*'
	squeue -h -s -o '%i %N' -j "$(squeue -h -n old -o %A | paste -sd ,)" | sort
}

# --- new ones ----------------------------------------------------------------

# new_jobs: as many as find room
new_jobs()
{
	local reasons
	submit --job-name=new --array=1-14 -N 2 -n 3 --gpus=3 >/dev/null
	submit --job-name=new --array=1-14 -n 1 --gpus=1 >/dev/null
	submit --job-name=new --array=1-14 -N 1 -n 3 >/dev/null
	wait_until 60 eval '[ "$(squeue -h -r -n new -t R -o %A | wc -l)" -gt 10 ]'
	reasons="Resources|Priority|No.suitable"
	! only_backfill_starts || reasons+="|None"
	wait_until 60 eval '! squeue -h -n new -t PD -o %r | grep -qvE "$reasons"'
}
cancel_new()
{
	scancel --name=new
	wait_until 120 eval '[ -z "$(squeue -h -n new -o %A)" ]'
}

# nothing_twice: no core and no GPU is held by two jobs
nothing_twice()
{
	local twice
	scontrol -o -d show jobs | grep ' JobState=RUNNING ' |
		grep -oE ' Nodes=[^ ]+ +CPU_IDs=[^ ]+ +Mem=[^ ]* +GRES=[^ ]*' |
		sed -E 's/ +[A-Za-z_]+=/ /g' | awk '
		# numbers: of "0-3,7", in array[1], array[2] ...; returns how many
		function numbers(list, array,    part, edge, parts, count, i, n) {
			parts = split(list, part, ",")
			for (i = 1; i <= parts; i++) {
				if (split(part[i], edge, "-") == 1)
					edge[2] = edge[1]
				for (n = edge[1] + 0; n <= edge[2] + 0; n++)
					array[++count] = n
			}
			return count + 0
		}
		{
			gsub(/^n\[?|\]$/, "", $1)
			nodes = numbers($1, node)
			cores = numbers($2, core)
			gpus = 0
			if (match($4, /IDX:[-0-9,]+/))
				gpus = numbers(substr($4, RSTART + 4, RLENGTH - 4), gpu)
			for (i = 1; i <= nodes; i++) {
				for (j = 1; j <= cores; j++)
					print node[i], "core", core[j]
				for (j = 1; j <= gpus; j++)
					print node[i], "GPU", gpu[j]
			}
		}' >"$BATS_TEST_TMPDIR/cores"
	[ "$(grep -c GPU "$BATS_TEST_TMPDIR/cores")" -gt 20 ] || fail "too few GPUs in use to compare"
	twice=$(sort "$BATS_TEST_TMPDIR/cores" | uniq -d)
	[ -z "$twice" ] || fail "held by two jobs: $twice"
}

# --- what must be so after a change ------------------------------------------

# unharmed: jobs, and what they hold, are as at the beginning; new jobs find only what is left
unharmed()
{
	wait_until 60 all_respond
	held >"$BATS_TEST_TMPDIR/held"
	diff "$CLUSTER/held" "$BATS_TEST_TMPDIR/held" || fail "jobs hold something else" || return
	run -1 logged 'socket/core|valid_job_resources|job overflow|could not find idle|NODE_FAIL|[Rr]equeu|underflow'
	new_jobs
	nothing_twice
	held >"$BATS_TEST_TMPDIR/held"
	diff <(grep -vE 'CPUAlloc|AllocMem|GresUsed' "$CLUSTER/held") \
		<(grep -vE 'CPUAlloc|AllocMem|GresUsed' "$BATS_TEST_TMPDIR/held") ||
		fail "new jobs changed something" || return
	cancel_new
	held >"$BATS_TEST_TMPDIR/held"
	diff "$CLUSTER/held" "$BATS_TEST_TMPDIR/held"
}

# map DIMS WRAP NODES CURVE: the torus.conf from now on
map()
{
	printf 'TorusName=main Dims=%s Wrap=%s Nodes=%s\nCurve=%s\nAllocator=best_fit\n' "$@" \
		>"$TORUS_CONF"
}

SHUFFLED='n[001,000,003,002,010-013,022-024,004-009,014-021,025-031]'

@test "another curve" {
	map 8x4 all 'n[000-031]' row_major
	reconfigure
	unharmed
}

@test "the nodes in another order" {
	map 8x4 all "$SHUFFLED" row_major
	reconfigure
	unharmed
}

@test "other dimensions and wraps" {
	map 4x8 none "$SHUFFLED" hilbert
	reconfigure
	unharmed
	map 2x4x4 yz 'n[016-031,000-015]' snake
	reconfigure
	unharmed
}

@test "slurmctld starts anew with another map, after an orderly end and after a kill" {
	map 32 all 'n[031,030,000-029]' row_major
	minicluster restart-ctld TERM
	unharmed
	map 8x4 all "$SHUFFLED" hilbert
	wait_saved
	minicluster restart-ctld KILL
	unharmed
}

@test "slurmctld is killed while it is reconfigured" {
	local pause
	wait_saved
	for pause in 0 0.05 0.2 0.5; do
		map 8x4 all "$SHUFFLED" "$([ "$pause" = 0.05 ] && echo snake || echo row_major)"
		scontrol reconfigure >/dev/null 2>&1 3>&- &
		sleep "$pause"
		minicluster restart-ctld KILL
		wait
	done
	unharmed
}

@test "resized while the map changes" {
	job=$(allocate --job-name=new -N 3 -n 5 --gpus=7)
	map 8x4 none "$(scontrol show hostnames 'n[000-031]' | tac | paste -sd ,)" row_major
	scontrol update JobId="$job" NumNodes=2
	kept=$(scontrol -o -d show job "$job" | grep -oE ' (JobState|NodeList|Nodes|CPU_IDs|GRES)=[^ ]*')
	reconfigure
	expect_equal "$(scontrol -o -d show job "$job" | grep -oE ' (JobState|NodeList|Nodes|CPU_IDs|GRES)=[^ ]*')" \
		"$kept" "what the job holds"
	expect_match "$(token "$job")" ',nodes=2,'
	nothing_twice
	cancel_new
	unharmed
}

# plug SELECT TOPOLOGY: the guide's way from one plugin to another
plug()
{
	minicluster kill-ctld TERM
	minicluster set "SelectType=select/$1"
	minicluster set "TopologyPlugin=topology/$2"
	minicluster restart-nodes
	minicluster start-ctld
}

@test "our plugins go, and come again" {
	before=("$(sed -n 's|^SelectType=select/||p' "$SLURM_CONF")"
		"$(sed -n 's|^TopologyPlugin=topology/||p' "$SLURM_CONF")")
	none=$(no_topology)
	plug cons_tres "${none#*/}"
	unharmed
	map 8x4 all "$SHUFFLED" hilbert
	plug "${before[0]}" "${before[1]:-${none#*/}}"
	unharmed
}

@test "in the end each job has started once and ends once" {
	local job
	cp "$CLUSTER/torus.conf.first" "$TORUS_CONF"
	reconfigure
	unharmed
	touch "$CLUSTER/go"
	wait_until 60 eval '[ "$(grep -c ^end "$CLUSTER/record")" -ge "$(wc -l <"$CLUSTER/batch")" ]'
	for job in $(<"$CLUSTER/batch"); do
		wait_until 60 in_state "$job" COMPLETED
		expect_equal "$(grep -w "$job" "$CLUSTER/record" | xargs)" "start $job end $job" "record"
	done
	expect_equal "$(wc -l <"$CLUSTER/record")" "$((2 * $(wc -l <"$CLUSTER/batch")))" lines
	scancel --name=old
	scontrol delete reservation=kept
	wait_until 60 all_idle
}
