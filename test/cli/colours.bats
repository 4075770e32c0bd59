#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# How far apart the colours are that tell jobs, links and strategies apart, also for those who see red and green, or blue and
# yellow, as one: colours.py measures it.

load support

src=$(realpath "$BATS_TEST_DIRNAME/../..")
measure() { python3 -B "$BATS_TEST_DIRNAME/colours.py" "$@"; }

@test "the measure is the published one" {
	run -0 measure --check
	equal "$output" "all 20 as published"
}

@test "palettes keep their distance for all kinds of sight" {
	run -0 measure "$src/contrib/storus/view/page/colours.js" "$src/contrib/storus/cli/svg.c"
	# The scale's neighbours are near each other on purpose.
	grep -v VIRIDIS <<<"$output" >palettes
	equal "$(cut -d' ' -f1,2 palettes)" "$(printf "$src/contrib/storus/%s\n" 'view/page/colours.js:dark 8' 'view/page/colours.js:light 8' \
		'view/page/colours.js:dark 6' 'view/page/colours.js:light 6' 'cli/svg.c:colours 8')"
	# Okabe's and Ito's seven come to 10.9.
	awk '{ for (i = 4; i <= NF; i += 2) if ($i < 12) { print; exit 1 } }' palettes
}
