#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/torus and reservations of cores: scontrol refuses them by itself, and creates
# them with a slurm.conf of its own, as docs/admin-guide.md says.

load select_support

setup_file()
{
	cluster_start --dims 4x4 --wrap all --cpus 4 --select-params CR_Core
	# The recipe of the guide.
	export CORES_CONF=$CLUSTER/cores.conf
	if scontrol_reserves_cores; then
		cp "$SLURM_CONF" "$CORES_CONF"
	else
		sed 's|^SelectType=.*|SelectType=select/cons_tres|I' "$SLURM_CONF" >"$CORES_CONF"
	fi
}
teardown_file() { cluster_stop; }
teardown()
{
	cluster_cancel
	wait_until 180 no_jobs
	scontrol delete ReservationName=cores 2>/dev/null || true
	cluster_clear
}

no_jobs() { [ -z "$(squeue -h -o %A)" ]; }
reserve() { scontrol create reservation ReservationName=cores StartTime=now Duration=30 Users="$(id -un)" "$@"; }
reservation() { scontrol -o show reservation cores; }

@test "core reservations: scontrol refuses them with the message in the guide" {
	local text guide
	if scontrol_reserves_cores; then
		skip "only before Slurm 23.11; from then on the next tests do without the recipe"
	fi
	guide=$(tr -s ' \n' ' ' <"$TORUS_SRCDIR/docs/admin-guide.md")
	for what in corecnt=6 tres=cpu=6; do
		text=$(reserve "$what" 2>&1) && fail "$what was accepted"
		text=${text#*error: }
		text=${text%%$'\n'*}
		[[ $guide == *"$text"* ]] || fail "not in the guide: $text"
	done
}

# kept_free WHAT: reserve that with the recipe; others get all cores but these
kept_free()
{
	local others another job node reserved
	SLURM_CONF=$CORES_CONF reserve "$1"
	expect_match "$(reservation)" ' CoreCnt=6 ' || return
	others=$(submit -n 58)
	wait_running "$others" || return
	another=$(submit -n 1)
	wait_refused "$another" || return
	job=$(allocate -n 6 --reservation=cores) || return
	expect_match "$(token "$job")" '^torus=main,' || return
	reserved=$(scontrol show hostnames "$(reservation | sed 's/.* Nodes=\([^ ]*\).*/\1/')")
	for node in $(scontrol show hostnames "$(job_nodes "$job")"); do
		grep -qx "$node" <<<"$reserved" || fail "node $node of job $job is not reserved" || return
	done
	in_state "$another" PENDING
}

@test "core reservations: corecnt= with scontrol's own slurm.conf" { kept_free corecnt=6; }
@test "core reservations: tres=cpu= with scontrol's own slurm.conf" { kept_free tres=cpu=6; }

@test "core reservations: last over a restart of slurmctld" {
	SLURM_CONF=$CORES_CONF reserve corecnt=6
	minicluster restart-ctld
	wait_until 180 only_idle 16
	expect_match "$(reservation)" ' CoreCnt=6 '
	others=$(submit -n 58)
	wait_running "$others"
	another=$(submit -n 1)
	wait_refused "$another"
}
