/** Teardown of an instance: it stops at once, under a new generation, and a job destroys its stack. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { DB } from "../../types.ts";
import { cancelJob } from "../../work/job-list.ts";
import { requestJob } from "../../work/job-request.ts";
import { USED_UP } from "../freezing.ts";
import { lockInstanceOf, type OperatedClient } from "../operation.ts";
import { requireStatusChange } from "../transitions.ts";

/** Deadline of a teardown, whose last backup can have gigabytes. */
const MOST_HOURS = 6;

export async function openRemoval(
  db: Kysely<DB>,
  { clientId }: Pick<OperatedClient, "clientId">,
): Promise<string | undefined> {
  const found = await db
    .selectFrom("tenantry.jobs")
    .select("id")
    .where("client_id", "=", clientId)
    .where("kind", "=", "deprovision")
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return found?.id;
}

/** Returns why the last teardown failed, if that was within a day. */
export async function failedRemoval(
  db: Kysely<DB>,
  { clientId }: Pick<OperatedClient, "clientId">,
): Promise<string | undefined> {
  const last = await db
    .selectFrom("tenantry.jobs")
    .select(["status", "cause"])
    .where("client_id", "=", clientId)
    .where("kind", "=", "deprovision")
    .where("ended_at", ">", sql<Date>`now() - interval '1 day'`)
    .orderBy("ended_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.status === "failed" ? (last.cause ?? "") : undefined;
}

/**
 * Starts the teardown of an instance that the dashboard manages. An open one continues with its own options.
 * @param o.discardState continues without a last backup. Default: the teardown fails without one, and removes nothing
 * @returns the job's id; undefined without such an instance
 */
export async function beginRemoval(
  tx: Transaction<DB>,
  client: OperatedClient,
  { requestedBy, discardState = false }: { requestedBy: string; discardState?: boolean },
): Promise<string | undefined> {
  const instance = await lockInstanceOf(tx, client);
  const open = await openRemoval(tx, client);
  if (open !== undefined) return open;
  if (instance?.managed_by !== "dashboard") return undefined;
  const stateCause = `Its removal was requested by ${requestedBy}.`;
  const generation = await requireStatusChange(tx, { instance, cause: "teardown began", stateCause });
  const removal = { ...client, instanceId: instance.id, generation, requestedBy };
  const payload = { discard_state: discardState };
  return requestJob(tx, { ...removal, kind: "deprovision", payload, hours: MOST_HOURS });
}

/**
 * Cancels a queued teardown and provisions the instance again.
 * @param o.mayGoOn whether its credit permits that; otherwise the instance is frozen
 * @returns whether there was one
 */
export async function takeBackRemoval(
  tx: Transaction<DB>,
  client: OperatedClient,
  { requestedBy, mayGoOn }: { requestedBy: string; mayGoOn: boolean },
): Promise<boolean> {
  const instance = await lockInstanceOf(tx, client);
  const open = await openRemoval(tx, client);
  if (instance === undefined || open === undefined || !(await cancelJob(tx, open))) return false;
  const change = mayGoOn
    ? ({ cause: "teardown withdrawn", stateCause: `Its removal was cancelled by ${requestedBy}.` } as const)
    : ({ cause: "teardown withdrawn without credit", stateCause: USED_UP } as const);
  const generation = await requireStatusChange(tx, { instance, ...change });
  const kind = mayGoOn ? "provision" : "freeze";
  await requestJob(tx, { ...client, kind, instanceId: instance.id, generation, requestedBy });
  return true;
}
