#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a browser makes of the page of storus view: view_page.py uses it in one headless
# Chromium, and each test here is one of its lines.

load support

setup_file() {
	local binary python word
	binary=$(realpath "${STORUS:-$PWD/storus}")
	cd "$BATS_FILE_TMPDIR" || return
	echo "TorusName=flat Dims=6x5 Wrap=x Nodes=n[00-29] Curve=row_major Racks=room" >torus.conf
	echo "n[00-29] 1-2 10-12 0 3-7" >room
	printf '%s\n' "1 n[00-05] name=ocean user=grace account=climate" \
		"2 n[06-08,12-14] name=wing user=ada account=physics" "3 n29 name=one user=ada" >jobs
	word=$(printf '%065536d' 0)
	printf '%s\n' "1 n00 name=</script><script>window.hacked=1</script> user=<script>window.hacked=1</script>" \
		"2 n01 name=<img/src=x/onerror=window.hacked=1> user=\"'><b>" \
		"3 n02 name=<!--<script> user=\${hacked}" \
		"4 n03 name=javascript:window.hacked=1 user=__proto__" \
		$'5 n04 name=\u202eevil\u2028\u0301\U1f600 user=\u05d0\u0628' \
		"6 n05 name=$word user=constructor" "%41&job=7 n06 name=&lt;b&gt;&amp; user=%3Cb%3E" >hostile
	mkdir out
	printf '%s\n' job,start,end,cells,torus 1,0,100,0-5,flat 2,50,200,6-8,flat 3,150,160,12-29,flat >out/jobs.csv
	# The tests of the command do without the library; these do not.
	if ! "$binary" view --conf torus.conf --jobs jobs --output page.html 2>message ||
		! "$binary" view --conf torus.conf --jobs hostile --output hostile.html 2>message ||
		! "$binary" view --conf torus.conf --history out --output history.html 2>message; then
		grep -q libjs-three message || return
		sed 's/^/skip /' message >results
		return 0
	fi
	# Debian's selenium belongs to Debian's Python.
	for python in python3 /usr/bin/python3; do
		"$python" -B "$BATS_TEST_DIRNAME/view_page.py" page.html "$PWD/hostile.html" "$PWD/history.html" "$binary" >results 2>errors && return
		[[ $? == 77 ]] || { cat errors >&2; return 1; }
	done
	sed -i 's/^/skip /' results
}

# said NAME: that test's line is an "ok"
said() {
	local results=$BATS_FILE_TMPDIR/results
	! grep -q ^skip "$results" || skip "$(sed -n 's/^skip //p' "$results")"
	grep -qx "ok $1" "$results" || {
		grep "^not ok $1" "$results" || cat "$results"
		return 1
	}
}

@test "drawn" {
	said drawn
}

@test "nodes have the colours of the legend" {
	said nodes_have_the_colours_of_the_legend
}

@test "a click picks the job then the node" {
	said a_click_picks_the_job_then_the_node
}

@test "a picked job stands out" {
	said a_picked_job_stands_out
}

@test "search finds jobs users and nodes" {
	said search_finds_jobs_users_and_nodes
}

@test "every way to colour" {
	said every_way_to_colour
}

@test "the address brings back what was shown" {
	said the_address_brings_back_what_was_shown
}

@test "the room has the colours of the network" {
	said the_room_has_the_colours_of_the_network
}

@test "what is picked in one view is marked in the other" {
	said what_is_picked_in_one_view_is_marked_in_the_other
}

@test "each view is turned by itself and seen alone" {
	said each_view_is_turned_by_itself_and_seen_alone
}

@test "free boxes are those of storus capacity" {
	said free_boxes_are_those_of_storus_capacity
}

@test "the load of links is seen" {
	said the_load_of_links_is_seen
}

@test "the machine is repeated beyond its ends" {
	said the_machine_is_repeated_beyond_its_ends
}

@test "a drawing is saved" {
	said a_drawing_is_saved
}

@test "keys and buttons" {
	said keys_and_buttons
}

@test "a picture is saved" {
	said a_picture_is_saved
}

@test "no frame is drawn while nothing changes" {
	said no_frame_is_drawn_while_nothing_changes
}

@test "the curve is built node by node" {
	said the_curve_is_built_node_by_node
}

@test "a history shows each moment" {
	said a_history_shows_each_moment
}

@test "a history is moved and played" {
	said a_history_is_moved_and_played
}

@test "hostile names are text" {
	said hostile_names_are_text
}

@test "what is put into the page does not run" {
	said what_is_put_into_the_page_does_not_run
}

@test "the browser has no complaints" {
	said the_browser_has_no_complaints
}

@test "no request leaves the page" {
	said no_request_leaves_the_page
}
