# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot docs/figures/mapping-smpi.gnuplot: draws mapping-smpi.svg from mapping-smpi.csv,
# the output of test/bench/bench_smpi; each point is the mean of the jobs of a size.
set terminal svg size 760,420 font "sans-serif,13" background "white"
set output "docs/figures/mapping-smpi.svg"
set datafile separator ","
set logscale x 2
set xlabel "ranks"
set ylabel "percent less communication time than baseline"
set key outside right
set grid ytics
# Only the lines of one mapper: gnuplot breaks a curve at lines that are not drawn.
of(name, nodes) = "< awk -F, '$4 == \"" . name . "\" && $2 == " . nodes . "' docs/figures/mapping-smpi.csv"
plot for [name in "row_major rcb best"] \
	of(name, "1") using 1:8 smooth unique with linespoints \
	title name . ", 1 a node" noenhanced, \
	for [name in "grouping row_major rcb best"] \
	of(name, "4") using 1:8 smooth unique with linespoints dashtype 2 \
	title name . ", 4 a node" noenhanced
