/** What people and services do with a client's credit. Each function's transaction holds the client's lock until its end. */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { dayText } from "../dates.ts";
import type { DB } from "../types.ts";
import { advanceCredits } from "./credit-steps.ts";
import { lockCredit } from "./lock.ts";

export const entryKinds = ["purchase", "payment", "consumption", "correction"] as const;

const entryRow = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  amountMicros: z.coerce.bigint(),
  /** Of consumption and its corrections. */
  day: z.string().nullable(),
  reference: z.string().nullable(),
  note: z.string(),
  bookedAt: z.date(),
  /** The same as PostgreSQL writes it: for cursors. */
  bookedText: z.string(),
});
/** One movement of credit. */
export type CreditEntry = z.infer<typeof entryRow>;

/** A movement that is not consumption. */
export interface Booking {
  clientId: string;
  /** A correction's may be negative; never 0. */
  amountMicros: bigint;
  kind: "purchase" | "payment" | "correction";
  /** What it is known by elsewhere: the same reference is booked once a client. */
  reference: string;
  note?: string;
  at: Date;
}

/** A reference under which something else is booked already. */
export class ReferenceTaken extends Error {
  override name = "ReferenceTaken";
  constructor(reference: string) {
    super(`${reference} is booked already, with another amount or of another kind`);
  }
}

/**
 * Books a top-up, a payment or a correction; the state of the client's credit follows at once.
 *
 * @returns the entry, the first one's where the same was booked before
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
    await entries(tx).where("client_id", "=", clientId).where("reference", "=", reference).executeTakeFirstOrThrow(),
  );
  if (entry.amountMicros !== amountMicros || entry.kind !== kind) throw new ReferenceTaken(reference);
  await advanceCredits(tx, { at, clientIds: [clientId] });
  return entry;
}

/** A client's ledger, newest first. @param options.before only entries before this one: the last of the page before; @param options.limit default 100 */
export async function listCreditEntries(
  db: Kysely<DB>,
  clientId: string,
  { before, limit = 100 }: { before?: Pick<CreditEntry, "bookedText" | "id">; limit?: number } = {},
): Promise<CreditEntry[]> {
  let query = entries(db)
    .where("client_id", "=", clientId)
    .orderBy("booked_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (before !== undefined) {
    query = query.where(sql<boolean>`(booked_at, id) < (${before.bookedText}::timestamptz, ${before.id}::uuid)`);
  }
  return (await query.execute()).map((row) => entryRow.parse(row));
}

/** What people set of a pool; what is left out stays. */
export interface CreditSettings {
  prepaid?: boolean;
  warnBelowMicros?: bigint;
  deleteWhenExhausted?: boolean;
}

/** Changes a pool's settings; the state of the client's credit follows at once. */
export async function setCreditSettings(
  tx: Transaction<DB>,
  clientId: string,
  settings: CreditSettings,
  at: Date,
): Promise<void> {
  await lockCredit(tx, [clientId]);
  const { prepaid, warnBelowMicros, deleteWhenExhausted } = settings;
  const values = {
    ...(prepaid === undefined ? {} : { prepaid }),
    ...(warnBelowMicros === undefined ? {} : { warn_below_micros: warnBelowMicros }),
    ...(deleteWhenExhausted === undefined ? {} : { delete_when_exhausted: deleteWhenExhausted }),
  };
  if (Object.keys(values).length === 0) return;
  await tx.updateTable("tenantry.credit_pools").set(values).where("client_id", "=", clientId).execute();
  await advanceCredits(tx, { at, clientIds: [clientId] });
}

function entries(db: Kysely<DB>) {
  return db
    .selectFrom("tenantry.credit_entries")
    .select(["id", "kind", "amount_micros as amountMicros", dayText("day").as("day")])
    .select(["reference", "note", "booked_at as bookedAt"])
    .select(sql<string>`booked_at::text`.as("bookedText"));
}
