/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether slurmdbd keeps jobs of others from the user. */
#ifndef STORUS_CLI_SACCT_HIDES_H
#define STORUS_CLI_SACCT_HIDES_H

/*
 * Warn on standard error, with what helps, if slurmdbd.conf has PrivateData=jobs and the
 * user is neither root nor its SlurmUser nor an operator or administrator, so that sacct
 * shows him only his own jobs and those of accounts that he coordinates; or if sacctmgr,
 * which is asked, does not tell. PrivateData in slurm.conf, and other words of it, hide
 * none of the jobs that sacct shows.
 */
void storus_sacct_warn_hidden(void);

#endif
