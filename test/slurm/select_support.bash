# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of select/torus share: a cluster a file, jobs in one line, and the
# translation between node names and ranks.  Expected placements come from "storus
# place", which asks the engine alone, or are written down as ranks where the rule
# makes them plain.
#
# Environment: TORUS_VIA (what decides: "select", the default: select/torus; "topology":
# topology/torus and Slurm's own select/cons_tres; "both"), TORUS_SELECT (the name by which
# slurm.conf has select/torus: "torus", the default, or "cons_tres_torus"), TORUS_PLUGIN_DIR
# (where the plugins are), STORUS (the command), TORUS_SRCDIR (the top of the source tree).
# Takes cluster, waiting and assertions from support.bash, but talks to the cluster of
# $SLURM_CONF.

: "${TORUS_PLUGIN_DIR:?where select_torus.so is}"
: "${STORUS:?the command storus}"
: "${TORUS_SRCDIR:?the top of the source tree}"

# shellcheck source=support.bash
. "${BASH_SOURCE[0]%/*}/support.bash"

# --- assertions ----------------------------------------------------------

# expect_equal ACTUAL EXPECTED [WHAT]
expect_equal()
{
	[ "$1" = "$2" ] || fail "${3:-value}: got '$1', expected '$2'"
}

# expect_match TEXT REGEX [WHAT]
expect_match()
{
	[[ $1 =~ $2 ]] || fail "${3:-text}: got '$1', which does not match '$2'"
}

# refused PATTERN OPTION...: submission fails with an error to the user and a line in
# slurmctld's log that matches PATTERN
refused()
{
	local pattern=$1 text
	shift
	log_mark
	if text=$(submit "$@" 2>&1); then
		fail "job $text was accepted"
		return
	fi
	expect_match "$text" 'error: Batch job submission failed: ' &&
		{ logged "$DECIDER: .*$pattern" ||
			fail "not in the log: $pattern" "$(log_since)"; }
}

# gres_of JOB: nodes and its GRES there, a line each
gres_of() { scontrol show job -d "$1" | sed -n 's/^ *Nodes=\([^ ]*\) .*GRES=\(.*\)/\1 \2/p'; }

# --- the cluster ---------------------------------------------------------

# What TORUS_VIA stands for: VIA, the options of minicluster, PLUGINS, the files of ours that
# these need, and DECIDER, the plugin that chooses nodes.
DECIDER=select/torus
: "${TORUS_SELECT:=torus}"
case ${TORUS_VIA:=select} in
select)
	VIA=(--select "$TORUS_SELECT")
	PLUGINS=(select_torus.so)
	;;
topology)
	VIA=(--select cons_tres --topology torus)
	PLUGINS=(topology_torus.so)
	DECIDER=topology/torus
	;;
both)
	VIA=(--select "$TORUS_SELECT" --topology torus)
	PLUGINS=(select_torus.so topology_torus.so)
	;;
*) fail "TORUS_VIA='$TORUS_VIA' is none of select, topology and both" || exit ;;
esac
[ "$TORUS_SELECT" = torus ] || PLUGINS+=("select_$TORUS_SELECT.so")
export TORUS_VIA TORUS_SELECT DECIDER

# only_select WHY: skip the test where select/torus does not choose the nodes
only_select() { [ "$DECIDER" = select/torus ] || skip "topology/torus $1"; }

# cluster_start OPTION...: start the cluster of this file, called CLUSTER_NAME if there are
# several; for setup_file. It decides by best_fit, whose choice a reader can follow, unless
# an option names another torus.conf or allocator.
cluster_start()
{
	local via=("${VIA[@]}")
	case " $* " in
	*' --torus-conf '* | *' --allocator '*) ;;
	*) via+=(--allocator best_fit) ;;
	esac
	export CLUSTER=$BATS_FILE_TMPDIR/${CLUSTER_NAME:-cluster}
	minicluster up --plugin-dir "$TORUS_PLUGIN_DIR" "${via[@]}" \
		--debug-level debug "$@" || return
	eval "$(minicluster env)"
	export SLURM_CONF
	export TORUS_CONF=$CLUSTER/etc/torus.conf
	export CONTROLLER_LOG=$CLUSTER/log/slurmctld.log
	export TORUS=
	[ ! -e "$TORUS_CONF" ] || learn_ranks
}

# checked_start OPTION...: cluster_start with the select/torus that checks itself (test/checked)
checked_start()
{
	local plugins=$BATS_FILE_TMPDIR/checked
	make -s -C "$TORUS_PLUGIN_DIR/.." test/checked/select_torus.la >&2 || return
	mkdir -p "$plugins"
	ln -sf "${PLUGINS[@]/#/$TORUS_PLUGIN_DIR/}" "$plugins/"
	ln -sf "$TORUS_PLUGIN_DIR/../test/checked/.libs/select_torus.so" "$plugins/"
	TORUS_PLUGIN_DIR=$plugins cluster_start "$@"
}

# accounts_start OPTION...: cluster_start with slurmdbd, and with contrib/account-token, by
# which the accounts keep the tokens; for setup_file, which has set LACKS. Nothing if that
# names something. slurmctld gives its epilogs no SLURM_CONF, without which Slurm looks in
# /etc, and no PATH, without which a shell finds the distribution's Slurm.
accounts_start()
{
	[ -z "$LACKS" ] || return 0
	cat >"$BATS_FILE_TMPDIR/epilog" <<-END
		#!/bin/sh
		export SLURM_CONF=$BATS_FILE_TMPDIR/cluster/etc/slurm.conf
		export PATH=$(dirname "$(realpath "$STORUS")"):$PATH
		exec $TORUS_SRCDIR/contrib/account-token
	END
	chmod 755 "$BATS_FILE_TMPDIR/epilog"
	echo "EpilogSlurmctld=$BATS_FILE_TMPDIR/epilog" >"$BATS_FILE_TMPDIR/conf"
	cluster_start --accounting --conf-append "$BATS_FILE_TMPDIR/conf" "$@"
}

# account JOB FIELD: what sacct prints of the job as a whole
account() { sacct -n -P -X -j "$1" -o "$2"; }
# accounted JOB FIELD TEXT: whether that is it by now; slurmctld sends it in parts
accounted() { [ "$(account "$1" "$2")" = "$3" ]; }

# use_cluster NAME: from now on talk to the one of this file that is called so
use_cluster()
{
	export CLUSTER=$BATS_FILE_TMPDIR/$1
	export SLURM_CONF=$CLUSTER/etc/slurm.conf
	export CONTROLLER_LOG=$CLUSTER/log/slurmctld.log
	export TORUS_CONF=$CLUSTER/etc/torus.conf
}

# pair_start OPTION...: the same cluster twice: "stock" is without our plugins, "torus" has
# them; for setup_file
pair_start()
{
	CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres "$@" || return
	CLUSTER_NAME=torus cluster_start "$@"
}

# pair_do COMMAND...: run it for the one cluster, then for the other
pair_do()
{
	local name
	for name in stock torus; do
		use_cluster "$name"
		"$@" || return
	done
}
pair_stop() { pair_do cluster_stop; }
pair_clear() { pair_do cluster_clear; }

# cluster_stop: the end of it; for teardown_file. topology/torus must never have been asked
# for its machine by the question that a decision of its own asks Slurm.
cluster_stop()
{
	minicluster down || return
	! grep -sF "asked again in the middle of a decision" "$CLUSTER/log/slurmctld.log"
}

# nodes_idle COUNT: that many can be allocated
nodes_idle()
{
	local state count idle=0
	while read -r state count; do
		[ "$state" != idle ] || ((idle += count))
	done < <(sinfo -h -o '%t %D')
	[ "$idle" = "$1" ]
}

all_idle() { [ -z "$(squeue -h -o %A)" ] && [[ $(sinfo -h -o %t) =~ ^(idle$'\n'?)+$ ]]; }

cluster_cancel() { scancel --user="$(id -un)" 2>/dev/null || true; }

# cluster_clear: cancel every job and wait until all nodes are idle; for teardown
cluster_clear()
{
	cluster_cancel
	wait_until 60 all_idle
}

# reconfigure: with success; and then all nodes have registered, without which a new
# slurmctld gives them to nobody. A slurmd that is told of a new configuration first waits for
# its own threads, up to MessageTimeout.
reconfigure()
{
	local status=0
	ask_to_reconfigure || status=$?
	[ "$status" -eq 0 ] || fail "scontrol reconfigure: exit status $status" || state_of_daemons ||
		return
	wait_until 120 all_respond || state_of_daemons
}
all_respond()
{
	local states
	states=$(sinfo -h -N -o %t) && [[ $states && $states != *[*]* && $states != *unk* ]]
}

# state_of_daemons: what to know of those that do not answer; fails
state_of_daemons()
{
	local node
	scontrol ping
	sinfo -N -o '%N %T %E'
	tail -n 20 "$CONTROLLER_LOG"
	for node in $(sinfo -h -N -o '%N %t' | sed -nE 's/ (unk.*|.*\*)$//p' | sort -u | head -n 3); do
		echo "--- log of $node"
		tail -n 10 "$CLUSTER/log/slurmd.$node.log"
	done
	return 1
} >&2

# --- nodes that come and go ---------------------------------------------

# fail_node NODE: its slurmd dies, and slurmctld notices. The cluster has ReturnToService=1:
# with 2 any answer of its slurmd from before, at which newer slurmctlds look up to two seconds
# after it has come, brings the node back.
fail_node()
{
	echo "$1" >>"$CLUSTER/failed"
	minicluster kill-node "$1" && scontrol update NodeName="$1" State=DOWN Reason=test
}

# mend_nodes: start what has failed again
mend_nodes()
{
	local node
	[ -e "$CLUSTER/failed" ] || return 0
	for node in $(<"$CLUSTER/failed"); do
		minicluster start-node "$node" && scontrol update NodeName="$node" State=RESUME ||
			return
	done
	rm "$CLUSTER/failed"
}

# has_dynamic_nodes: Slurm has them only if SelectType has the letters "cons_tres"
has_dynamic_nodes() { [[ $TORUS_VIA = topology || $TORUS_SELECT = *cons_tres* ]]; }
need_dynamic_nodes() { has_dynamic_nodes || skip "Slurm has no dynamic nodes with select/torus"; }

# dynamic_start NAME [OPTION]...: a slurmd that slurmctld learns of from itself, on a port
# of the cluster's, which minicluster's "down" ends with the others; DYNAMIC_OPTIONS are
# slurmd's own
dynamic_start()
{
	local name=$1 port
	shift
	port=$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF")
	port=$((port + 100 + 10#${name//[!0-9]/}))
	# shellcheck disable=SC2086 # several words
	slurmd_comes ${DYNAMIC_OPTIONS-} -Z -N "$name" --conf \
		"CPUs=2 RealMemory=1000 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port $*"
}

# slurmd_comes OPTION...: one that minicluster did not start, but ends with the others
slurmd_comes()
{
	local stepd=()
	[ -z "${SLURM_PREFIX-}" ] || stepd=(-d "$SLURM_PREFIX/sbin/slurmstepd")
	MINICLUSTER_ID=$(sed -n 's/^id=//p' "$CLUSTER/settings") \
		slurmd -f "$SLURM_CONF" "${stepd[@]}" "$@" \
		</dev/null >>"$CLUSTER/log/start.log" 2>&1 3>&-
}

# dynamic_end NAME...: end these and forget them
dynamic_end()
{
	local name
	for name; do
		kill "$(cat "$CLUSTER/run/slurmd.$name.pid")"
		wait_until 60 eval "[ ! -e '$CLUSTER/run/slurmd.$name.pid' ]"
		scontrol delete NodeName="$name"
	done
}

node_is()
{
	[ "$(sinfo -h -N -n "$1" -o '%N %t' | sort -u)" = \
		"$(scontrol show hostnames "$1" | sort -u | sed "s/\$/ $2/")" ]
}

# --- slurmctld's log -------------------------------------------------------

# log_mark: remember how long slurmctld's log is; log_since: what it got since then
log_mark() { LOG_MARK=$(stat -c %s "$CONTROLLER_LOG"); }
log_since() { tail -c +$((LOG_MARK + 1)) "$CONTROLLER_LOG"; }
logged() { log_since | grep -qE -- "$1"; }

# decision JOB KIND: a regular expression of slurmctld's lines about such decisions (run_now,
# will_run); topology/torus is not told of what kind they are
decision()
{
	local kind=" $2"
	[ "$DECIDER" = select/torus ] || kind=
	echo "$DECIDER: JobId=$1$kind torus="
}

# starts_since: "JOB FREE COUNT NODES" of each start that slurmctld has logged since the mark,
# in that order; jobs that only have been planned must not be among them. Of topology/torus
# the last decision on a job is its start.
starts_since()
{
	log_since |
		sed -nE "s|.* $(decision '([0-9]+)' run_now).* free=([0-9]+) .* nodes=([^ ]+) count=([0-9]+) .*|\1 \2 \4 \3|p" |
		awk -v all="$([ "$DECIDER" = topology/torus ] || echo yes)" '
			{ line[NR] = $0; job[NR] = $1; last[$1] = NR }
			END { for (i = 1; i <= NR; i++) if (all || last[job[i]] == i) print line[i] }'
}

# sources_of PLUGIN: its own, one a line
sources_of()
{
	sed -n "/^$1_la_SOURCES/,/[^\\]\$/p" "$TORUS_SRCDIR/plugin/Makefile.inc" |
		grep -o 'plugin/[a-z_0-9/]*\.c' | sed "s|^|$TORUS_SRCDIR/|"
}

# slurm_flags: how the build directory finds Slurm's headers
slurm_flags() { sed -n 's/^SLURM_SRC_CPPFLAGS = //p' "$TORUS_PLUGIN_DIR/../Makefile"; }

# compile_plugin FILE OPTION...: compile a plugin for the installed Slurm as the build
# directory compiles ours
compile_plugin()
{
	local output=$1
	shift
	# shellcheck disable=SC2046 # several words
	cc -shared -fPIC -DHAVE_CONFIG_H -o "$output" "$@" $(slurm_flags)
}

# --- ranks ---------------------------------------------------------------

# learn_ranks: after a start, or after torus.conf has changed
learn_ranks()
{
	local name
	for name in $(sed -n 's/^ *TorusName=\([^ ]*\).*/\1/Ip' "$TORUS_CONF"); do
		scontrol show hostnames "$(engine_field nodes --torus "$name" \
			--nodes "$(torus_size "$name")")" >"$CLUSTER/ranks.$name" || return
		export TORUS=${TORUS:-$name}
	done
}

# torus_size NAME: how many nodes torus.conf gives it
torus_size()
{
	local list
	list=$(sed -n "s/^ *TorusName=$1 .*Nodes=\([^ ]*\).*/\1/Ip" "$TORUS_CONF")
	scontrol show hostnames "$list" | wc -l
}

# engine OPTION...: ask the engine about this cluster's machine
engine() { "$STORUS" place --conf "$TORUS_CONF" "$@"; }

# engine_field FIELD OPTION...: one line of its answer
engine_field()
{
	local field=$1
	shift
	engine "$@" | sed -n "s/^$field //p"
}

# sorted HOSTLIST: the form in which two lists of the same nodes look the same
sorted() { [ -z "$1" ] || scontrol show hostlistsorted "$1"; }

# in_ranges: numbers, one a line in any order, as "0-7,12"
in_ranges()
{
	sort -nu | awk '
		NR > 1 && $1 == last + 1 { last = $1; next }
		NR > 1 { put() }
		{ first = last = $1 }
		END { if (NR) put(); print out }
		function put() {
			out = out sep first (first < last ? "-" last : "")
			sep = ","
		}'
}

# ranks_of HOSTLIST [TORUS]: e.g. "0-7,12"; fails if a node is not on the torus
ranks_of()
{
	scontrol show hostnames "$1" | awk -v file="$CLUSTER/ranks.${2:-$TORUS}" '
		BEGIN { while ((getline name <file) > 0) rank[name] = count++ }
		!($1 in rank) { exit 1 }
		{ print rank[$1] }' | in_ranges
}

# expand_ranks RANKS: one a line
expand_ranks()
{
	local part ranks=
	for part in ${1//,/ }; do
		ranks+=" {${part%-*}..${part#*-}}"
	done
	[ -z "$ranks" ] || eval "printf '%s\n'$ranks"
}

# without RANKS OTHERS: those of the first that are not among the second
without() { expand_ranks "$1" | grep -vxFf <(expand_ranks "$2") | in_ranges; }

# all_but RANKS [TORUS]: all other ranks of the torus
all_but() { without "0-$(($(wc -l <"$CLUSTER/ranks.${2:-$TORUS}") - 1))" "$1"; }

# nodes_at RANKS [TORUS]: the hostlist of a list of ranks
nodes_at()
{
	sorted "$(awk 'NR == FNR { member[$1]; next } FNR - 1 in member' \
		<(expand_ranks "$1") "$CLUSTER/ranks.${2:-$TORUS}" | paste -sd ,)"
}

# --- jobs ----------------------------------------------------------------

# allocate OPTION...: a running allocation, at once; prints its job's number
allocate()
{
	local text
	text=$(timeout 60 salloc --no-shell "$@" 2>&1) || fail "salloc $*: $text" || return
	[[ $text =~ "Granted job allocation "([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# starts_at_once OPTION...: whether such a job does; prints its number
starts_at_once()
{
	local text
	text=$(timeout 60 salloc --immediate=5 --no-shell "$@" 2>&1) || {
		echo "$text" >&2
		return 1
	}
	[[ $text =~ "Granted job allocation "([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# submit OPTION...: a batch job that sleeps; prints its number
submit() { sbatch --parsable --chdir=/ --output=/dev/null "$@" --wrap 'exec sleep inf'; }

# system_comment JOB: it may have blanks and equal signs
system_comment()
{
	scontrol -o show job "$1" | sed -nE '/ SystemComment=/!d
		s/.* SystemComment=//; s/ +(StdErr|Power)=.*//; s/ +$//; p; q'
}

# job_field JOB NAME PATTERN: what scontrol says of the job, or of the first one of an array, as
# far as it matches; without processes to pick it out, as it is asked for again and again
job_field()
{
	local text
	text=$(scontrol -o show job "$1") || return 0
	[[ ${text%%$'\n'*} =~ \ $2=($3) ]] && echo "${BASH_REMATCH[1]}"
	return 0
}
job_nodes() { job_field "$1" NodeList '[^ ]*'; }
job_state() { job_field "$1" JobState '[A-Z_]+'; }
job_reason() { job_field "$1" Reason '[A-Za-z_]+'; }
planned_nodes() { job_field "$1" SchedNodeList '[^ ]*'; }
planned_on() { [ "$(planned_nodes "$1")" = "$(nodes_at "$2")" ]; }
job_ranks() { ranks_of "$(job_nodes "$1")" "${2:-$TORUS}"; }
# has_word JOB NAME WORD
has_word()
{
	local text
	text=$(scontrol -o show job "$1") && [[ ${text%%$'\n'*} =~ \ $2=$3[^A-Za-z_] ]]
}
in_state() { has_word "$1" JobState "$2"; }
has_reason() { has_word "$1" Reason "$2"; }

# token JOB: the one in its SystemComment; topology/torus writes it a moment after the
# job has got its nodes
token()
{
	[ "$TORUS_VIA" != topology ] || wait_until 10 any_token "$1" >/dev/null
	any_token "$1"
}
any_token() { system_comment "$1" | grep -o 'torus=[^ ]*'; }
has_token() { [ "$(any_token "$1")" = "$2" ]; }
has_comment() { [ "$(system_comment "$1")" = "$2" ]; }

# soon COMMAND...: with topology/torus, which writes the token a moment after the change
# that it describes, wait until the command succeeds; what is expected is asserted after it
soon() { [ "$TORUS_VIA" != topology ] || wait_until 10 "$@" || true; }

# expect_token JOB TOKEN
expect_token()
{
	soon has_token "$@"
	expect_equal "$(any_token "$1")" "$2" "token of job $1"
}

# expect_comment JOB TEXT: of all of its SystemComment
expect_comment()
{
	soon has_comment "$@"
	expect_equal "$(system_comment "$1")" "$2" "SystemComment of job $1"
}

wait_running() { local job; for job; do wait_until 60 in_state "$job" RUNNING || return; done; }

# wait_begun JOB...: the same of jobs that wait for a moment: that it has come Slurm sees
# when it looks at the queue, every minute, or when something changes
wait_begun() { local job; for job; do wait_until 60 runs_or_changes "$job" || return; done; }
runs_or_changes() { in_state "$1" RUNNING || { scontrol update JobId="$1" AdminComment=$RANDOM; false; }; }

# SAVE_WAIT: so many seconds after a change it is in the state that slurmctld reads when it is
# started again after a kill: it saves at most every 5 seconds (SAVE_MAX_WAIT in Slurm's
# state_save.c), looks once a second, and writes.
SAVE_WAIT=8

# wait_saved: until what can be seen now has to be there. Nothing is done that would have it
# saved: that is for whoever has changed it.
wait_saved() { sleep "$SAVE_WAIT"; }

# wait_refused JOB: until the scheduler has tried the job in vain
wait_refused()
{
	if [ -n "${2-}" ]; then
		wait_until 60 has_reason "$@"
	else
		wait_until 60 lacks_nodes "$1"
	fi && in_state "$1" PENDING
}
# From 26.05 on a job says that it waits for a box, a near place or segments.
lacks_nodes()
{
	[[ $(job_reason "$1") == @(Resources|No_suitable_topology_unit_found*) ]] ||
		{ only_backfill_starts && was_looked_at "$1"; }
}
was_looked_at() { scontrol -o show job "$1" | grep -q 'Reason=None .* LastSchedEval=2.* Scheduler=Backfill'; }

# occupy RANKS [TORUS]: take exactly these nodes; prints the job's number
occupy()
{
	local nodes
	nodes=$(nodes_at "$1" "${2:-$TORUS}")
	allocate --nodelist="$nodes" --nodes="$(scontrol show hostnames "$nodes" | wc -l)"
}

# occupy_all_but RANKS [TORUS]
occupy_all_but() { occupy "$(all_but "$@")" "${2:-$TORUS}"; }

# nodes_on JOB NUMBERS: the nodes of the job that are among n[NUMBERS]
nodes_on()
{
	comm -12 <(scontrol show hostnames "$(job_nodes "$1")" | sort) \
		<(scontrol show hostnames "n[$2]" | sort) | paste -sd ,
}

# token_for RANKS [TORUS]: what the engine says of an allocation of these ranks
token_for()
{
	engine --torus "${2:-$TORUS}" --free "$1" \
		--nodes "$(scontrol show hostnames "$(nodes_at "$@")" | wc -l)" |
	awk -v torus="${2:-$TORUS}" -v rule="${SPAN_RULE:-ring}" '
		$1 == "span_" rule { span = $2 }
		$1 == "box" { box = $2 }
		$1 == "average_distance" { hops = $2 }
		$1 == "ranks" { n = split($2, part, ",")
			for (i = 1; i <= n; i++) {
				if (split(part[i], edge, "-") == 1) edge[2] = edge[1]
				nodes += edge[2] - edge[1] + 1
			} }
		END { printf "torus=%s,nodes=%d,span=%d,box=%s,avghops=%.2f\n",
			torus, nodes, span, box, hops }'
}

# expect_ranks JOB RANKS [TORUS]: that the job has exactly these, and its token says so
expect_ranks()
{
	expect_equal "$(job_ranks "$1" "${3:-$TORUS}")" "$2" "ranks of job $1" ||
		fail "$(grep "JobId=$1 .* nodes=" "$CONTROLLER_LOG")" || return
	expect_token "$1" "$(token_for "$2" "${3:-$TORUS}")"
}

# expect_placed JOB FREE OPTION...: that the job has what the engine chooses among the
# ranks FREE
expect_placed()
{
	local job=$1 free=$2 ranks
	shift 2
	ranks=$(engine_field nodes --torus "$TORUS" --free "$free" "$@") &&
		ranks=$(ranks_of "$ranks") && expect_ranks "$job" "$ranks"
}
