#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hierarchical resources of mode 3 (resources.yaml), e.g. power, beside Slurm's own
# plugins: two tori of eight nodes, each of which has power for four nodes' worth of 10.

bats_require_minimum_version 1.5.0
load topology_support

setup_file()
{
	is_since 25.11 || return 0
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=left Dims=4x2 Nodes=n[000-007]
		TorusName=right Dims=4x2 Nodes=n[008-015]
	END
	cat >"$BATS_FILE_TMPDIR/resources.yaml" <<-END
		---
		- resource: power
		  mode: MODE_3
		  layers:
		    - nodes:
		        - "n[000-007]"
		      count: 40
		    - nodes:
		        - "n[008-015]"
		      count: 40
		    - nodes:
		        - "n[000-015]"
		      count: 80
	END
	set -- --nodes 16 --exclusive --copy "$BATS_FILE_TMPDIR/resources.yaml"
	set -- "$@" --plugin-dir "$TORUS_PLUGIN_DIR"
	if ! CLUSTER=$BATS_FILE_TMPDIR/stock minicluster up --select cons_tres "$@"; then
		# A Slurm without its JSON plugin does not start with a resources.yaml.
		grep -q 'serializer_required: .*application/json' \
			"$BATS_FILE_TMPDIR/stock/log/slurmctld.log" || return
		touch "$BATS_FILE_TMPDIR/no_json"
		return 0
	fi
	CLUSTER_NAME=torus cluster_start --torus-conf "$BATS_FILE_TMPDIR/torus.conf" "$@"
}
has_hres() { is_since 25.11 && [ ! -e "$BATS_FILE_TMPDIR/no_json" ]; }
teardown_file() { ! has_hres || pair_stop; }
setup() { since 25.11 && { has_hres || skip "this Slurm was built without JSON"; }; }
teardown() { ! has_hres || pair_clear; }

# used: what running jobs have of each part, the largest numbers first
used()
{
	scontrol -o show license | sed -nE 's/.*LicenseName=power.* Total=([0-9]+) Used=([0-9]+) .*/\1 \2/p' |
		sort -rn | cut -d' ' -f2 | xargs
}

# nobody_has_too_much: of no part more is used than there is
nobody_has_too_much()
{
	scontrol -o show license | awk '
		{ for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] } }
		value["Used"] > value["Total"] { print; bad = 1 }
		END { exit bad }'
}

# powered OPTION...: a job that needs 10 for each of its nodes
powered() { submit --licenses=power:10 "$@"; }

too_large_for_what_is_left()
{
	local first second third
	first=$(powered -N 3)
	wait_running "$first"
	second=$(powered -N 3)
	wait_running "$second"
	third=$(powered -N 6)
	sleep 3
	in_state "$third" PENDING
	expect_equal "$(used)" "60 30 30" "power in use"
	nobody_has_too_much
	scancel "$first" "$second"
	wait_running "$third"
	expect_equal "$(used | cut -d' ' -f1)" 60 "power in use"
	nobody_has_too_much
}

@test "a job that is asked about on each torus does not get power that others have" {
	pair_do too_large_for_what_is_left
}
