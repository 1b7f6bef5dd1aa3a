/** Operations on deployed instances: each is checked here and carried out by a job. */
import type { Kysely } from "kysely";
import { updateClient } from "#database/tenants/client-changes.ts";
import { type KnownInstance, tokenVersionOf } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { openJob } from "#database/work/job-list.ts";
import { type JobRequest, requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import type { Plan } from "#domain/plans/plan.ts";
import type { Settings } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { authorFor } from "../../identity/tenant-view.ts";
import { requireInstance } from "../required.ts";
import { chooseGateway, type NamedGateway } from "./gateway-choice.ts";

/** @throws Failure `conflict` while a job of the kind is queued or running */
export async function requireNoOpenJob(
  db: Kysely<DB>,
  environment: Environment,
  { id, client }: KnownInstance,
  kind: JobRequest["kind"],
  caller: Pick<Caller, "email" | "tenant">,
): Promise<void> {
  const open = await openJob(db, environment, id, kind);
  if (open === undefined) return;
  throw failure(instanceErrors.job_of_kind_open, { kind, slug: client.slug, by: authorFor(caller, open.requested_by) });
}

/** @throws Failure `conflict` for an instance that must not start */
export async function requireActive(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownInstance> {
  const found = await requireInstance(db, environment, id);
  if (found.status !== "frozen" && found.status !== "stopped") return found;
  throw failure(instanceErrors.instance_halted, { slug: found.client.slug, status: found.status });
}

/** @throws Failure `conflict` for an instance that is neither running nor frozen */
export function requireDeployed({ status, client }: KnownInstance): void {
  if (status === "running" || status === "frozen") return;
  throw failure(instanceErrors.instance_not_deployed, { slug: client.slug, status });
}

/** @returns the job's ID */
export const requestInstanceJob = (
  db: Kysely<DB>,
  { id, client, generation }: KnownInstance,
  { email }: Caller,
  request: Pick<JobRequest, "kind" | "payload" | "hours" | "notBefore">,
): Promise<string> =>
  requestJob(db, {
    ...request,
    clientId: client.id,
    instanceId: id,
    slug: client.slug,
    generation,
    requestedBy: email,
  });

/**
 * Changes the plan of a client and its instance. The row changes at once, the Worker by the job.
 *
 * @returns the job's ID; `undefined` if the instance has the plan already
 * @throws Failure `conflict` while another change is queued or running
 */
export async function changePlan(
  db: Kysely<DB>,
  environment: Environment,
  instance: KnownInstance,
  { to, caller }: { to: Plan; caller: Caller },
): Promise<string | undefined> {
  const { client, billing_plan: from } = instance;
  if (from === to) return undefined;
  await requireNoOpenJob(db, environment, instance, "change_plan", caller);
  await updateClient(db, client.id, { billingPlan: to });
  return requestInstanceJob(db, instance, caller, { kind: "change_plan", payload: { from, to } });
}

/**
 * Rotates the token of a gateway.
 *
 * @returns the job's ID
 * @throws Failure `conflict`
 */
export async function rotateToken(
  db: Kysely<DB>,
  environment: Environment,
  instance: KnownInstance,
  caller: Caller,
): Promise<string> {
  requireDeployed(instance);
  await requireNoOpenJob(db, environment, instance, "rotate_token", caller);
  const version = (await tokenVersionOf(db, instance.id)) + 1;
  return requestInstanceJob(db, instance, caller, { kind: "rotate_token", payload: { version } });
}

/**
 * Replaces the state of an instance by a backup, also of an instance that Git declares, because it declares no data.
 *
 * @returns the job's ID
 * @throws Failure `conflict`
 */
export async function restoreInstance(
  db: Kysely<DB>,
  environment: Environment,
  instance: KnownInstance,
  { caller, ...payload }: { backup_id: string; discard_present: boolean; caller: Caller },
): Promise<string> {
  const { status, client } = instance;
  if (status !== "running") {
    throw failure(instanceErrors.restore_needs_running_instance, { slug: client.slug, status });
  }
  await requireNoOpenJob(db, environment, instance, "restore_backup", caller);
  return requestInstanceJob(db, instance, caller, { kind: "restore_backup", payload });
}

/**
 * Moves an instance to another AI gateway. It keeps its slot of the current one until the new one works.
 *
 * @returns the job's ID
 * @throws Failure if it has no room, or nothing changes
 */
export async function moveGateway(
  db: Kysely<DB>,
  settings: Settings,
  instance: KnownInstance,
  { named, caller }: { named: NamedGateway; caller: Caller },
): Promise<string> {
  const { client, ai_gateway, status } = instance;
  if (status === "error") {
    throw failure(instanceErrors.ai_gateway_move_of_failed_instance, { slug: client.slug });
  }
  await requireNoOpenJob(db, settings.ENVIRONMENT, instance, "assign_gateway", caller);
  const tenant = { slug: client.slug, clientId: client.id, existing: ai_gateway ?? undefined };
  const chosen = await chooseGateway(db, settings, tenant, named);
  if (chosen.gatewayId === ai_gateway?.id) {
    const { ai_gateway_already_bound: bound } = instanceErrors;
    throw failure(bound, { slug: client.slug, gateway: chosen.gatewayId });
  }
  const payload = {
    kind: chosen.kind,
    from: ai_gateway?.id ?? null,
    ai_gateway_id: chosen.gatewayId,
    ai_gateway_pool_id: chosen.poolId,
  };
  return requestInstanceJob(db, instance, caller, { kind: "assign_gateway", payload });
}
