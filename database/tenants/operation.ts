import type { Transaction } from "kysely";
import type { DB } from "../types.ts";
import { lockClient } from "./client-changes.ts";

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

/** Why an instance is frozen: on request, for credit, or for a deletion. The cause decides what resumes it. */
export const freezeCauses = ["asked", "credit", "deletion"] as const;
export type FreezeCause = (typeof freezeCauses)[number];

/** Locks a client and then its instance until the transaction ends. All callers use this order, to prevent deadlocks. */
export async function lockInstanceOf(
  tx: Transaction<DB>,
  { clientId }: Pick<OperatedClient, "clientId">,
): Promise<LockedInstance | undefined> {
  await lockClient(tx, clientId);
  return tx
    .selectFrom("tenantry.instances")
    .select(["id", "status", "generation", "frozen_from", "managed_by"])
    .where("client_id", "=", clientId)
    .forUpdate()
    .executeTakeFirst();
}
