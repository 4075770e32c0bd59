# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot contrib/studies/scripts/mapping-hops.gnuplot: draws mapping-hops.svg from mapping-hops.csv,
# which contrib/studies/scripts/bench_map_tables made of what bench_map printed.
set terminal svg size 760,420 font "sans-serif,13" background "white"
set output "docs/figures/mapping-hops.svg"
set datafile separator ","
set logscale x 2
set xlabel "tasks"
set ylabel "average hops a stencil edge"
set key outside right
set grid ytics
# Only the lines of one mapper: gnuplot breaks a curve at lines that are not drawn.
of(name) = "< awk -F, '$2 == \"" . name . "\"' contrib/studies/data/mapping-hops.csv"
plot for [name in "baseline row_major scotch scotch_quality rcb rcb_turns inc_improve_long best best_long"] \
	of(name) using 1:4 with linespoints title name noenhanced
