/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `storus view --serve`: the page, live, for browsers that look on. */
#include "torus_config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "storus/cli/conf.h"
#include "storus/commands.h"
#include "storus/view/serve/access.h"
#include "storus/view/serve/address.h"
#include "storus/view/serve/http.h"
#include "storus/view/serve/serve.h"
#include "storus/view/serve/watch.h"

static int check_address(const storus_serve_options_t *options, storus_address_t *address,
			 torus_error_t *err)
{
	const char *text = options->address ? options->address : "";

	if (storus_address_parse(text, address, err) != 0)
		return -1;
	if (!address->path && !address->loopback && !options->token_file)
		return torus_fail(err,
				  "%s can be reached from other hosts: that needs "
				  "--token-file, or serve at unix:PATH behind your own "
				  "proxy",
				  text);
	return 0;
}

/* The signals that end the server are taken by wait_for_end() alone, in no thread. */
static void hold_signals(sigset_t *held)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction action;

	sigemptyset(held);
	/* Those that are ignored, as below nohup, stay so. */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (sigaction(signals[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(held, signals[i]);
	}
	pthread_sigmask(SIG_BLOCK, held, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void wait_for_end(const sigset_t *held, storus_http_t *http)
{
	const struct timespec second = {.tv_sec = 1};

	while (sigtimedwait(held, NULL, &second) < 0)
		storus_http_tick(http);
}

static void say_where(const storus_address_t *address, const storus_listener_t *listener,
		      const storus_access_t *access)
{
	if (address->path)
		printf("unix:%s\n", address->path);
	else
		printf("%s%s\n", listener->url, access->token ? "?token=..." : "");
	fflush(stdout);
}

/* Serve what [sight] shows until a signal comes. */
static int serve(const storus_serve_options_t *options, const storus_sight_t *sight,
		 const storus_address_t *address, const storus_access_t *access,
		 torus_error_t *err)
{
	storus_listener_t listener = {.fd = -1};
	storus_watch_t *watch = NULL;
	storus_http_t *http = storus_http_create(access, options->seconds, err);
	sigset_t held;
	int rc = -1;

	hold_signals(&held);
	if (http && storus_listen(address, &listener, err) == 0)
		watch = storus_watch_start(sight, options->seconds, storus_http_told,
					   http, err);
	if (watch)
		rc = storus_http_start(http, &listener, watch, err);
	if (rc == 0) {
		say_where(address, &listener, access);
		wait_for_end(&held, http);
		storus_http_stop(http);
	}
	storus_listener_close(&listener);
	/* A thread that waits for Slurm cannot be ended but with the process. */
	if (!storus_watch_stop(watch))
		_exit(rc == 0 ? STORUS_OK : STORUS_BAD);
	storus_http_destroy(http);
	return rc;
}

int storus_serve(const storus_serve_options_t *options, torus_error_t *err)
{
	storus_address_t address;
	storus_access_t access;
	char *conf = NULL;
	int rc = -1;

	if (check_address(options, &address, err) != 0 ||
	    storus_access_open(&access, options->token_file, err) != 0)
		return -1;
	access.name = options->server_name;
	access.any_host = address.path != NULL;
	conf = options->jobs ? strdup(options->conf)
			     : storus_conf_path(options->conf, err);
	if (conf) {
		storus_sight_t sight = {
			.conf = conf,
			.jobs = options->jobs,
			.three_js = options->three_js,
			.all = options->all,
			.guarded = access.token || address.path,
		};

		rc = serve(options, &sight, &address, &access, err);
	}
	free(conf);
	storus_access_close(&access);
	return rc;
}
