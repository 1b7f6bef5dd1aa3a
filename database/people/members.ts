import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";

const instance = z.object({
  slug: z.string(),
  client_id: z.uuid(),
  environment: z.enum(environments),
  status: z.enum(instanceStates),
});

export interface InstanceMembers extends z.infer<typeof instance> {
  /** Addresses of validated users of the instance, in lower case. */
  emails: string[];
  /** Ids at Access of these users' valid service tokens. */
  tokens: string[];
}

export async function instanceMembers(db: Kysely<DB>, instanceId: string): Promise<InstanceMembers | undefined> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const row = await transaction
        .selectFrom("tenantry.instances as i")
        .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
        .select(["c.slug", "i.client_id", "i.environment", "i.status"])
        .where("i.id", "=", instanceId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const users = await transaction
        .selectFrom("tenantry.client_user_instances as a")
        .innerJoin("tenantry.client_users as u", "u.id", "a.client_user_id")
        .select("u.email")
        .where("a.instance_id", "=", instanceId)
        .where("u.status", "=", "validated")
        .orderBy("u.email")
        .execute();
      const tokens = await transaction
        .selectFrom("tenantry.service_tokens as k")
        .innerJoin("tenantry.client_users as u", "u.id", "k.client_user_id")
        .innerJoin("tenantry.client_user_instances as a", "a.client_user_id", "u.id")
        .select("k.access_token_id")
        .where("a.instance_id", "=", instanceId)
        .where("u.status", "=", "validated")
        .where("k.expires_at", ">", sql<Date>`now()`)
        .orderBy("k.access_token_id")
        .execute();
      return {
        ...instance.parse(row),
        emails: users.map(({ email }) => email),
        tokens: tokens.map(({ access_token_id }) => access_token_id),
      };
    });
}

export async function membersBySlug(db: Kysely<DB>): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .leftJoin("tenantry.client_user_instances as a", "a.instance_id", "i.id")
    .leftJoin("tenantry.client_users as u", (join) =>
      join.onRef("u.id", "=", "a.client_user_id").on("u.status", "=", "validated"),
    )
    .select(["c.slug", "u.email"])
    .orderBy("u.email")
    .execute();
  const members = new Map<string, string[]>();
  for (const { slug, email } of rows)
    members.set(slug, [...(members.get(slug) ?? []), ...(email === null ? [] : [email])]);
  return members;
}

export async function listInstances(db: Kysely<DB>): Promise<{ id: string; slug: string }[]> {
  return db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "c.slug"])
    .orderBy("c.slug")
    .execute();
}

export interface DashboardMembers {
  roots: string[];
  partnerRoots: string[];
}

export async function dashboardMembers(db: Kysely<DB>): Promise<DashboardMembers> {
  const users = await db.selectFrom("tenantry.dashboard_users").select(["email", "role"]).orderBy("email").execute();
  const emailsOf = (wanted: string) => users.filter(({ role }) => role === wanted).map(({ email }) => email);
  return { roots: emailsOf("ROOT"), partnerRoots: emailsOf("PARTNER_ROOT") };
}
