#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the documentation points at is there: links of the Markdown pages, and files of the
# sources that pages, manuals and NEWS name.
# shellcheck disable=SC2154 # output is set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")

# pages: every Markdown page of the sources in $top, not of what was built there
pages() {
	find "$top" -name '*.md' -not -path "$top/build*" -not -path "$top/_build/*" \
		-not -path "$top/_inst/*" -not -path "$top/slurm-src/*" -not -path '*/.*' | sort
}

# anchors FILE: what GitHub calls its headings
anchors() {
	sed -n '/^ *```/,/^ *```/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' |
		sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# What anchors prints of a file, once for all links to it
declare -gA anchors_of=()

# broken_links FILE: links to files or headings that are not there
broken_links() {
	local link file
	while read -r link; do
		[[ $link != *://* && $link != mailto:* ]] || continue
		file=${link%%#*}
		[[ $1 != */* ]] || file=${1%/*}/$file
		[ -n "${link%%#*}" ] || file=$1
		if [ ! -e "$file" ]; then
			echo "$1: $link"
		elif [[ $link == *#* && $'\n'${anchors_of[$file]=$(anchors "$file")}$'\n' != *$'\n'"${link#*#}"$'\n'* ]]; then
			echo "$1: no heading ${link#*#} in ${link%%#*}"
		fi
	done < <(grep -oP '\]\(\K[^)\s]+(?=\))|<(?:img|a)[^>]* (?:src|href)="\K[^"]+' "$1")
}

# missing_files FILE: files of the sources that it names, but that are not there. A name
# begins with a folder of the sources; one in build/ or with a wildcard matches, or is made
# by a build, where a name without its ending is that of a program.
missing_files() {
	local name
	while read -r name; do
		name=${name%.}
		name=${name//\\/}
		compgen -G "$top/$name" >/dev/null || compgen -G "$top/$name.c" >/dev/null ||
			echo "$1: $name"
	done < <(grep -oP '(?<![\w/.~<-])(\.\./|build/)?\K(common|plugin|contrib|docs|test)/[\w.*{},\\/-]*[\w*]' "$1" | sort -u)
}

@test "every link of the pages leads to a file, and to a heading that is there" {
	pages >files
	[ "$(wc -l <files)" -gt 20 ]
	while read -r page; do broken_links "$page"; done <files >broken
	cat broken
	[ ! -s broken ]
}

@test "every file of the sources that pages, manuals and NEWS name is there" {
	{ pages; ls "$top"/docs/man/* "$top/NEWS" "$top"/*.example; } >files
	while read -r page; do missing_files "$page"; done <files >missing
	cat missing
	[ ! -s missing ]
}

@test "every CSV and figure of the studies is shown or named by a page, or has one of its name" {
	pages | xargs cat >all
	while read -r file; do
		name=${file##*/}
		[ -e "$top/contrib/studies/pages/${name%.*}.md" ] || grep -qF "$name" all || echo "$file"
	done < <(find "$top/contrib/studies/data" "$top/docs/figures" -type f) >unused
	cat unused
	[ ! -s unused ]
}

# examples FILE: each "$ storus place" or "$ storus capacity" of the page, and the lines
# below it, a file each in "examples"
examples() {
	awk '
		$1 == "$" { command = /^ *[$] storus (place|capacity) / }
		!/^ +[^ ]/ { command = 0 }
		!command { next }
		$1 == "$" { match($0, /[^ ]/); margin = RSTART; file = sprintf("examples/%d", ++count) }
		{ print substr($0, margin) >file }' "$1"
}

@test "every storus place and capacity of the pages prints what stands below it" {
	local examples=0 page file
	pages >files
	while read -r page; do
		mkdir examples
		examples "$page"
		for file in examples/*; do
			[ -e "$file" ] || continue
			sed -n '1s/^[$] //p' "$file" >typed
			(cd "$top" && eval "$(<"$OLDPWD/typed")") | diff <(tail -n +2 "$file") - || {
				echo "$page: $(<typed)"
				return 1
			}
			examples=$((examples + 1))
		done
		rm -r examples
	done <files
	[ "$examples" -ge 5 ]
}

@test "these checks find what is not there" {
	mkdir docs
	echo "# A Heading, with \`code\`" >docs/there.md
	cat >page.md <<-'END'
		[good](docs/there.md#a-heading-with-code) [elsewhere](https://nowhere.example/x)
		[no file](docs/gone.md) [no heading](docs/there.md#another) ![no figure](gone.svg)
		`common/base/error.h`, `test/unit/test_*.c`, `build/test/bench/bench_place`, and
		`common/base/gone.h`. docs/*.gone
	END
	run -0 broken_links page.md
	equal "$output" "page.md: docs/gone.md
page.md: no heading another in docs/there.md
page.md: gone.svg"
	run -0 missing_files page.md
	equal "$output" "page.md: common/base/gone.h
page.md: docs/*.gone
page.md: docs/gone.md
page.md: docs/there.md"
}
