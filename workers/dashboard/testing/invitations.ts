/** A dashboard with a client, an instance and a network of their own for each test, and invitations to them. */
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { type DashboardUnderTest, startDashboard } from "./start-dashboard.ts";

export const EMAIL = "ada@acme.test";
export const json = { accept: "application/json" };
const WEEK_MS = 7 * 86_400_000;

interface Invited {
  dashboard: DashboardUnderTest;
  partner: string;
  /** Address of the test's network. */
  network: string;
  client_id: string;
  /** Slug of the client. */
  slug: string;
  instance: string;
}

/** Registers the hooks of a test file. The returned object has the current test's values. */
export function useInvitations() {
  const context = {} as Invited;
  let networks = 0;
  beforeAll(async () => {
    context.dashboard = await startDashboard();
    const style = JSON.stringify({ colours: { accent: "#123abc" } });
    const { rows } = await context.dashboard.database.pool.query(
      "insert into tenantry.partners (slug, name, style) values ('north', 'North & <Sons>', $1) returning id",
      [style],
    );
    context.partner = rows[0].id;
  });
  afterAll(() => context.dashboard?.stop());
  beforeEach(async () => {
    networks += 1;
    context.network = `198.51.100.${networks}`;
    const { db } = context.dashboard.database;
    context.slug = `acme-${networks}`;
    const client = { slug: context.slug, name: "Acme", partner_id: context.partner };
    context.client_id = await insertClient(db, client);
    context.instance = await insertInstance(db, context.client_id);
  });

  const fetchInvitation = (token: string, init: { method?: string; headers: Record<string, string>; body?: string }) =>
    context.dashboard.fetch(`/invitations/${token}`, {
      ...init,
      headers: { "cf-connecting-ip": context.network, ...init.headers },
    });

  return {
    context,
    /** Creates an invitation whose mail was sent. */
    async invite(values: { email?: string; expires?: Date } = {}, instances = [context.instance]) {
      const token = randomBytes(32).toString("base64url");
      const user = {
        client_id: context.client_id,
        email: values.email ?? EMAIL,
        name: "Ada",
        token_hash: createHash("sha256").update(token).digest(),
        token_expires_at: values.expires ?? new Date(Date.now() + WEEK_MS),
      };
      return { id: await insertClientUser(context.dashboard.database.db, user, instances), token };
    },
    get: (token: string, headers: Record<string, string> = {}) => fetchInvitation(token, { headers }),
    post: (token: string, body: unknown, headers: Record<string, string> = {}) =>
      fetchInvitation(token, {
        method: "POST",
        headers: { "content-type": "application/json", ...json, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    userRow: async (id: string) =>
      (await context.dashboard.database.pool.query("select * from tenantry.client_users where id = $1", [id])).rows[0],
    assignedInstances: async (id: string): Promise<string[]> => {
      const { rows } = await context.dashboard.database.pool.query(
        "select instance_id from tenantry.client_user_instances where client_user_id = $1",
        [id],
      );
      return rows.map(({ instance_id }) => instance_id);
    },
  };
}
