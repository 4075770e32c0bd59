# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tables of `storus sim compare --format csv`, a line for each measure, row and
# strategy, as a line for each row and strategy. Only for bench_compact.

# Cut a line of CSV whose quoted fields hold no quotes into part[].
function cut(line,    n, quoted, piece, i, j, k, m) {
	n = 0
	k = split(line, quoted, "\"")
	for (i = 1; i <= k; i++) {
		if (i % 2 == 0) {
			part[n] = part[n] quoted[i]
			continue
		}
		m = split(quoted[i], piece, ",")
		if (!n)
			part[++n] = ""
		part[n] = part[n] piece[1]
		for (j = 2; j <= m; j++)
			part[++n] = piece[j]
	}
	return n
}

BEGIN {
	FS = ","
	measures = split("utilization mean_average_distance node_weighted_average_distance " \
			 "mean_components mean_links_shared", measure, " ")
	split("occupancy distance weighted_distance components links_shared", short, " ")
	line = "machine,wrap,jobs,load,strategy,curve,streams"
	for (m = 1; m <= measures; m++) {
		line = line "," short[m] "," short[m] "_ci95"
		if (m > 1)
			line = line "," short[m] "_change," short[m] "_change_ci95"
	}
	print line
}
$1 == "measure" {
	cut($0)
	for (i in part)
		column[part[i]] = i
	next
}
{
	cut($0)
	name = part[column["measure"]]
	machine = part[column["machine"]]
	wrap = machine ~ /Wrap=all/ ? "all" : "none"
	routers = machine
	sub(/ .*/, "", routers)
	if (match(machine, /NodesPerRouter=[2-9]/))
		routers = routers "*" substr(machine, RSTART + 15)
	jobs = part[column["workload"]]
	sub(/.*\//, "", jobs)
	sub(/(:|-[0-9]+\.[0-9]).*/, "", jobs)
	load = part[column["load"]]
	if (load == "")
		load = "x" part[column["work_multiple"]]
	key = routers "," wrap "," jobs "," load "," part[column["allocator"]] "," \
		part[column["curve"]] "," part[column["seeds"]]
	if (!(key in seen)) {
		seen[key] = 1
		order[++rows] = key
	}
	row = routers "," wrap "," jobs "," load
	mean[key, name] = part[column["mean"]]
	ci[key, name] = part[column["ci95"]]
	difference[key, name] = part[column["difference"]]
	difference_ci[key, name] = part[column["difference_ci95"]]
	row_of[key] = row
	if (part[column["allocator"]] == "best_fit" && part[column["curve"]] == "hilbert")
		base[row, name] = part[column["mean"]]
}
function number(value, format) {
	return value == "" ? "" : sprintf(format, value)
}
END {
	for (i = 1; i <= rows; i++) {
		key = order[i]
		line = key
		for (m = 1; m <= measures; m++) {
			name = measure[m]
			line = line "," number(mean[key, name], "%.4f") "," \
				number(ci[key, name], "%.4f")
			if (m == 1)
				continue
			was = base[row_of[key], name]
			percent = difference[key, name] == "" || !was ? "" : \
				100 * difference[key, name] / was
			percent_ci = difference_ci[key, name] == "" || !was ? "" : \
				100 * difference_ci[key, name] / was
			line = line "," number(percent, "%.2f") "," number(percent_ci, "%.2f")
		}
		print line
	}
}
