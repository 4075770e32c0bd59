# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot contrib/studies/scripts/patience.gnuplot: draws docs/figures/patience.svg from
# contrib/studies/data/patience.csv, which is what contrib/studies/scripts/patience.sh prints. A line a
# nearness; its points are the patiences, from the shortest to the longest.
set terminal svg size 920,420 font "sans-serif,12" background "white" noenhanced
set output "docs/figures/patience.svg"
set datafile separator ","
set multiplot layout 1,2
set ylabel "mean distance of two nodes of a job (hops)"
set grid
set key top right
of(case, allocator, near) = "< awk -F, '$1 == \"" . case . "\" && $2 == \"" . allocator . "\" && $3 == \"" . near . "\"' contrib/studies/data/patience.csv"
nears = "1 1.05 1.1 1.2 1.5 2"
# Those who do not wait, by the name of the allocator
none(case) = "< grep '^" . case . ",[^,]*,,' contrib/studies/data/patience.csv"

set title "KTH log, 10x10 mesh, compact"
set xlabel "mean wait (h)"
set xrange [1.7:3.6]
set yrange [1.25:2.45]
plot for [i=1:words(nears)] of("KTH", "compact", word(nears, i)) using ($10 / 3600):6 \
	with linespoints pointtype 7 pointsize 0.4 title "near=" . word(nears, i), \
	none("KTH") using ($10 / 3600):6 with points pointtype 2 linecolor "black" notitle, \
	"" using ($10 / 3600):6:2 with labels left offset 0.7,0.3 notitle

set title "the stream of docs/peers.md, 8x8x8 torus, compact"
set xlabel "mean wait (s)"
set xrange [0:5.5]
set yrange [2.3:3.05]
plot for [i=1:words(nears)] of("peers", "compact", word(nears, i)) using ($10 / 60):6 \
	with linespoints pointtype 7 pointsize 0.4 title "near=" . word(nears, i), \
	none("peers") using ($10 / 60):6 with points pointtype 2 linecolor "black" notitle, \
	"" using ($10 / 60):6:2 with labels left offset 0.7,0.3 notitle
unset multiplot
