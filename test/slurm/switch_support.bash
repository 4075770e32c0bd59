# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests share that change the configuration of a cluster of 64 nodes under jobs
# that run, wait and end, in the order of the guide: stop slurmctld, change slurm.conf,
# restart every slurmd, start slurmctld.

# shellcheck source=select_support.bash
. "${BASH_SOURCE[0]%/*}/select_support.bash"

setup() { work=$BATS_TEST_TMPDIR; }
teardown()
{
	[ -n "${CLUSTER:-}" ] || return 0
	minicluster status >/dev/null || minicluster start-ctld
	cluster_clear
}

# jobs COUNT NODES MARKER [srun]: jobs that write down their start and their end and do
# nothing in between until the file MARKER is there, if need be in a step on all nodes
jobs()
{
	local i
	for ((i = 0; i < $1; i++)); do
		sbatch --quiet --chdir=/ --output="$work/%j.out" --job-name="$3" --nodes="$2" --wrap "
			echo start \$SLURM_JOB_ID >>'$work/record'
			${4-} sh -c 'until [ -e \"$work/$3\" ]; do sleep 0.5; done' &&
				echo end \$SLURM_JOB_ID >>'$work/record'" || return
	done
}

# number STATE: of jobs
number() { squeue -h -t "$1" -o %A | wc -l; }
has_number() { [ "$(number "$1")" -eq "$2" ]; }
# placed: the jobs that run right through the change, and where
placed() { squeue -h -n running -t RUNNING -o '%A %N' | sort; }
started() { [ "$(grep -c ^start "$work/record")" -eq "$1" ]; }
ended() { [ "$(grep -c ^end "$work/record")" -eq "$1" ]; }

# switch_to NAME=VALUE...: change these in slurm.conf, with 20 jobs on 58 of the 64 nodes and 30
# that wait, some of which end in each of the steps. Sets described[], the jobs that ran before.
# slurmctld is stopped by the signal STOP_BY, or TERM.
switch_to()
{
	local before setting alone=8
	! steps_wait_for_slurmctld || alone=4
	log_mark
	jobs 4 2 stopped
	jobs 4 2 stopped srun
	jobs 4 2 restarted
	jobs 4 4 restarted srun
	jobs 2 5 running
	jobs 2 4 running srun
	wait_until 60 started 20
	jobs 15 7 waiting
	jobs 10 9 waiting srun
	jobs 5 64 waiting
	has_number RUNNING 20
	has_number PENDING 30
	before=$(placed)
	mapfile -t described < <(squeue -h -t RUNNING -o %A)
	expect_equal "$(wc -l <<<"$before")" 4 "jobs that are to run on"

	[ "${STOP_BY:=TERM}" != KILL ] || wait_saved
	minicluster kill-ctld "$STOP_BY"
	touch "$work/stopped"
	wait_until 60 ended "$alone"
	for setting; do
		minicluster set "$setting"
	done
	minicluster restart-nodes
	touch "$work/restarted"
	wait_until 60 ended $((2 * alone))
	minicluster start-ctld
	for setting; do
		[[ $(scontrol show config) == *"${setting%%=*}"*=\ "${setting#*=}"* ]]
	done
	wait_until 60 eval '[ -z "$(squeue -h -n stopped,restarted)" ]'
	expect_equal "$(placed)" "$before" "jobs that run on"
	touch "$work/running" "$work/waiting"
	wait_until 240 all_idle
	# Each started once, ended once, and completed for Slurm.
	expect_equal "$(sort "$work/record" | uniq -c | awk '$1 == 1 { print $2 }' | uniq -c | xargs)" \
		"50 end 50 start" "jobs' own records"
	expect_equal "$(awk '{ print $2 }' "$work/record" | sort -u | wc -l)" 50 jobs
	expect_equal "$(awk '$1 == "start" { print $2 }' "$work/record" | sort | states)" \
		"50 COMPLETED 0:0" "states"
}

# states: how often which state and exit code of the jobs on standard input is in the log of
# completed jobs
states()
{
	awk 'NR == FNR { job["JobId=" $1]; next } $1 in job' - "$CLUSTER/jobcomp.txt" |
		sed -n 's/.* JobState=\([A-Z]*\) .* ExitCode=\([0-9:]*\).*/\1 \2/p' |
		sort | uniq -c | xargs
}

# log_of_last: what the slurmctld that was started last has logged
log_of_last() { awk '/slurmctld version .* started/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' "$CONTROLLER_LOG"; }

# decided_by_ours: how many decisions of the last slurmctld were ours
decided_by_ours() { log_of_last | grep -cE '(select|topology)/torus: .* by=' || true; }

# ours_is_gone NODES...: none of the last slurmctld's decisions was ours, jobs placed before
# keep their tokens, and a new one of as many nodes gets these of Slurm's own plugins, and no
# token, neither when it starts nor later
ours_is_gone()
{
	local old job nodes
	expect_equal "$(decided_by_ours)" 0 "decisions of ours" || return
	expect_equal "$(log_of_last | grep -cE 'error: .*torus\.conf')" 0 "errors about torus.conf" || return
	# Each of them waited when the slurmctld before was stopped.
	[ "$(log_of_last | grep -cE '_job_complete: JobId=[0-9]+ done')" -ge 30 ] ||
		fail "the jobs that waited have not ended under this slurmctld" || return
	for old in "${described[@]}"; do
		expect_match "$(system_comment "$old")" '^torus=main,nodes=[0-9]+,span=' \
			"SystemComment of job $old" || return
	done
	job=$(allocate -N $#) || return
	nodes=$(IFS=,; echo "$*")
	expect_equal "$(job_nodes "$job")" "$(sorted "$nodes")" "nodes of a new job" || return
	sleep 1
	expect_equal "$(system_comment "$job")" "" "SystemComment of a new job"
}
