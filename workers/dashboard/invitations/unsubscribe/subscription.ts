import type { Kysely } from "kysely";
import * as z from "zod";
import { findSubscription, unsubscribe } from "#database/notifications/unsubscribes.ts";
import type { DB } from "#database/types.ts";
import { shownPartner } from "#workers/contracts/branding.ts";
import type { Origin } from "../../http/connection.ts";

const subscription = z.object({
  kinds: z.array(z.string()),
  client: z.object({ name: z.string() }),
  partner: shownPartner.nullable(),
});
export type Subscription = z.output<typeof subscription>;

/** Returns what a link unsubscribes from, by the SHA-256 of its token; undefined for an unknown one. */
export const subscriptionOf = async (db: Kysely<DB>, tokenHash: Buffer): Promise<Subscription | undefined> =>
  subscription.nullable().parse(await findSubscription(db, tokenHash)) ?? undefined;

/** Ends the mails of a link's kinds. It can be repeated. */
export const endSubscription = async (
  db: Kysely<DB>,
  tokenHash: Buffer,
  origin: Origin,
): Promise<Subscription | undefined> =>
  subscription.nullable().parse(await unsubscribe(db, tokenHash, origin)) ?? undefined;
