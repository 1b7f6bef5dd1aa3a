/**
 * Deletion of a client: it sets a date and freezes the instance. After the date the automation service requests the deletion
 * (`tenantry.delete_client`). Clearing the date before restores the client.
 */
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { creditPermits } from "#domain/billing/credit-state.ts";
import { readPool } from "../../billing/credit-pool.ts";
import type { DB } from "../../types.ts";
import { type Freezable, freezeInstance, frozenFor, keepFrozen, resumeInstance, USED_UP } from "../freezing.ts";
import { takeBackRemoval } from "./removal.ts";

/** Sets the date unless an earlier one is set, and freezes the instance. @param deleteAfter earliest time of the deletion */
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
 * Restores a client: clears the date, cancels the deletion job (the database's `client_had_back`) and a teardown of its instance that has not
 * started. The instance resumes if it was frozen for the deletion or for credit, and has credit now.
 * @param how.takesBackRemoval whether a queued teardown is cancelled
 * @throws pg's error TN009 for a partner root if the platform deleted the client, TN003 if its credit is still used up
 */
export async function cancelDeletion(
  tx: Transaction<DB>,
  client: Freezable,
  { requestedBy, takesBackRemoval }: { requestedBy: string; takesBackRemoval: boolean },
): Promise<void> {
  await tx.updateTable("tenantry.clients").set({ delete_after: sql`null` }).where("id", "=", client.clientId).execute();
  const pool = await readPool(tx, client.clientId);
  const mayResume = pool === undefined || creditPermits(pool.state).traffic;
  if (takesBackRemoval && (await takeBackRemoval(tx, client, { requestedBy, mayGoOn: mayResume }))) return;
  const cause = await frozenFor(tx, client);
  if (cause !== "deletion" && cause !== "credit") return;
  if (mayResume) {
    await resumeInstance(tx, client, requestedBy);
  } else if (cause === "deletion") {
    await keepFrozen(tx, client, { cause: "credit", why: USED_UP });
  }
}

/** Makes the caller the owner of a requested deletion, so that a partner root cannot restore a client that the platform deleted too. */
export async function takeOverDeletion(tx: Transaction<DB>, { clientId }: Pick<Freezable, "clientId">): Promise<void> {
  await tx
    .updateTable("tenantry.clients")
    .set({ deletion_by: sql`tenantry.caller_kind()` })
    .where("id", "=", clientId)
    .where("delete_after", "is not", null)
    .execute();
}

const BATCH = 100;

/**
 * Requests the deletion of due clients, once while a job is open, and again a day after a failure. A job has 30 days, because it may have to
 * wait for the teardown of the instance.
 * @returns their slugs
 */
export async function requestDeletions(db: Kysely<DB>): Promise<string[]> {
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

/** Returns what blocks the deletion of a client; undefined for nothing, or if the client was deleted. */
export async function findDeletionBlocker(
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
type DeletionOutcome = z.infer<typeof outcome>;

export async function deleteClient(db: Kysely<DB>, jobId: string): Promise<DeletionOutcome> {
  const { rows } = await sql<{ outcome: string }>`
    select tenantry.delete_client(${jobId}::uuid) as outcome`.execute(db);
  return outcome.parse(rows[0]?.outcome);
}
