/**
 * A client's end: a date from which it may be deleted, and until then a frozen instance. The automation service asks for the deletion
 * when the date has come (`tenantry.delete_client`); whoever takes the date away before that has the client back.
 */
import { sql, type Transaction } from "kysely";
import { creditPermits } from "../domain/credit-state.ts";
import { readPool } from "./credit-pool.ts";
import { type Freezable, freezeInstance, frozenFor, keepFrozen, resumeInstance } from "./freezing.ts";
import type { DB } from "./types.ts";

/** Sets the date, unless an earlier one is set, and freezes the instance. @param deleteAfter from when the client may be deleted */
export async function beginDeletion(
  tx: Transaction<DB>,
  client: Freezable,
  { deleteAfter, requestedBy }: { deleteAfter: Date; requestedBy: string },
): Promise<void> {
  await tx
    .updateTable("tenantry.clients")
    .set({ delete_after: deleteAfter })
    .where("id", "=", client.clientId)
    .where((e) => e.or([e("delete_after", "is", null), e("delete_after", ">", deleteAfter)]))
    .execute();
  await freezeInstance(tx, client, { cause: "deletion", why: "The client is to be deleted.", requestedBy });
}

/**
 * Takes the date away, and with it the job that was to delete the client (the database's `client_had_back`). The instance goes on if it
 * was frozen for that or for want of credit, and has credit now; what somebody froze for another reason stays frozen.
 */
export async function takeBackDeletion(tx: Transaction<DB>, client: Freezable, requestedBy: string): Promise<void> {
  await tx.updateTable("tenantry.clients").set({ delete_after: sql`null` }).where("id", "=", client.clientId).execute();
  const cause = await frozenFor(tx, client);
  if (cause !== "deletion" && cause !== "credit") return;
  const pool = await readPool(tx, client.clientId);
  if (pool === undefined || creditPermits(pool.state).traffic) {
    await resumeInstance(tx, client, { cause: "deletion", requestedBy });
  } else if (cause === "deletion") {
    await keepFrozen(tx, client, { cause: "credit", why: "Its credit is used up.", requestedBy });
  }
}
