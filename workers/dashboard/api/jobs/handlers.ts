import { queueEvent } from "#database/work/events.ts";
import { listJobEvents, listJobs } from "#database/work/job-list.ts";
import { type jobRoutes, jobStep } from "#workers/contracts/api/jobs.ts";
import { pageOf } from "../../http/cursors.ts";
import type { Handlers } from "../../http/serve.ts";
import { requireJob } from "../required.ts";
import { jobBody } from "./body.ts";
import { cancel } from "./cancelling.ts";
import { retry } from "./retrying.ts";

const EVENTS = 200;
const STEP = "step";

export const jobHandlers: Handlers<typeof jobRoutes> = {
  async listJobs({ db, settings, query }) {
    const { status, kind, client_id: clientId, instance_id: instanceId } = query;
    const filter = { status, kind, clientId, instanceId };
    return pageOf(query, (page) => listJobs(db, settings.ENVIRONMENT, { ...page, filter }), {
      body: jobBody,
      placeOf: ({ created_text, id }) => [created_text, id],
    });
  },

  async getJob({ db, settings, params, caller }) {
    const job = await requireJob(db, settings.ENVIRONMENT, params.id);
    const events = await listJobEvents(db, job.id, EVENTS);
    // Steps name the platform's resources.
    const hidesSteps = (await caller).tenant !== undefined;
    return {
      ...jobBody(job),
      events: events
        .filter(({ kind }) => !hidesSteps || kind !== STEP)
        .map(({ id, at, kind, message, data }) => ({
          id,
          at: at.toISOString(),
          kind,
          message,
          step: kind === STEP ? (jobStep.safeParse(data).data ?? null) : null,
        })),
    };
  },

  async cancelJob({ db, settings, params, caller }) {
    const job = await requireJob(db, settings.ENVIRONMENT, params.id);
    await cancel(db, job, caller);
    const { id: job_id, kind, slug, client_id, instance_id } = job;
    await queueEvent(db, { client_id, kind: "job.cancelled", data: { job_id, kind, slug, instance_id } });
    return jobBody(await requireJob(db, settings.ENVIRONMENT, params.id));
  },

  async retryJob({ db, settings, params, caller }) {
    const id = await retry(db, settings, params.id, caller);
    return jobBody(await requireJob(db, settings.ENVIRONMENT, id));
  },
};
