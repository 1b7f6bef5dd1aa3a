/** Replacement of the ticket key while the gateway runs. */
import { expect } from "vitest";
import { ADMIN, running } from "../../testing/backup-tenant.ts";
import { eventually, faultGateway, referenceGateway, scriptedGateway, type Tenant } from "../../testing/harness.ts";
import { gatewayOf, openEcho } from "../../testing/sleeping-tenant.ts";
import { test } from "../../testing/test.ts";

const ADA = { "x-platform-user": "ada@acme.example", "x-platform-role": "ADMIN" };
const SECOND = { TICKET_KEY_VERSION: "2" };

const log = async (tenant: Tenant) => (await tenant.fetch("/api/admin/gateway/log", { headers: ADMIN })).text();
const logged = (tenant: Tenant, event: string) => eventually(async () => (await log(tenant)).includes(event));

/** Returns the ticket that the gateway received. */
async function ticketOf(tenant: Tenant): Promise<string> {
  const answer = (await (await tenant.fetch("/headers", { headers: ADA })).json()) as Record<string, string>;
  return answer["x-platform-ticket"] ?? "";
}

test.concurrent("replaces the key of a running gateway without a restart or a refused user", async ({ openTenant }) => {
  const tenant = await openTenant(referenceGateway);
  await running(tenant);
  const gateway = gatewayOf(tenant);
  const user = async () => {
    const page = await tenant.fetch("/", { headers: ADA });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<span id="user">ada@acme.example</span>');
  };
  await user();
  await tenant.restartWorker(SECOND);
  await running(tenant);
  const socket = await openEcho(tenant);
  const closed: number[] = [];
  socket.once("close", (code) => closed.push(code));
  await eventually(async () => {
    await user();
    return (await log(tenant)).includes("ticket-key.replaced");
  });
  await user();
  expect(gatewayOf(tenant)).toBe(gateway);
  expect(closed).toEqual([]);
  socket.terminate();
  // No user can give the order.
  for (const headers of [ADA, {}])
    expect((await tenant.fetch("/ticket-key", { method: "POST", headers, body: "a.b.c" })).status).toBeGreaterThan(400);
  await user();
  // The key is replaced once.
  await tenant.restartWorker(SECOND);
  await running(tenant);
  await user();
  expect(await log(tenant)).not.toContain("ticket-key.");
  expect(gatewayOf(tenant)).toBe(gateway);
});

test.concurrent.for([
  ["answers 404", scriptedGateway()],
  ["answers every path", faultGateway("break")],
] as const)("keeps the key of an earlier gateway that %s", async ([, command], { openTenant }) => {
  const tenant = await openTenant([...command]);
  await running(tenant);
  const gateway = gatewayOf(tenant);
  await tenant.restartWorker(SECOND);
  await running(tenant);
  await logged(tenant, "ticket-key.unknown");
  for (let attempt = 0; attempt < 3; attempt++) await tenant.health();
  expect((await log(tenant)).match(/ticket-key\./g)).toHaveLength(1);
  expect(gatewayOf(tenant)).toBe(gateway);
});

test.concurrent("restarts a gateway that refuses the order, with the new key", async ({ openTenant }) => {
  const tenant = await openTenant(faultGateway("refuse"));
  await running(tenant);
  const gateway = gatewayOf(tenant);
  const before = await ticketOf(tenant);
  await tenant.restartWorker(SECOND);
  await eventually(async () => {
    await tenant.health();
    const [one, ...others] = tenant.processes("gateway");
    return one !== undefined && others.length === 0 && one.pid !== gateway;
  });
  await running(tenant);
  const after = await ticketOf(tenant);
  expect(after.split(".")[2]).not.toBe(before.split(".")[2]);
  expect((await log(tenant)).match(/ticket-key\.refused/g)).toHaveLength(1);
});
