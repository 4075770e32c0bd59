#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a release consists of is of one version: configure.ac's. docs/releasing.md has the steps.
# shellcheck disable=SC2154 # output is set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")
version=$(sed -n 's/^AC_INIT(\[slurm-torus\], \[\(.*\)\])$/\1/p' "$top/configure.ac")

# python_with MODULE...: skips the test without it
python_with() {
	local module
	for module; do
		python3 -c "import $module" 2>/dev/null || skip "no python3 with $module"
	done
}

@test "NEWS, the packages, the recipes and the citation are of configure.ac's version" {
	[ -n "$version" ]
	equal "$(head -n 1 "$top/NEWS")" "slurm-torus $version"
	run -0 sed -n '1s/^slurm-torus (\(.*\)-[0-9]*) .*/\1/p' "$top/contrib/packaging/debian/changelog"
	equal "$output" "$version"
	for spec in "$top"/contrib/packaging/*/*.spec; do
		run -0 sed -n 's/^Version: *//p' "$spec"
		equal "$spec $output" "$spec $version"
	done
	run -0 sed -n 's/^version: //p' "$top/CITATION.cff"
	equal "$output" "$version"
	run -0 sed -n "s/^version = '\(.*\)'/\1/p" "$top/contrib/packaging/easybuild/slurm-torus-$version"-*.eb
	equal "$output" "$version"
	grep -qxF "    version(\"$version\", tag=\"v$version\")" "$top/contrib/packaging/spack/packages/slurm_torus/package.py"
}

@test "CITATION.cff has what its format wants, and the publications that the studies are about" {
	python_with yaml
	run -0 python3 - "$top/CITATION.cff" <<-'END'
		import sys, yaml
		citation = yaml.safe_load(open(sys.argv[1]))
		wanted = {"cff-version", "message", "title", "authors", "version", "license", "references"}
		assert wanted <= set(citation), wanted - set(citation)
		for entry in [citation] + citation["references"]:
		    assert entry["type"] in ("software", "report", "conference-paper"), entry["type"]
		    assert all("name" in one or {"family-names", "given-names"} <= set(one) for one in entry["authors"])
		for entry in citation["references"]:
		    print(entry["title"])
	END
	[ "$(wc -l <<<"$output")" -eq 5 ]
	while read -r title; do
		echo "$title"
		tr '\n' ' ' <"$top/CITATION.cff" | grep -qF "$title"
		[[ $title == Enabling* ]] || cat "$top"/contrib/studies/pages/*.md | tr '\n' ' ' | grep -qF "$title"
	done <<<"$output"
}

# recipe ARGUMENT...: what the recipe of Spack says, in a Spack that only notes it
recipe() {
	python3 - "$top/contrib/packaging/spack/packages/slurm_torus/package.py" "$@" <<-'END'
		import sys, types, os

		notes = []
		class Package: pass
		def note(name):
		    return lambda *arguments, **options: notes.append((name, arguments, options))
		spack = types.ModuleType("spack.package")
		spack.__all__ = ["license", "version", "variant", "depends_on", "conflicts"]
		for name in spack.__all__:
		    setattr(spack, name, note(name))
		autotools = types.ModuleType("autotools")
		autotools.AutotoolsPackage = Package
		for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
		    sys.modules[name] = types.ModuleType(name)
		sys.modules["spack.package"] = spack
		sys.modules["spack_repo.builtin.build_systems.autotools"] = autotools
		space = {"__file__": sys.argv[1], "__name__": "recipe"}
		exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), space)

		class Spec:
		    def __init__(self, words): self.words = words
		    def __contains__(self, word): return word in self.words
		    def __getitem__(self, name):
		        return types.SimpleNamespace(prefix="/" + name, mpicc="/" + name + "/bin/mpicc")
		    variants = {"slurm_src": types.SimpleNamespace(value="/src")}
		package = space["SlurmTorus"]()
		package.spec = Spec(sys.argv[2:])
		package.prefix = types.SimpleNamespace(lib=types.SimpleNamespace(slurm="/prefix/lib/slurm"))
		print(package.git)
		print(*package.configure_args())
		variants = {arguments[0] for name, arguments, options in notes if name == "variant"}
		for name, arguments, options in notes:
		    for word in options.get("when", "").split():
		        assert word[0] in "@+~" and (word[0] == "@" or word[1:] in variants), word
		print(*sorted(arguments[0] for name, arguments, options in notes if name == "depends_on"))
	END
}

@test "the recipe of Spack: its sources are this tree, its options are configure's" {
	command -v python3 >/dev/null || skip "no python3"
	run -0 recipe '~plugins' '~glpk'
	equal "${lines[0]}" "file://$top"
	equal "${lines[1]}" "--without-plugins --without-mpicc --without-glpk"
	run -0 recipe '+plugins' '+mpi'
	equal "${lines[1]}" "--with-slurm=/slurm --with-slurm-src=/src --with-plugindir=/prefix/lib/slurm --with-mpicc=/mpi/bin/mpicc"
	[[ ${lines[2]} == *jansson* && ${lines[2]} == *libyaml* && ${lines[2]} == *slurm@22.05:* ]]
	for option in $(grep -ohE -e '--with(out)?-[a-z-]+' "$top"/contrib/packaging/spack/packages/*/package.py \
		"$top"/contrib/packaging/easybuild/*.eb | sort -u); do
		grep -qE "AC_ARG_WITH\(\[${option#--with*-}\]" "$top"/m4/*.m4 "$top/configure.ac"
	done
}

@test "the recipe of EasyBuild is a table of strings, without an address that is not there" {
	command -v python3 >/dev/null || skip "no python3"
	run -0 python3 - "$top/contrib/packaging/easybuild/slurm-torus-$version"-*.eb <<-'END'
		import sys
		easyconfig = {"SHLIB_EXT": "so"}
		exec(open(sys.argv[1]).read(), easyconfig)
		assert {"easyblock", "name", "version", "homepage", "description", "toolchain"} <= set(easyconfig)
		name = "slurm-torus-%(version)s-{name}-{version}.eb".format(**easyconfig["toolchain"]) % easyconfig
		assert sys.argv[1].endswith("/" + name), name
		assert not {"source_urls", "checksums"} & set(easyconfig)
	END
}
