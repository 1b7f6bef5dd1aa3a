/** The instance of a client, locked for an operation. */
import type { Transaction } from "kysely";
import type { DB } from "../types.ts";
import { lockClient } from "./client-changes.ts";

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

/** Why an instance is frozen, which says what lets it go on: whoever had it frozen, credit, or a client's end that is taken back. */
export const freezeCauses = ["asked", "credit", "deletion"] as const;
export type FreezeCause = (typeof freezeCauses)[number];

/** The instance as it stays until the transaction's end. The client is locked first, by whomever, so that none waits in a circle. */
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
