#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/minicluster, with stock Slurm: clusters come up as asked for, bear the loss of
# daemons, and leave nothing behind.

load support
bats_require_minimum_version 1.5.0

setup_file()
{
	# Whatever Slurm the environment speaks of, it is not to be used.
	export SLURM_CONF=/nonexistent/slurm.conf
	CLUSTER=$BATS_FILE_TMPDIR/shared minicluster up --dims 3x2x2
}

teardown_file() { CLUSTER=$BATS_FILE_TMPDIR/shared minicluster down; }

setup()
{
	CLUSTER=$BATS_FILE_TMPDIR/shared
	# The command of this test's jobs, unlike any other on this host
	nap="sleep 9999$BASHPID"
}

teardown()
{
	if [ "$CLUSTER" = "$BATS_FILE_TMPDIR/shared" ]; then
		slurm scancel --user="$(id -un)"
	else
		minicluster down
	fi
}

# own_cluster OPTION...: one for this test alone
own_cluster()
{
	CLUSTER=$BATS_TEST_TMPDIR/own
	minicluster up "$@"
}

# stubborn: a job on two nodes whose processes leave their step's session and clean their
# environment; prints its number
stubborn()
{
	local setsid srun
	setsid=$(command -v setsid)
	srun=$(command -v srun)
	submit --export=NONE -N 2 --wrap "$srun $setsid $nap & $setsid $nap & env -i $nap"
}

@test "all nodes are idle, and srun runs on each of them" {
	only_idle 12
	run -0 slurm srun -N 12 printenv SLURMD_NODENAME
	[ "$(sort <<<"$output" | xargs)" = "$(seq -s ' ' -f n%03g 0 11)" ]
}

@test "several tasks a node reach one another by PMI2" {
	run -0 slurm srun -N 3 -n 6 --mpi=pmi2 printenv PMI_RANK
	[ "$(sort <<<"$output" | xargs)" = "0 1 2 3 4 5" ]
}

@test "env is for eval" {
	eval "$(minicluster env)"
	[ "$(sinfo -h -o %D)" = 12 ]
	[ "$MINICLUSTER_DIR" = "$CLUSTER" ]
}

@test "run passes on arguments and exit status" {
	run -3 slurm bash -c '[ "$1" = "a  b" ] && exit 3' - "a  b"
}

@test "a finished job is in the job completion log" {
	job=$(submit -N 2 --job-name=logged --wrap true)
	wait_until 60 in_state "$job" COMPLETED
	wait_until 60 grep -q "JobId=$job .*Name=logged .*NodeCnt=2" "$CLUSTER/jobcomp.txt"
}

@test "a second up in the same directory is refused" {
	run -1 minicluster up --nodes 3
	[[ $output == *"already runs"* ]]
	only_idle 12
}

@test "a directory with something else in it is left alone" {
	CLUSTER=$BATS_TEST_TMPDIR/other
	mkdir "$CLUSTER"
	echo precious >"$CLUSTER/etc"
	run -1 minicluster up --nodes 3
	[[ $output == *"not empty"* ]]
	[ "$(cat "$CLUSTER/etc")" = precious ]
}

# not_ours: every command leaves $CLUSTER alone
not_ours()
{
	local before command
	before=$(cd "$CLUSTER" && find . -type f -exec cksum {} + | sort)
	for command in "up --nodes 3" down status env log "run true" kill-ctld start-ctld \
		"kill-node n000" "start-node n000" restart-nodes "set MaxJobCount=1"; do
		# shellcheck disable=SC2086 # several words
		run -1 minicluster $command
		[[ $output == *"not a cluster's directory"* || $output == *"no cluster in"* ]]
	done
	[ "$(cd "$CLUSTER" && find . -type f -exec cksum {} + | sort)" = "$before" ]
	[ ! -e "$BATS_TEST_TMPDIR/sourced" ]
}

@test "a file of the name settings makes no directory ours" {
	CLUSTER=$BATS_TEST_TMPDIR/other
	mkdir -p "$CLUSTER/etc"
	echo precious | tee "$CLUSTER/jobcomp.txt" >"$CLUSTER/etc/slurm.conf"
	local good="# This directory belongs to contrib/minicluster, which may remove what is in it.
id=mc0123456789ab
path=$CLUSTER
prefix="
	: >"$CLUSTER/settings"
	not_ours
	echo "touch '$BATS_TEST_TMPDIR/sourced'" >"$CLUSTER/settings"
	not_ours
	# As ours, but for one thing each
	for change in 1d 's/may remove/removes/' 's/^id=.*/id=/' 's/^id=mc0/&\n/' \
		's/^path=.*/path=\/etc/' 's/^path=.*/&\/./' 's/^prefix=/&$(touch sourced)/' \
		'$a more=1' '$d'; do
		sed "$change" <<<"$good" >"$CLUSTER/settings"
		not_ours
	done
	echo "$good" >"$BATS_TEST_TMPDIR/good"
	ln -sf ../good "$CLUSTER/settings"
	not_ours
	# The same text in a file of its own is believed: it is these changes that count.
	rm "$CLUSTER/settings"
	cp "$BATS_TEST_TMPDIR/good" "$CLUSTER/settings"
	run -0 minicluster env
}

@test "bad usage: exit 2 and what is wrong" {
	for options in "up --dims 8x" "up --nodes 0" "up --nodes 5 --dims 3x2" "up --cpus" \
		"up --nonsense 1" "nonsense" "run" ""; do
		# shellcheck disable=SC2086 # several words
		run -2 env MINICLUSTER_DIR="$BATS_TEST_TMPDIR/none" \
			"$TORUS_SRCDIR/contrib/minicluster" $options
		[[ $output == minicluster:* ]]
		[ ! -e "$BATS_TEST_TMPDIR/none" ]
	done
}

@test "clusters that start at the same time do not disturb one another" {
	local name
	for name in first second third; do
		"$TORUS_SRCDIR/contrib/minicluster" --dir "$BATS_TEST_TMPDIR/$name" \
			up --nodes 5 3>&- &
	done
	wait
	for name in first second third; do
		CLUSTER=$BATS_TEST_TMPDIR/$name
		only_idle 5
		[ "$(slurm srun -N 5 printenv SLURM_CLUSTER_NAME | sort -u)" = \
			"$(sed -n 's/^ClusterName=//p' "$CLUSTER/etc/slurm.conf")" ]
	done
	[ "$(cat "$BATS_TEST_TMPDIR"/*/etc/slurm.conf | grep -c ^SlurmctldPort=)" = 3 ]
	[ "$(cat "$BATS_TEST_TMPDIR"/*/etc/slurm.conf | grep ^SlurmctldPort= | sort -u | wc -l)" = 3 ]
	for name in first second third; do
		CLUSTER=$BATS_TEST_TMPDIR/$name
		minicluster down
	done
	CLUSTER=$BATS_FILE_TMPDIR/shared
	only_idle 12
}

@test "a job outlives an orderly restart and a kill of slurmctld" {
	job=$(submit -N 2 --wrap "$nap")
	wait_until 60 in_state "$job" RUNNING
	minicluster restart-ctld # which saves its state
	in_state "$job" RUNNING
	minicluster kill-ctld
	run -1 minicluster status
	has_processes "${nap#* }"
	minicluster start-ctld
	in_state "$job" RUNNING
	slurm scancel "$job"
	wait_until 60 only_idle 12
	no_processes "${nap#* }"
}

@test "kill-node ends everything on that node, and start-node brings it back" {
	job=$(submit -N 2 --nodelist='n[003-004]' --wrap "srun bash -c 'exec -a ${nap#* }.\$SLURMD_NODENAME sleep inf'")
	wait_until 60 has_processes "${nap#* }.n003"
	wait_until 60 has_processes "${nap#* }.n004"
	minicluster kill-node n004
	no_processes "${nap#* }.n004"
	has_processes "${nap#* }.n003"
	run -0 minicluster status
	[[ $output == *"slurmds   11"* ]]
	slurm scancel "$job"
	minicluster start-node n004
	wait_until 60 only_idle 12
	slurm srun -w n004 true
}

pids_of_slurmds() { cat "$CLUSTER"/run/slurmd.*.pid | sort; }

@test "restart-nodes: other slurmds, the same job steps" {
	job=$(submit -N 2 --wrap "srun $nap")
	wait_until 60 has_processes "${nap#* }" 3 # srun and its two tasks
	before=$(pids_of_slurmds)
	minicluster restart-nodes
	wait_until 60 eval '[ "$(pids_of_slurmds | wc -l)" = 12 ]'
	after=$(pids_of_slurmds)
	[ -z "$(comm -12 <(echo "$before") <(echo "$after"))" ]
	in_state "$job" RUNNING
	has_processes "${nap#* }" 3
	slurm scancel "$job"
	wait_until 60 only_idle 12
	slurm srun -N 12 true
}

@test "restart-nodes: a slurmd that does not end is killed, and starts again" {
	pid=$(<"$CLUSTER/run/slurmd.n005.pid")
	kill -STOP "$pid"
	run -0 minicluster restart-nodes
	[[ $output == *"killed 1 of the slurmds, which did not end"* ]]
	[ "$(<"$CLUSTER/run/slurmd.n005.pid")" != "$pid" ]
	wait_until 60 only_idle 12
	slurm srun -w n005 true
}

@test "set changes one parameter of slurm.conf" {
	before=$(cat "$CLUSTER/etc/slurm.conf")
	minicluster set MaxJobCount=4321
	minicluster set minjobage=77
	ask_to_reconfigure
	run -0 slurm scontrol show config
	[[ $output == *"MaxJobCount"*"= 4321"* && $output == *"MinJobAge"*"= 77 sec"* ]]
	[ "$(grep -vE '^(MaxJobCount|MinJobAge)=' <<<"$before")" = \
		"$(grep -viE '^(MaxJobCount|MinJobAge)=' "$CLUSTER/etc/slurm.conf")" ]
	[ "$(grep -ciE '^(MaxJobCount|MinJobAge)=' "$CLUSTER/etc/slurm.conf")" = 2 ]
	for wrong in MinJobAge =77 "Min JobAge=77" "MinJobAge="; do
		run -2 minicluster set "$wrong"
	done
}

@test "down after kill -9 of slurmctld leaves no process, none of a running job either" {
	own_cluster --nodes 4
	job=$(stubborn)
	# two tasks of the step, srun, and the two sleeps of the script
	wait_until 60 has_processes "${nap#* }" 5
	has_processes "$CLUSTER/" 7
	kill -KILL "$(cat "$CLUSTER/run/slurmctld.pid")"
	minicluster down
	no_processes "${nap#* }"
	no_processes "$CLUSTER/"
	minicluster down
}

@test "down after kill -9 of slurmds and of slurmstepds leaves no process" {
	own_cluster --nodes 4
	stubborn
	wait_until 60 has_processes "${nap#* }" 5
	kill -KILL "$(cat "$CLUSTER/run/slurmd.n000.pid")" "$(cat "$CLUSTER/run/munged.pid")"
	# the parents of what runs
	mapfile -t parents < <(grep -lx slurmstepd /proc/[0-9]*/comm | sed 's/comm$/cwd/' |
		xargs -I '{}' find '{}' -lname "$CLUSTER/log" | cut -d/ -f3)
	[ "${#parents[@]}" -ge 3 ]
	kill -KILL "${parents[@]}"
	minicluster down
	no_processes "${nap#* }"
	no_processes "$CLUSTER/"
}

@test "down kills nobody else" {
	own_cluster --nodes 2
	eval "$(minicluster env)"
	(cd "$CLUSTER/log" && exec $nap 3>&-) &
	bystander=$!
	minicluster down
	kill "$bystander"
}

@test "down ends a cluster whose start was killed halfway" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	minicluster up --nodes 200 3>&- &
	wait_until 60 has_processes "$CLUSTER/" 8
	kill -KILL "$!"
	minicluster down
	# What the killed start had just begun may have come after it.
	minicluster down
	no_processes "$CLUSTER/"
}

@test "a start that fails says why, and leaves no process" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	run -1 minicluster up --nodes 2 --select nonesuch
	if only_slurmctld_selects; then
		[[ $output == *"slurmctld does not start"*"cannot create select context for select/nonesuch"* ]]
	else
		[[ $output == *"a slurmd does not start"*"find plugin for select/nonesuch"* ]]
	fi
	no_processes "$CLUSTER/"
	echo 'PriorityType=priority/nonesuch' >"$BATS_TEST_TMPDIR/conf"
	run -1 minicluster up --nodes 2 --conf-append "$BATS_TEST_TMPDIR/conf"
	[[ $output == *"slurmctld does not start"*"$NO_PRIORITY priority/nonesuch"* ]]
	no_processes "$CLUSTER/"
}

# hide_multiple_slurmd: Slurm's commands are those of a Slurm that was built without
# --enable-multiple-slurmd, as far as scontrol tells
hide_multiple_slurmd()
{
	local place=$BATS_TEST_TMPDIR/single file real
	real=$(command -v scontrol)
	mkdir -p "$place/bin"
	if [ -n "${SLURM_PREFIX-}" ]; then
		for file in "$SLURM_PREFIX"/* "$SLURM_PREFIX"/bin/*; do
			[ -e "$place/${file#"$SLURM_PREFIX/"}" ] || ln -s "$file" "$place/${file#"$SLURM_PREFIX/"}"
		done
		rm "$place/bin/scontrol"
		SLURM_PREFIX=$place
	fi
	printf '#!/bin/sh\n%s "$@" | grep -v ^MULTIPLE_SLURMD\n' "$real" >"$place/bin/scontrol"
	chmod +x "$place/bin/scontrol"
	PATH=$place/bin:$PATH
}

@test "a Slurm that is not built for several slurmds on a host is refused at once" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	hide_multiple_slurmd
	run -1 minicluster up --nodes 2
	[[ $output == *"built without --enable-multiple-slurmd"* ]]
	no_processes "$CLUSTER/"
	# One node is one slurmd.
	minicluster up --nodes 1
	slurm srun true
}

@test "a slurmd that does not start: the end of its own log" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	echo CgroupPlugin=cgroup/nonesuch >"$BATS_TEST_TMPDIR/cgroup.conf"
	run -1 minicluster up --nodes 2 --copy "$BATS_TEST_TMPDIR/cgroup.conf"
	[[ $output == *"a slurmd does not start"*"log/slurmd.n00"[01].log*"nable to initialize cgroup plugin"* ]]
	no_processes "$CLUSTER/"
}

@test "a slurmd that does not start again says why" {
	own_cluster --nodes 2
	minicluster kill-node n001
	echo CgroupPlugin=cgroup/nonesuch >"$CLUSTER/etc/cgroup.conf"
	run -1 minicluster start-node n001
	[[ $output == *"a slurmd does not start"*"log/slurmd.n001.log"*"nable to initialize cgroup plugin"* ]]
}

@test "no control groups are needed" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	unshare --mount true 2>/dev/null || skip "name spaces are not for this user"
	for hidden in "mount -t tmpfs none /sys/fs/cgroup" \
		"mount -t tmpfs none /sys"; do
		unshare --mount sh -c "$hidden"' && [ ! -e /sys/fs/cgroup/systemd ] &&
			"$1/contrib/minicluster" --dir "$2" up --nodes 2' - "$TORUS_SRCDIR" "$CLUSTER"
		slurm srun -N 2 true
		minicluster down
	done
}

@test "a start that takes too long says what is missing, and leaves no process" {
	CLUSTER=$BATS_TEST_TMPDIR/own
	# Without config_overrides, slurmctld drains nodes with fewer processors than
	# they should have.
	echo 'SlurmdParameters=shutdown_on_reboot' >"$BATS_TEST_TMPDIR/conf"
	run -1 minicluster up --nodes 2 --cpus 10000 --timeout 2 \
		--conf-append "$BATS_TEST_TMPDIR/conf"
	[[ $output == *"only 0 of 2 nodes became idle"*"log/slurmd.n000.log"* ]]
	no_processes "$CLUSTER/"
}

@test "a long directory name with blanks" {
	CLUSTER="$BATS_TEST_TMPDIR/[a] * $(printf 'long%.0s' {1..40})"
	minicluster up --nodes 3
	[ "$(slurm srun -N 3 hostname | wc -l)" = 3 ]
	slurm srun --mpi=pmi2 -N 3 true
	link=$(slurm printenv SLURM_CONF)
	link=${link%/d/etc/slurm.conf}
	[ -d "$link" ]
	minicluster down
	no_processes "$CLUSTER/"
	[ ! -e "$link" ]
}

@test "--conf-append describes nodes, adds some, and replaces what is generated" {
	cat >"$BATS_TEST_TMPDIR/conf" <<-'END'
		NodeName=n[000-001] Weight = 7 # comment
		NodeName=login1 CPUs=5 Features=front
		NodeName=n003 State=DOWN
		MinJobAge=77
		AuthInfo = cred_expire=30
		PartitionName=small Nodes=n[000-002],login1 \
		Default=YES
	END
	own_cluster --nodes 5 --cpus 3 --conf-append "$BATS_TEST_TMPDIR/conf"
	run -0 slurm sinfo -h -N -o '%N %P %w %c %f %t'
	[ "$output" = "login1 small* 1 5 front idle
n000 small* 7 3 (null) idle
n001 small* 7 3 (null) idle
n002 small* 1 3 (null) idle" ]
	[[ $(slurm scontrol show node n003) == *State=DOWN* ]]
	[[ $(slurm scontrol show node n004) == *State=IDLE* ]]
	[[ $(slurm scontrol show config) == *"MinJobAge"*"= 77 sec"* ]]
	grep -qx "AuthInfo=socket=.*/munge.socket,cred_expire=30" "$CLUSTER/etc/slurm.conf"
	slurm srun -w login1 true
}

@test "--lean: batch jobs run, and Slurm's commands within them" {
	own_cluster --nodes 5 --lean --exclusive
	job=$(submit -N 5 --output="$BATS_TEST_TMPDIR/out" --wrap 'srun -N1 hostname; sinfo -h -o %D')
	wait_until 60 in_state "$job" COMPLETED
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = "$(hostname)
5" ]
	wait_until 60 only_idle 5
}

@test "--register-only: nodes are known, jobs get them, and no slurmd is left" {
	own_cluster --nodes 120 --register-only --exclusive
	only_idle 120
	[ "$(minicluster status | sed -n 's/^slurmds *//p')" = 0 ]
	slurm salloc -Q --no-shell -N 100
	[ "$(slurm sinfo -h -t alloc -o %D)" = 100 ]
	# Nodes that slurmctld calls in vain can have no job any more. It does so each third of
	# this time, and with 0 after 100 s.
	[[ $(slurm scontrol show config) =~ SlurmdTimeout\ *=\ ([0-9]+) ]]
	[ "${BASH_REMATCH[1]}" -gt 10000 ]
}

@test "torus.conf is written for the torus" {
	[ -e "${TORUS_PLUGIN_DIR:-}/select_torus.so" ] || skip "TORUS_PLUGIN_DIR has no select_torus.so"
	own_cluster --dims 3x2 --nodes-per-router 2 --nodes 14 --wrap xy --curve snake \
		--allocator first_fit --select torus --plugin-dir "$TORUS_PLUGIN_DIR"
	[ "$(cat "$CLUSTER/etc/torus.conf")" = \
		"TorusName=main Dims=3x2 Wrap=xy NodesPerRouter=2 Nodes=n[000-011]
Curve=snake
Allocator=first_fit" ]
	slurm srun -N 14 true
}

@test "an ordinary user can do the same" {
	as_nobody <<-'END'
		minicluster up --nodes 3 && minicluster run srun -N 3 id -u
		minicluster down
	END
	[ "$output" = "$ORDINARY
$ORDINARY
$ORDINARY" ]
}
