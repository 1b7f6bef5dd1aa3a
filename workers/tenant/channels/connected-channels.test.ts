import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { CHANNELS_PATH, CHANNELS_VARIABLE } from "#workers/contracts/tenant/channels.ts";
import { CUT_PATH } from "#workers/contracts/tenant/internal.ts";
import { memoryStorage } from "../sleep/testing/memory-storage.ts";
import { running } from "../testing/backup-tenant.ts";
import { eventually, referenceGateway, type Tenant } from "../testing/harness.ts";
import { gatewayOf } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";
import { ConnectedChannels } from "./connected-channels.ts";

const TELEGRAM = {
  kind: "telegram",
  url: "https://hooks.example.com/0123456789abcdefghijklmn",
  secrets: { botToken: "1:the-bot-token", secretToken: "the-secret-token" },
} as const;
const SLACK = {
  kind: "slack",
  url: "https://hooks.example.com/abcdefghijklmn0123456789",
  secrets: { botToken: "xoxb-the-bot-token" },
} as const;

test("stores channels, and reports whether an order changed them", async () => {
  const storage = memoryStorage();
  const channels = new ConnectedChannels(storage);
  await channels.load();
  expect(await channels.replace([])).toBe(false);
  expect(await channels.replace([TELEGRAM, SLACK])).toBe(true);
  expect(await channels.replace([SLACK, TELEGRAM])).toBe(false);
  const next = new ConnectedChannels(storage);
  await next.load();
  expect(next.current).toEqual([SLACK, TELEGRAM]);
  expect(next.secrets).toEqual(["xoxb-the-bot-token", "1:the-bot-token", "the-secret-token"]);
  expect(await next.replace([])).toBe(true);
  expect(await storage.get("channels")).toBeUndefined();
});

const order = (tenant: Tenant, body: unknown) =>
  tenant.fetch(CHANNELS_PATH, { method: "PUT", body: JSON.stringify(body) });

/** Returns the channels in the environment of the only gateway that runs. */
function channelsOf(tenant: Tenant): unknown {
  const environment = readFileSync(`/proc/${gatewayOf(tenant)}/environ`, "utf8").split("\0");
  const prefix = `${CHANNELS_VARIABLE}=`;
  return JSON.parse(environment.find((entry) => entry.startsWith(prefix))?.slice(prefix.length) ?? "[]");
}

/** Waits until another gateway runs. */
const restarted = (tenant: Tenant, before: number) =>
  eventually(() => {
    const [gateway, ...others] = tenant.processes("gateway");
    return gateway !== undefined && others.length === 0 && gateway.pid !== before;
  });

test("restarts the gateway with changed channels, also after a restart of the Worker, and with channels that were stored only", async ({
  openTenant,
}) => {
  const tenant = await openTenant(referenceGateway);
  await running(tenant);
  const first = gatewayOf(tenant);
  const malformed = [
    {},
    { channels: [{ ...TELEGRAM, kind: "pigeon" }] },
    { channels: [{ ...TELEGRAM, secrets: { botToken: "x" } }] },
    { channels: [TELEGRAM, TELEGRAM] },
  ];
  for (const body of malformed) expect((await order(tenant, body)).status).toBe(400);
  expect((await order(tenant, { channels: [] })).status).toBe(204);
  expect(gatewayOf(tenant)).toBe(first);

  expect((await order(tenant, { channels: [TELEGRAM] })).status).toBe(204);
  await restarted(tenant, first);
  expect(channelsOf(tenant)).toEqual([TELEGRAM]);
  await running(tenant);
  const second = gatewayOf(tenant);
  expect((await order(tenant, { channels: [TELEGRAM] })).status).toBe(204);

  await tenant.restartWorker();
  await running(tenant);
  expect(gatewayOf(tenant)).toBe(second);

  expect((await order(tenant, { channels: [] })).status).toBe(204);
  await restarted(tenant, second);
  expect(channelsOf(tenant)).toEqual([]);
  await running(tenant);

  // Stored without a restart, as by an object that ends in between.
  const third = gatewayOf(tenant);
  const cut = (routable: boolean) => tenant.fetch(CUT_PATH, { method: "POST", body: JSON.stringify({ routable }) });
  expect((await cut(false)).status).toBe(204);
  expect((await order(tenant, { channels: [SLACK] })).status).toBe(204);
  expect((await cut(true)).status).toBe(204);
  await tenant.restartWorker();
  expect(gatewayOf(tenant)).toBe(third);
  expect((await order(tenant, { channels: [SLACK] })).status).toBe(204);
  await restarted(tenant, third);
  expect(channelsOf(tenant)).toEqual([SLACK]);
});
