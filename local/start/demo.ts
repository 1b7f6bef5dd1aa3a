/** Adds the demo's users as the dashboard does: their rows, and the rules of the tenants' Access groups. */
import Cloudflare from "cloudflare";
import pg from "pg";
import { memberGroupName } from "#domain/access/member-group.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { localStartErrors } from "#domain/errors/commands/local-start.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { DOMAIN } from "../account.ts";
import type { Edge } from "../edge.ts";
import { type DemoUser, demoUsers } from "./demo-users.ts";

/**
 * Adds each user once: a user who is removed later is not added again. The group is changed before the row, so that the next run
 * completes an interrupted one.
 */
export async function addDemoUsers(
  edge: Pick<Edge, "databaseUrl" | "apiUrl" | "apiToken" | "accountId">,
): Promise<void> {
  const database = new pg.Client({ connectionString: edge.databaseUrl });
  // The current statement reports a lost connection.
  database.on("error", () => undefined);
  await database.connect();
  try {
    const missing = await usersWithoutRow(database);
    if (missing.length === 0) return;
    await addToGroups(edge, missing);
    for (const user of missing) await insertUser(database, user);
  } finally {
    await database.end();
  }
}

type Newcomer = DemoUser & { environment: Environment; group: string };

/** Returns users of deployed tenants whose row neither exists nor was deleted. */
async function usersWithoutRow(database: pg.Client): Promise<Newcomer[]> {
  const { rows } = await database.query<{ slug: string; environment: Environment; email: string | null }>(
    `select c.slug, c.environment, u.email from tenantry.clients c
     join tenantry.instances i on i.client_id = c.id
     left join (
       select client_id, email from tenantry.client_users
       union
       select client_id, before ->> 'email' from tenantry.audit_log where entity = 'client_users' and action = 'delete'
     ) u on u.client_id = c.id`,
  );
  return demoUsers.flatMap((user) =>
    environments.flatMap((environment) => {
      const own = rows.filter((row) => row.slug === user.tenant && row.environment === environment);
      if (own.length === 0 || own.some(({ email }) => email === user.email)) return [];
      return [{ ...user, environment, group: memberGroupName(tenantHostname(user.tenant, environment, DOMAIN)) }];
    }),
  );
}

async function addToGroups(
  edge: Pick<Edge, "apiUrl" | "apiToken" | "accountId">,
  users: readonly Newcomer[],
): Promise<void> {
  const cloudflare = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  for (const group of new Set(users.map((user) => user.group))) {
    const emails = users.filter((user) => user.group === group).map(({ email }) => email);
    await addMembers(cloudflare, edge.accountId, group, emails);
  }
}

async function insertUser(database: pg.Client, user: Newcomer): Promise<void> {
  await database.query(
    `with member as (
       insert into tenantry.client_users (client_id, email, name, role, status, validated_at)
       select id, $1, $2, $3, 'validated', now() from tenantry.clients where slug = $4 and environment = $5
       returning id, client_id)
     insert into tenantry.client_user_instances (client_user_id, instance_id)
     select m.id, i.id from member m join tenantry.instances i on i.client_id = m.client_id`,
    [user.email, user.name, user.role, user.tenant, user.environment],
  );
}

/** Adds e-mail addresses to a tenant's Access group as the dashboard does. @throws Error when the group does not exist */
export async function addMembers(
  cloudflare: Cloudflare,
  account_id: string,
  name: string,
  emails: readonly string[],
): Promise<void> {
  const { groups } = cloudflare.zeroTrust.access;
  for await (const { id, include = [], exclude = [], require = [], ...group } of groups.list({ account_id, name })) {
    if (id === undefined || group.name !== name) continue;
    const present = new Set(include.flatMap((rule) => ("email" in rule ? [rule.email.email.toLowerCase()] : [])));
    const added = emails.filter((email) => !present.has(email)).map((email) => ({ email: { email } }));
    if (added.length > 0) {
      await groups.update(id, { account_id, name, include: [...include, ...added], exclude, require });
    }
    return;
  }
  throw new CatalogueError(localStartErrors.demo_group_not_found, { name: JSON.stringify(name) });
}
