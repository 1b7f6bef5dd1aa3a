/** Jobs on a client's instance that its credit asks for; the automation service carries them out by the instance's own rules. */
import { sql, type Transaction } from "kysely";
import type { CreditState } from "../domain/credit-state.ts";
import type { PoolOfClient } from "./credit-pool.ts";
import type { DB } from "./types.ts";

type CreditJob = "freeze" | "resume" | "final_backup" | "delete_client";

/** @returns the job's id; null where there is no instance for it to work on */
export async function askForJob(
  tx: Transaction<DB>,
  { clientId, slug, environment, instance }: PoolOfClient,
  kind: CreditJob,
  state: CreditState,
): Promise<string | null> {
  if (instance === undefined && kind !== "delete_client") return null;
  const { id } = await tx
    .insertInto("tenantry.jobs")
    .values({
      environment,
      kind,
      client_id: clientId,
      instance_id: instance?.id ?? null,
      generation: instance?.generation ?? null,
      slug,
      payload: JSON.stringify({ cause: "credit", state }),
      requested_by: "credit",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether the last word on the instance was that its credit is used up; what somebody froze for another reason stays frozen. */
export async function isFrozenForCredit(tx: Transaction<DB>, { instance }: PoolOfClient): Promise<boolean> {
  if (instance === undefined) return false;
  const last = await tx
    .selectFrom("tenantry.jobs")
    .select(["kind", sql<string | null>`payload ->> 'cause'`.as("cause")])
    .where("instance_id", "=", instance.id)
    .where("kind", "in", ["freeze", "resume"])
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.kind === "freeze" && last.cause === "credit";
}
