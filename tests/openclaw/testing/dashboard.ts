/** Calls of the dashboard's API and of the dispatch Worker, as a platform root and as the automation service. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import * as z from "zod";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { type Answer, call, loggedIn } from "../../testing/http.ts";
import { sql } from "../../testing/sql.ts";
import type { LiveTenant } from "./live-tenant.ts";
import { PATIENCE_MS } from "./page.ts";

const DASHBOARD = "dash.tenantry.localhost";
const DISPATCH = "_dispatch.tenantry.localhost";
const ROOT = "root@tenantry.example";

const ids = z.array(z.object({ client: z.string(), instance: z.string() }));

async function idsOf(tenant: Pick<LiveTenant, "edge">): Promise<{ client: string; instance: string }> {
  const query =
    "select c.id as client, i.id as instance from tenantry.instances i join tenantry.clients c on c.id = i.client_id where c.slug = 'acme'";
  const [found] = ids.parse(await sql(tenant.edge, query));
  if (found === undefined) throw new Error("there is no instance");
  return found;
}
export const clientId = async (tenant: Pick<LiveTenant, "edge">) => (await idsOf(tenant)).client;
export const instanceId = async (tenant: LiveTenant) => (await idsOf(tenant)).instance;

/** Calls the dashboard's API as a platform root. */
export async function callDashboard(
  { edge }: Pick<LiveTenant, "edge">,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    ...(await loggedIn(edge, ROOT, DASHBOARD)),
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  return call(edge, DASHBOARD, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Sends an order to the dispatch Worker. */
export async function order(tenant: LiveTenant, method: string, path: string, body?: object): Promise<Answer> {
  const authorization = `Bearer ${await tenant.output("invalidateToken")}`;
  const headers = { authorization, "content-type": "application/json" };
  return call(tenant.edge, DISPATCH, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Changes the tenant's channels, and waits for the gateway that has them. */
export async function restarting<T>(tenant: LiveTenant, change: () => Promise<T>): Promise<T> {
  const [before] = tenant.gateways();
  const changed = await change();
  await expect
    .poll(() => tenant.gateways().map(({ pid }) => pid), { timeout: PATIENCE_MS, interval: 200 })
    .not.toContain(before?.pid);
  await tenant.running();
  return changed;
}

/** Connects the tenant's channels, and waits for the gateway that has them. */
export async function connect(tenant: LiveTenant, channels: Channel[]): Promise<void> {
  const ordered = await restarting(tenant, () => order(tenant, "PUT", "/_channels/acme", { channels }));
  expect(ordered).toMatchObject({ status: 204 });
}
