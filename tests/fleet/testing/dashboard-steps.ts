/** Steps of operators and users at the dashboard. */

import { expect } from "vitest";
import * as z from "zod";
import { memberAddress } from "#domain/access/member-group.ts";
import { ACCOUNT_ID } from "#local/account.ts";
import { DASHBOARD, type ProvisionedPlatform, ROOT } from "../../provisioning/testing/provisioned-platform.ts";
import { call, loggedIn } from "../../testing/http.ts";
import { invitationsTo } from "../../testing/mail.ts";
import { sql } from "../../testing/sql.ts";

const SOON = { timeout: 60_000, interval: 200 };

const identified = z.looseObject({ id: z.uuid() });
const listedInvoice = z.object({ id: z.uuid(), total_micros: z.number() });
type ListedInvoice = z.infer<typeof listedInvoice>;
const listedInvoices = z.object({ data: z.array(listedInvoice) });
const listedUsers = z.object({ data: z.array(z.looseObject({ id: z.uuid(), email: z.string() })) });
const ids = z.object({ client: z.uuid(), instance: z.uuid() });

export function dashboardSteps(platform: ProvisionedPlatform) {
  const { edge } = platform;
  const api = async <T>(answer: z.ZodType<T>, method: string, path: string, body?: object) =>
    answer.parse(await platform.api(method, path, body));

  async function provisioned(slug: string): Promise<{ client: string; instance: string }> {
    const { id: client } = await platform.newClient(slug);
    const asked = await platform.provision(client, { ai_gateway_id: `tenantry-${slug}` });
    expect(await platform.ended(asked.job?.id)).toMatchObject({ status: "succeeded" });
    return { client, instance: asked.id };
  }

  /** Invites a user, and accepts by the link in the mail. */
  async function joins(slug: string, email: string): Promise<void> {
    const { client, instance } = await idsOf(slug);
    const before = await invitationsTo(edge, email);
    const sent = async () => (await invitationsTo(edge, email)).find((link) => !before.includes(link));
    await api(identified, "POST", `/api/clients/${client}/users`, {
      email,
      role: "BASE_USER",
      instance_ids: [instance],
    });
    await expect.poll(sent, SOON).toBeDefined();
    const link = (await sent()) ?? "";
    const { status, body } = await call(edge, DASHBOARD, new URL(link).pathname, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ decision: "accept" }),
    });
    expect(status, body).toBe(200);
    await expect.poll(() => membersOf(slug), SOON).toContain(email);
  }

  const idsOf = async (slug: string) =>
    ids.parse(
      (
        await sql(
          edge,
          "select c.id as client, i.id as instance from tenantry.clients c join tenantry.instances i on i.client_id = c.id where c.slug = $1",
          [slug],
        )
      )[0],
    );

  async function leaves(client: string, email: string): Promise<void> {
    const { data } = await api(listedUsers, "GET", `/api/clients/${client}/users`);
    const user = data.find((one) => one.email === email);
    const headers = await loggedIn(edge, ROOT, DASHBOARD);
    const removed = await call(edge, DASHBOARD, `/api/clients/${client}/users/${user?.id}`, {
      method: "DELETE",
      headers,
    });
    expect(removed.status, removed.body).toBe(204);
  }

  async function membersOf(slug: string): Promise<string[]> {
    for await (const group of platform.cloudflare.zeroTrust.access.groups.list({ account_id: ACCOUNT_ID }))
      if (group.name === `Members of ${slug}.tenantry.localhost`)
        return (group.include ?? []).flatMap((rule) => memberAddress(rule) ?? []);
    return [];
  }

  const invoicesOf = async (client: string): Promise<ListedInvoice[]> =>
    (await api(listedInvoices, "GET", `/client/${client}/invoices`)).data;

  async function issue(client: string): Promise<ListedInvoice[]> {
    await sql(edge, "select graphile_worker.add_job('issue_invoices', '{}'::json)");
    await expect.poll(async () => (await invoicesOf(client)).length, SOON).toBe(1);
    return invoicesOf(client);
  }

  return { provisioned, joins, leaves, membersOf, invoicesOf, issue };
}
