/**
 * Freezing an instance, and letting it go on: the row at once, under a new generation, and a job with which the automation service has
 * the dispatch Worker follow.
 */

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

/** Why credit freezes an instance, for whoever looks. */
export const USED_UP = "Its credit is used up.";

const FREEZES = {
  asked: "frozen on request",
  credit: "frozen for non-payment",
  deletion: "frozen for deletion",
} as const satisfies Record<FreezeCause, ChangeCause>;

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
  if (instance === undefined) return false;
  const frozen = await changeStatus(tx, { instance, cause: FREEZES[cause], stateCause: why });
  if (frozen === undefined) return false;
  await askFor(tx, client, { kind: "freeze", instance: { ...instance, ...frozen }, requestedBy });
  return true;
}

/** Exactly one of them applies to a frozen instance. */
const RESUMPTIONS = [
  "resumed",
  "resumed during a stack's deployment",
  "resumed without a deployment",
  "resumed in error",
  "resumed after a withdrawn teardown",
] as const;

/**
 * Lets a client's frozen instance go on.
 *
 * @returns whether it was frozen
 * @throws pg's error TN009 for a partner root where the platform froze it, TN003 for any root while its credit is used up
 */
export async function resumeInstance(tx: Transaction<DB>, client: Freezable, requestedBy: string): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  if (instance?.status !== "frozen") return false;
  const generation = await requireStatusChange(tx, { instance, cause: causeFor(RESUMPTIONS, instance) });
  await askFor(tx, client, { kind: "resume", instance: { ...instance, generation }, requestedBy });
  return true;
}

/** Leaves a frozen instance frozen, from now on by this caller and for this cause. */
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

/** What a client's instance is frozen for; `undefined` while it is not frozen. */
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

async function askFor(
  tx: Transaction<DB>,
  client: Freezable,
  { kind, instance, requestedBy }: { kind: "freeze" | "resume"; instance: LockedInstance; requestedBy: string },
): Promise<void> {
  const { id: instanceId, generation } = instance;
  await requestJob(tx, { ...client, kind, instanceId, generation, requestedBy });
}
