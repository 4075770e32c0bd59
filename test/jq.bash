# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# jq OPTION... FILTER [FILE...]: with numbers as what they are. From 1.7 on jq prints those
# that it has not computed with as they were written, 2.0 for 2; Debian 12 has 1.6, 13 has 1.7.
jq() {
	local options=()
	while [[ ${1-} == -* ]]; do
		case $1 in
		--arg | --argjson) options+=("$1" "$2" "$3"); shift 3 ;;
		*) options+=("$1"); shift ;;
		esac
	done
	command jq "${options[@]}" "walk(if type == \"number\" then . + 0 else . end) | $1" "${@:2}"
}
