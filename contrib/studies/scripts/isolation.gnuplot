# SPDX-License-Identifier: GPL-2.0-or-later
# gnuplot contrib/studies/scripts/isolation.gnuplot: draws isolation.svg from isolation.csv, which is
# the table of `storus sim compare docs/examples/isolation-8x8x8 --format=csv`.
set terminal svg size 860,480 font "sans-serif,12" background "white" noenhanced
set output "docs/figures/isolation.svg"
set multiplot layout 1,2
set xlabel "mean pairwise distance of a job (hops)"
set ylabel "links shared with other jobs, mean over jobs"
set grid
unset key
set yrange [80:340]
# Distance, its interval, links shared, their interval, and the name: of compact, mc1x1
# and mm, which hardly follow the curve, only once. Labels that would be in the way stand to the left.
of(machine) = "< awk -F, '$2 == \"" . machine . "\" && !($7 == \"snake\" && $8 ~ /^[cm]/) {" . \
	" key = $8 ~ /^[cm]/ ? $8 : $7 \" \" $8;" . \
	" if ($1 == \"mean_average_distance\") { x[key] = $10; dx[key] = $11 }" . \
	" if ($1 == \"mean_links_shared\") print x[key], dx[key], $10, $11, \"\\\"\" key \"\\\"\"" . \
	" }' contrib/studies/data/isolation.csv"
left(name) = name eq "hilbert best_fit" || name eq "hilbert hybrid" || name eq "compact" || name eq "mc1x1"
set xrange [2.3:3.6]
set title "8x8x8 torus"
plot of("8x8x8 Wrap=all") using 1:3:2:4 with xyerrorbars pointtype 7 pointsize 0.6 linecolor "#7090b0", \
	"" using 1:3:(left(strcol(5)) ? "" : strcol(5)) with labels left offset 0.7,0.6, \
	"" using 1:3:(left(strcol(5)) ? strcol(5) : "") with labels right offset -0.7,0.6
set xrange [2.3:4.5]
set title "8x8x8 mesh"
plot of("8x8x8") using 1:3:2:4 with xyerrorbars pointtype 7 pointsize 0.6 linecolor "#7090b0", \
	"" using 1:3:(left(strcol(5)) ? "" : strcol(5)) with labels left offset 0.7,0.6, \
	"" using 1:3:(left(strcol(5)) ? strcol(5) : "") with labels right offset -0.7,0.6
