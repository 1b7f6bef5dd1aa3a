/** Query plans of PostgreSQL on a platform with ten thousand tenants. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { CallerKind } from "../callers/roles.ts";
import type { DB } from "../types.ts";
import { asCaller } from "./as-caller.ts";
import type { TestDatabase } from "./test-database.ts";

const CLIENTS = 10_000;
const PARTNERS = 100;

/** A platform root, and a partner root with a hundred clients. */
export const CALLERS: Partial<Record<CallerKind, string>> = {
  platform_root: "00000000-0000-4000-8000-000000000000",
  partner_root: "00000000-0000-4000-8000-000000000007",
};
/** Returns the id of an existing row by its number from 1. */
export const idOf = (table: "partner" | "client" | "instance" | "job" | "user", number: number) =>
  `${{ partner: "a", client: "b", instance: "c", job: "d", user: "e" }[table]}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Inserts the rows of an old platform, without triggers. */
export async function fillPlatform({ pool }: TestDatabase): Promise<void> {
  const id = (letter: string, number: string) =>
    `('${letter}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
  const rows = (from: number, to: number) => `generate_series(${from}, ${to}) n`;
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    for (const statement of [
      `partners (id, slug, name) select ${id("a", "n")}, 'partner-' || n, 'Partner ' || n from ${rows(1, PARTNERS)}`,
      `dashboard_users (id, email, role, partner_id)
       select ${id("0", "n")}, 'root-' || n || '@example.test', case n when 0 then 'ROOT' else 'PARTNER_ROOT' end,
         case n when 0 then null else ${id("a", "n")} end
       from ${rows(0, PARTNERS)}`,
      `clients (id, slug, name, partner_id, billing_plan, status, managed_by, created_at)
       select ${id("b", "n")}, 'client-' || n, 'Client ' || n, ${id("a", `n % ${PARTNERS} + 1`)},
         (array['free', 'basic', 'pro', 'enterprise'])[n % 4 + 1], (array['draft', 'active', 'production'])[n % 3 + 1],
         'dashboard', now() - n * interval '1 hour'
       from ${rows(1, CLIENTS)}`,
      "credit_pools (client_id) select id from tenantry.clients",
      `instances (id, client_id, environment, status, managed_by, worker_name, access_aud, state_deadline)
       select ${id("c", "n")}, ${id("b", "n")}, 'production', case when n % 50 = 0 then 'provisioning' else 'running' end,
         'dashboard', 'tenant-client-' || n, 'aud-' || n, case when n % 50 = 0 then now() end
       from ${rows(1, CLIENTS)}`,
      `users (id, partner_id, email, created_at)
       select ${id("e", "n")}, ${id("a", `n % ${PARTNERS} + 1`)}, 'user-' || n || '@example.test', now() - n * interval '1 minute'
       from ${rows(1, 3 * CLIENTS)}`,
      `client_users (id, client_id, user_id, email, role, status, validated_at)
       select ${id("e", "n")}, ${id("b", `n % ${CLIENTS} + 1`)}, ${id("e", "n")}, 'user-' || n || '@example.test', 'ADMIN',
         'validated', now()
       from ${rows(1, 3 * CLIENTS)}`,
      `client_user_instances (client_user_id, instance_id)
       select ${id("e", "n")}, ${id("c", `n % ${CLIENTS} + 1`)} from ${rows(1, 3 * CLIENTS)}`,
      `jobs (id, kind, client_id, instance_id, slug, status, requested_by, created_at, ended_at)
       select ${id("d", "n")}, 'freeze', ${id("b", `n % ${CLIENTS} + 1`)}, ${id("c", `n % ${CLIENTS} + 1`)}, 'client', 
         case when n % 20 = 0 then 'queued' else 'succeeded' end, 'root', now() - n * interval '1 minute',
         case when n % 20 = 0 then null else now() end
       from ${rows(1, CLIENTS)}`,
      `job_events (job_id, kind) select ${id("d", `n % ${CLIENTS} + 1`)}, 'queued' from ${rows(1, CLIENTS)}`,
      `mails (kind, recipient, client_id, status, ended_at)
       select 'invitation', 'user-' || n || '@example.test', ${id("b", `n % ${CLIENTS} + 1`)}, 'sent', now() from ${rows(1, CLIENTS)}`,
      `events (partner_id, client_id, kind)
       select ${id("a", `n % ${PARTNERS} + 1`)}, ${id("b", `n % ${CLIENTS} + 1`)}, 'mail.sent' from ${rows(1, CLIENTS)}`,
      `audit_log (environment, actor, actor_kind, action, entity, entity_id, partner_id, client_id)
       select 'production', 'root', 'owner', 'insert', 'clients', n, ${id("a", `n % ${PARTNERS} + 1`)}, ${id("b", `n % ${CLIENTS} + 1`)}
       from ${rows(1, CLIENTS)}`,
      `invoices (client_id, period_start, period_end)
       select ${id("b", "n")}, '2026-10-01', '2026-11-01' from ${rows(1, CLIENTS)}`,
      `incidents (client_id, instance_id, kind, cause, remedy, opened_at, closed_at)
       select ${id("b", `n % ${CLIENTS} + 1`)}, ${id("c", `n % ${CLIENTS} + 1`)}, 'gateway_dead', '', '', now() - n * interval '1 hour',
         case when n % 20 = 0 then null else now() end
       from ${rows(1, CLIENTS)}`,
      // With tomorrow's partition, because within an hour of midnight the queries read it, and an empty table is always scanned.
      `instance_health_snapshots
       select ${id("c", "i")}, true, true, true, true, true, 0, now() - n * interval '1 day'
       from ${rows(-1, 1)}, generate_series(1, ${CLIENTS}) i`,
    ]) {
      await client.query(`insert into tenantry.${statement}`);
    }
  } finally {
    await client.query("reset session_replication_role").finally(() => client.release());
  }
  // Index-only scans need the visibility map.
  await pool.query("vacuum analyze");
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Index Name"?: string | undefined;
  "Actual Loops": number;
  Plans?: Node[] | undefined;
}
const node: z.ZodType<Node> = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Loops": z.number(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.array(z.object({ "QUERY PLAN": z.array(z.object({ Plan: node })) }));

/** Plan steps as `node table`, such as `Seq Scan clients`. */
export type Steps = string[];

/** Returns all plan steps on tables for the queries of `work`, for a kind of caller. */
export function stepsOf(
  database: TestDatabase,
  kind: CallerKind,
  work: (db: Kysely<DB>) => Promise<unknown>,
): Promise<Steps> {
  return asCaller(database, { kind, caller: CALLERS[kind] ?? "" }, async (db, client, statements) => {
    await work(db);
    const steps: Steps = [];
    for (const { sql, parameters } of statements.filter(({ sql }) => /^\s*(select|with|insert|update)\b/i.test(sql))) {
      const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`, [...parameters]);
      for (const { "QUERY PLAN": plans } of explained.parse(rows)) for (const { Plan } of plans) collect(Plan, steps);
    }
    return steps;
  });
}

/** Returns the plan steps of a statement for the database's owner, whose rights apply in its functions. */
export async function stepsOfStatement({ pool }: TestDatabase, sql: string): Promise<Steps> {
  const { rows } = await pool.query(`explain (analyze, timing off, format json) ${sql}`);
  const steps: Steps = [];
  for (const { "QUERY PLAN": plans } of explained.parse(rows)) for (const { Plan } of plans) collect(Plan, steps);
  return steps;
}

function collect(plan: Node, into: Steps): void {
  const { "Node Type": how, "Relation Name": table, "Actual Loops": loops } = plan;
  if (table !== undefined && loops > 0) into.push(`${how} ${table}`);
  for (const child of plan.Plans ?? []) collect(child, into);
}
