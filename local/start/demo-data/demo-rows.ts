import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { DB } from "#database/types.ts";
import { DAY_MS } from "./demo-usage.ts";

export interface DemoTenant {
  id: string;
  slug: string;
  instance_id: string;
}

/** Adds one day of health probes. Hooli has an outage of 15 minutes and its incident. */
export async function addDemoHealth(
  tx: Transaction<DB>,
  { id, slug, instance_id }: DemoTenant,
  now: Date,
): Promise<void> {
  await sql`select tenantry.prepare_health_partitions(2)`.execute(tx);
  await sql`
    insert into tenantry.instance_health_snapshots
      (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
    select ${instance_id}::uuid, true, not down, not down, true, true, case when down then 3000 else 20 + minute * 7 % 31 end, at
    from generate_series(1, 287) minute,
      lateral (select ${now.toISOString()}::timestamptz - minute * interval '5 minutes' as at) probed,
      lateral (select ${slug} = 'hooli' and minute between 100 and 102 as down) state`.execute(tx);
  if (slug !== "hooli") return;
  const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  await tx
    .insertInto("tenantry.incidents")
    .values({
      environment: "production",
      client_id: id,
      instance_id,
      kind: "gateway_dead",
      cause: "Demo data: the gateway did not answer for 15 minutes.",
      remedy: "None needed: the incident is closed. If it occurs again, see the tenant's log.",
      opened_at: at(505),
      acknowledged_at: at(503),
      acknowledged_by: "root@tenantry.example",
      closed_at: at(495),
    })
    .execute();
}

/** Users of Acme, one for each state of an invitation. */
const INVITED = [
  { email: "cleo@acme.example", name: "Cleo", status: "invited", days: 6, mail: "sent" },
  { email: "dan@acme.example", name: "Dan", status: "invited", days: -2, mail: "sent" },
  { email: "eve@acme.example", name: "Eve", status: "rejected", days: null, mail: "sent" },
  { email: "fay@acme.invalid", name: "Fay", status: "invited", days: 5, mail: "bounced" },
] as const;

export async function addDemoPeople(
  tx: Transaction<DB>,
  { id: client_id, slug, instance_id }: DemoTenant,
  now: Date,
): Promise<void> {
  if (slug !== "acme") return;
  for (const { email, name, status, days, mail } of INVITED) {
    const user = await tx
      .insertInto("tenantry.client_users")
      .values({
        client_id,
        email,
        name,
        role: "BASE_USER",
        status,
        // Hash of a token that does not exist.
        token_hash: days === null ? null : createHash("sha256").update(crypto.randomUUID()).digest(),
        token_expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
      })
      .onConflict((conflict) => conflict.columns(["client_id", "email"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (user === undefined) continue;
    await tx.insertInto("tenantry.client_user_instances").values({ client_user_id: user.id, instance_id }).execute();
    await tx
      .insertInto("tenantry.mails")
      .values({
        environment: "production",
        kind: "invitation",
        recipient: email,
        client_id,
        client_user_id: user.id,
        data: { demo: true },
        status: mail,
        ended_at: now,
      })
      .execute();
  }
}

const STYLES = {
  globex: { accent: "#0f766e", background: "#f0fdfa", text: "#134e4a" },
  initech: { accent: "#9a3412", background: "#fff7ed", text: "#431407" },
} as const;

/** Existing branding stays. */
export async function styleDemoPartners(tx: Transaction<DB>): Promise<void> {
  for (const [slug, colours] of Object.entries(STYLES)) {
    const style = { colours, support_address: `help@${slug}.example` };
    await sql`
      update tenantry.partners set style = ${JSON.stringify(style)}::jsonb where slug = ${slug} and style = '{}'::jsonb`.execute(
      tx,
    );
  }
}
