# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the studies of contrib/studies/results share. A CSV file here has no quotes in it.

# What a study may leave out: see contrib/studies/results.
shown() { cat "${csv:?}"; }
needs() { :; }
inputs() { :; }

parameters=

# apply_settings: give the study's variables the values of $settings, lines PARAMETER=VALUE
apply_settings()
{
	local line name
	while IFS= read -r line; do
		name=${line%%=*}
		[[ -n $line && " $parameters " == *" $name "* ]] || continue
		if [[ $(declare -p "$name") == "declare -a"* ]]; then
			# shellcheck disable=SC2229 # the array of that name
			IFS=, read -ra "$name" <<<"${line#*=}"
		else
			printf -v "$name" %s "${line#*=}"
		fi
	done <<<"${settings-}"
}

# unknown_setting: the first of $settings that is no parameter of the study, and why
unknown_setting()
{
	local line
	while IFS= read -r line; do
		[[ -z $line || " $parameters " == *" ${line%%=*} "* ]] ||
			{ echo "$line: no such parameter; $(known_parameters)"; return; }
	done <<<"${settings-}"
}

known_parameters()
{
	if [ -n "$parameters" ]; then
		echo "there are ${parameters// /, }"
	else
		echo "this study has none"
	fi
}

# print_parameters: lines PARAMETER=VALUE, as --set takes them
print_parameters()
{
	local name all
	for name in $parameters; do
		all="${name}[@]"
		echo "$name=$(printf '%s\n' "${!all}" | paste -sd ,)"
	done
}

print_title() { echo "${title:?}"; }

# in_directory DIR COMMAND...
in_directory() { cd "$1" && shift && "$@"; }

# value CSV COLUMN NAME=VALUE...: the first cell of that column in a line whose columns
# NAME have these values. If there is none: "-" where parameters have other values (--set),
# which may leave it out, or else a failure.
value()
{
	local file=$1 column=$2
	shift 2
	awk -F, -v column="$column" -v wanted="$*" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			count = split(wanted, want, " ")
			for (i = 1; i <= count; i++) {
				split(want[i], pair, "=")
				name[i] = pair[1]
				is[i] = pair[2]
				if (!(pair[1] in at))
					exit
			}
			if (!(column in at))
				exit
			next
		}
		{
			for (i = 1; i <= count; i++)
				if ($at[name[i]] "" != is[i] "")
					next
			print $at[column]
			found = 1
			exit
		}
		END { exit !found }' "$file" || {
		[ -z "${settings-}" ] || { echo - && return; }
		echo "no $column where $*" >&2
		return 1
	}
}

# columns NAME...: these columns of the CSV on the standard input, in this order
columns()
{
	awk -F, -v wanted="$*" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			count = split(wanted, name, " ")
		}
		{
			for (i = 1; i <= count; i++)
				printf "%s%s", $at[name[i]], i < count ? "," : "\n"
		}'
}

# rows NAME VALUE: the header and the lines that have this value in that column
rows()
{
	awk -F, -v name="$1" -v value="$2" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				at[$i] = i
		}
		NR == 1 || $at[name] "" == value ""'
}

# split_by NAME [WORD...]: the CSV on the standard input without that column, in a piece for each
# of its values, below a line "# WORD... VALUE" as markdown_table takes it
split_by()
{
	awk -F, -v OFS=, -v name="$1" -v words="${*:2}" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				if ($i == name)
					at = i
		}
		{
			value = $at
			for (i = at; i < NF; i++)
				$i = $(i + 1)
			NF--
		}
		NR == 1 { header = $0; next }
		!(value in piece) { order[++pieces] = value }
		{ piece[value] = piece[value] "\n" $0 }
		END {
			for (i = 1; i <= pieces; i++)
				print "# " (words == "" ? "" : words " ") order[i] "\n" header piece[order[i]]
		}'
}

# markdown_table [SEPARATOR]: the CSV on the standard input as a table; a line "# HEADING" in
# it begins another one below that heading, with a header of its own
markdown_table()
{
	awk -F "${1-,}" '
		/^# / {
			printf "%s##%s\n\n", (NR > 1 ? "\n" : ""), $0
			lines = 0
			next
		}
		{
			printf "|"
			for (i = 1; i <= NF; i++)
				printf " %s |", $i
			print ""
		}
		++lines == 1 {
			printf "|"
			for (i = 1; i <= NF; i++)
				printf "---|"
			print ""
		}'
}

# unless_quick TEXT: it, but in the small version, whose sizes are not the published ones,
# " (quick)"
unless_quick()
{
	if [ -n "${quick-}" ]; then
		echo " (quick)"
	else
		echo "$1"
	fi
}

# percent A B: by how much A is above (+) or below (-) B
percent() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%+.1f%%\n", 100 * (a / b - 1) }'; }

# join_csv FILE...: their lines under one header, that of the first
join_csv() { awk 'FNR > 1 || NR == 1' "$@"; }

# --- verdicts -----------------------------------------------------------
# One rule for all studies: pages/verdicts.md.

# For awk: awk "$judging"'...'. half95() is half of the 95% interval of a mean (Student's t) of
# n values with this sum and this sum of squares, 0 for one value.
judging='
	function student(freedom, table, n, t) {
		n = split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 " \
			"2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086", table, " ")
		t = freedom <= n ? table[freedom] : 1.96 + 2.5 / freedom
		return t
	}
	function half95(n, sum, square, variance) {
		if (n < 2)
			return 0
		variance = (square - sum * sum / n) / (n - 1)
		return variance > 0 ? student(n - 1) * sqrt(variance / n) : 0
	}
	function judge_band(ours, half, low, high) {
		if (ours - half >= low && ours + half <= high)
			return "same"
		return ours + half < low || ours - half > high ? "differs" : "open"
	}
	function judge_number(ours, half, published, near) {
		near = 0.05 * (published < 0 ? -published : published)
		return judge_band(ours, half, published - near, published + near)
	}
	function judge_correlation(ours, half, published) {
		return judge_band(ours, half, published - 0.05, published + 0.05)
	}
	function judge_order(difference, half) {
		if (difference > half)
			return "same order"
		return difference < -half ? "differs" : "open"
	}
	function judge_share(held, all, share) {
		return all && held >= share * all ? "same order" : "differs"
	}
'

# judge band OURS HALF LOW HIGH | number OURS HALF PUBLISHED | correlation OURS HALF PUBLISHED |
# order DIFFERENCE HALF | share HELD ALL SHARE: the verdict; "-" where one of them is
judge() {
	awk -v rule="$1" -v words="${*:2}" "$judging"'
		BEGIN {
			n = split(words, w, " ")
			for (i = 1; i <= n; i++)
				if (w[i] == "-") {
					print "-"
					exit
				}
			if (rule == "band")
				print judge_band(w[1] + 0, w[2] + 0, w[3] + 0, w[4] + 0)
			else if (rule == "number")
				print judge_number(w[1] + 0, w[2] + 0, w[3] + 0)
			else if (rule == "correlation")
				print judge_correlation(w[1] + 0, w[2] + 0, w[3] + 0)
			else if (rule == "order")
				print judge_order(w[1] + 0, w[2] + 0)
			else if (rule == "share")
				print judge_share(w[1] + 0, w[2] + 0, w[3] + 0)
		}'
}
