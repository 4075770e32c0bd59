#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How far apart colours are for those who see all of them and for those who do not: CIEDE2000 of each pair, as it is and as
dichromats see it (severity 1: protanopia, deuteranopia, tritanopia).

  colours.py FILE...     the palettes in the files: a line for each, FILE:NAME, how many colours, and the least distance
                         for each kind of sight. A palette is a name before a list of "#rrggbb".
  colours.py --check     the pairs that Sharma, Wu and Dalal have published with their distances: exit 1 if one differs
"""
import itertools
import math
import re
import sys

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, for linear RGB
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
WHITE = (0.95047, 1.0, 1.08883)

# Of "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test Data, and Mathematical
# Observations" (2005): those that tell wrong programs
PUBLISHED = (
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425), ((50.0, 3.1571, -77.2803), (50.0, 0.0, -82.7485), 2.8615),
    ((50.0, 2.8361, -74.0200), (50.0, 0.0, -82.7485), 3.4412), ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669), ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195), ((50.0, -0.0010, 2.4900), (50.0, 0.0009, -2.4900), 4.8045),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0011, -2.4900), 4.7461), ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492), ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
    ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030), ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
)


def linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def lab(colour, sight="normal"):
    """CIE L*a*b* (D65) of "#rrggbb" as somebody sees it."""
    rgb = [linear(int(colour[i:i + 2], 16) / 255) for i in (1, 3, 5)]
    rgb = [min(1, max(0, sum(a * b for a, b in zip(row, rgb)))) for row in SIGHTS[sight]]
    xyz = [sum(a * b for a, b in zip(row, rgb)) / white for row, white in zip(
        ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)), WHITE)]
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, two):
    """CIEDE2000 of two L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean ** 7 / (mean ** 7 + 25.0 ** 7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0 for a, b in ((a1, b1), (a2, b2)))
    turn = h2 - h1
    if not c1 * c2:
        turn = 0
    elif turn > 180:
        turn -= 360
    elif turn < -180:
        turn += 360
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    if not c1 * c2:
        hm = h1 + h2
    elif abs(h1 - h2) <= 180:
        hm = (h1 + h2) / 2
    else:
        hm = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    t = (1 - 0.17 * math.cos(math.radians(hm - 30)) + 0.24 * math.cos(math.radians(2 * hm))
         + 0.32 * math.cos(math.radians(3 * hm + 6)) - 0.20 * math.cos(math.radians(4 * hm - 63)))
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = (-math.sin(math.radians(60 * math.exp(-((hm - 275) / 25) ** 2))) * 2
          * math.sqrt(cm ** 7 / (cm ** 7 + 25.0 ** 7)))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh)


def least(colours, sight):
    """The least distance of two of the colours."""
    return min(distance(*pair) for pair in itertools.combinations([lab(colour, sight) for colour in colours], 2))


def palettes(text):
    """[name, colours] of each list in a program's text, a comment of one line between name and list allowed."""
    for name, colours in re.findall(r"(\w+)\]?(?:\[\w+\])?\s*[:=]\s*[\[{]((?:\s*[\"']#[0-9a-f]{6}[\"'],?)+)\s*[\]}]", text):
        yield name, re.findall("#[0-9a-f]{6}", colours)


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = [row for row in PUBLISHED if abs(distance(*row[:2]) - row[2]) > 5e-5 or
                 abs(distance(row[1], row[0]) - row[2]) > 5e-5]
        print("\n".join(map(str, wrong)) or "all %d as published" % len(PUBLISHED))
        return 1 if wrong else 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for name, colours in palettes(file.read()):
                print("%s:%s %d" % (path, name, len(colours)), *("%s %.1f" % (sight, least(colours, sight)) for sight in SIGHTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
