#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Node weights: a torus of 4x4 nodes and eight nodes beside it, and the same cluster under
# stock Slurm. Jobs get nodes of the same weights on both.

bats_require_minimum_version 1.5.0
load select_support

setup_file()
{
	cat >"$BATS_FILE_TMPDIR/torus.conf" <<-END
		Allocator=best_fit
		TorusName=main Dims=4x4 Wrap=all Curve=row_major Nodes=n[000-015]
	END
	cat >"$BATS_FILE_TMPDIR/partitions.conf" <<-END
		PartitionName=whole Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
		PartitionName=shared Nodes=ALL MaxTime=INFINITE State=UP
	END
	export STOCK=$BATS_FILE_TMPDIR/stock
	CLUSTER=$STOCK minicluster up --nodes 24 --select cons_tres \
		--conf-append "$BATS_FILE_TMPDIR/partitions.conf"
	cluster_start --nodes 24 --torus-conf "$BATS_FILE_TMPDIR/torus.conf" \
		--conf-append "$BATS_FILE_TMPDIR/partitions.conf"
}

teardown_file()
{
	cluster_stop
	CLUSTER=$STOCK minicluster down
}

teardown()
{
	stock cluster_cancel
	cluster_clear
	stock wait_until 60 all_idle
}

# stock COMMAND...: on the cluster with stock Slurm
stock()
{
	local CLUSTER=$STOCK SLURM_CONF=$STOCK/etc/slurm.conf
	export CLUSTER SLURM_CONF
	"$@"
}

# weigh NUMBERS WEIGHT: give these nodes a weight, on both clusters
weigh()
{
	scontrol update NodeName="n[$1]" Weight="$2" &&
		stock scontrol update NodeName="n[$1]" Weight="$2"
}

# weights JOB: of its nodes, ascending
weights()
{
	scontrol -o show node "$(job_nodes "$1")" | sed -E 's/.* Weight=([0-9]+) .*/\1/' |
		sort -n | paste -sd ' '
}

# allocate_both OPTION...: the same job on both; ours, with weights that are the same
allocate_both()
{
	local ours theirs
	ours=$(allocate "$@") || return
	theirs=$(stock allocate "$@") || return
	expect_equal "$(weights "$ours")" "$(stock weights "$theirs")" "weights of -- $*" || return
	echo "$ours"
}

# expect_mix JOB TORUS BESIDE TOKEN: it has these nodes of the torus and those beside it,
# and its token begins so
expect_mix()
{
	expect_equal "$(job_nodes "$1")" "$(sorted "n[$2],n[$3]")" nodes &&
		expect_match "$(token "$1")" "^$4,box=" token
}

@test "lighter nodes beside the torus come first" {
	weigh 000-015 10
	weigh 016-023 5
	job=$(allocate_both -N 6)
	expect_equal "$(job_nodes "$job")" "n[016-021]" nodes
	expect_equal "$(system_comment "$job")" "" comment
	job=$(allocate_both -N 2 -p shared)
	expect_equal "$(job_nodes "$job")" "n[022-023]" nodes
}

@test "heavier nodes beside the torus come when it is full" {
	weigh 000-015 5
	weigh 016-023 10
	job=$(allocate_both -N 12)
	expect_ranks "$job" 0-11
	job=$(allocate_both -N 2)
	expect_ranks "$job" 12-13
	job=$(allocate_both -N 5)
	expect_mix "$job" 014-015 016-018 "torus=main,nodes=2,span=2"
	job=$(allocate_both -N 5)
	expect_equal "$(job_nodes "$job")" "n[019-023]" nodes
}

@test "beside the torus the lightest that suffice" {
	weigh 000-015 10
	weigh 016-019 7
	weigh 020-023 5
	job=$(allocate_both -N 6)
	expect_equal "$(weights "$job")" "5 5 5 5 7 7" weights
}

@test "lighter nodes beside the torus come first even if that splits the job" {
	weigh 000-015 10
	weigh 016-023 5
	occupy 2-5 main
	job=$(allocate_both -N 11)
	expect_mix "$job" 006-008 016-023 "torus=main,nodes=3,span=3"
}

@test "of the same weight the nodes of the torus come first" {
	weigh 000-007 5
	weigh 008-015,016-021 10
	weigh 022-023 20
	job=$(allocate_both -N 10)
	expect_ranks "$job" 0-9
	cluster_clear
	stock cluster_clear
	# all of the torus, and the first beside it
	job=$(allocate_both -N 20)
	expect_mix "$job" 000-015 016-019 "torus=main,nodes=16,span=16"
}

@test "a job that neither holds gets the weights that stock Slurm gives it" {
	weigh 000-007 10
	weigh 008-015 8
	weigh 016-023 9
	job=$(allocate_both -N 18)
	expect_mix "$job" 006-015 016-023 "torus=main,nodes=10,span=10"
}

@test "lighter nodes come first where it takes more of them" {
	weigh 000-015 5
	weigh 016-023 10
	# of the lighter nodes half is left
	allocate_both -p shared -w "n[000-015]" -n 16 --mem=100 >/dev/null
	job=$(allocate_both -p shared -n 8 --mem=100)
	expect_equal "$(weights "$job")" "5 5 5 5 5 5 5 5" weights
	# and the rest of them only with some of the others
	allocate_both -p shared -N 4 -n 6 --mem=100 >/dev/null
	job=$(allocate_both -p shared -n 10 --mem=100)
	expect_match "$(weights "$job")" "^5 .* 10$" weights
}

@test "of all boxes the lightest" {
	weigh 000-007,012-015 10
	weigh 008-011 7
	weigh 005,006 4
	job=$(allocate --network=torus:shape=2x2)
	expect_ranks "$job" 5-6,9-10
	job=$(allocate --network=torus:shape=4)
	expect_equal "$(weights "$job")" "7 10 10 10" weights
	expect_ranks "$job" 0,4,8,12
}

@test "random weights: the same as under stock Slurm" {
	seed=${TORUS_TEST_SEED:-$(date +%s)}
	echo "TORUS_TEST_SEED=$seed"
	RANDOM=$seed
	split=0
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		for rack in 000-003 004-007 008-011 012-015 016-019 020-023; do
			weigh "$rack" $((10 + RANDOM % 4))
		done
		busy=$((RANDOM % 12))
		if [ $busy -gt 0 ]; then
			names=$(scontrol show hostnames "n[000-023]" |
				shuf -n $busy --random-source=<(yes "$RANDOM") | paste -sd ,)
			allocate_both --nodelist="$names" >/dev/null
		fi
		partition=whole
		[ $((RANDOM % 2)) = 0 ] || partition=shared
		job=$(allocate_both -p "$partition" -N $((1 + RANDOM % (24 - busy))))
		[ -z "$(nodes_on "$job" 000-015)" ] || [ -z "$(nodes_on "$job" 016-023)" ] ||
			((split += 1))
		teardown
	done
	echo "$split jobs on the torus and beside it"
	[ "$split" -gt 0 ]
}

# expect_chosen JOB TEXT: that the job has the nodes that storus place printed
expect_chosen()
{
	local nodes
	nodes=$(sed -n 's/^nodes //p' <<<"$2" | paste -sd ,)
	if grep -q '^torus ' <<<"$2"; then
		expect_equal "$(sorted "$(job_nodes "$1")")" "$(sorted "$nodes")" nodes
		return
	fi
	# Beside the tori Slurm's own plugin chooses among these.
	expect_equal "$(comm -23 <(scontrol show hostnames "$(job_nodes "$1")" | sort) \
		<(scontrol show hostnames "$nodes" | sort))" "" "nodes that storus place does not name"
}

# place_idle NODES: what storus place chooses of the idle nodes. More than eight, which no
# torus has, are spread.
place_idle()
{
	local spread=()
	[ "$1" -le 8 ] || spread=(--spread)
	engine --free-nodes "$(sinfo -h -t idle -p whole -o %N)" \
		--weights "$BATS_TEST_TMPDIR/weights" --nodes "$1" "${spread[@]}"
}

@test "storus place decides as the plugin does: two tori, nodes beside them, weights" {
	cp "$TORUS_CONF" "$BATS_TEST_TMPDIR/one.conf"
	cat >"$TORUS_CONF" <<-END
		Allocator=best_fit
		TorusName=main Dims=4x2 Wrap=all Nodes=n[000-007]
		TorusName=side Dims=2x4 Nodes=n[008-015] Allocator=first_fit
	END
	reconfigure
	seed=${TORUS_TEST_SEED:-$(date +%s)}
	echo "TORUS_TEST_SEED=$seed"
	RANDOM=$seed
	for _ in 1 2 3 4 5 6 7 8; do
		for rack in 000-003 004-007 008-011 012-015 016-019 020-023; do
			scontrol update NodeName="n[$rack]" Weight=$((10 + RANDOM % 2))
		done
		mapfile -t names < <(scontrol show hostnames "n[000-023]" |
			shuf --random-source=<(yes "$RANDOM"))
		busy=$(printf '%s\n' "${names[@]::RANDOM % 10 + 1}" | paste -sd ,)
		allocate --nodelist="$(sorted "$busy")" >/dev/null
		sinfo -hN -o '%N %w' >"$BATS_TEST_TMPDIR/weights"
		# as many nodes as it has a choice for
		nodes=$((1 + RANDOM % 14))
		until expected=$(place_idle $nodes); do
			[ $((nodes -= 1)) -gt 0 ] || fail "storus place finds no node" || return
		done
		job=$(allocate -N $nodes)
		expect_chosen "$job" "$expected"
		teardown
	done
	cp "$BATS_TEST_TMPDIR/one.conf" "$TORUS_CONF"
	reconfigure
}
