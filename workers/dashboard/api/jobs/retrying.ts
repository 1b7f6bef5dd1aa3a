/** Asking anew for what a job failed at: the same order, by the functions that took the first, with all that they check. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { KnownInstance } from "#database/tenants/instances.ts";
import { beginRemoval } from "#database/tenants/removal.ts";
import type { DB } from "#database/types.ts";
import { type ListedJob, openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { JobKind } from "#domain/entities/job.ts";
import { plans } from "#domain/plans/plan.ts";
import { jobRequesters } from "#workers/contracts/api/jobs.ts";
import type { Settings } from "../../env.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireClient } from "../clients/required.ts";
import { moveGateway } from "../instances/gateway-move.ts";
import { tellOrder } from "../instances/order-news.ts";
import { changePlan } from "../instances/plan-change.ts";
import { provision } from "../instances/provisioning.ts";
import { lockedInstance } from "../instances/required.ts";
import { askForRestore } from "../instances/restoring.ts";
import { rotateToken } from "../instances/token-rotation.ts";
import { changeVersion } from "../instances/version-change.ts";
import { requireJob } from "./required.ts";

interface Again {
  db: Kysely<DB>;
  settings: Settings;
  job: ListedJob;
  /** As it stays until the transaction's end. */
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

/** Asks for the new job. @returns its id; `undefined` where there is nothing to do any more */
const kinds: Partial<Record<JobKind, (again: Again) => Promise<string | undefined>>> = {
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
    const id = await askForRestore(db, settings.ENVIRONMENT, instance, { backup_id, discard_present, caller });
    await tellOrder(db, instance, "instance.restore_ordered", caller.email, { backup_id, job_id: id });
    return id;
  },
  freeze: follow,
  resume: follow,
  invalidate: follow,
};

/** Has the dispatch Worker told again of what the row says already. */
async function follow({ db, job, instance, caller }: Again): Promise<string> {
  const { kind, slug, payload } = job;
  if (job.generation !== null && job.generation !== instance.generation) {
    throw new Failure("conflict", `Another operation on the instance of ${slug} has begun since, which sees to it.`);
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
 * @returns the new job's id
 * @throws Failure `conflict` for one that has not failed, was asked for again already, or cannot be repeated; `forbidden` for whom its kind is
 *   not; and as the operation itself
 */
export async function retry(db: Kysely<DB>, settings: Settings, id: string, caller: Caller): Promise<string> {
  const { kind, instance_id } = await requireJob(db, settings.ENVIRONMENT, id);
  const again = kinds[kind];
  if (again === undefined) {
    throw new Failure("conflict", "Nobody asks for a job of this kind: the automation service does, when it is time.");
  }
  if (!jobRequesters[kind].includes(caller.role)) {
    throw new Failure("forbidden", "Platform roots alone may ask for a job of this kind; ask one of them.");
  }
  if (instance_id === null) throw new Failure("conflict", "The instance that the job was about is gone.");
  const instance = await lockedInstance(db, settings.ENVIRONMENT, instance_id);
  // As it is now that nobody else asks for another.
  const job = await requireJob(db, settings.ENVIRONMENT, id);
  if (job.status !== "failed" && job.status !== "cancelled") {
    throw new Failure(
      "conflict",
      `The job is ${job.status}: one that failed or was cancelled alone is asked for again.`,
    );
  }
  if (job.followed_by !== null) {
    const details = { job_id: job.followed_by };
    throw new Failure("conflict", "A later job of this kind was asked for already: look at that one.", details);
  }
  const made = await again({ db, settings, job, instance, caller });
  if (made === undefined)
    throw new Failure("conflict", "There is nothing to do any more: it is as the job was to make it.");
  return made;
}
