/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision where a job runs: see decide/decide.h. */
#include "base/bitmap.h"
#include "decide/private.h"
#include "place/segments.h"

bool torus_decider_is_confined(torus_decider_t *decider)
{
	const torus_verifier_t *verifier = decider->verifier;
	int tori = decider->placer->tori;

	if (decider->confinement != TORUS_CONFINEMENT_UNKNOWN)
		return decider->confinement == TORUS_CONFINED;
	decider->confinement = TORUS_UNCONFINED;
	for (int t = 0; tori > 1 && verifier->could_ever_run && t < tori; t++) {
		if (verifier->could_ever_run(verifier->context, t)) {
			decider->confinement = TORUS_CONFINED;
			break;
		}
	}
	return decider->confinement == TORUS_CONFINED;
}

bool torus_deciding_verify(const torus_deciding_t *d)
{
	const torus_verifier_t *verifier = d->decider->verifier;
	uint32_t segment = d->request->cluster.segment;

	if (segment && !torus_segments_divide(d->placement->nodes, segment))
		return false;
	return !verifier->verify ||
	       verifier->verify(verifier->context, &d->supplies.cluster, d->placement);
}

bool torus_deciding_narrow(torus_deciding_t *d)
{
	const torus_verifier_t *verifier = d->decider->verifier;

	if (!verifier->narrow || !verifier->narrow(verifier->context))
		return false;
	torus_supplies_narrow(&d->supplies, d->request);
	return true;
}

uint32_t torus_deciding_required(const torus_deciding_t *d)
{
	const torus_cluster_request_t *cluster = &d->request->cluster;
	uint32_t required = 0;

	for (int t = 0; t < d->supplies.tori; t++) {
		if (cluster->torus[t].required)
			required += torus_bitmap_count(cluster->torus[t].required,
						       d->supplies.stock[t].nodes);
	}
	if (cluster->elsewhere.required && cluster->elsewhere_nodes)
		required += torus_bitmap_count(cluster->elsewhere.required,
					       cluster->elsewhere_nodes);
	return required;
}

torus_outcome_t torus_decide(torus_decider_t *decider,
			     const torus_decide_request_t *request,
			     torus_cluster_placement_t *placement, torus_error_t *err)
{
	torus_deciding_t d = {
		.decider = decider,
		.request = request,
		.placement = placement,
		.most_now = request->most_verified,
		.work = request->most_work,
		.looks = request->most_work,
		.err = err,
	};
	torus_outcome_t outcome = TORUS_OUTCOME_ERROR;

	if (!torus_supplies_load(&d.supplies, decider, request, err)) {
		d.supplies.cluster.segment = 0; /* torus_decide_segments() sets it */
		outcome = request->shapes		? torus_decide_shapes(&d)
			  : request->cluster.contiguous ? torus_decide_strictly(&d)
			  : request->cluster.segment	? torus_decide_segments(&d)
							: torus_decide_freely(&d);
	}
	torus_supplies_free(&d.supplies);
	return outcome;
}
