import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { EgressEntry, EgressMode } from "#domain/egress/policy-types.ts";
import { EGRESS_PATH, type EgressReport, type EgressSecret } from "#workers/contracts/tenant/egress.ts";
import { running } from "../testing/backup-tenant.ts";
import { eventually } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";
import { firstFrame, sendOut, startInternet } from "./testing/internet.ts";

const PLATFORM = { domain: "agents.example.com", refused: ["api.cloudflare.com"] };
const SECRET: EgressSecret = {
  id: "0b6f3cf0-65a5-4b0e-9d0c-0f6c7a3f3a10",
  ...{ name: "crm", host: "crm.example.org", header: "authorization", prefix: "Bearer ", value: "s3cret-of-the-crm" },
};
const ADMIN = { headers: { "X-Platform-Role": "ADMIN" } };

const test = base
  .extend("internet", { scope: "file" }, async ({ onFileFinished }) => {
    const internet = await startInternet();
    onFileFinished(() => internet.stop());
    return internet;
  })
  .extend("tenant", { scope: "file" }, async ({ internet, openFileTenant }) => {
    const tenant = await openFileTenant(undefined, {
      internetProxy: internet.address,
      bindings: { EGRESS_BOUND: JSON.stringify({ layers: [null, null], platform: PLATFORM }) },
    });
    await running(tenant);
    return tenant;
  })
  .extend(
    "order",
    ({ tenant }) =>
      async (mode: EgressMode, entries: EgressEntry[] = [], secrets: EgressSecret[] = []) => {
        const order = { revision: crypto.randomUUID(), layers: [null, { mode, entries }], secrets };
        const response = await tenant.fetch(EGRESS_PATH, { method: "PUT", body: JSON.stringify(order) });
        expect([response.status, await response.text()]).toEqual([204, ""]);
        return order.revision;
      },
  )
  .extend("report", ({ tenant }) => async () => {
    const response = await tenant.fetch(EGRESS_PATH);
    return (await response.json()) as EgressReport;
  })
  .extend(
    "send",
    ({ tenant }) =>
      async (url: string, init: Parameters<typeof sendOut>[2] = {}) =>
        sendOut(await tenant.outboundPort(), url, init),
  )
  .extend("answer", ({ send }) => async (url: string, init: Parameters<typeof sendOut>[2] = {}) => {
    const response = await send(url, init);
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  });

test.afterEach(({ internet }) => {
  internet.respond = undefined;
  internet.received.length = 0;
});

test("refuses in every mode what is private or the platform's, with a reason", async ({ order, answer, internet }) => {
  await order("open");
  const refusals = {
    "http://169.254.169.254/latest/meta-data": "private-address",
    "http://0x7f.1/": "private-address",
    "http://[::ffff:10.0.0.1]/": "private-address",
    "https://hooli.agents.example.com/": "control-host",
    "http://agents.example.com./": "control-host",
    "https://api.cloudflare.com/client/v4": "control-host",
  };
  for (const [url, reason] of Object.entries(refusals)) {
    const { status, body } = await answer(url, { method: "POST", body: "x".repeat(100_000) });
    expect([url, status, JSON.parse(body).error]).toMatchObject([url, 403, { code: "egress_refused", reason }]);
  }
  // The URL decides, whatever the connection and the header say.
  const { status } = await answer("http://10.0.0.1/", { headers: { host: "www.example.org" } });
  expect([status, internet.received]).toEqual([403, []]);
  expect(await answer("https://www.example.org/a?b=c")).toMatchObject({ status: 200 });
});

test("follows an allowlist, also when it changes while the container runs", async ({ order, answer, report }) => {
  const revision = await order("allowlist", [{ host: "*.example.org", methods: ["GET"] }, { host: "1.1.1.1" }]);
  expect(await answer("https://api.example.org/")).toMatchObject({ status: 200, body: "https://api.example.org/" });
  expect((await answer("http://1.1.1.1/")).status).toBe(200);
  for (const [url, reason, method] of [
    ["https://example.org/", "not-listed", "GET"],
    ["https://api.example.org:8443/", "port", "GET"],
    ["https://api.example.org/", "method", "POST"],
    ["https://[2606:4700:4700::1111]/", "not-listed", "GET"],
  ] as const) {
    const { status, body } = await answer(url, { method });
    expect([url, status, JSON.parse(body).error.reason]).toEqual([url, 403, reason]);
  }
  // The container was started with access to the internet.
  expect(await report()).toMatchObject({ revision, mode: "allowlist", restartRequired: true });
  await order("allowlist", [{ host: "example.org" }]);
  await eventually(async () => (await answer("https://example.org/")).status === 200);
  expect((await answer("https://api.example.org/")).status).toBe(403);
});

test("passes redirects, headers and errors as they are, without those of the platform", async ({
  order,
  answer,
  internet,
}) => {
  await order("open");
  internet.respond = (_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end();
  expect(await answer("https://www.example.org/")).toMatchObject({
    status: 302,
    headers: { location: "http://10.0.0.1/" },
  });
  internet.respond = (incoming) => incoming.socket.destroy();
  expect(JSON.parse((await answer("https://down.example.org/")).body).error.code).toBe("egress_failed");
  internet.respond = undefined;
  const headers = { "X-Platform-Role": "ROOT", Connection: "x-own, close", "X-Own": "1", Cookie: "a=b", Via: "1.1 a" };
  await answer("http://www.example.org/", { headers });
  const [call] = internet.received;
  expect(call?.headers).toMatchObject({ cookie: "a=b", via: "1.1 a" });
  expect(Object.keys(call?.headers ?? {})).not.toContain("x-platform-role");
  expect(Object.keys(call?.headers ?? {})).not.toContain("x-own");
  const again = { "cdn-loop": call?.headers["cdn-loop"]?.toString() ?? "" };
  expect(JSON.parse((await answer("http://www.example.org/", { headers: again })).body).error.reason).toBe(
    "egress_loop",
  );
});

test("adds a secret to HTTPS requests of its host only, and hides it from logs", async ({
  order,
  answer,
  internet,
  tenant,
}) => {
  await order("audit", [], [SECRET]);
  const headers = { authorization: "Bearer of-the-agent" };
  for (const url of [
    ...["https://crm.example.org/a", "http://crm.example.org/b", "https://www.crm.example.org/c"],
    ...["https://crm.example.org:8443/d"],
  ])
    await answer(url, { headers });
  expect(internet.received.map(({ headers: { authorization } }) => authorization)).toEqual([
    `Bearer ${SECRET.value}`,
    ...Array.from({ length: 3 }, () => "Bearer of-the-agent"),
  ]);
  expect((await answer("https://crm.example.org/", { method: "TRACE" })).status).toBe(403);
  await tenant.inside(["sh", "-c", `echo 'a ${SECRET.value} b' >> "\${LOG_DIR:-/workspace/logs}/gateway.log"`]);
  const log = await (await tenant.fetch("/api/admin/gateway/log", ADMIN)).text();
  expect(log).toContain("a [secret] b");
});

test("streams bodies both ways, and counts them", async ({ order, send, answer, internet, report }) => {
  await order("audit");
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  const parts = 24;
  internet.respond = (incoming, response) => {
    // The response has begun before the body ends.
    response.writeHead(200, { "content-type": "application/octet-stream" });
    incoming.pipe(response);
  };
  const body = Readable.from(Array.from({ length: parts }, () => megabyte));
  const echoed = await send("https://large.example.org/", {
    method: "POST",
    body,
    headers: { "user-agent": "curl/8.1" },
  });
  let length = 0;
  for await (const chunk of echoed) length += chunk.length;
  expect(length).toBe(parts * megabyte.length);
  const compressed = gzipSync("compressed");
  internet.respond = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(compressed);
  const { headers } = await answer("https://zip.example.org/", { headers: { "accept-encoding": "gzip" } });
  expect(headers["content-encoding"]).toBe("gzip");
  // Batches arrive one by one.
  const counted = (name: string, bytes: { sentBytes?: number; receivedBytes: number }) =>
    eventually(async () =>
      (await report()).hosts.find(
        (one) =>
          one.host === name &&
          one.receivedBytes === bytes.receivedBytes &&
          (bytes.sentBytes === undefined || one.sentBytes === bytes.sentBytes),
      ),
    );
  const large = await counted("large.example.org", { sentBytes: length, receivedBytes: length });
  expect(large).toMatchObject({ port: 443, program: "curl", requests: 1, refused: 0, reason: null });
  await counted("zip.example.org", { receivedBytes: compressed.length });
});

test("ends a request with its client", async ({ order, send, internet }) => {
  await order("audit");
  const closed = new Promise<void>((resolve) => {
    internet.respond = (_, response) => {
      response.once("close", resolve);
      response.writeHead(200).write("begun");
    };
  });
  const aborted = await send("https://endless.example.org/");
  await once(aborted, "data");
  // A plain end could be the end of the request.
  aborted.socket.resetAndDestroy();
  await closed;
});

test("passes WebSockets, and refuses them like other requests", async ({ order, send, answer, tenant }) => {
  await order("allowlist", [{ host: "ws.example.org" }]);
  const headers = {
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  await eventually(async () => (await answer("http://ws.example.org/")).status === 200);
  expect(await firstFrame(await tenant.outboundPort(), "http://ws.example.org/", headers)).toContain("hello");
  const refused = await send("http://other.example.org/", { headers });
  expect([refused.statusCode, JSON.parse(await text(refused)).error.code]).toEqual([403, "egress_refused"]);
});

test("keeps policy, secrets and records over an eviction and a new container", async ({
  order,
  answer,
  report,
  tenant,
  internet,
}) => {
  const revision = await order("allowlist", [{ host: "crm.example.org" }], [SECRET]);
  await eventually(async () => (await answer("https://refused.example.org/")).status === 403);
  await eventually(async () => (await report()).hosts.find(({ host }) => host === "refused.example.org"));
  await tenant.restartWorker();
  expect((await answer("https://crm.example.org/")).status).toBe(200);
  expect(internet.received.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET.value}`);
  expect(await report()).toMatchObject({ revision, mode: "allowlist", restartRequired: true });
  expect((await report()).hosts).toContainEqual(
    expect.objectContaining({ host: "refused.example.org", reason: "not-listed" }),
  );
  await tenant.loseContainer();
  await running(tenant);
  expect(await report()).toMatchObject({ revision, restartRequired: false });
  const log = await (await tenant.fetch("/api/admin/gateway/log", ADMIN)).text();
  expect(log).not.toContain(SECRET.value);
});

test("rejects a malformed order", async ({ tenant }) => {
  const response = await tenant.fetch(EGRESS_PATH, { method: "PUT", body: JSON.stringify({ layers: [] }) });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("revision, layers, secrets")]);
});
