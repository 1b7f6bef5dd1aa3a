/** Changes of clients' credit. Each function locks the client's credit until the end of the transaction. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { dayText } from "../dates.ts";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";
import { lockCredit } from "./credit-pool.ts";
import { advanceCreditStates } from "./credit-steps.ts";

export const entryKinds = ["purchase", "payment", "consumption", "correction"] as const;

const entryRow = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  amountMicros: z.coerce.bigint(),
  /** Day of consumption and its corrections. */
  day: z.string().nullable(),
  reference: z.string().nullable(),
  note: z.string(),
  bookedAt: z.date(),
  /** `bookedAt` in PostgreSQL's precision, for cursors. */
  bookedText: z.string(),
});
export type CreditEntry = z.infer<typeof entryRow>;

export interface Booking {
  clientId: string;
  /** Not 0; negative only for a correction. */
  amountMicros: bigint;
  kind: "purchase" | "payment" | "correction";
  /** External reference; each is booked once per client. */
  reference: string;
  note?: string;
  at: Date;
}

export class ReferenceTaken extends Error {
  override name = "ReferenceTaken";
  constructor(reference: string) {
    super(`${reference} is already booked with another amount or kind`);
  }
}

/**
 * Books a top-up, a payment or a correction, and updates the state of the client's credit.
 * @returns the entry, also if the same was booked before
 * @throws ReferenceTaken
 */
export async function bookCredit(tx: Transaction<DB>, booking: Booking): Promise<CreditEntry> {
  const { clientId, amountMicros, kind, reference, note = "", at } = booking;
  await lockCredit(tx, [clientId]);
  await tx
    .insertInto("tenantry.credit_entries")
    .values({ client_id: clientId, amount_micros: amountMicros, kind, reference, note, booked_at: at })
    .onConflict((conflict) => conflict.columns(["client_id", "reference"]).doNothing())
    .execute();
  const entry = entryRow.parse(
    await selectCreditEntries(tx)
      .where("client_id", "=", clientId)
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow(),
  );
  if (entry.amountMicros !== amountMicros || entry.kind !== kind) throw new ReferenceTaken(reference);
  await advanceCreditStates(tx, { at, clientIds: [clientId] });
  return entry;
}

/** Returns a client's ledger, newest first. @param options.before last entry of the previous page; @param options.limit default 100 */
export async function listCreditEntries(
  db: Kysely<DB>,
  clientId: string,
  { before, limit = 100 }: { before?: Pick<CreditEntry, "bookedText" | "id">; limit?: number } = {},
): Promise<CreditEntry[]> {
  let query = selectCreditEntries(db)
    .where("client_id", "=", clientId)
    .orderBy("booked_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (before !== undefined) {
    query = query.where(sql<boolean>`(booked_at, id) < (${before.bookedText}::timestamptz, ${before.id}::uuid)`);
  }
  return (await query.execute()).map((row) => entryRow.parse(row));
}

export interface CreditSettings {
  prepaid?: boolean;
  warnBelowMicros?: bigint;
  deleteWhenExhausted?: boolean;
}

/** Changes a pool's settings, and updates the state of the client's credit. */
export async function setCreditSettings(
  tx: Transaction<DB>,
  clientId: string,
  settings: CreditSettings,
  at: Date,
): Promise<void> {
  await lockCredit(tx, [clientId]);
  const columns = namedColumns({
    prepaid: settings.prepaid,
    warn_below_micros: settings.warnBelowMicros,
    delete_when_exhausted: settings.deleteWhenExhausted,
  });
  if (columns === undefined) return;
  await tx.updateTable("tenantry.credit_pools").set(columns).where("client_id", "=", clientId).execute();
  await advanceCreditStates(tx, { at, clientIds: [clientId] });
}

function selectCreditEntries(db: Kysely<DB>) {
  return db
    .selectFrom("tenantry.credit_entries")
    .select(["id", "kind", "amount_micros as amountMicros", dayText("day").as("day")])
    .select(["reference", "note", "booked_at as bookedAt"])
    .select(sql<string>`booked_at::text`.as("bookedText"));
}
