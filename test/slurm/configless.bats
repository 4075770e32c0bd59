#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes and clients that fetch their configuration from slurmctld, which has no torus.conf
# for them: our plugins are silent there, and jobs run as with stock Slurm. Each slurmd sees
# a /run of its own, where it leaves slurm.conf for the commands of its jobs.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	export LACKS=
	if ! unshare --mount true 2>/dev/null; then
		LACKS="name spaces are not for this user"
		return 0
	fi
	echo SlurmctldParameters=enable_configless >"$BATS_FILE_TMPDIR/conf"
	pair_start --dims 4x1 --exclusive --conf-append "$BATS_FILE_TMPDIR/conf" || return
	pair_do become_configless
}
teardown_file() { [ -n "$LACKS" ] || pair_stop; }
setup() { [ -z "$LACKS" ] || skip "$LACKS"; }
teardown() { [ -n "$LACKS" ] || pair_clear; }

# with_own_run COMMAND...: as on a host without any configuration file; Slurm looks for munge
# in /run before it knows better
with_own_run()
{
	# shellcheck disable=SC2016 # for the shell within to expand
	MINICLUSTER_ID=$(sed -n 's/^id=//p' "$CLUSTER/settings") \
		SERVER=127.0.0.1:$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF") \
		SOCKET=$CLUSTER/munge.socket unshare --mount sh -ec '
			unset SLURM_CONF
			mount -t tmpfs none /run
			mkdir /run/munge
			ln -s "$SOCKET" /run/munge/munge.socket.2
			exec "$@"' - "$@" 3>&-
}

# become_configless: all nodes
become_configless()
{
	local node stepd=''
	# On this port, which is one of the cluster's own, sackd listens.
	minicluster set SlurmdPort=$(($(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF") + 200)) &&
		minicluster restart-ctld || return
	[ -z "${SLURM_PREFIX-}" ] || stepd="-d $SLURM_PREFIX/sbin/slurmstepd"
	minicluster kill-node 'n[000-003]' || return
	rm -f "$CLUSTER"/log/slurmd.*.log
	for node in n000 n001 n002 n003; do
		# shellcheck disable=SC2016 # for the shell within to expand
		with_own_run sh -c 'exec slurmd --conf-server "$SERVER" $2 -N "$1"' - "$node" "$stepd" \
			</dev/null >>"$CLUSTER/log/start.log" 2>&1 || return
		wait_until 30 grep -q 'slurmd started' "$CLUSTER/log/slurmd.$node.log" || return
	done
	wait_until 30 all_respond
}

# history CLUSTER: a batch job whose own srun finds the configuration where slurmd has left
# it, and an allocation's step from outside
history()
{
	local job output=$BATS_TEST_TMPDIR/$1
	use_cluster "$1"
	job=$(sbatch --parsable --chdir=/ --output="$output" --export=PATH -N 3 <<-'END'
		#!/bin/sh
		unset SLURM_CONF
		srun -n 3 printenv SLURMD_NODENAME | wc -l
		sinfo -h -o %D
		scontrol -o show job "$SLURM_JOB_ID" | grep -o 'NumNodes=[0-9]*'
	END
	) || return
	wait_until 30 in_state "$job" COMPLETED || return
	cat "$output"
	timeout 30 srun -N 4 printenv SLURMD_NODENAME 2>&1 | sort
	grep -hiE 'error|fatal|torus' "$CLUSTER"/log/slurmd.*.log | sed 's/^\[[^]]*\] //' | sort -u
	find "$CLUSTER/spool/n000/conf-cache" -printf '%f\n' | sort
}

@test "slurmds that fetch their configuration run jobs as with stock Slurm, without a word" {
	stock=$(history stock)
	echo "$stock"
	ours=$(history torus)
	expect_equal "$ours" "$stock" "what happened"
	expect_match "$ours" $'^3\n4\nNumNodes=3\nn000\nn001\nn002\nn003\n'
	run ! grep -x torus.conf <<<"$ours"
	job=$(allocate -N 3)
	expect_ranks "$job" 0-2
}

@test "an srun of theirs learns from topology.conf where the nodes are" {
	use_cluster torus
	minicluster set CliFilterPlugins=torus
	ask_to_reconfigure
	what=(env SLURM_CONF="$CLUSTER/spool/n000/conf-cache/slurm.conf" srun -v -N 4 true)
	wait_until 30 grep -q CliFilterPlugins "$CLUSTER/spool/n000/conf-cache/slurm.conf"
	run -0 salloc --quiet -N 4 timeout 60 "${what[@]}"
	expect_match "$output" "cli_filter/torus: tasks in Slurm's own order: .*torus.conf"
	cp "$CLUSTER/etc/torus.conf" "$CLUSTER/etc/topology.conf"
	ask_to_reconfigure
	wait_until 30 test -s "$CLUSTER/spool/n000/conf-cache/topology.conf"
	run -0 salloc --quiet -N 4 timeout 60 "${what[@]}"
	# on this line that of the names is as good as any
	expect_match "$output" "cli_filter/torus: tasks in Slurm's own order: it is that of the torus"
	rm "$CLUSTER/etc/topology.conf"
	sed -i '/^CliFilterPlugins=/d' "$SLURM_CONF"
	ask_to_reconfigure
}

# fetched: commands of a host where sackd has fetched the configuration, before and after a
# change of it that slurmctld sends to sackd
fetched()
{
	use_cluster "$1"
	minicluster set KillWait=2 || return
	# shellcheck disable=SC2016 # for the shell within to expand
	with_own_run sh -c '
		conf=/run/slurm/conf/slurm.conf
		has() {
			for try in $(seq 200); do
				! grep -qs "$1" $conf || return 0
				sleep 0.1
			done
			echo "no $1 in $conf"
		}
		mkdir /run/slurm
		sackd --conf-server "$SERVER"
		has ClusterName
		ls -L /run/slurm/conf
		sinfo -h -o %D
		scontrol ping | grep -c UP
		timeout 30 srun -N 4 printenv SLURMD_NODENAME | sort
		SLURM_CONF= "$0" --dir "$CLUSTER" set KillWait=3
		scontrol reconfigure
		has KillWait=3
		ls -L /run/slurm/conf
		for try in $(seq 200); do
			[ "$(sinfo -h -o %t)" != idle ] || break
			sleep 0.1
		done
		timeout 30 srun -N 4 printenv SLURMD_NODENAME | sort' \
		"$TORUS_SRCDIR/contrib/minicluster" 2>&1
}

@test "commands of a host with sackd: as with stock Slurm, without a word" {
	is_since 24.05 || skip "this Slurm has no sackd"
	stock=$(fetched stock)
	echo "$stock"
	ours=$(fetched torus)
	expect_equal "$ours" "$stock" "what the commands say"
	expect_match "$ours" $'\n4\n1\nn000\nn001\nn002\nn003\n.*\nn000\nn001\nn002\nn003$'
	run ! grep -x torus.conf <<<"$ours"
	pair_do wait_until 60 all_respond
}
