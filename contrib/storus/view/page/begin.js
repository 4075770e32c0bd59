// SPDX-License-Identifier: GPL-2.0-or-later
// The page's program: the files of this folder in the order of the makefile, in one function.
(function () {
'use strict';
