# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot contrib/studies/scripts/mapping-smpi.gnuplot: draws mapping-smpi.svg from mapping-smpi.csv,
# the output of contrib/studies/scripts/bench_smpi; each point is the mean of the jobs of a size.
set terminal svg size 900,400 font "sans-serif,13" background "white"
set output "docs/figures/mapping-smpi.svg"
set datafile separator ","
set logscale x 2
set xlabel "ranks"
set grid ytics
set multiplot layout 1,2
# Only the lines of one mapper: gnuplot breaks a curve at lines that are not drawn.
of(name, nodes) = "< awk -F, '$4 == \"" . name . "\" && $2 == " . nodes . "' contrib/studies/data/mapping-smpi.csv"
do for [column = 8:9] {
	set title column == 8 ? "communication" : "total time"
	set ylabel column == 8 ? "percent less than baseline" : ""
	set yrange [0:column == 8 ? 90 : 50]
	if (column == 8) { set key right bottom } else { unset key }
	plot for [i = 1:2] of(word("best rcb", i), "1") using 1:column smooth unique \
		with linespoints linecolor i pointtype 2 * i + 3 \
		title word("best rcb", i) . ", 1 a node" noenhanced, \
		for [i = 1:3] of(word("best rcb grouping", i), "4") using 1:column smooth unique \
		with linespoints dashtype 2 linecolor i pointtype 2 * i + 2 \
		title word("best rcb grouping", i) . ", 4 a node" noenhanced
}
unset multiplot
