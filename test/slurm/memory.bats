#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A slurmctld under valgrind: our plugins, those that TORUS_VIA says, neither leak nor touch
# memory that is not their own, whatever way their decisions take. And an srun, with
# cli_filter/torus.
# Slurm's own findings are not ours to judge: only those whose stack goes through our
# plugins count. To tell them apart takes debugging information, which a build need not
# have: the plugins are compiled here, with a leak that has to be found.

bats_require_minimum_version 1.5.0
load select_support

SOURCES=$(realpath "$TORUS_SRCDIR")

setup_file()
{
	export LACKS=
	if ! command -v valgrind >/dev/null; then
		LACKS="valgrind is not installed"
		return 0
	fi
	PLUGINS+=(cli_filter_torus.so)
	cat >"$BATS_FILE_TMPDIR/conf" <<'END'
CliFilterPlugins=torus
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=all Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE PriorityTier=1 MaxTime=60
PartitionName=urgent Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=9 PreemptMode=OFF
PartitionName=shared Nodes=ALL OverSubscribe=NO PriorityTier=1
END
	plugins_with_leak
	cluster_start --dims 4x3x2 --wrap x --conf-append "$BATS_FILE_TMPDIR/conf"
	minicluster kill-ctld TERM
	export VALGRIND_LOG=$BATS_FILE_TMPDIR/valgrind.log
	export VALGRIND="valgrind --leak-check=full --keep-debuginfo=yes --fullpath-after= \
		--show-leak-kinds=definite,indirect --trace-children=no"
	# shellcheck disable=SC2086 # several words
	$VALGRIND --log-file="$VALGRIND_LOG" \
		"$(PATH=$PATH:/usr/sbin command -v slurmctld)" -D -f "$SLURM_CONF" >/dev/null 2>&1 3>&- &
	echo $! >"$BATS_FILE_TMPDIR/valgrind.pid"
	wait_until 120 answers
	wait_until 120 nodes_idle 24
}

# plugins_with_leak: in a directory of their own, which becomes TORUS_PLUGIN_DIR; what they
# have in common is compiled once
plugins_with_leak()
{
	local sources directory=$BATS_FILE_TMPDIR/plugins plugin options
	options=(-g -O2 -I "$TORUS_PLUGIN_DIR/.." -I "$SOURCES/plugin" -I "$SOURCES/common" -I "$SOURCES")
	mkdir "$directory" || return
	cat >"$directory/planted.c" <<'END'
#include <stdlib.h>
__attribute__((constructor)) static void leak(void)
{
	void *volatile memory = malloc(77);
	memory = NULL;
	(void)memory;
}
END
	find "$SOURCES"/{common,taskmap} -name '*.c' -print0 |
		xargs -0 cc -r -nostdlib -fPIC -DHAVE_CONFIG_H "${options[@]}" -o "$directory/engine.o" ||
		return
	for plugin in "${PLUGINS[@]}"; do
		mapfile -t sources < <(TORUS_SRCDIR=$SOURCES sources_of "${plugin%.so}")
		compile_plugin "$directory/$plugin" "${options[@]}" -Wl,-Bsymbolic \
			"$directory/planted.c" "${sources[@]}" "$directory/engine.o" -lm || return
	done
	TORUS_PLUGIN_DIR=$directory
}

setup() { [ -z "$LACKS" ] || skip "$LACKS"; }
teardown_file()
{
	[ -z "$LACKS" ] || return 0
	[ ! -f "$BATS_FILE_TMPDIR/valgrind.pid" ] ||
		kill -9 "$(<"$BATS_FILE_TMPDIR/valgrind.pid")" 2>/dev/null || true
	cluster_stop
}

answers() { scontrol ping | grep -q 'is UP'; }
ended() { ! kill -0 "$1" 2>/dev/null; }

# reconfigures_in_place: newer slurmctlds become new processes, without valgrind
reconfigures_in_place() { [[ $(scontrol --version) == *" 22."* ]]; }

# findings LOG DIRECTORY: those with a file below it in their stack. Each finding of valgrind
# is a paragraph of lines that begin with the same ==PID==.
findings()
{
	sed 's/^==[0-9]*== \{0,1\}//' "$1" |
		directory=$2 awk -v RS= 'index($0, "(" ENVIRON["directory"] "/")'
}

@test "every way to a decision, under valgrind" {
	sbatch -N 5 --wrap 'sleep 60' -o /dev/null -D /
	sbatch -N 2-4 --wrap 'sleep 60' -o /dev/null -D /
	sbatch -n 6 --wrap 'sleep 60' -o /dev/null -D /
	sbatch -N 3 --contiguous --wrap 'sleep 60' -o /dev/null -D /
	sbatch --network=torus:shape=2x2 --wrap 'sleep 60' -o /dev/null -D /
	sbatch -N 2 --network=torus:shape=any --wrap 'sleep 60' -o /dev/null -D /
	run sbatch --network=torus:shape=9x9 --wrap 'sleep 60' -o /dev/null -D /
	[ "$status" -ne 0 ]
	run sbatch --network=torus:shape --wrap 'sleep 60' -o /dev/null -D /
	[ "$status" -ne 0 ]
	wait_until 60 eval '[ "$(squeue -h -t R | wc -l)" -ge 6 ]'
	# What asks slurmctld for the jobs, some of them with comments.
	# shellcheck disable=SC2086 # several words
	$VALGRIND --log-file="$BATS_FILE_TMPDIR/storus.log" "$STORUS" show --format csv \
		>"$BATS_TEST_TMPDIR/jobs"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/jobs")" -ge 7 ]
	run -0 awk -v RS='==[0-9]+== *\n' '/lost in loss/ && /storus_/' "$BATS_FILE_TMPDIR/storus.log"
	[ -z "$output" ] || fail "$output"
	# Waiting and planned; by the engine, strictly, and with a range.
	sbatch -N 12 --wrap 'sleep 1' -o /dev/null -D /
	sbatch -N 10 --contiguous --wrap 'sleep 1' -o /dev/null -D /
	sbatch -N 6-10 --contiguous --wrap 'sleep 1' -o /dev/null -D /
	sbatch --network='torus:shape=3x3|4x3' --wrap 'sleep 1' -o /dev/null -D /
	sbatch -N 9-11 --network=torus:shape=any --wrap 'sleep 1' -o /dev/null -D /
	sbatch -n 30 --wrap 'sleep 1' -o /dev/null -D /
	sleep 5 # some rounds of the backfill scheduler
	# Preemption, plain and strict.
	sbatch -p urgent -N 14 --wrap 'sleep 2' -o /dev/null -D /
	sbatch -p urgent --network=torus:shape=3x2x2 --wrap 'sleep 2' -o /dev/null -D /
	wait_until 120 eval '[ -z "$(squeue -h -p urgent)" ]'
	# Shared nodes, a shrinking job, reservations, reconfiguring well and badly.
	scancel -u "$(id -un)"
	wait_until 120 eval '[ -z "$(squeue -h)" ]'
	job=$(sbatch --parsable -p shared -N 4 -n 4 --wrap 'sleep 60' -o /dev/null -D /)
	sbatch -p shared -N 4 -n 4 --wrap 'sleep 60' -o /dev/null -D /
	sbatch -p shared -n 9 --wrap 'sleep 60' -o /dev/null -D /
	wait_until 60 eval '[ "$(squeue -h -t R | wc -l)" -ge 3 ]'
	scontrol update JobId="$job" NumNodes=2
	scontrol create reservation ReservationName=r NodeCnt=4 StartTime=now Duration=10 Users="$(id -un)"
	if reconfigures_in_place; then
		ask_to_reconfigure
		echo "Curv=hilbert" >>"$TORUS_CONF"
		ask_to_reconfigure
		sed -i '/^Curv=/d' "$TORUS_CONF"
	fi
	scontrol show topology || true
	sbatch -N 3 --reservation=r --wrap 'sleep 1' -o /dev/null -D /
	scontrol delete ReservationName=r || true
	scancel -u "$(id -un)"
	wait_until 120 eval '[ -z "$(squeue -h)" ]'
}

# none_but_planted LOG: there is only the leak that was planted
none_but_planted()
{
	grep -q 'ERROR SUMMARY' "$1" || fail "valgrind has not ended: $1" || return
	[[ $(findings "$1" "$BATS_FILE_TMPDIR/plugins") == *"77 bytes"*"definitely lost"*planted.c* ]] ||
		fail "the planted leak is not found" || return
	found=$(for part in plugin common taskmap; do findings "$1" "$SOURCES/$part"; done)
	[ -z "$found" ] || fail "$found"
}

# filtered SAYS OPTION...: an srun under valgrind, with these options, of which the filter says so
filtered()
{
	local says=$1 log=$BATS_TEST_TMPDIR/srun.log
	shift
	# shellcheck disable=SC2086 # several words
	timeout 300 salloc --quiet -N 6 $VALGRIND --log-file="$log" srun -v "$@" true 2>said ||
		fail "$(cat said)" || return
	grep -q "cli_filter/torus: .*$says" said || fail "not said: $says" "$(cat said)" || return
	none_but_planted "$log"
}

@test "srun under valgrind: nothing in the filter" {
	local ordered='of the torus' # Slurm's own order may be that, too
	cd "$BATS_TEST_TMPDIR" || return
	filtered "$ordered"
	filtered "$ordered" --network=torus:grid=3x2
	filtered 'own order' -m block
	filtered 'own order' -N 2 -n 2
	cp "$TORUS_CONF" kept
	echo 'Curv=hilbert' >>"$TORUS_CONF"
	run filtered 'torus.conf:'
	cp kept "$TORUS_CONF"
	[ "$status" -eq 0 ] || fail "$output"
}

@test "valgrind has found nothing in the plugin" {
	pid=$(<"$BATS_FILE_TMPDIR/valgrind.pid")
	kill -TERM "$pid"
	wait_until 120 ended "$pid"
	none_but_planted "$VALGRIND_LOG"
}
