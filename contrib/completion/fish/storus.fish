# SPDX-License-Identifier: GPL-2.0-or-later
#
# What fish completes behind "storus": the command itself says it, from the tables of its
# options. Installed as share/fish/vendor_completions.d/storus.fish.

function __storus_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end

complete -c storus -f -a '(__storus_complete)'
