# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot contrib/studies/scripts/isolation-weight.gnuplot: draws isolation-weight.svg from
# isolation-weight.csv, which is what contrib/studies/scripts/isolation-weight.sh prints. The intervals
# drawn are those of the differences from weight 0.
set terminal svg size 860,400 font "sans-serif,12" background "white" noenhanced
set output "docs/figures/isolation-weight.svg"
set datafile separator ","
set multiplot layout 1,2
set xlabel "mean pairwise distance of a job (hops)"
set ylabel "links shared with other jobs, mean over jobs"
set grid
unset key
of(machine) = "< grep '^" . machine . ",' contrib/studies/data/isolation-weight.csv"
set offsets graph 0.1, graph 0.12, graph 0.05, graph 0.05
set title "8x8x8 torus"
plot of("torus") using 3:7 with lines linecolor "#c0c8d0", \
	"" using 3:7:6:10 with xyerrorbars pointtype 7 pointsize 0.6 linecolor "#7090b0", \
	"" using 3:7:(sprintf("W = %g", $2)) with labels left offset 0.7,0.7
set title "8x8x8 mesh"
plot of("mesh") using 3:7 with lines linecolor "#c0c8d0", \
	"" using 3:7:6:10 with xyerrorbars pointtype 7 pointsize 0.6 linecolor "#7090b0", \
	"" using 3:7:(sprintf("W = %g", $2)) with labels left offset 0.7,0.7
