import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, setAccountLimits } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { readCapacity } from "#database/work/capacity.ts";
import { DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import { instanceSize } from "#domain/tenants/instance-type.ts";
import { lineLog } from "../log.ts";
import { Lines } from "../testing/test-service.ts";
import { AccountCapacity } from "./capacity.ts";

let database: TestDatabase;
let server: ApiServer;
beforeAll(async () => {
  database = await startTestDatabase();
  server = await startApiServer();
});
afterAll(async () => {
  await server?.close();
  await database?.stop();
});

const lines = new Lines();
const run = () => ({
  db: database.db,
  log: lineLog((text) => lines.add(text)),
  signal: AbortSignal.timeout(60_000),
  attempt: 1,
  isLast: false,
});
const capacity = (limits = {}, otherPlatforms = {}) =>
  new AccountCapacity({
    environment: "production",
    apiUrl: server.url,
    apiToken: server.apiToken,
    accountId: account_id,
    limits: { ...DEFAULT_CAPACITY, ...limits },
    otherPlatforms,
  });

test("stores the account's usage and reports scarcity once", async () => {
  const before = await capacity().count(run());
  const cloudflare = new Cloudflare({ apiToken: server.apiToken, baseURL: server.url });
  for (const name of ["one", "two"]) {
    await cloudflare.zeroTrust.access.groups.create({ account_id, name, include: [{ everyone: {} }] });
  }
  const limits = { accessGroups: before.accessGroups + 2 };
  for (let time = 0; time < 2; time += 1) {
    expect(await capacity(limits).count(run())).toEqual({ ...before, accessGroups: before.accessGroups + 2 });
  }
  expect((await readCapacity(database.db)).find(({ kind }) => kind === "accessGroups")).toMatchObject({
    used: before.accessGroups + 2,
    most: before.accessGroups + 2,
  });
  const events = await database.db
    .selectFrom("tenantry.events")
    .select(["kind", "data", "partner_id"])
    .where("kind", "like", "capacity.%")
    .orderBy("id")
    .execute();
  // The second count changed nothing.
  expect(events).toEqual([
    { kind: "capacity.counted", data: {}, partner_id: null },
    { kind: "capacity.counted", data: {}, partner_id: null },
    { kind: "capacity.scarce", data: expect.objectContaining({ capacity: "accessGroups" }), partner_id: null },
  ]);
});

test("uses the needs that the platform's stack declares, and counts resources of others", async () => {
  const { db } = database;
  const { memoryMiB } = instanceSize(PLAN_CONTAINERS.pro);
  const tenant = { dedicated: false, plan: "pro" } as const;
  await expect(capacity({ containerMemoryMiB: 2 * memoryMiB - 1 }).refuseBeyond(tenant, run())).rejects.toThrow(
    `MiB of containers' memory, and the tenant needs ${2 * memoryMiB}:`,
  );
  await capacity({ containerMemoryMiB: 2 * memoryMiB }).refuseBeyond(tenant, run());
  const { apiTokens } = await capacity().count(run());
  await capacity({ apiTokens: apiTokens + 1 }).refuseBeyond(tenant, run());
  await setAccountLimits(db, {}, { shape: { ...DEFAULT_TENANT_SHAPE, bucketCredentials: true } });
  await expect(capacity({ apiTokens: apiTokens + 1 }).refuseBeyond(tenant, run())).rejects.toThrow(
    /the tenant needs 2:/,
  );
  // The platform has three Access groups, and the tenant one.
  const cloudflare = new Cloudflare({ apiToken: server.apiToken, baseURL: server.url });
  for (const name of ["a", "b", "c", "d", "e"]) {
    await cloudflare.zeroTrust.access.groups.create({ account_id, name, include: [{ everyone: {} }] });
  }
  const { accessGroups } = await capacity().count(run());
  await insertInstance(db, await insertClient(db, { managed_by: "dashboard" }), { access_aud: "aud" });
  await capacity({}, { us: "https://dash.us.example.com" }).count(run());
  const kept = db.selectFrom("tenantry.account_capacity").select("others").where("kind", "=", "accessGroups");
  expect(await kept.executeTakeFirst()).toEqual({ others: accessGroups - 4 });
  expect(await db.selectFrom("tenantry.account_limits").select("elsewhere").executeTakeFirst()).toEqual({
    elsewhere: "Other platforms that can host it: us (https://dash.us.example.com)",
  });
  for (const table of ["account_limits", "instances", "clients"] as const)
    await db.deleteFrom(`tenantry.${table}`).execute();
});

test("refuses a tenant that exceeds a limit with the numbers, and accepts it when counting fails", async () => {
  await expect(capacity({ accessGroups: 1 }).refuseBeyond({ dedicated: false, plan: "pro" }, run())).rejects.toThrow(
    /of 1 Access groups, and the tenant needs 1: remove/,
  );
  await expect(capacity({ aiGateways: 0 }).refuseBeyond({ dedicated: true, plan: "pro" }, run())).rejects.toThrow(
    /AI gateways.*of the automation service\.$/,
  );
  const others = { "eu-2": "https://dash.eu-2.example.com", us: "https://dash.us.example.com" };
  await expect(
    capacity({ aiGateways: 0 }, others).refuseBeyond({ dedicated: true, plan: "pro" }, run()),
  ).rejects.toThrow(
    / Other platforms that can host it: eu-2 \(https:\/\/dash\.eu-2\.example\.com\), us \(https:\/\/dash\.us\.example\.com\)\.$/,
  );
  await capacity({ aiGateways: 0 }).refuseBeyond({ dedicated: false, plan: "pro" }, run());
  const nowhere = new AccountCapacity({
    environment: "production",
    apiUrl: "http://127.0.0.1:9",
    apiToken: "token",
    accountId: account_id,
    limits: { ...DEFAULT_CAPACITY, accessGroups: 0 },
  });
  await nowhere.refuseBeyond({ dedicated: false, plan: "pro" }, run());
  expect(lines.all.some(({ event }) => event === "capacity_not_counted")).toBe(true);
});
