# SPDX-License-Identifier: GPL-2.0-or-later
# Two paths through a 20x20 mesh, colour by rank: our Hilbert curve and the truncated one.
#     score_curves --path hilbert 20x20 >hilbert.path
#     score_curves --path truncated 20x20 >truncated.path
#     gnuplot contrib/studies/scripts/curves.gnuplot
set terminal svg size 860,440 font "sans-serif,13" background "white"
set output "docs/figures/curves.svg"
set size ratio -1
set xrange [-0.7:19.7]
set yrange [-0.7:19.7]
unset border
unset tics
unset colorbox
set palette defined (0 "#1f4e9c", 0.35 "#2a9d6f", 0.7 "#e9a21b", 1 "#c1272d")
set cbrange [0:399]
set multiplot layout 1,2
set title "hilbert: every step one hop"
plot "hilbert.path" using 1:2:0 with lines lw 3 lc palette notitle
set title "truncated 32x32 Hilbert curve: a step of 7 hops"
plot "truncated.path" using 1:2:0 with lines lw 3 lc palette notitle
unset multiplot
