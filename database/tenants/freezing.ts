/**
 * Freezing an instance, and letting it go on: the row at once, under a new generation, and a job with which the automation service has
 * the dispatch Worker follow.
 */

import { sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import { beginOperation, type LockedInstance, lockInstanceOf, type OperatedClient, type State } from "./operation.ts";

/** Why an instance is frozen, which says what lets it go on: whoever had it frozen, or a client's end that is taken back. */
export type FreezeCause = "asked" | "credit" | "deletion";

export type Freezable = OperatedClient;

/**
 * Freezes a client's instance. One that is frozen or stopped stays as it is, and one that is not there too.
 *
 * @param why for whoever looks
 * @returns whether it was frozen
 */
export async function freezeInstance(
  tx: Transaction<DB>,
  client: Freezable,
  { cause, why, requestedBy }: { cause: FreezeCause; why: string; requestedBy: string },
): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  if (instance === undefined || instance.status === "frozen" || instance.status === "stopped") return false;
  const generation = await beginOperation(tx, instance, { status: "frozen", state_cause: why });
  await askFor(tx, client, { kind: "freeze", instance: { ...instance, generation }, cause, requestedBy });
  return true;
}

/**
 * What a frozen instance goes on as: what it was. A job that was to provision it comes too late since it was frozen, so that there has
 * to be another; what Git owns is started by its health's polling.
 */
function thawed({ frozen_from, managed_by }: LockedInstance): State {
  if (frozen_from === "error")
    return { status: "error", state_cause: "It was in error before it was frozen; provision it anew." };
  if (frozen_from !== "provisioning") return { status: "running", state_cause: null };
  return managed_by === "git"
    ? { status: "provisioning", state_cause: null }
    : { status: "error", state_cause: "It was frozen while it was being provisioned; provision it anew." };
}

/** Lets a client's frozen instance go on. @returns whether it was frozen */
export async function resumeInstance(
  tx: Transaction<DB>,
  client: Freezable,
  { cause, requestedBy }: { cause: FreezeCause; requestedBy: string },
): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  if (instance?.status !== "frozen") return false;
  const generation = await beginOperation(tx, instance, thawed(instance));
  await askFor(tx, client, { kind: "resume", instance: { ...instance, generation }, cause, requestedBy });
  return true;
}

/** Leaves a frozen instance frozen, from now on for another cause. */
export async function keepFrozen(
  tx: Transaction<DB>,
  client: Freezable,
  { cause, why, requestedBy }: { cause: FreezeCause; why: string; requestedBy: string },
): Promise<void> {
  const instance = await lockInstanceOf(tx, client);
  if (instance?.status !== "frozen") return;
  await tx.updateTable("tenantry.instances").set({ state_cause: why }).where("id", "=", instance.id).execute();
  await askFor(tx, client, { kind: "freeze", instance, cause, requestedBy });
}

/** What a client's instance is frozen for, by the last word on it; `undefined` while it is not frozen, or by nobody who left a job. */
export async function frozenFor(
  tx: Transaction<DB>,
  { clientId }: Pick<Freezable, "clientId">,
): Promise<FreezeCause | undefined> {
  const last = await tx
    .selectFrom("tenantry.jobs as j")
    .innerJoin("tenantry.instances as i", "i.id", "j.instance_id")
    .select(["j.kind", sql<string | null>`j.payload ->> 'cause'`.as("cause")])
    .where("i.client_id", "=", clientId)
    .where("i.status", "=", "frozen")
    .where("j.kind", "in", ["freeze", "resume"])
    .orderBy("j.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last?.kind !== "freeze") return undefined;
  return last.cause === "credit" || last.cause === "deletion" ? last.cause : "asked";
}

async function askFor(
  tx: Transaction<DB>,
  client: Freezable,
  {
    kind,
    instance,
    cause,
    requestedBy,
  }: { kind: "freeze" | "resume"; instance: LockedInstance; cause: FreezeCause; requestedBy: string },
): Promise<void> {
  const { id: instanceId, generation } = instance;
  await requestJob(tx, { ...client, kind, instanceId, generation, requestedBy, payload: { cause } });
}
