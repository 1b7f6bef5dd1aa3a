/** Actions of tests on a tenant's inbox, and on its reference gateway. */
import { expect } from "vitest";
import * as z from "zod";
import {
  DELIVERY_HEADER,
  encodeDelivery,
  exportedMessage,
  INBOX_DROP_PATH,
  INBOX_EXPORT_PATH,
  INBOX_PATH,
  INBOX_REPLAY_PATH,
  type InboxDelivery,
  type InboxPage,
  type InboxSelection,
  inboxChange,
  inboxPage,
} from "#workers/contracts/tenant/inbox.ts";
import { eventually, type Tenant } from "../../testing/harness.ts";
import { delivery } from "./deliveries.ts";

/** Hands a message to the tenant as the dispatch Worker does. */
export const send = (
  tenant: Tenant,
  eventId: string,
  changed: Partial<InboxDelivery> = {},
  body: BodyInit = JSON.stringify({ id: eventId }),
): Promise<Response> =>
  tenant.fetch(INBOX_PATH, {
    method: "POST",
    headers: { [DELIVERY_HEADER]: encodeDelivery(delivery(eventId, changed)) },
    body,
  });

/** As {@link send}, and expects that the message is stored. */
export async function queue(...given: Parameters<typeof send>): Promise<void> {
  const response = await send(...given);
  expect([response.status, await response.json()]).toEqual([202, { outcome: "queued" }]);
}

export async function inbox(tenant: Tenant, query = ""): Promise<InboxPage> {
  const response = await tenant.fetch(`${INBOX_PATH}${query}`);
  expect(response.status).toBe(200);
  return inboxPage.parse(await response.json());
}

/** Waits until no message is pending. */
export const drained = (tenant: Tenant) =>
  eventually(
    async () => (await inbox(tenant)).status.pending === 0,
    () => inbox(tenant),
  );

async function change(tenant: Tenant, path: string, selection: InboxSelection): Promise<number> {
  const response = await tenant.fetch(path, { method: "POST", body: JSON.stringify(selection) });
  expect(response.status).toBe(200);
  return inboxChange.parse(await response.json()).changed;
}

export const replay = (tenant: Tenant, selection: InboxSelection) => change(tenant, INBOX_REPLAY_PATH, selection);
export const drop = (tenant: Tenant, selection: InboxSelection) => change(tenant, INBOX_DROP_PATH, selection);

export async function exportInbox(tenant: Tenant) {
  const text = await (await tenant.fetch(INBOX_EXPORT_PATH)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => exportedMessage.parse(JSON.parse(line)));
}

const report = z.object({
  processed: z.array(z.object({ path: z.string(), key: z.string(), text: z.string() })),
  attempts: z.array(z.object({ key: z.string(), message: z.string(), attempts: z.number() })),
});

/** Returns what the gateway processed. Starts a stopped gateway. */
export const gatewayReport = (tenant: Tenant) =>
  eventually(async () => {
    const response = await tenant.fetch("/api/deliveries").catch(() => undefined);
    return response?.status === 200 && report.parse(await response.json());
  });

/** Returns the event IDs of the messages that the gateway processed, in order. */
export const processed = async (tenant: Tenant): Promise<string[]> =>
  (await gatewayReport(tenant)).processed.map(({ key }) => key);

/** Sets how the gateway answers deliveries. It must run. */
export async function setRule(tenant: Tenant, rule: { status?: number; holdMs?: number }): Promise<void> {
  const response = await tenant.fetch("/api/deliveries", { method: "POST", body: JSON.stringify(rule) });
  expect(response.status).toBe(200);
}
