/** Moves credit pools from state to state, with the mail, event and job of each step, in one transaction. */

import { type SqlBool, sql, type Transaction } from "kysely";
import { type CreditState, type CreditStep, creditStep } from "#domain/billing/credit-state.ts";
import { jsonMicros } from "#domain/billing/money.ts";
import { beginDeletion } from "../tenants/deletion/deletion.ts";
import { freezeInstance, frozenFor, resumeInstance, USED_UP } from "../tenants/freezing.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";
import { type PoolOfClient, readPool } from "./credit-pool.ts";

const MAILS: Readonly<Record<Exclude<CreditState, "ok">, string>> = {
  warn: "credit_warning",
  grace: "credit_grace",
  frozen: "credit_frozen",
  final_backup: "credit_final_backup",
  deletion_due: "credit_deletion",
};

const DEFAULT_PAGE = 100;

export interface CreditSweep {
  at: Date;
  /** Default: all clients that the caller sees. */
  clientIds?: readonly string[];
  /** `last` of the previous page. */
  after?: string;
  /** Default: 100. */
  limit?: number;
}

export interface Swept {
  steps: { clientId: string; from: CreditState; step: CreditStep }[];
  /** The page's last client; undefined at the end of the sweep. */
  last: string | undefined;
}

/** Takes the due steps of a page of pools, by client id. Pools that another transaction has locked are skipped, because it takes their steps. */
export async function advanceCreditStates(tx: Transaction<DB>, sweep: CreditSweep): Promise<Swept> {
  const { at, clientIds, after, limit = clientIds?.length ?? DEFAULT_PAGE } = sweep;
  const swept: Swept = { steps: [], last: undefined };
  if (limit === 0) return swept;
  // The conditions match the indexes credit_pools_unsettled and credit_pools_deadline.
  let query = tx
    .selectFrom("tenantry.credit_pools")
    .select("client_id")
    .where("deletion_requested_at", "is", null)
    // A deleted client takes no steps; its pool is preserved with its account.
    .where(sql<SqlBool>`exists (select from tenantry.clients c where c.id = client_id)`)
    .where(
      sql<SqlBool>`(
        tenantry.credit_level(prepaid, lifetime_purchased - lifetime_consumed, warn_below_micros)
          <> case when state in ('ok', 'warn') then state else 'used_up' end
        or (state_deadline is not null and state_deadline <= ${at.toISOString()}::timestamptz)
        or (state = 'deletion_due' and not delete_when_exhausted))`,
    )
    .orderBy("client_id")
    .limit(limit)
    .forUpdate()
    .skipLocked();
  if (clientIds !== undefined) query = query.where(sql<SqlBool>`client_id = any (${clientIds}::uuid[])`);
  if (after !== undefined) query = query.where("client_id", ">", after);
  for (const { client_id: clientId } of await query.execute()) {
    for (let pool = await readPool(tx, clientId); pool !== undefined; pool = await readPool(tx, clientId)) {
      const step = creditStep(pool, at);
      if (step === undefined) break;
      await takeStep(tx, pool, step, at);
      swept.steps.push({ clientId, from: pool.state, step });
    }
    swept.last = clientId;
  }
  return swept;
}

async function takeStep(tx: Transaction<DB>, pool: PoolOfClient, step: CreditStep, at: Date): Promise<void> {
  const update = tx.updateTable("tenantry.credit_pools").where("client_id", "=", pool.clientId);
  if (step === "delete") {
    await update.set({ deletion_requested_at: at }).execute();
    await beginDeletion(tx, pool, { deleteAfter: at, requestedBy: "credit" });
    return;
  }
  const backup = step.to === "final_backup" ? await requestFinalBackup(tx, pool) : null;
  const deadline = step.deadline ?? null;
  // The final backup is referenced until the client has credit again.
  const finalBackup = step.to === "deletion_due" ? {} : { final_backup_job: backup };
  await update.set({ state: step.to, state_since: at, state_deadline: deadline, ...finalBackup }).execute();
  const data = { balance_micros: jsonMicros(pool.balanceMicros), deadline: deadline?.toISOString() ?? null };
  if (step.to === "frozen") {
    await freezeInstance(tx, pool, { cause: "credit", why: USED_UP, requestedBy: "credit" });
  }
  const hasCredit = step.to === "ok" || step.to === "warn";
  // A cancelled deletion checks the credit itself.
  if (hasCredit && !pool.isToBeDeleted && (await frozenFor(tx, pool)) === "credit") {
    await resumeInstance(tx, pool, "credit");
  }
  await tx
    .insertInto("tenantry.events")
    .values({
      environment: pool.environment,
      client_id: pool.clientId,
      kind: `credit.${step.to}`,
      data: JSON.stringify({ from: pool.state, ...data }),
    })
    .execute();
  if (step.to !== "ok") await mailAdmins(tx, pool, MAILS[step.to], data);
}

async function requestFinalBackup(
  tx: Transaction<DB>,
  { clientId, slug, environment, instance }: PoolOfClient,
): Promise<string | null> {
  if (instance === undefined) return null;
  const { id: instanceId, generation } = instance;
  const about = { clientId, instanceId, generation, slug, environment };
  return requestJob(tx, { ...about, kind: "final_backup", payload: { cause: "credit" }, requestedBy: "credit" });
}

async function mailAdmins(tx: Transaction<DB>, pool: PoolOfClient, kind: string, data: object): Promise<void> {
  const about = JSON.stringify({ client: pool.name, slug: pool.slug, ...data });
  await sql`
    insert into tenantry.mails (environment, kind, recipient, client_id, client_user_id, data)
    select ${pool.environment}, ${kind}, u.email, u.client_id, u.id, ${about}::jsonb
    from tenantry.client_users u
    where u.client_id = ${pool.clientId} and u.status = 'validated' and u.role = 'ADMIN'
    order by u.email`.execute(tx);
}
