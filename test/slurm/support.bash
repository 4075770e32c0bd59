# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests on a real cluster need whatever they test: waiting, a private cluster in
# $CLUSTER, jobs.  Needs neither the plugin nor storus.
#
# Environment: SLURM_PREFIX (where Slurm is installed; empty or unset: where the
# distribution puts it).

# shellcheck source=../jq.bash
. "${BASH_SOURCE[0]%/*}/../jq.bash"

: "${TORUS_SRCDIR:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
[ -z "${SLURM_PREFIX-}" ] || PATH=$SLURM_PREFIX/bin:$SLURM_PREFIX/sbin:$PATH
PATH=$PATH:/usr/sbin:/sbin

fail()
{
	printf '%s\n' "$@" >&2
	return 1
}

# pause SECONDS: without a process, unlike sleep: nobody writes into this pipe. It is opened here
# since a process substitution sets $!, too.
exec {PIPE}<> <(:)
pause() { read -rt "$1" -u "$PIPE" || true; }

# wait_until SECONDS COMMAND...: until the command succeeds.  What has not come soon is asked
# for less often: asking costs the processor, and others test on it.  What has not come after
# 20 s may be a daemon that sleeps by a fault of Slurm's, so they are woken once.
wait_until()
{
	local end=$((SECONDS + $1)) pauses=(0.05 0.1 0.2 0.3) asked=0 wake_at=$((SECONDS + 20))
	shift
	until "$@" 2>/dev/null; do
		[ "$SECONDS" -lt "$end" ] || fail "in vain waited for: $*" || return
		if [ "$SECONDS" -ge "$wake_at" ] && misses_events; then
			wake_at=$end
			wake_daemons
		fi
		pause "${pauses[asked++]:-0.4}"
	done
}

# ask_to_reconfigure: "scontrol reconfigure" to the cluster in $CLUSTER, with its exit status;
# a slurmctld that sleeps is woken
ask_to_reconfigure()
{
	local asking status=0
	slurm scontrol reconfigure 3>&- &
	asking=$!
	wait_until 120 has_ended "$asking" || true
	wait "$asking" || status=$?
	return "$status"
}
has_ended() { ! kill -0 "$1"; }

# wake_daemons: SIGUSR2 has them only open their logs again
wake_daemons()
{
	local file
	echo "Slurm's daemons have been slow for 20 s: waking them" >&2
	for file in "${CLUSTER-}"/run/slurm*.pid; do
		# A daemon that was killed leaves its file behind.
		[ ! -e "$file" ] || kill -USR2 "$(<"$file")" || true
	done 2>/dev/null
}

minicluster()
{
	local command=$1
	shift
	if [ "$command" = up ] && [ -n "${SLURM_PREFIX-}" ]; then
		set -- --slurm-prefix "$SLURM_PREFIX" "$@"
	fi
	"$TORUS_SRCDIR/contrib/minicluster" --dir "$CLUSTER" "$command" "$@"
}

# slurm COMMAND...: one of Slurm's commands, to that cluster
slurm() { minicluster run "$@"; }

# only_idle COUNT: so many nodes are idle, and no others exist
only_idle()
{
	[ "$(slurm sinfo -h -N -o '%N %t' | sort -u | cut -d' ' -f2 | uniq -c | xargs)" = "$1 idle" ]
}

# submit OPTION... : a batch job; prints its number
submit() { slurm sbatch --parsable --chdir=/ --output=/dev/null "$@"; }

job_state() { slurm scontrol -o show job "$1" | sed -nE '1s/.* JobState=([A-Z_]+).*/\1/p'; }
in_state() { [ "$(job_state "$1")" = "$2" ]; }

# processes TEXT: how many processes have TEXT in their command line, or work below TEXT
processes()
{
	{
		grep -laF -e "$1" /proc/[0-9]*/cmdline
		find /proc/[0-9]*/cwd -printf '%h/cmdline\t%l\n' | text=$1 awk -F '\t' '
			index($2, ENVIRON["text"]) == 1 { print $1 }'
	} 2>/dev/null | sort -u | wc -l
}
has_processes() { [ "$(processes "$1")" -ge "${2:-1}" ]; }
no_processes() { [ "$(processes "$1")" -eq 0 ]; }

# as_nobody: run the script on standard input as an ordinary user, with minicluster() for a
# cluster in the directory $own of one that is his, and expect that no process is left.
# Sets $output and $stderr, or skips the test.
as_nobody()
{
	local nobody=(setpriv --reuid "$ORDINARY" --regid "$ORDINARY" --clear-groups)
	[ "$(id -u)" = 0 ] || skip "all of these tests just did"
	command -v setpriv >/dev/null || skip "no setpriv"
	"${nobody[@]}" test -x "$TORUS_SRCDIR/contrib/minicluster" ||
		skip "the source directory is not for everybody"
	export dir TORUS_SRCDIR
	dir=$(mktemp -d /tmp/minicluster-test.XXXXXX)
	cat >"$dir/script" <<-'END'
		unset HOME
		own=own
		minicluster() { "$TORUS_SRCDIR/contrib/minicluster" --dir "$dir/$own" "$@"; }
	END
	cat >>"$dir/script"
	chown "$ORDINARY:$ORDINARY" "$dir"
	run -0 --separate-stderr "${nobody[@]}" bash "$dir/script"
	# shellcheck disable=SC2154 # set by run
	echo "$output" "$stderr"
	no_processes "$dir/"
	rm -r "$dir"
}

# --- what releases of Slurm do differently, in this one place --------------

# Asked once a file of tests, each of which reads this anew.
if [ -z "${BATS_FILE_TMPDIR-}" ] || [ "${SLURM_VERSION_IN-}" != "$BATS_FILE_TMPDIR" ]; then
	SLURM_VERSION=$(slurmctld -V 2>/dev/null) && SLURM_VERSION=${SLURM_VERSION##* }
	export SLURM_VERSION SLURM_VERSION_IN=${BATS_FILE_TMPDIR-}
fi

# is_since RELEASE: whether the Slurm that is tested is of this release or a later one
is_since()
{
	local wanted=() tested=() i
	IFS=. read -ra wanted <<<"$1"
	IFS=. read -ra tested <<<"$SLURM_VERSION"
	for i in "${!wanted[@]}"; do
		# Of 25.05.0-0rc1 a part is more than a number.
		tested[i]=$((10#0${tested[i]%%[!0-9]*}))
		wanted[i]=$((10#${wanted[i]}))
		[ "${tested[i]}" -eq "${wanted[i]}" ] || break
	done
	[ "${tested[i]}" -ge "${wanted[i]}" ]
}

# reconfigure_restarts: "scontrol reconfigure" starts a slurmctld in place of the one that
# runs, which goes on if that does not start
reconfigure_restarts() { is_since 23.11; }

# misses_events: its daemons now and then miss that a connection has something to read, and
# sleep until a signal comes. Slurm 24.11.6 mended that ("effectively stuck forever" in its
# list of changes).
misses_events() { reconfigure_restarts && ! is_since 24.11.6; }

# hangs_at_its_end: its slurmctld, when it ends, hands over or is reconfigured, now and then
# waits for ever for an answer of slurmscriptd that has come already. Slurm 24.11.6 mended that
# ("a race condition that can cause slurmctld to hang forever" in its list of changes).
hangs_at_its_end() { ! is_since 24.11.6; }

# only_backfill_starts: without slurmdbd its main scheduler takes every job for one without
# an account, whatever plugins there are. So backfill starts them, which gives those that wait
# no reason.
only_backfill_starts() { is_since 23.11 && ! is_since 24.11; }

# no_topology: the TopologyPlugin that knows of none
no_topology()
{
	if is_since 25.05; then
		echo topology/flat
	elif is_since 23.11; then
		echo topology/default
	else
		echo topology/none
	fi
}

# steps_wait_for_slurmctld: srun ends only when slurmctld has heard of its step's end
steps_wait_for_slurmctld() { is_since 26.05; }

# only_slurmctld_selects: no other daemon loads the select plugin
only_slurmctld_selects() { is_since 25.05; }

# reads_yaml: it reads topology.yaml, for which it wants both of these plugins of its own
reads_yaml()
{
	local kind
	is_since 25.05 || return
	for kind in json yaml; do
		find -L "${SLURM_PREFIX:-/usr}"/lib* "${TORUS_PLUGIN_DIR:-/nonexistent}" \
			-name "serializer_$kind.so" -print -quit 2>/dev/null | grep -q . || return
	done
}

# can_keep_accounts: it has the plugin that slurmdbd needs; distributions always have it
can_keep_accounts()
{
	[ -z "${SLURM_PREFIX-}" ] ||
		find -L "$SLURM_PREFIX"/lib* -name accounting_storage_mysql.so -print -quit | grep -q .
}

# accounting_lacks: what is missing for a cluster with accounting, if anything. A file that
# needs it notes it in LACKS, as Debian 12's bats knows no skip in setup_file.
accounting_lacks()
{
	if "$TORUS_SRCDIR/contrib/deps" accounting 2>&1 >/dev/null </dev/null; then
		can_keep_accounts || echo "this Slurm is built without accounting_storage/mysql"
	fi
}

# NO_PRIORITY: what it says without such a plugin
if is_since 25.05; then
	NO_PRIORITY="cannot create priority context for"
else
	NO_PRIORITY="cannot find priority plugin for"
fi

# first_node_will_do: a job of one node gets the first one that will do, whatever rules of
# the configuration say, unless the topology plugin wants to choose itself, as ours does
first_node_will_do() { is_since 26.05; }

# ORDINARY: the number of an ordinary user; from 25.11 on Slurm does not run for "nobody"
if is_since 25.11; then ORDINARY=1; else ORDINARY=65534; fi

# scontrol_reserves_cores: it asks slurmctld whether cores can be reserved; before, it
# refused by itself with any but Slurm's own select plugins
scontrol_reserves_cores() { is_since 23.11; }
