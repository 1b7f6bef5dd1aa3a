/**
 * A client's end: a date from which it may be deleted, and until then a frozen instance. The automation service asks for the deletion
 * when the date has come (`tenantry.delete_client`); whoever takes the date away before that has the client back.
 */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { creditPermits } from "#domain/billing/credit-state.ts";
import { readPool } from "../billing/credit-pool.ts";
import type { DB } from "../types.ts";
import { type Freezable, freezeInstance, frozenFor, keepFrozen, resumeInstance, USED_UP } from "./freezing.ts";
import { takeBackRemoval } from "./removal.ts";

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
 * Takes the date away, and with it the job that was to delete the client (the database's `client_had_back`) and a removal of its instance that
 * nobody has begun. The instance goes on if it was frozen for that or for want of credit, and has credit now; what somebody froze for another reason stays frozen.
 *
 * @throws pg's error TN009 for a partner root where the platform asked for the deletion, TN003 where credit did and there is none yet
 */
export async function takeBackDeletion(tx: Transaction<DB>, client: Freezable, requestedBy: string): Promise<void> {
  await tx.updateTable("tenantry.clients").set({ delete_after: sql`null` }).where("id", "=", client.clientId).execute();
  const pool = await readPool(tx, client.clientId);
  const mayGoOn = pool === undefined || creditPermits(pool.state).traffic;
  if (await takeBackRemoval(tx, client, { requestedBy, mayGoOn })) return;
  const cause = await frozenFor(tx, client);
  if (cause !== "deletion" && cause !== "credit") return;
  if (mayGoOn) {
    await resumeInstance(tx, client, requestedBy);
  } else if (cause === "deletion") {
    await keepFrozen(tx, client, { cause: "credit", why: USED_UP });
  }
}

/** Has a deletion that is asked for be the caller's own, who alone has the client back then; a partner root's becomes the platform's so. */
export async function takeOverDeletion(tx: Transaction<DB>, { clientId }: Pick<Freezable, "clientId">): Promise<void> {
  await tx
    .updateTable("tenantry.clients")
    .set({ deletion_by: sql`tenantry.caller_kind()` })
    .where("id", "=", clientId)
    .where("delete_after", "is not", null)
    .execute();
}

/** Clients that one call asks for. */
const BATCH = 100;

/**
 * Asks for the deletion of clients whose date has come, once each while a job for it is open, and a day after one failed. A job may be
 * under way for 30 days, since it may have to wait for the instance's end.
 *
 * @returns their slugs
 */
export async function askForDeletions(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    insert into tenantry.jobs (environment, kind, client_id, slug, requested_by, deadline)
    select c.environment, 'delete_client', c.id, c.slug, 'service', now() + interval '30 days'
    from tenantry.clients c
    where c.delete_after <= now() and not exists (
      select from tenantry.jobs j
      where j.client_id = c.id and j.kind = 'delete_client'
        and (j.ended_at is null or (j.status = 'failed' and j.ended_at > now() - interval '1 day')))
    order by c.delete_after
    limit ${BATCH}
    on conflict (client_id) where kind = 'delete_client' and ended_at is null do nothing
    returning slug`.execute(db);
  return rows.map(({ slug }) => slug);
}

/** What keeps a client, whose deletion is asked for, from being deleted now; `undefined` for nothing, also when it is gone. */
export async function deletionHindrance(
  db: Kysely<DB>,
  clientId: string,
): Promise<{ what: "instance" | "git"; owner: string | null } | undefined> {
  const row = await db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.managed_by", "c.owner", "i.id as instance_id"])
    .where("c.id", "=", clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.managed_by === "git") return { what: "git", owner: row.owner };
  return row.instance_id === null ? undefined : { what: "instance", owner: null };
}

const outcome = z.enum(["deleted", "gone", "had_back", "has_instance", "managed_by_git"]);
export type DeletionOutcome = z.infer<typeof outcome>;

/** Deletes the client of a `delete_client` job, by the database's function of that name, which says what comes of it. */
export async function deleteClient(db: Kysely<DB>, jobId: string): Promise<DeletionOutcome> {
  const { rows } = await sql<{ outcome: string }>`
    select tenantry.delete_client(${jobId}::uuid) as outcome`.execute(db);
  return outcome.parse(rows[0]?.outcome);
}
