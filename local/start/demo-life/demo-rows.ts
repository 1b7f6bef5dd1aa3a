/** Rows of the demo's past beside its books. */
import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { DB } from "../../../database/types.ts";
import { DAY_MS } from "./demo-usage.ts";

/** A day of looks, one in five minutes, with a quarter of an hour in which one tenant did not answer, and the incident of that. */
export async function addDemoHealth(
  tx: Transaction<DB>,
  tenants: readonly { id: string; slug: string; instance_id: string }[],
  now: Date,
): Promise<void> {
  await sql`select tenantry.prepare_health_partitions(2)`.execute(tx);
  for (const { instance_id, slug } of tenants) {
    await sql`
      insert into tenantry.instance_health_snapshots
        (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms, inserted_at)
      select ${instance_id}::uuid, true, not away, not away, true, true, case when away then 3000 else 20 + minute * 7 % 31 end, at
      from generate_series(1, 287) minute,
        lateral (select ${now.toISOString()}::timestamptz - minute * interval '5 minutes' as at) looked,
        lateral (select ${slug} = 'hooli' and minute between 100 and 102 as away) state`.execute(tx);
  }
  const hooli = tenants.find(({ slug }) => slug === "hooli");
  if (hooli === undefined) return;
  const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  await tx
    .insertInto("tenantry.incidents")
    .values({
      environment: "production",
      client_id: hooli.id,
      instance_id: hooli.instance_id,
      kind: "gateway_dead",
      cause: "Demo data: the gateway did not answer for 15 minutes.",
      remedy: "Nothing: it is over. Look into the tenant's log if it comes again.",
      opened_at: at(505),
      acknowledged_at: at(503),
      acknowledged_by: "root@tenantry.example",
      closed_at: at(495),
    })
    .execute();
}

/** People of Acme in every state of an invitation. */
const INVITED = [
  { email: "cleo@acme.example", name: "Cleo", status: "invited", days: 6, mail: "sent" },
  { email: "dan@acme.example", name: "Dan", status: "invited", days: -2, mail: "sent" },
  { email: "eve@acme.example", name: "Eve", status: "rejected", days: null, mail: "sent" },
  { email: "fay@acme.invalid", name: "Fay", status: "invited", days: 5, mail: "bounced" },
] as const;

export async function addDemoPeople(tx: Transaction<DB>, now: Date): Promise<void> {
  const acme = await tx
    .selectFrom("tenantry.clients as c")
    .innerJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.id", "i.id as instance_id"])
    .where("c.slug", "=", "acme")
    .where("c.environment", "=", "production")
    .executeTakeFirst();
  if (acme === undefined) return;
  for (const { email, name, status, days, mail } of INVITED) {
    const user = await tx
      .insertInto("tenantry.client_users")
      .values({
        client_id: acme.id,
        email,
        name,
        role: "BASE_USER",
        status,
        // Of a token that nobody has.
        token_hash: days === null ? null : createHash("sha256").update(crypto.randomUUID()).digest(),
        token_expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("tenantry.client_user_instances")
      .values({ client_user_id: user.id, instance_id: acme.instance_id })
      .execute();
    await tx
      .insertInto("tenantry.mails")
      .values({
        environment: "production",
        kind: "invitation",
        recipient: email,
        client_id: acme.id,
        client_user_id: user.id,
        data: { demo: true },
        status: mail,
        ended_at: now,
      })
      .execute();
  }
}

/** Two partners who do not look alike. */
const STYLES = {
  globex: { accent: "#0f766e", background: "#f0fdfa", text: "#134e4a" },
  initech: { accent: "#9a3412", background: "#fff7ed", text: "#431407" },
} as const;

/** A partner that looks like something already is left as it is. */
export async function styleDemoPartners(tx: Transaction<DB>): Promise<void> {
  for (const [slug, colours] of Object.entries(STYLES)) {
    const style = { colours, support_address: `help@${slug}.example` };
    await sql`
      update tenantry.partners set style = ${JSON.stringify(style)}::jsonb where slug = ${slug} and style = '{}'::jsonb`.execute(
      tx,
    );
  }
}
