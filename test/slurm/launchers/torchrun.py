# SPDX-License-Identifier: GPL-2.0-or-later
"""torchrun, also where torch 1.13 meets Python 3.11 (as in Debian 12): there the parser of its
option --redirects gives None whatever it reads, and no process ever starts."""
import sys

from torch.distributed.elastic.multiprocessing import Std
from torch.distributed.run import main

if Std.from_str("0") is None:
    Std.from_str = classmethod(lambda cls, text: cls.NONE)
main(sys.argv[1:])
