# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of bench_worth, of lines "wrap state pattern order strategy job nodes seconds
# alone" and, of each state, "busy wrap nodes". Only for bench_worth.

function sort(list, n,    i, k, value) {
	for (i = 2; i <= n; i++) {
		value = list[i]
		for (k = i; k > 1 && list[k - 1] > value; k--)
			list[k] = list[k - 1]
		list[k] = value
	}
}

# Student's t of 1 to 30 degrees of freedom, 95%; Abramowitz and Stegun, table 26.10.
BEGIN {
	split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 " \
	      "2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086 2.080 2.074 2.069 2.064 " \
	      "2.060 2.056 2.052 2.048 2.045 2.042", student, " ")
	routers = 1
	n = split(dims, side, "x")
	for (i = 1; i <= n; i++)
		routers *= side[i]
}
$1 == "busy" {
	busy[$2] += $3
	states[$2]++
	next
}
{
	setting = $1 "," $3 "," $4
	key = setting "," $5
	if (!(key in jobs))
		order[++rows] = key
	if (!($5 in number))
		number[$5] = ++strategies
	if (number[$5] == 2)
		base[setting] = key
	setting_of[key] = setting
	wrap_of[key] = $1
	slowdown = $8 / $9
	value[key, ++jobs[key]] = slowdown
	sum[key] += slowdown
	weighted[key] += slowdown * $7
	nodes[key] += $7
	of_state[key, $2] += slowdown
	seen[$2] = 1
}
END {
	print "machine,wrap,pattern,order,strategy,busy,states,jobs,mean_slowdown," \
		"p95_slowdown,node_weighted_slowdown,change,change_ci95"
	for (r = 1; r <= rows; r++) {
		key = order[r]
		was = base[setting_of[key]]
		n = jobs[key]
		for (i = 1; i <= n; i++)
			list[i] = value[key, i]
		sort(list, n)
		k = s = q = 0
		for (state in seen) {
			if (!((key, state) in of_state))
				continue
			d = of_state[key, state] / of_state[was, state] - 1
			k++
			s += d
			q += d * d
		}
		change = ci = ""
		if (key != was)
			change = sprintf("%.2f", 100 * s / k)
		if (key != was && k > 1) {
			variance = (q - s * s / k) / (k - 1)
			ci = sprintf("%.2f", 100 * (k > 31 ? 1.96 : student[k - 1]) * \
				sqrt((variance > 0 ? variance : 0) / k))
		}
		p = int(0.95 * n)
		if (p < 0.95 * n)
			p++
		wrap = wrap_of[key]
		printf "%s,%s,%.3f,%d,%d,%.3f,%.3f,%.3f,%s,%s\n", dims, key, \
			busy[wrap] / states[wrap] / routers, states[wrap], n, sum[key] / n, \
			list[p], weighted[key] / nodes[key], change, ci
	}
}
