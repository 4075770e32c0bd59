#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What storus show, capacity and metrics say of the machine against what Slurm's own commands say to root: to root, to an
# operator and to a user, with jobs and nodes that are private, reservations and drained nodes.
# shellcheck disable=SC2154 # output and stderr are set by run

load select_support
load truth_support
bats_require_minimum_version 1.5.0

setup_file()
{
	LACKS=$(accounting_lacks)
	export LACKS
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	# Who is an operator stands in slurmdbd.
	export EVERYBODY="as_root as_ordinary" SEEING="as_root"
	if [ -n "$LACKS" ]; then
		echo "# no operator is asked: $LACKS" >&3
		cluster_start --dims 4x3x2 --wrap xyz
		return
	fi
	accounts_start --dims 4x3x2 --wrap xyz || return
	EVERYBODY+=" as_operator" SEEING+=" as_operator"
	sacctmgr -i add account truth >/dev/null
	sacctmgr -i add user bin account=truth adminlevel=operator >/dev/null
	# slurmctld hears of it from slurmdbd.
	wait_until 60 operator_is_known
}
teardown_file() { cluster_stop; }
setup() { cd "$BATS_TEST_TMPDIR" || return; }
teardown() { as_before; }

# as_root, as_operator COMMAND...: as as_ordinary
as_root() { "$@"; }
as_operator() { setpriv --reuid bin --regid bin --clear-groups "$@"; }

operator_is_known() { scontrol show assoc_mgr flags=users | grep -q 'UserName=bin([0-9]*) .*AdminLevel=Operator'; }

# value KEY: of the record in $output
value() { sed -n "s/^$1 //p" <<<"$output"; }

# numbers_agree WHO: storus's numbers of nodes free, reserved, in use and unusable, told to WHO, are those of sinfo told to
# root, before or after
numbers_agree()
{
	local before after said who=$1
	for _ in 1 2 3; do
		before=$(numbers_of_sinfo)
		said=$(numbers_of_storus "$who" | sort -u)
		after=$(numbers_of_sinfo)
		[ "$before" != "$after" ] || break
	done
	[ "$said" = "$after" ] || fail "sinfo: $after" "storus as $who: $said"
}

# numbers_of_sinfo: free, reserved, used, down
numbers_of_sinfo()
{
	echo "$(nodes_in_state 'idle plnd' | wc -w) $(nodes_in_state 'resv maint' | wc -w) $(nodes_in_state 'alloc mix comp drng' | wc -w) $(
		nodes_in_state 'drain down' | wc -w)"
}

# numbers_of_storus WHO: the same, a line each of capacity, metrics and show. Of capacity's nodes those left over are used.
numbers_of_storus()
{
	"$1" "$STORUS" capacity | awk '{ value[$1] = $2 } END { print value["free"], value["reserved"],
		value["nodes"] - value["free"] - value["reserved"] - value["down"], value["down"] }'
	"$1" "$STORUS" metrics | awk -F'[{} ]' '$1 == "slurm_torus_nodes" { split($2, label, "\""); value[label[4]] = $NF }
		END { print value["free"], value["reserved"], value["used"], value["down"] }'
	"$1" "$STORUS" show | sed -n 's/^main: .* nodes: /reserved 0, /p' | tr , '\n' | awk '{ value[$2] = $1; if ($1 == "reserved") value[$1] = $2 }
		$2 == "in" { value["used"] = $1 } END { print value["free"], value["reserved"] + 0, value["used"], value["unusable"] }'
}

@test "private jobs: their nodes are in use, whoever asks" {
	first=$(allocate -N 7 --exclusive --time=30)
	allocate -N 1 -n 1 --oversubscribe --nodelist=n020 --time=20 >/dev/null
	as_ordinary sbatch --parsable --chdir=/ --output=/dev/null -N 2 --exclusive --time=40 --wrap 'sleep 600' >own
	wait_running "$(<own)"
	private jobs
	for who in $EVERYBODY; do numbers_agree "$who"; done
	run -0 as_root "$STORUS" capacity
	boxes=$(grep '^largest_' <<<"$output")
	for who in $EVERYBODY; do
		run -0 "$who" "$STORUS" capacity
		expect_equal "$(grep '^largest_' <<<"$output")" "$boxes" "what is free as $who"
	done
	# Who holds them is told only to those who may know it.
	for who in $SEEING; do
		run -0 "$who" "$STORUS" show --format csv
		expect_equal "$(cut -d, -f1 <<<"$output" | sed 1d | sort -un | wc -l)" 3
		run -1 "$who" "$STORUS" capacity --shape 4x3x2
		[[ ",$(value in_the_way_jobs)," == *",$first,"* ]] || fail "$output"
	done
	run -0 as_ordinary "$STORUS" show --format csv
	expect_equal "$(cut -d, -f1 <<<"$output" | sed 1d)" "$(<own)"
	run -1 as_ordinary "$STORUS" capacity --shape 4x3x2 --advise 4x3x2
	expect_equal "$(value in_the_way_jobs) $(value shape_first_time) $(value requeue_jobs) $(value wait_until)" "$(<own),hidden unknown  "
	run -0 as_ordinary "$STORUS" show
	# 7 and 1 nodes are of others, and a job's own are its own.
	expect_equal "$(grep -v ':' <<<"$output" | tail -n +4 | tr -cd + | wc -c)" 8
}

@test "private nodes: what helps is said, and root and operators see all" {
	allocate -N 7 --exclusive >/dev/null
	private nodes
	for who in $SEEING; do numbers_agree "$who"; done
	for command in show capacity metrics "view --output /dev/null"; do
		run -2 --separate-stderr as_ordinary "$STORUS" $command
		expect_match "$stderr" 'PrivateData=nodes .*root or as an operator'
	done
}

# first_time_is TEXT: what an ordinary user is told of a box of all nodes
first_time_is() { [ "$(as_ordinary "$STORUS" capacity --shape 4x3x2 | sed -n 's/^shape_first_time //p')" = "$1" ]; }

@test "reserved nodes, by what and until when; drained ones and why" {
	begin=$(date -d '+1 hour' +%FT%T)
	scontrol create reservationname=upkeep starttime=now duration=60 flags=maint,ignore_jobs nodes='n[004-007]' users=root
	scontrol create reservationname=course starttime="$begin" duration=30 nodes='n[008-009]' users=root
	scontrol update nodename='n[021-022]' state=drain reason='bad DIMM A3'
	scontrol update nodename=n023 state=drain reason=$'to\xe2\x80\xaemove'
	allocate -N 1 --exclusive --reservation=upkeep --nodelist=n005 >/dev/null
	wait_until 30 eval '[ "$(nodes_in_state maint)" = "4 6 7" ]'
	ends=$(scontrol -o show reservation upkeep | sed -n 's/.* EndTime=\([^ ]*\) .*/\1/p')
	course=$(scontrol -o show reservation course | sed -n 's/.* StartTime=\([^ ]*\) EndTime=\([^ ]*\) .*/from \1 until \2/p')
	for who in $EVERYBODY; do
		numbers_agree "$who"
		run -0 "$who" "$STORUS" show
		[[ $output == *$'\n'"= upkeep until $ends: n[004-007]"* ]] || fail "$output"
		[[ $output == *$'\n'"= course $course: n[008-009]"* ]] || fail "$output"
		[[ $output == *$'\n'"x drained: n[021-022] (bad DIMM A3)"* ]] || fail "$output"
		# A reason is somebody's text: nothing of it turns a terminal's lines around.
		[[ $output != *$'\xe2\x80\xae'* && $output == *"x drained: n023 (to"*"move)"* ]] || fail "$output"
		run -1 "$who" "$STORUS" capacity --shape 4x3x2
		expect_equal "$(tr ';' '\n' <<<"$(value reserved_by)" | sed 's/^ //' | sort | xargs -d'\n')" \
			"course $course: n[008-009] upkeep until $ends: n[004-007]"
		expect_match "$(value down_nodes)" '^drained: n\[021-022\] \(bad DIMM A3\); drained: n023 '
		expect_equal "$(value in_the_way_reservations) $(scontrol show hostnames "$(value in_the_way_down)" | sort | xargs)" "upkeep n021 n022 n023"
	done
	# Boxes of what is free have neither.
	run -0 "$STORUS" capacity
	free=" $(nodes_in_state idle) "
	for node in $(scontrol show hostnames "$(value largest_box_nodelist)"); do
		[[ $free == *" $((10#${node#n})) "* ]] || fail "$node: $output"
	done
	# Who may not see reservations sees that the nodes are reserved.
	private reservations
	numbers_agree as_ordinary
	run -0 as_ordinary "$STORUS" show
	[[ $output == *$'\n= hidden: n'* && $output != *upkeep* && $output != *course* ]] || fail "$output"
	run -1 as_ordinary "$STORUS" capacity --shape 4x3x2
	expect_equal "$(value in_the_way_reservations) $(value shape_first_time)" "hidden never"
	scontrol update nodename='n[021-023]' state=resume
	scancel -u root
	wait_until 60 eval '[ -z "$(squeue -h)" ]'
	# Nodes that a job has just left are not usable for a moment.
	wait_until 30 first_time_is unknown
}

# planned JOB: whether Slurm has planned the job's nodes
planned() { [[ $(scontrol -o show job "$1") == *" SchedNodeList="* ]]; }

# agrees_with_plan JOB: storus show's planned start and nodes are those of scontrol, before or after it is asked
agrees_with_plan()
{
	local before after
	plan_of() { scontrol -o show job "$1" | sed -n 's/.* StartTime=\([^ ]*\) .* SchedNodeList=\([^ ]*\).*/\1 \2/p'; }
	before=$(plan_of "$1")
	run -0 "$STORUS" show "$1"
	after=$(plan_of "$1")
	[[ $before && ($(value planned_start)\ $(value planned_nodelist) = "$before" ||
		$(value planned_start)\ $(value planned_nodelist) = "$after") ]] || fail "$before" "$after" "$output"
}

@test "why a job waits, when and where it is planned, who is in its way, and what it could have at once" {
	minicluster set SchedulerParameters=bf_interval=1
	reconfigure
	long=$(allocate -N 10 --exclusive --time=30)
	short=$(allocate -N 8 --exclusive --time=10)
	# 6 nodes are left.
	first=$(submit -N 12 --exclusive --time=20 --job-name=first)
	boxed=$(submit -N 24 --exclusive --time=20 --nice=10 --network=torus:shape=4x3x2)
	held=$(submit -N 2 --hold --exclusive --time=20)
	wait_until 60 planned "$first"
	wait_until 60 agrees_with_plan "$first"
	expect_equal "$(value job) $(value name) $(value user) $(value nodes) $(value ahead) $(value reason)" \
		"$first first root 12 0 $(squeue -h -j "$first" -o %r)"
	# The jobs in the way are those that hold the planned nodes now.
	expect_equal "$(value in_the_way_jobs | tr , '\n' | sort | xargs)" "$(
		squeue -h -t R -w "$(value planned_nodelist)" -o %A | sort | xargs)"
	# When the short one ends there are 14.
	expect_equal "$(value first_time)" "$(scontrol -o show job "$short" | sed -n 's/.* EndTime=\([^ ]*\) .*/\1/p')"
	expect_equal "$(value at_once_nodes)" 6
	box=$(value at_once_box_nodes)
	[ "$box" -ge 1 ] && [ "$box" -le 6 ]
	expect_equal "$(tr x '*' <<<"$(value at_once_box)" | xargs -I{} bash -c 'echo $(({}))')" "$box"
	# The place is drawn, and what others have beside it.
	expect_equal "$(sed '1,/^main:/d' <<<"$output" | tr -cd a | wc -c)" "$(value nodes)"
	# What it could have at once, it gets.
	took=$(submit -N 6 --exclusive --time=5)
	wait_running "$took"
	scancel "$took"
	wait_until 60 eval '[ "$(nodes_in_state "idle plnd" | wc -w)" = 6 ]'

	run -0 "$STORUS" show "$boxed" --format json
	json=$output
	expect_equal "$(jq -r '[.job, .network, .ahead, .nodes, .at_once_nodes] | join(" ")' <<<"$json")" "$boxed torus:shape=4x3x2 1 24 6"
	expect_equal "$(jq -r .first_time <<<"$json")" "$(scontrol -o show job "$long" | sed -n 's/.* EndTime=\([^ ]*\) .*/\1/p')"
	expect_equal "$(jq -r .in_the_way_jobs <<<"$json" | tr , '\n' | sort | xargs)" "$(printf '%s\n' "$long" "$short" | sort | xargs)"
	run -0 "$STORUS" show "$held"
	expect_equal "$(value first_time) $(value reason) $(value at_once_nodes)" "now JobHeldUser 2"
	# A queue for all that one has, and a node.
	run -0 "$STORUS" show --me
	expect_match "$output" $'\nWAITS .*\n'"$first +12 $(scontrol -o show job "$first" | sed -n 's/.* StartTime=\([^ ]*\) .*/\1/p')"
	for job in "$boxed" "$held"; do expect_match "$output" $'\n'"$job "; done
	run -0 "$STORUS" show -u bin
	[[ $output != *WAITS* && $output == *": 18 in use, 6 free"* ]] || fail "$output"
	node=$(scontrol show hostnames "$(squeue -h -j "$short" -o %N)" | head -n 1)
	run -0 "$STORUS" show "$node"
	expect_equal "$(value state) $(value jobs)" "in use $short"
	# Nodes that it excludes, and a reservation of others, are not for it; one of its own is.
	scancel "$first" "$boxed"
	begin=$(date -d '+3 minutes' +%FT%T)
	free=$(sinfo -h -t idle -o %N)
	scontrol create reservationname=soon starttime="$begin" duration=60 nodes="$free" users=root
	waits=$(submit -N 6 --exclusive --time=20 --hold)
	run -0 "$STORUS" show "$waits"
	expect_equal "$(value at_once_nodes)" 0
	[ "$(value first_time)" != now ]
	soon=$(submit -N 6 --exclusive --time=20 --reservation=soon --hold)
	run -0 "$STORUS" show "$soon"
	expect_equal "$(value at_once_nodes)" 6
	some=$(submit -N 6 --exclusive --time=20 --reservation=soon --hold --exclude="$(scontrol show hostnames "$free" | head -n 2 | paste -sd,)")
	run -0 "$STORUS" show "$some"
	expect_equal "$(value at_once_nodes) $(value first_time)" "4 never"
	scancel "$waits" "$soon" "$some" "$held"
}

# first_times: for each shape in turn the first time by storus capacity and by sbatch --test-only, in seconds
first_times()
{
	local shape said slurm
	for shape in 1x1x1 2x1x1 2x2x1 2x2x2 3x2x1 3x2x2 3x3x1 4x1x1 4x2x1 4x3x1 3x3x2 4x2x2 4x3x2; do
		said=$("$STORUS" capacity --shape "$shape" | sed -n 's/^shape_first_time //p')
		slurm=$(sbatch --test-only --chdir=/ --output=/dev/null -N $((${shape//x/*})) --exclusive --time=5 \
			--network="torus:shape=$shape" --wrap true 2>&1 | sed -n 's/.* to start at \([^ ]*\) .*/\1/p')
		echo "$shape $(date -d "${said/now/$(date +%FT%T)}" +%s) $(date -d "$slurm" +%s)"
	done
}

@test "first times of shapes: those of sbatch --test-only, which looks at ends of jobs in windows" {
	only_select "leaves plans to Slurm"
	RANDOM=${TORUS_TEST_SEED:-5}
	echo "seed ${TORUS_TEST_SEED:-5}"
	for minutes in 10 40 70 73 76 100 104 108 112 150; do
		allocate -N 2 --exclusive --time=$((minutes + RANDOM % 3)) >/dev/null
	done
	# Slurm's own windows: the first one is up to a minute long, each of the next ones reaches twice as far as the one before,
	# and of the ends in one only the last is looked at. So it may say a later end, never an earlier one.
	first_times >default
	squeue -h -t R -o %e | while read -r end; do date -d "$end" +%s; done >ends
	while read -r shape said slurm; do
		((slurm >= said - 2)) || fail "$shape: $said" "$(cat default)"
		((slurm <= said + 2)) || grep -qx "$slurm\|$((slurm - 1))\|$((slurm + 1))" ends || fail "$shape: no end" "$(cat default ends)"
	done <default
	# With windows that hold one end each it says the same.
	minicluster set SchedulerParameters=bf_window_linear=1
	reconfigure
	first_times >linear
	while read -r shape said slurm; do
		((slurm >= said - 2 && slurm <= said + 2)) || fail "$shape" "$(cat linear)"
	done <linear
	minicluster set SchedulerParameters=bf_interval=30
	# Some of them are not now.
	[ "$(awk -v now="$(date +%s)" '$2 > now + 60' linear | wc -l)" -ge 5 ]
}
