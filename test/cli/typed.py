# SPDX-License-Identifier: GPL-2.0-or-later
# typed.py SHELL... -- SETUP TYPED: run an interactive shell on a terminal of its own, give it the line SETUP, then type
# TYPED, a key at a time, \t being the tab, and the return; until it has gone.

import os
import pty
import select
import sys
import time


def read_for(terminal, seconds, until=None):
    """What the shell writes, until it has been silent for so long or has written [until]."""
    text = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 60 if until else seconds)
        if not ready:
            break
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        text += more
        if until and until in text:
            break
    return text


def main():
    at = sys.argv.index("--")
    shell, setup, typed = sys.argv[1:at], sys.argv[at + 1], sys.argv[at + 2]
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(shell[0], shell)
    read_for(terminal, 1)
    os.write(terminal, (setup + "; printf 'rea%s\\n' dy\r").encode())
    seen = read_for(terminal, 0, b"ready")
    read_for(terminal, 0.5)
    for key in typed.replace("\\t", "\t"):
        os.write(terminal, key.encode())
        # A shell asks the command behind a tab.
        seen += read_for(terminal, 1.5 if key == "\t" else 0.02)
    os.write(terminal, b"\r")
    seen += read_for(terminal, 1)
    os.write(terminal, b"exit\r")
    seen += read_for(terminal, 1)
    os.close(terminal)
    os.waitpid(child, 0)
    sys.stdout.write(seen.decode(errors="replace"))


main()
