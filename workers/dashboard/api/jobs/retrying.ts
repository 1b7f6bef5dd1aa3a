/** Retries jobs with the functions that took the first requests, including their checks. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { beginRemoval } from "#database/tenants/deletion/removal.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { type ListedJob, openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { JobKind } from "#domain/entities/job.ts";
import { jobErrors } from "#domain/errors/api/jobs.ts";
import { plans } from "#domain/plans/plan.ts";
import { jobRequesters } from "#workers/contracts/api/jobs.ts";
import type { Settings } from "../../env.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";
import { sendInstanceEvent } from "../events.ts";
import { changePlan, moveGateway, restoreInstance, rotateToken } from "../instances/operations.ts";
import { provision } from "../instances/provisioning.ts";
import { changeVersion } from "../instances/version-change.ts";
import { lockedInstance, requireClient, requireJob } from "../required.ts";

interface Retry {
  db: Kysely<DB>;
  settings: Settings;
  job: ListedJob;
  /** Locked until the transaction ends. */
  instance: KnownInstance;
  caller: Caller;
}

const provisioning = z.object({ use_kept_backups: z.boolean().default(false) });
const removal = z.object({ discard_state: z.boolean().default(false) });
const planChange = z.object({ to: z.enum(plans) });
const move = z.object({ ai_gateway_id: z.string(), ai_gateway_pool_id: z.uuid().nullable().default(null) });
const restore = z.object({ backup_id: z.string(), discard_present: z.boolean() });
const adoption = z.object({
  to: z.object({ imageId: z.uuid().nullable(), bundleId: z.uuid().nullable() }),
  backup: z.string().nullable(),
});

/** Requests the new job. @returns its ID; `undefined` if nothing is left to do */
const kinds: Partial<Record<JobKind, (retry: Retry) => Promise<string | undefined>>> = {
  async provision({ db, settings, job, instance, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, instance.client.id);
    const { use_kept_backups: useKeptBackups } = provisioning.parse(job.payload);
    const id = await provision(db, { settings, client, before: instance, named: {}, useKeptBackups, caller });
    return (await openJob(db, settings.ENVIRONMENT, id, "provision"))?.id;
  },
  async deprovision({ db, settings, job, instance, caller }) {
    requireOwnInstance(instance);
    const client = { clientId: instance.client.id, slug: instance.client.slug, environment: settings.ENVIRONMENT };
    const { discard_state: discardState } = removal.parse(job.payload);
    return beginRemoval(inTransaction(db), client, { requestedBy: caller.email, discardState });
  },
  async change_plan({ db, settings, job, instance, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, instance.client.id);
    requireOwn(`The client ${client.slug}`, client, client.slug);
    requireOwnInstance(instance);
    return changePlan(db, settings.ENVIRONMENT, instance, { ...planChange.parse(job.payload), caller });
  },
  async assign_gateway({ db, settings, job, instance, caller }) {
    requireOwnInstance(instance);
    const { ai_gateway_id, ai_gateway_pool_id } = move.parse(job.payload);
    const named = ai_gateway_pool_id === null ? { ai_gateway_id } : { ai_gateway_pool_id };
    return moveGateway(db, settings, instance, { named, caller });
  },
  async rotate_token({ db, settings, instance, caller }) {
    requireOwnInstance(instance);
    return rotateToken(db, settings.ENVIRONMENT, instance, caller);
  },
  async adopt_version({ db, settings, job, instance, caller }) {
    requireOwnInstance(instance);
    const { to, backup } = adoption.parse(job.payload);
    return changeVersion(db, settings.ENVIRONMENT, instance, {
      change: { ...to, backup: backup ?? undefined },
      caller,
    });
  },
  async restore_backup({ db, settings, job, instance, caller }) {
    const { backup_id, discard_present } = restore.parse(job.payload);
    const id = await restoreInstance(db, settings.ENVIRONMENT, instance, { backup_id, discard_present, caller });
    await sendInstanceEvent(db, instance, "instance.restore_ordered", caller.email, { backup_id, job_id: id });
    return id;
  },
  freeze: notifyDispatch,
  resume: notifyDispatch,
  invalidate: notifyDispatch,
  push_channels: notifyDispatch,
  push_provider_keys: notifyDispatch,
  push_egress: notifyDispatch,
};

/** Sends the current row to the dispatch Worker again. */
async function notifyDispatch({ db, job, instance, caller }: Retry): Promise<string> {
  const { kind, slug, payload } = job;
  if (job.generation !== null && job.generation !== instance.generation) {
    throw failure(jobErrors.job_replaced, { slug });
  }
  return requestJob(db, {
    kind,
    clientId: instance.client.id,
    instanceId: instance.id,
    slug,
    ...(job.generation !== null && { generation: job.generation }),
    requestedBy: caller.email,
    payload: z.object({}).loose().parse(payload),
  });
}

function requireOwnInstance(instance: KnownInstance): void {
  requireOwn(`The instance of ${instance.client.slug}`, instance, instance.client.slug);
}

/**
 * @returns the new job's ID
 * @throws Failure `conflict` for a job that has not failed, was already retried, or cannot be retried; `forbidden` without the role; and as
 *   the operation itself
 */
export async function retry(db: Kysely<DB>, settings: Settings, id: string, caller: Caller): Promise<string> {
  const { kind, instance_id } = await requireJob(db, settings.ENVIRONMENT, id);
  const repeat = kinds[kind];
  if (repeat === undefined) {
    throw failure(jobErrors.job_of_service_not_retryable);
  }
  if (!jobRequesters[kind].includes(caller.role)) {
    throw failure(jobErrors.job_retry_requires_root);
  }
  if (instance_id === null) throw failure(jobErrors.job_instance_deleted);
  const instance = await lockedInstance(db, settings.ENVIRONMENT, instance_id);
  // Read again: the instance is now locked.
  const job = await requireJob(db, settings.ENVIRONMENT, id);
  if (job.status !== "failed" && job.status !== "cancelled") {
    throw failure(jobErrors.job_not_retryable, { status: job.status });
  }
  if (job.followed_by !== null) {
    const details = { job_id: job.followed_by };
    throw failure(jobErrors.job_followed_by_another, {}, { details });
  }
  const retried = await repeat({ db, settings, job, instance, caller });
  if (retried === undefined) throw failure(jobErrors.job_already_done);
  return retried;
}
