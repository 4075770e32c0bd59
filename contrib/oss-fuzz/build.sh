#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh: the fuzz targets of test/fuzz with their seeds and dictionaries, in $OUT. OSS-Fuzz
# runs it in the source tree and sets CC, CXX, CFLAGS, LIB_FUZZING_ENGINE, OUT and WORK;
# contrib/oss-fuzz/try does that here.

source_dir=$PWD
work=${WORK:?}/slurm-torus
[ -x configure ] || autoreconf -i
mkdir -p "$work"
cd "$work"
# Static, as the targets are run where these libraries are not. They need neither Slurm nor GLPK.
"$source_dir/configure" --enable-fuzz --without-plugins --without-mpicc --without-glpk \
	JANSSON_LIBS=-l:libjansson.a YAML_LIBS=-l:libyaml.a
make -j "$(nproc)" fuzz-targets
make fuzz-corpus
for target in test/fuzz/fuzz_*; do
	if [ ! -x "$target" ] || [ ! -f "$target" ]; then continue; fi
	name=${target##*/fuzz_}
	cp "$target" "$OUT/"
	rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
	zip -qj "$OUT/fuzz_${name}_seed_corpus.zip" "fuzz-work/corpus/$name"/*
	printf '[libfuzzer]\nmax_len = 4096\ntimeout = 20\n' >"$OUT/fuzz_$name.options"
	[ ! -f "$source_dir/test/fuzz/$name.dict" ] ||
		cp "$source_dir/test/fuzz/$name.dict" "$OUT/fuzz_$name.dict"
done
