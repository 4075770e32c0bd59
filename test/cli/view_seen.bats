#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Whether what the pages of storus view show is true and can be seen: view_seen.py looks at them in one headless Chromium,
# and each test here is one of its lines. The accessibility checker axe-core is taken from $AXE (its axe.min.js), or fetched
# by npm, a version that is known to be right; where neither is to be had that test is skipped.

load support

AXE_VERSION=4.14.1

# axe: the path of the checker, or nothing
axe() {
	local cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/slurm-torus/axe-core-$AXE_VERSION
	if [[ -z ${AXE-} && ! -e $cache/axe.min.js ]] && command -v npm >/dev/null; then
		mkdir -p "$cache" "$BATS_FILE_TMPDIR/axe" && cd "$BATS_FILE_TMPDIR/axe" || return 0
		timeout 60 npm pack --silent --ignore-scripts "axe-core@$AXE_VERSION" >/dev/null 2>&1 &&
			tar -xzf "axe-core-$AXE_VERSION.tgz" package/axe.min.js && mv package/axe.min.js "$cache/axe.min.js"
	fi
	[[ -n ${AXE-} || ! -e $cache/axe.min.js ]] || AXE=$cache/axe.min.js
	echo "${AXE-}"
}

# runs SEED: a history in which jobs of a 6x5x4 machine share nodes: "ID START END NODE,NODE..." a line
runs() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (job = 1; job <= 120; job++) {
			start = int(rand() * 1000); n = 1 + int(rand() * 20); first = int(rand() * 120); list = ""
			for (i = 0; i < n; i++) { node = rand() < 0.8 ? (first + i) % 120 : int(rand() * 120); if (!((job, node) in had)) { had[job, node]
				list = list (list == "" ? "" : ",") node } }
			print job, start, start + 1 + int(rand() * 150), list
		} }'
}

setup_file() {
	local binary python seed=${TORUS_TEST_SEED:-$((RANDOM * 32768 + RANDOM))} AXE_PATH
	binary=$(realpath "${STORUS:-$PWD/storus}")
	AXE_PATH=$(axe)
	cd "$BATS_FILE_TMPDIR" || return
	echo "TorusName=hall Dims=6x5x4 Wrap=x Nodes=n[000-119]" >history.conf
	runs "$seed" >runs
	{
		echo 'JobIDRaw|Submit|Eligible|Start|End|TimelimitRaw|AllocNodes|State|NodeList'
		awk '{ n = split($4, node, ","); list = ""; for (i = 1; i <= n; i++) list = list (i > 1 ? "," : "") sprintf("n%03d", node[i])
			print $1 "|0|0|" $2 + 0 "|" $3 "|1|" n "|COMPLETED|" list }' runs
	} >accounts
	echo "TorusName=flat Dims=4x3 Nodes=n[00-11] Curve=row_major" >shared.conf
	printf '%s\n' "1 n[05-06] user=ada" "2 n[04-06] user=grace" "3 n[06-07] user=grace" >shared
	echo "TorusName=cube Dims=8x8x8 Nodes=n[000-511]" >inside.conf
	local inside=n219,n220,n227,n228,n283,n284,n291,n292
	# n[000-063], the plane at the bottom, is free but for its first node.
	printf '%s\n' "1 $inside user=ada" "2 n000,n[064-218,221-226,229-282,285-290,293-511] user=grace" >inside
	echo "2 n[000-218,221-226,229-282,285-290,293-511] user=grace" >hollow
	if ! "$binary" view --conf history.conf --from-sacct accounts --output history.html 2>message ||
		! "$binary" view --conf shared.conf --jobs shared --output shared.html 2>message ||
		! "$binary" view --conf inside.conf --jobs inside --output inside.html 2>message ||
		! "$binary" view --conf inside.conf --jobs hollow --output hollow.html 2>message; then
		grep -q libjs-three message || { cat message >&2; return 1; }
		sed 's/^/skip /' message >results
		return 0
	fi
	for python in python3 /usr/bin/python3; do
		AXE=$AXE_PATH "$python" -B "$BATS_TEST_DIRNAME/view_seen.py" "$seed" >results 2>errors && { echo "seed $seed" >>results; return; }
		[[ $? == 77 ]] || { cat errors >&2; return 1; }
	done
	sed -i 's/^/skip /' results
}

# said NAME: that test's line is an "ok"
said() {
	local results=$BATS_FILE_TMPDIR/results
	! grep -q "^skip $1" "$results" || skip "no axe-core: neither \$AXE nor npm has it"
	! grep -q ^skip "$results" || grep -q '^ok' "$results" || skip "$(sed -n 's/^skip //p' "$results")"
	grep -qx "ok $1" "$results" || {
		grep -e "^not ok $1" -e '^seed' "$results" || cat "$results"
		return 1
	}
}

@test "a history counts nodes not jobs" {
	said a_history_counts_nodes_not_jobs
}

@test "the page opens at the fullest moment" {
	said the_page_opens_at_the_fullest_moment
}

@test "neighbours of the same time have different dresses" {
	said neighbours_of_the_same_time_have_different_dresses
}

@test "a shared node is divided among its jobs" {
	said a_shared_node_is_divided_among_its_jobs
}

@test "a click picks the share" {
	said a_click_picks_the_share
}

@test "what is picked inside is seen" {
	said what_is_picked_inside_is_seen
}

@test "free boxes inside are seen" {
	said free_boxes_inside_are_seen
}

@test "a cut takes planes away" {
	said a_cut_takes_planes_away
}

@test "planes taken apart hide nothing" {
	said planes_taken_apart_hide_nothing
}

@test "nodes that are not free are not shown so" {
	said nodes_that_are_not_free_are_not_shown_so
}

@test "who waits is listed with the planned place" {
	said who_waits_is_listed_with_the_planned_place
}

@test "small screens show the machine" {
	said small_screens_show_the_machine
}

@test "paper is light and has the legend" {
	said paper_is_light_and_has_the_legend
}

@test "an accessibility checker finds nothing" {
	said an_accessibility_checker_finds_nothing
}

@test "the browser has no complaints" {
	said the_browser_has_no_complaints
}
