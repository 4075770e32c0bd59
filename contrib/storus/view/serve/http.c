/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What browsers ask for, and the stream that tells them of changes. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <jansson.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "storus/cli/jobs.h"
#include "storus/metrics/write.h"
#include "storus/view/serve/gzip.h"
#include "storus/view/serve/http.h"

/* What is answered, plain and packed; NULL: nothing. */
typedef struct reply {
	struct MHD_Response *plain, *packed;
} reply_t;

/* Seconds: until a request is there, until its answer is gone, for a look that the answer
 * waits for, between signs of life in a stream, without any progress. */
enum { REQUEST = 10, ANSWER = 60, LOOK = 3, BEAT = 15, IDLE = 30 };

/* Bytes: of a request with its headers, of a message in a stream. */
enum { REQUEST_BYTES = 16384, MESSAGE_BYTES = 2048 };

/* Descriptors for other things than connections. */
enum { DESCRIPTORS = 64 };

/* A connection, from its begin to its end. */
typedef struct client {
	struct client *next, **link;
	storus_http_t *http;
	struct MHD_Connection *connection;
	int fd;
	enum { ASKING, WAITING, ANSWERED, STREAMING } stage;
	bool suspended;
	bool metrics;	   /* waits for a look with them */
	time_t deadline;   /* CLOCK_MONOTONIC; of a stream, when it beats */
	unsigned messages; /* of a stream: the number of the one that it has had */
	bool beat;
} client_t;

struct storus_http {
	const storus_access_t *access;
	storus_watch_t *watch;
	struct MHD_Daemon *daemon;
	char cookie[24]; /* its name */

	pthread_mutex_t lock; /* guards what follows, and the clients */
	client_t *clients;
	unsigned streams;
	bool stopping;
	reply_t page, data, changes, metrics;
	char version[sizeof(((storus_sighting_t *)0)->version)];
	char since[sizeof(((storus_sighting_t *)0)->since)]; /* changes are since then */
	unsigned seconds; /* between two looks, at least */
	time_t seen;	  /* since 1970; 0: never */
	time_t seen_at;	  /* the same moment of CLOCK_MONOTONIC */
	char failure[sizeof(((torus_error_t *)0)->text)];
	char message[MESSAGE_BYTES]; /* for streams */
	unsigned messages;	     /* so far */
	unsigned looks[2];	     /* so far; of these, with metrics or in vain */
};

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* Go on with a client that waits for something. */
static void wake(client_t *client)
{
	if (!client->suspended)
		return;
	client->suspended = false;
	MHD_resume_connection(client->connection);
}

static void sleep_on(client_t *client)
{
	client->suspended = true;
	MHD_suspend_connection(client->connection);
}

/* --- what is shown ------------------------------------------------------------- */

/* A letter of a failure may take six in JSON: so much of one fits into a message. */
enum { FAILURE_BYTES = (MESSAGE_BYTES - 256) / 6 };

static void write_message(storus_http_t *http)
{
	char failure[FAILURE_BYTES];

	snprintf(failure, sizeof(failure), "%.*s", FAILURE_BYTES - 1, http->failure);
	char *clean = storus_clean_copy(failure);
	json_t *message =
		json_pack("{s:s, s:I, s:i, s:s?}", "version", http->version, "seen",
			  (json_int_t)http->seen, "every", (int)http->seconds, "failure",
			  http->failure[0] ? clean : NULL);
	char *text =
		message ? json_dumps(message, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;

	/* next_bytes() writes its end. */
	if (text)
		text[strlen(text) - 1] = '\0';
	snprintf(http->message, sizeof(http->message), "%s", text ? text : "{");
	http->messages++;
	free(text);
	json_decref(message);
	free(clean);
}

/* For the log of whoever runs the server. */
static void report(const char *failure)
{
	if (failure)
		warnx("%s", failure);
	else
		warnx("seen again");
}

static struct MHD_Response *make_response(storus_text_t text, const char *type);

/* Put [text], or nothing, in place of a reply, and take it over; who is just sent the old
 * one gets it all. */
static void replace(reply_t *reply, storus_text_t text, const char *type)
{
	storus_text_t packed = storus_gzip(text);

	if (reply->plain)
		MHD_destroy_response(reply->plain);
	if (reply->packed)
		MHD_destroy_response(reply->packed);
	reply->plain = text.text ? make_response(text, type) : NULL;
	reply->packed = packed.text ? make_response(packed, type) : NULL;
	if (reply->plain)
		MHD_add_response_header(reply->plain, "Vary", "Accept-Encoding");
	if (reply->packed) {
		MHD_add_response_header(reply->packed, "Vary", "Accept-Encoding");
		MHD_add_response_header(reply->packed, "Content-Encoding", "gzip");
	}
}

static const storus_text_t nothing;

void storus_http_told(void *data, const storus_sighting_t *sighting, const char *failure,
		      bool forbidden)
{
	storus_http_t *http = data;
	bool news, with_metrics;

	pthread_mutex_lock(&http->lock);
	http->looks[false]++;
	with_metrics = !sighting || sighting->metrics.text;
	http->looks[true] += with_metrics;
	news = strcmp(http->failure, failure ? failure : "") != 0;
	if (news && http->daemon)
		report(failure);
	snprintf(http->failure, sizeof(http->failure), "%s", failure ? failure : "");
	if (sighting) {
		http->seen = time(NULL);
		http->seen_at = now();
		/* Who looks on hears that nothing has changed, too. */
		news = true;
	}
	if (forbidden) {
		replace(&http->page, nothing, NULL);
		replace(&http->data, nothing, NULL);
		replace(&http->changes, nothing, NULL);
	}
	if (sighting && sighting->page.text) {
		replace(&http->page, sighting->page, "text/html; charset=utf-8");
		replace(&http->data, sighting->data, "application/json");
		replace(&http->changes, sighting->changes, "application/json");
		strcpy(http->version, sighting->version);
		strcpy(http->since, sighting->since);
	}
	/* Those of a while ago would look like those of now. */
	if (with_metrics)
		replace(&http->metrics, sighting ? sighting->metrics : nothing,
			STORUS_METRICS_CONTENT_TYPE);
	if (news)
		write_message(http);
	for (client_t *client = http->clients; client; client = client->next) {
		if (client->stage == STREAMING ? news : !client->metrics || with_metrics)
			wake(client);
	}
	pthread_mutex_unlock(&http->lock);
}

/* --- answers ------------------------------------------------------------------- */

/* Takes [text] over. NULL: out of memory, or [text] was NULL. */
static struct MHD_Response *make_response(storus_text_t text, const char *type)
{
	struct MHD_Response *response =
		text.text ? MHD_create_response_from_buffer(text.size, text.text,
							    MHD_RESPMEM_MUST_FREE)
			  : NULL;

	if (!response) {
		free(text.text);
		return NULL;
	}
	MHD_add_response_header(response, "Content-Type", type);
	/* One request a connection: its time is then easily bounded. */
	MHD_add_response_header(response, "Connection", "close");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	/* The page has more of it, with a number for its scripts. */
	MHD_add_response_header(response, "Content-Security-Policy",
				"frame-ancestors 'none'");
	return response;
}

/* A line of text, and perhaps one more header. */
static enum MHD_Result say(struct MHD_Connection *connection, unsigned status,
			   const char *text, const char *header, const char *value)
{
	storus_text_t line = {0};
	struct MHD_Response *response;
	enum MHD_Result result;

	if (asprintf(&line.text, "%s\n", text) < 0)
		return MHD_NO;
	line.size = strlen(line.text);
	response = make_response(line, "text/plain; charset=utf-8");

	if (!response)
		return MHD_NO;
	if (header)
		MHD_add_response_header(response, header, value);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* Whether a client asks for what has changed since the version of which that is known. */
static bool has_since(const client_t *client)
{
	const char *since = MHD_lookup_connection_value(client->connection,
							MHD_GET_ARGUMENT_KIND, "since");

	return since && client->http->changes.plain &&
	       strcmp(since, client->http->since) == 0;
}

/* As the client takes it. */
static struct MHD_Response *chosen(const client_t *client, const reply_t *reply)
{
	const char *takes = MHD_lookup_connection_value(
		client->connection, MHD_HEADER_KIND, "Accept-Encoding");

	return reply->packed && storus_takes_gzip(takes) ? reply->packed : reply->plain;
}

/* Answer with what was seen last: [reply], or why there is none. */
static enum MHD_Result show(client_t *client, const reply_t *reply)
{
	storus_http_t *http = client->http;
	bool metrics = reply == &http->metrics, waits;
	enum MHD_Result result = MHD_YES;
	unsigned looks;

	pthread_mutex_lock(&http->lock);
	looks = http->looks[metrics];
	pthread_mutex_unlock(&http->lock);
	waits = client->stage == ASKING && storus_watch_refresh(http->watch, metrics);
	pthread_mutex_lock(&http->lock);
	if (waits && looks == http->looks[metrics] && !http->stopping) {
		client->stage = WAITING;
		client->metrics = metrics;
		client->deadline = now() + (metrics ? ANSWER : LOOK);
		sleep_on(client);
	} else {
		client->stage = ANSWERED;
		client->deadline = now() + ANSWER;
		/* Who has the version before need not be sent what stayed as it was. */
		if (reply == &http->data && has_since(client))
			reply = &http->changes;
		result = reply->plain
				 ? MHD_queue_response(client->connection, MHD_HTTP_OK,
						      chosen(client, reply))
				 : say(client->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				       http->failure[0] ? http->failure : "not yet",
				       "Refresh", "5");
	}
	pthread_mutex_unlock(&http->lock);
	return result;
}

static enum MHD_Result show_page(client_t *client)
{
	return show(client, &client->http->page);
}

static enum MHD_Result show_data(client_t *client)
{
	return show(client, &client->http->data);
}

static enum MHD_Result show_metrics(client_t *client)
{
	return show(client, &client->http->metrics);
}

static enum MHD_Result show_no_icon(client_t *client)
{
	return say(client->connection, MHD_HTTP_NOT_FOUND, "no icon", NULL, NULL);
}

/* --- streams ------------------------------------------------------------------- */

/* The next bytes of a stream, or a pause. A message fits into [room] as a whole. */
static ssize_t next_bytes(void *data, uint64_t position, char *buffer, size_t room)
{
	client_t *client = data;
	storus_http_t *http = client->http;
	char message[MESSAGE_BYTES] = "";
	const char *text = NULL;
	ssize_t length = 0;

	(void)position;
	pthread_mutex_lock(&http->lock);
	if (http->stopping) {
		length = MHD_CONTENT_READER_END_OF_STREAM;
	} else if (client->messages != http->messages) {
		client->messages = http->messages;
		/* How long ago that was when it is sent: clocks of browsers differ. */
		snprintf(message, sizeof(message), "data: %.*s,\"ago\":%lld}\n\n",
			 MESSAGE_BYTES - 64, http->message,
			 (long long)(now() - http->seen_at));
		text = message;
	} else if (client->beat) {
		text = ":\n\n";
	} else {
		sleep_on(client);
	}
	client->beat = false;
	if (text) {
		length = (ssize_t)strlen(text);
		if ((size_t)length > room)
			length = MHD_CONTENT_READER_END_WITH_ERROR;
		else
			memcpy(buffer, text, (size_t)length);
	}
	pthread_mutex_unlock(&http->lock);
	return length;
}

static enum MHD_Result open_stream(client_t *client)
{
	storus_http_t *http = client->http;
	struct MHD_Response *response;
	enum MHD_Result result;
	unsigned streams = 0;

	pthread_mutex_lock(&http->lock);
	if (!http->stopping && http->streams < STORUS_HTTP_STREAMS) {
		client->stage = STREAMING;
		client->deadline = now() + BEAT;
		streams = ++http->streams;
	}
	pthread_mutex_unlock(&http->lock);
	if (!streams)
		return say(client->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			   "too many look on already", "Retry-After", "30");
	storus_watch_viewers(http->watch, streams);
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, MESSAGE_BYTES,
						     next_bytes, client, NULL);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", "text/event-stream");
	MHD_add_response_header(response, "Connection", "close");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	/* nginx would keep back what comes in small pieces. */
	MHD_add_response_header(response, "X-Accel-Buffering", "no");
	result = MHD_queue_response(client->connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

/* --- requests ------------------------------------------------------------------ */

/* What there is. */
static const struct {
	const char *path;
	enum MHD_Result (*answer)(client_t *client);
} routes[] = {
	{"/", show_page},
	{"/machine.json", show_data},
	{"/events", open_stream},
	{"/metrics", show_metrics},
	{"/favicon.ico", show_no_icon},
};

static const char *header_of(client_t *client, enum MHD_ValueKind kind, const char *name)
{
	return MHD_lookup_connection_value(client->connection, kind, name);
}

/* A browser that shows the token keeps a cookie instead, and its address no token. */
static enum MHD_Result let_in(client_t *client)
{
	char cookie[160];

	snprintf(cookie, sizeof(cookie), "%s=%s; Path=/; HttpOnly; SameSite=Lax",
		 client->http->cookie, client->http->access->session);
	struct MHD_Response *response = make_response((storus_text_t){strdup(""), 0},
						      "text/plain; charset=utf-8");
	enum MHD_Result result = MHD_NO;

	if (response && MHD_add_response_header(response, "Set-Cookie", cookie) &&
	    MHD_add_response_header(response, "Location", "./"))
		result = MHD_queue_response(client->connection, MHD_HTTP_SEE_OTHER,
					    response);
	if (response)
		MHD_destroy_response(response);
	return result;
}

/* Refuse what must not be answered; true: *result is what that came to. */
static bool refuse(client_t *client, const char *path, const char *method,
		   enum MHD_Result *result)
{
	const storus_access_t *access = client->http->access;

	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		*result = say(client->connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "nothing can be changed here", "Allow", "GET, HEAD");
	else if (!storus_access_host(access, header_of(client, MHD_HEADER_KIND, "Host")))
		*result = say(client->connection, MHD_HTTP_FORBIDDEN,
			      "this server is not known by that name; see --server-name "
			      "of storus view",
			      NULL, NULL);
	else if (storus_access_granted(
			 access, header_of(client, MHD_HEADER_KIND, "Authorization"),
			 header_of(client, MHD_COOKIE_KIND, client->http->cookie)))
		return false;
	else if (strcmp(path, "/") == 0 &&
		 storus_access_is_token(
			 access, header_of(client, MHD_GET_ARGUMENT_KIND, "token")))
		*result = let_in(client);
	else
		*result = say(client->connection, MHD_HTTP_UNAUTHORIZED,
			      "open this address with /?token= and the token behind it",
			      "WWW-Authenticate", "Bearer");
	return true;
}

static enum MHD_Result answer(void *data, struct MHD_Connection *connection,
			      const char *path, const char *method, const char *version,
			      const char *upload, size_t *upload_size, void **state)
{
	client_t *client =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;
	enum MHD_Result result;

	(void)data;
	(void)version;
	(void)upload;
	(void)upload_size;
	if (!client)
		return MHD_NO;
	/* Called again for the same request when it has waited. */
	if (!*state) {
		*state = client;
		pthread_mutex_lock(&client->http->lock);
		client->deadline = now() + ANSWER;
		pthread_mutex_unlock(&client->http->lock);
		if (refuse(client, path, method, &result))
			return result;
	}
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		if (strcmp(routes[i].path, path) == 0)
			return routes[i].answer(client);
	}
	return say(connection, MHD_HTTP_NOT_FOUND, "there is no such page", NULL, NULL);
}

/* --- connections --------------------------------------------------------------- */

static void begin(storus_http_t *http, struct MHD_Connection *connection, void **context)
{
	client_t *client = calloc(1, sizeof(*client));

	*context = client;
	if (!client)
		return;
	client->http = http;
	client->connection = connection;
	client->fd =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			->connect_fd;
	client->deadline = now() + REQUEST;
	pthread_mutex_lock(&http->lock);
	client->next = http->clients;
	client->link = &http->clients;
	if (client->next)
		client->next->link = &client->next;
	http->clients = client;
	pthread_mutex_unlock(&http->lock);
}

static void end(storus_http_t *http, client_t *client)
{
	unsigned streams;

	if (!client)
		return;
	pthread_mutex_lock(&http->lock);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	if (client->stage == STREAMING)
		http->streams--;
	streams = http->streams;
	pthread_mutex_unlock(&http->lock);
	if (client->stage == STREAMING)
		storus_watch_viewers(http->watch, streams);
	free(client);
}

static void note(void *data, struct MHD_Connection *connection, void **context,
		 enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		begin(data, connection, context);
	else
		end(data, *context);
}

/* Its descriptor is closed only after end(), so it is this client's. */
static void give_up(client_t *client)
{
	shutdown(client->fd, SHUT_RDWR);
}

/* Whether a client has closed its side; who listens to a stream has nothing to say. */
static bool has_gone(const client_t *client)
{
	struct pollfd poll_one = {.fd = client->fd, .events = POLLRDHUP};

	return poll(&poll_one, 1, 0) > 0;
}

void storus_http_tick(storus_http_t *http)
{
	time_t time = now();

	pthread_mutex_lock(&http->lock);
	for (client_t *client = http->clients; client; client = client->next) {
		bool gone = client->stage == STREAMING && has_gone(client);

		/* What is written to it then fails. */
		if (gone)
			give_up(client);
		if (time < client->deadline && !gone)
			continue;
		if (client->stage == STREAMING) {
			client->deadline = time + BEAT;
			client->beat = true;
			wake(client);
		} else if (client->stage == WAITING) {
			wake(client);
		} else {
			give_up(client);
		}
	}
	pthread_mutex_unlock(&http->lock);
}

/* --- the server ---------------------------------------------------------------- */

static void complain(void *data, const char *format, va_list arguments)
{
	/* What clients do wrong is not worth a line each. */
	(void)data;
	(void)format;
	(void)arguments;
}

storus_http_t *storus_http_create(const storus_access_t *access, unsigned seconds,
				  torus_error_t *err)
{
	storus_http_t *http = calloc(1, sizeof(*http));

	if (!http) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	http->access = access;
	http->seconds = seconds;
	pthread_mutex_init(&http->lock, NULL);
	return http;
}

/* How many connections there is room for. */
static unsigned room(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 256;
	if (limit.rlim_cur < STORUS_HTTP_CONNECTIONS + DESCRIPTORS) {
		limit.rlim_cur = limit.rlim_max < STORUS_HTTP_CONNECTIONS + DESCRIPTORS
					 ? limit.rlim_max
					 : STORUS_HTTP_CONNECTIONS + DESCRIPTORS;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur >= STORUS_HTTP_CONNECTIONS + DESCRIPTORS)
		return STORUS_HTTP_CONNECTIONS;
	return limit.rlim_cur > 2 * DESCRIPTORS ? (unsigned)limit.rlim_cur - DESCRIPTORS
						: DESCRIPTORS;
}

int storus_http_start(storus_http_t *http, storus_listener_t *listener,
		      storus_watch_t *watch, torus_error_t *err)
{
	http->watch = watch;
	/* Cookies are a host's, not a port's. */
	snprintf(http->cookie, sizeof(http->cookie), "storus-%u", listener->port);
	http->daemon = MHD_start_daemon(
		MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
			MHD_USE_ERROR_LOG,
		0, NULL, NULL, answer, http, MHD_OPTION_EXTERNAL_LOGGER, complain, NULL,
		MHD_OPTION_LISTEN_SOCKET, listener->fd, MHD_OPTION_NOTIFY_CONNECTION,
		note, http, MHD_OPTION_CONNECTION_LIMIT, room(),
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
		MHD_OPTION_END);
	if (!http->daemon)
		return torus_fail(err, "cannot start the server: %s", strerror(errno));
	listener->fd = -1;
	return 0;
}

void storus_http_stop(storus_http_t *http)
{
	pthread_mutex_lock(&http->lock);
	http->stopping = true;
	for (client_t *client = http->clients; client; client = client->next)
		wake(client);
	pthread_mutex_unlock(&http->lock);
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	http->daemon = NULL;
}

void storus_http_destroy(storus_http_t *http)
{
	if (!http)
		return;
	replace(&http->page, nothing, NULL);
	replace(&http->data, nothing, NULL);
	replace(&http->changes, nothing, NULL);
	replace(&http->metrics, nothing, NULL);
	pthread_mutex_destroy(&http->lock);
	free(http);
}
