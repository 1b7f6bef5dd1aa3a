/** Freezes and resumes instances: changes the row under a new generation, and queues a job that updates the dispatch Worker. */
import { sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import {
  type FreezeCause,
  freezeCauses,
  type LockedInstance,
  lockInstanceOf,
  type OperatedClient,
} from "./operation.ts";
import { type ChangeCause, causeFor, changeStatus, requireStatusChange } from "./transitions.ts";

export type Freezable = OperatedClient;

/** `state_cause` of instances frozen for credit. */
export const USED_UP = "Its credit is used up.";

const FREEZES = {
  asked: "frozen on request",
  credit: "frozen for non-payment",
  deletion: "frozen for deletion",
} as const satisfies Record<FreezeCause, ChangeCause>;

/** Freezes a client's running instance, if it has one. @param why reason for users @returns whether it was frozen */
export async function freezeInstance(
  tx: Transaction<DB>,
  client: Freezable,
  { cause, why, requestedBy }: { cause: FreezeCause; why: string; requestedBy: string },
): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  if (instance === undefined) return false;
  const frozen = await changeStatus(tx, { instance, cause: FREEZES[cause], stateCause: why });
  if (frozen === undefined) return false;
  await requestChange(tx, client, { kind: "freeze", instance: { ...instance, ...frozen }, requestedBy });
  return true;
}

/** Exactly one applies to a frozen instance. */
const RESUMPTIONS = [
  "resumed",
  "resumed during a stack's deployment",
  "resumed without a deployment",
  "resumed in error",
  "resumed after a withdrawn teardown",
] as const;

/**
 * Resumes a client's frozen instance.
 * @returns whether it was frozen
 * @throws pg's error TN009 for a partner root if the platform froze it, TN003 for any root while its credit is used up
 */
export async function resumeInstance(tx: Transaction<DB>, client: Freezable, requestedBy: string): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  if (instance?.status !== "frozen") return false;
  const generation = await requireStatusChange(tx, { instance, cause: causeFor(RESUMPTIONS, instance) });
  await requestChange(tx, client, { kind: "resume", instance: { ...instance, generation }, requestedBy });
  return true;
}

/** Changes the cause of a frozen instance, and makes the caller the one that froze it. */
export async function keepFrozen(
  tx: Transaction<DB>,
  client: Freezable,
  { cause, why }: { cause: FreezeCause; why: string },
): Promise<void> {
  const instance = await lockInstanceOf(tx, client);
  if (instance?.status !== "frozen") return;
  await tx
    .updateTable("tenantry.instances")
    .set({ state_cause: why, frozen_for: cause, frozen_by: sql`tenantry.caller_kind()` })
    .where("id", "=", instance.id)
    .execute();
}

/** Returns why a client's instance is frozen; undefined if it is not. */
export async function frozenFor(
  tx: Transaction<DB>,
  { clientId }: Pick<Freezable, "clientId">,
): Promise<FreezeCause | undefined> {
  const found = await tx
    .selectFrom("tenantry.instances")
    .select("frozen_for")
    .where("client_id", "=", clientId)
    .executeTakeFirst();
  return freezeCauses.find((cause) => cause === found?.frozen_for);
}

async function requestChange(
  tx: Transaction<DB>,
  client: Freezable,
  { kind, instance, requestedBy }: { kind: "freeze" | "resume"; instance: LockedInstance; requestedBy: string },
): Promise<void> {
  const { id: instanceId, generation } = instance;
  await requestJob(tx, { ...client, kind, instanceId, generation, requestedBy });
}
