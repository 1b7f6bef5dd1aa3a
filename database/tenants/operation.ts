/** Operations on a client's instance: each locks it, and begins a generation of its own, so that what was begun before comes too late. */
import { sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";

/** A client that may have an instance. */
export interface OperatedClient {
  clientId: string;
  slug: string;
  environment: string;
}

export interface LockedInstance {
  id: string;
  status: string;
  generation: string;
  frozen_from: string | null;
  managed_by: string;
}

export interface State {
  status: "frozen" | "running" | "provisioning" | "stopped" | "error";
  state_cause: string | null;
  /** Of a frozen one: what lets it go on. */
  frozen_for?: FreezeCause;
}

/** Why an instance is frozen, which says what lets it go on: whoever had it frozen, credit, or a client's end that is taken back. */
export const freezeCauses = ["asked", "credit", "deletion"] as const;
export type FreezeCause = (typeof freezeCauses)[number];

/** The instance as it stays until the transaction's end. The client is locked first, by whomever, so that none waits in a circle. */
export async function lockInstanceOf(
  tx: Transaction<DB>,
  { clientId }: Pick<OperatedClient, "clientId">,
): Promise<LockedInstance | undefined> {
  await tx.selectFrom("tenantry.clients").select("id").where("id", "=", clientId).forUpdate().execute();
  return tx
    .selectFrom("tenantry.instances")
    .select(["id", "status", "generation", "frozen_from", "managed_by"])
    .where("client_id", "=", clientId)
    .forUpdate()
    .executeTakeFirst();
}

/** Takes it to a state as a new operation, so that what was begun before comes too late. @returns the new generation */
export async function beginOperation(
  tx: Transaction<DB>,
  { id, generation }: Pick<LockedInstance, "id" | "generation">,
  to: State,
): Promise<string> {
  // The service has to name the generation that it knows.
  await sql`select set_config('tenantry.generation', ${generation}, true)`.execute(tx);
  const begun = await tx
    .updateTable("tenantry.instances")
    .set({ ...to, generation: sql`generation + 1` })
    .where("id", "=", id)
    .returning("generation")
    .executeTakeFirstOrThrow();
  return begun.generation;
}
