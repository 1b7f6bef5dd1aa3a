/** Duplicates and resources in use are refused with Cloudflare's codes. */
import type Cloudflare from "cloudflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type ApiServer,
  account_id,
  domain,
  moduleFile,
  startApiServer,
  uploadScript,
  zone_id,
} from "./testing/api-server.ts";
import { refusal } from "./testing/refusal.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

const origin = { scheme: "postgres" as const, host: "h", port: 1, database: "d", user: "u", password: "p" };
const gateway = {
  cache_invalidate_on_update: true,
  cache_ttl: null,
  collect_logs: true,
  rate_limiting_interval: null,
  rate_limiting_limit: null,
};

const twice: [string, number, number, (cloudflare: Cloudflare) => PromiseLike<unknown>][] = [
  [
    "dispatch namespace",
    409,
    100120,
    (c) => c.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "a" }),
  ],
  ["KV namespace", 400, 10014, (c) => c.kv.namespaces.create({ account_id, title: "a" })],
  ["bucket", 409, 10004, (c) => c.r2.buckets.create({ account_id, name: "abc" })],
  ["queue", 409, 11009, (c) => c.queues.create({ account_id, queue_name: "a" })],
  ["Hyperdrive configuration", 409, 2017, (c) => c.hyperdrive.configs.create({ account_id, name: "a", origin })],
  ["AI gateway", 400, 7001, (c) => c.aiGateway.create({ account_id, id: "a", ...gateway })],
  ["route", 409, 10020, (c) => c.workers.routes.create({ zone_id, pattern: `*.${domain}/*` })],
  [
    "DNS record",
    400,
    81058,
    (c) => c.dns.records.create({ zone_id, name: "a", type: "A", content: "192.0.2.1", ttl: 1 }),
  ],
  [
    "Access application",
    409,
    11010,
    (c) =>
      c.zeroTrust.access.applications.create({ account_id, name: "a", type: "self_hosted", domain: `a.${domain}` }),
  ],
  [
    "Access group",
    409,
    12132,
    (c) => c.zeroTrust.access.groups.create({ account_id, name: "a", include: [{ everyone: {} }] }),
  ],
  ["list", 409, 2024, (c) => c.zeroTrust.gateway.lists.create({ account_id, name: "a", type: "EMAIL" })],
];

test.each(twice)("a duplicate %s is refused", async (_kind, status, code, create) => {
  await create(server.cloudflare);
  expect(await refusal(create(server.cloudflare))).toMatchObject({ status, codes: [code] });
});

test("a queue has one consumer, whose script must exist and cannot be deleted", async () => {
  const { queues, workers } = server.cloudflare;
  const queue = (await queues.create({ account_id, queue_name: "fanout" })).queue_id ?? "";
  const consumer = { account_id, type: "worker" as const, script_name: "app" };
  expect(await refusal(queues.consumers.create(queue, consumer))).toMatchObject({ status: 400 });
  await uploadScript(server.cloudflare, "app");
  const { consumer_id } = await queues.consumers.create(queue, consumer);
  expect(await refusal(queues.consumers.create(queue, consumer))).toMatchObject({ status: 409, codes: [11004] });
  expect(await refusal(workers.scripts.delete("app", { account_id }))).toMatchObject({ codes: [10064] });
  await queues.consumers.delete(consumer_id ?? "", { account_id, queue_id: queue });
  await workers.scripts.delete("app", { account_id });
});

test("a queue that a script is bound to is not deleted", async () => {
  const { queues, workers } = server.cloudflare;
  const queue = (await queues.create({ account_id, queue_name: "fanout" })).queue_id ?? "";
  const bindings = [{ type: "queue" as const, name: "Q", queue_name: "fanout" }];
  const metadata = { main_module: "index.js", bindings };
  await workers.scripts.update("app", { account_id, metadata, files: [await moduleFile("export default {};")] });
  expect(await refusal(queues.delete(queue, { account_id }))).toMatchObject({ status: 400, codes: [11005] });
  await workers.scripts.delete("app", { account_id });
  await queues.delete(queue, { account_id });
});

test("a script with bindings to it is only deleted with force", async () => {
  const { scripts } = server.cloudflare.workers;
  await uploadScript(server.cloudflare, "callee");
  const metadata = { main_module: "index.js", bindings: [{ type: "service" as const, name: "S", service: "callee" }] };
  await scripts.update("caller", { account_id, metadata, files: [await moduleFile("export default {};")] });
  expect(await refusal(scripts.delete("callee", { account_id }))).toMatchObject({ status: 400, codes: [10064] });
  await scripts.delete("callee", { account_id, force: true });
});

test("a route can begin with a wildcard", async () => {
  const { routes } = server.cloudflare.workers;
  for (const pattern of [`*.${domain}/*`, `*-dev.${domain}/*`, `*${domain}/*`]) {
    expect((await routes.create({ zone_id, pattern })).pattern).toBe(pattern);
  }
});

test("a route needs an existing script and a pattern in the zone", async () => {
  const { routes } = server.cloudflare.workers;
  const unknown = routes.create({ zone_id, pattern: `a.${domain}/*`, script: "none" });
  expect(await refusal(unknown)).toMatchObject({ codes: [10019] });
  for (const pattern of ["elsewhere.example.com/*", `a.*.${domain}/*`]) {
    expect(await refusal(routes.create({ zone_id, pattern }))).toMatchObject({ status: 400, codes: [10022] });
  }
});

test("a CNAME excludes other records of its host, and content must match the type", async () => {
  const { records } = server.cloudflare.dns;
  const record = { zone_id, name: "a", ttl: 1 as const };
  await records.create({ ...record, type: "A", content: "192.0.2.1" });
  const cname = records.create({ ...record, type: "CNAME", content: "b.example.com" });
  expect(await refusal(cname)).toMatchObject({ status: 400, codes: [81053] });
  expect(await refusal(records.create({ ...record, type: "AAAA", content: "192.0.2.1" }))).toMatchObject({
    codes: [9006],
  });
  for (const [type, content] of [
    ["MX", "mail.example.com"],
    ["NS", "not a host"],
    ["TXT", "a".repeat(2_049)],
    ["SRV", "1 1 443 host.example.com"],
  ] as const)
    expect(await refusal(records.create({ ...record, type, content } as never))).toMatchObject({ status: 400 });
  await records.create({ ...record, type: "MX", content: "mail.example.com", priority: 10 });
  await records.create({ ...record, type: "TXT", content: "v=spf1 -all" });
});

test.each([
  ["EMAIL", "ann@example.com", "ann"],
  ["IP", "192.0.2.0/24", "192.0.2.0/40"],
  ["DOMAIN", "example.com", "*.example.com"],
  ["URL", "https://example.com/a", "example com"],
] as const)("a Zero Trust list of type %s takes its values only", async (type, right, wrong) => {
  const { lists } = server.cloudflare.zeroTrust.gateway;
  const create = (value: string) => lists.create({ account_id, name: value, type, items: [{ value }] });
  await create(right);
  expect(await refusal(create(wrong))).toMatchObject({ status: 400 });
});

test("a health check runs at most once a minute", async () => {
  const { healthchecks } = server.cloudflare;
  const { id = "" } = await healthchecks.create({ zone_id, name: "a", address: domain });
  expect(await refusal(healthchecks.create({ zone_id, name: "b", address: domain, interval: 59 }))).toMatchObject({
    status: 400,
  });
  const edited = healthchecks.edit(id, { zone_id, name: "a", address: domain, interval: 10 });
  expect(await refusal(edited)).toMatchObject({ status: 400 });
});
