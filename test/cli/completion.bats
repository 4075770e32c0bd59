#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What shells complete behind "storus": the offers, and each shell on a terminal of its own. A shell that is not there is
# said to be missing.

load support

scripts=$BATS_TEST_DIRNAME/../../contrib/completion

# offers WORD...: the words that --complete prints
offers() { storus --complete "$@" | cut -f1; }

@test "commands, then the options of each, are offered" {
	equal "$(offers '' | sort | xargs)" "$({ printf '%s\n' help --help --version
		storus --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
	} | sort | xargs)"
	equal "$(offers ca)" capacity
	equal "$(offers help c | xargs)" "curve capacity convert"
	equal "$(offers frobnicate --)" ""
	for command in $(storus --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') "sim compare"; do
		# shellcheck disable=SC2086 # one word or two
		equal "$(offers $command -- | sort | xargs)" "$(storus $command --help |
			grep -oE '^  (-[a-z], )?--[a-z-]+|, --version' | grep -oE -- '--[a-z-]+' | sort -u | xargs)"
	done
}

@test "values of a choice are offered, the names of files where one is wanted" {
	equal "$(offers capacity --format '' | xargs)" "text csv json"
	equal "$(offers capacity --format j)" json
	equal "$(offers capacity --format=c)" --format=csv
	equal "$(offers capacity --conf '')" :files
	equal "$(offers capacity --conf=x)" :files
	equal "$(offers capacity --dims '')" ""
	equal "$(offers show '')" :files
	# What is offered has its meaning behind a tab.
	storus --complete capacity --for | grep -qP '^--format\ttext'
}

# completes SHELL... -- SETUP: with the shell, words are completed on a terminal
completes() {
	local shell=() setup
	while [ "$1" != -- ]; do
		shell+=("$1")
		shift
	done
	setup=$2
	command -v "${shell[0]}" >/dev/null || skip "no ${shell[0]}"
	mkdir -p bin
	cat >bin/storus <<-END
		#!/bin/sh
		if [ "\$1" = --complete ]; then exec "$storus_binary" "\$@"; fi
		echo "\$@" >>"$PWD/ran"
	END
	chmod +x bin/storus
	touch a-torus.conf
	export HOME=$PWD PATH=$PWD/bin:$PATH
	for typed in 'storus capa\t--form\tjs\t' 'storus capacity --conf a-tor\t' 'storus sh\t--col\t'; do
		python3 "$BATS_TEST_DIRNAME/typed.py" "${shell[@]}" -- "$setup" "$typed"
	done
	equal "$(sed 's/ $//' ran)" $'capacity --format json\ncapacity --conf a-torus.conf\nshow --color'
}

@test "bash completes" { completes bash --norc --noprofile -i -- "source $scripts/bash/storus"; }

@test "bash completes behind a =" {
	run -0 bash -c "source $scripts/bash/storus; PATH=$(dirname "$storus_binary"):\$PATH
		COMP_WORDS=(storus capacity --format = j) COMP_CWORD=4; _storus; echo \"\${COMPREPLY[@]}\"
		COMP_WORDS=(storus capacity --format =) COMP_CWORD=3; _storus; echo \"\${COMPREPLY[@]}\""
	equal "$output" $'json\ntext csv json'
}

@test "zsh completes" { completes zsh -f -i -- "fpath=($scripts/zsh \$fpath); autoload -Uz compinit; compinit -D -u"; }

@test "fish completes" { completes fish --no-config -i -- "source $scripts/fish/storus.fish"; }
