#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/checks/licenses: a file without a licence, or with two, is found.
# shellcheck disable=SC2154 # output is set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")

licenses() { "$top/contrib/checks/licenses" "$@"; }

# sources: a tree in which all is well
sources() {
	mkdir -p tree/data tree/src
	printf '%s\n' '#!/bin/sh' '#' '# SPDX-License-Identifier: GPL-2.0-or-later' >tree/src/run
	printf '%s\n' '/* SPDX-License-Identifier: GPL-2.0-or-later */' >tree/src/a.c
	echo 1,2 >tree/data/a.csv
	printf '\xff\x00\n' >tree/data/a.webp
	cat >tree/REUSE.toml <<-'END'
		# SPDX-License-Identifier: GPL-2.0-or-later
		version = 1
		[[annotations]]
		path = "**"
		precedence = "aggregate"
		SPDX-FileCopyrightText = "somebody"
		[[annotations]]
		path = [
			"**/*.csv",
			"**/*.webp",
		]
		SPDX-License-Identifier = "GPL-2.0-or-later"
	END
}

@test "nothing to say where every file says its licence, or is listed" {
	sources
	run -0 licenses tree
	equal "$output" ""
}

@test "a file that says nothing, another licence, or the right one too late" {
	sources
	echo 'int a;' >tree/src/none.c
	echo '// SPDX-License-Identifier: GPL-2.0-or-later-or-not' >tree/src/other.c
	printf '\n\n\n\n\n# SPDX-License-Identifier: GPL-2.0-or-later\n' >"tree/src/too late"
	run -1 licenses tree
	equal "$output" "src/none.c: no SPDX-License-Identifier: GPL-2.0-or-later in its first five lines
src/other.c: no SPDX-License-Identifier: GPL-2.0-or-later in its first five lines
src/too late: no SPDX-License-Identifier: GPL-2.0-or-later in its first five lines"
}

@test "a file that is listed and says it, too, and a pattern that fits nothing" {
	sources
	echo '# SPDX-License-Identifier: GPL-2.0-or-later' >tree/data/a.csv
	rm tree/data/a.webp
	run -1 licenses tree
	equal "$output" "data/a.csv: says its licence, and is in REUSE.toml, too
REUSE.toml: **/*.webp: no such file"
}

@test "in a checkout only files that git knows count; bad usage" {
	command -v git >/dev/null || skip "no git"
	sources
	git -c init.defaultBranch=main init -q tree
	git -C tree add .
	echo 'int a;' >tree/src/built.c
	run -0 licenses tree
	git -C tree add .
	run -1 licenses tree
	[[ $output == "src/built.c: no "* ]]
	run -2 licenses tree tree
	run -2 licenses --nosuch
	run -2 licenses nowhere
	mkdir empty
	run -2 licenses empty
}
