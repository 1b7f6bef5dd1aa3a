import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealChannel } from "#workers/shared/doors/channel-credentials.ts";
import { sealEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { sealProviderKey } from "#workers/shared/doors/provider-key.ts";
import {
  type DispatchUnderTest,
  DOMAIN,
  DOORS_KEY,
  INVALIDATE_TOKEN,
  startDispatch,
  tenant,
} from "../testing/start-dispatch.ts";

const HOST = `_dispatch.${DOMAIN}`;
const bearer = { authorization: `Bearer ${INVALIDATE_TOKEN}` };

let dispatch: DispatchUnderTest;
beforeAll(async () => {
  dispatch = await startDispatch();
}, 120_000);
afterAll(() => dispatch?.stop());

const orders = [
  ["POST", "restart", "/api/admin/gateway/restart", "restart_ordered"],
  ["POST", "sleep", "/api/admin/gateway/sleep", "sleep_ordered"],
  ["POST", "doctor", "/api/admin/gateway/doctor", "doctor_ordered"],
  ["POST", "doctor-repair", "/api/admin/gateway/doctor/repair", "doctor_repair_ordered"],
  ["GET", "doctor", "/api/admin/gateway/doctor", "doctor_read"],
  ["POST", "start", "/api/health", "start_ordered"],
  ["PUT", "channels", "/api/internal/channels", "channels_set"],
  ["GET", "backups", "/api/admin/gateway/backups", "backups_read"],
  ["POST", "backup-upload", "/api/admin/gateway/backups", "backup_uploaded"],
  ["GET", "files", "/api/admin/gateway/files?path=", "files_read"],
  ["GET", "file", "/api/admin/gateway/files/content?path=", "file_read"],
  ["GET", "file-download", "/api/admin/gateway/files/download?path=", "file_downloaded"],
  ["GET", "log", "/api/admin/gateway/log", "log_read"],
  ["GET", "status", "/api/admin/gateway/status", "status_read"],
  ["GET", "health", "/api/health?passive=1", "health_read"],
] as const;

describe.each(orders)("%s /_%s/:slug", (method, name, path, outcome) => {
  const order = (slug: string, headers: Record<string, string> = bearer) =>
    dispatch.fetch(HOST, `/_${name}/${slug}`, { method, headers });

  test("reaches the Worker of a tenant, also a frozen one, as its root and without the database", async () => {
    dispatch.rest.tenants.set("acme", tenant("acme", { billing_plan: "free", instance_status: "frozen" }));
    dispatch.rest.resolved.length = 0;
    const answer = await order("acme", { ...bearer, "x-platform-role": "BASE_USER", cookie: "CF_Authorization=x" });
    expect(answer.status).toBe(200);
    const reached = (await answer.json()) as { headers: Record<string, string> };
    expect(reached).toMatchObject({
      worker: "tenant-acme",
      // A health request starts the gateway by itself.
      method: name === "start" ? "GET" : method,
      url: `https://tenant-acme.${DOMAIN}${path}`,
      limits: { cpuMs: 90_000, subRequests: 1000 },
      headers: { "x-platform-role": "ROOT" },
    });
    expect(reached.headers).not.toHaveProperty("cookie");
    expect(JSON.stringify(reached)).not.toContain(INVALIDATE_TOKEN);
    expect(dispatch.rest.resolved).toEqual([]);
  });

  test("returns 404 for a tenant without a Worker, and requires the token and a slug", async () => {
    const missing = await order("missing");
    expect([missing.status, await missing.json()]).toMatchObject([
      404,
      { error: { code: "tenant_not_found", reason: "tenant_worker_missing" } },
    ]);
    for (const authorization of [
      "",
      "Bearer",
      "Bearer wrong",
      `Basic ${INVALIDATE_TOKEN}`,
      `Bearer ${INVALIDATE_TOKEN}x`,
    ]) {
      expect((await order("acme", { authorization })).status).toBe(401);
    }
    for (const slug of ["not%20a%20slug", "acme/more", "dash", "", "..%2f_health%2facme"]) {
      expect([slug, (await order(slug)).status]).toEqual([slug, 400]);
    }
  });

  test("does not exist for another method", async () => {
    expect((await dispatch.fetch(HOST, `/_${name}/acme`, { method: "DELETE", headers: bearer })).status).toBe(404);
  });

  test("is logged without the token", async () => {
    await order("acme");
    await expect
      .poll(() => dispatch.logs.filter((line) => line.includes(`"outcome":"${outcome}"`)).at(-1))
      .toContain('"tenant":"acme"');
    expect(dispatch.logs.join("\n")).not.toContain(INVALIDATE_TOKEN);
  });
});

test("POST /_sleep/:slug passes a valid order only", async () => {
  const order = (body?: string) =>
    dispatch.fetch(HOST, "/_sleep/acme", { method: "POST", headers: bearer, ...(body !== undefined && { body }) });
  for (const [body, sent] of [
    [undefined, {}],
    ['{"wakeAfterSeconds":60}', { wakeAfterSeconds: 60 }],
  ] as const) {
    const reached = (await (await order(body)).json()) as { body: string };
    expect(JSON.parse(reached.body)).toEqual(sent);
  }
  for (const body of ["{", "[]", '{"wakeAfterSeconds":0}', '{"wakeAfterSeconds":2592001}', '{"force":true}']) {
    expect([body, await (await order(body)).json()]).toMatchObject([
      body,
      { error: { reason: "dispatch_sleep_order_invalid" } },
    ]);
  }
});

describe("POST /_restore/:slug/:backup", () => {
  const ID = "20261122T230000000Z-0a1b2c3d";
  const ORDER = "7b0a3c52-1d2e-4f60-8a9b-0c1d2e3f4a5b";
  const order = (path: string, body?: string, headers: Record<string, string> = bearer) =>
    dispatch.fetch(HOST, `/_restore/${path}`, { method: "POST", headers, ...(body !== undefined && { body }) });

  test("orders a restore of a tenant as its root and without the database", async () => {
    dispatch.rest.resolved.length = 0;
    for (const [body, sent] of [
      [undefined, { backup: ID, discardPresent: false }],
      ["{}", { backup: ID, discardPresent: false }],
      [JSON.stringify({ discardPresent: true, order: ORDER }), { backup: ID, discardPresent: true, order: ORDER }],
    ] as const) {
      const answer = await order(`acme/${ID}`, body, { ...bearer, "x-platform-role": "BASE_USER" });
      expect(answer.status).toBe(200);
      const reached = (await answer.json()) as { body: string };
      expect(reached).toMatchObject({
        worker: "tenant-acme",
        method: "POST",
        url: `https://tenant-acme.${DOMAIN}/api/admin/gateway/restore`,
        limits: { cpuMs: 90_000, subRequests: 1000 },
        headers: { "x-platform-role": "ROOT", "content-type": "application/json" },
      });
      expect(JSON.parse(reached.body)).toEqual(sent);
      expect(JSON.stringify(reached)).not.toContain(INVALIDATE_TOKEN);
    }
    expect(dispatch.rest.resolved).toEqual([]);
    await expect
      .poll(() => dispatch.logs.filter((line) => line.includes('"outcome":"restore_ordered"')).at(-1))
      .toContain('"tenant":"acme"');
  });

  test("requires the token, a slug, an id, and a valid body or none", async () => {
    expect((await order(`acme/${ID}`, undefined, {})).status).toBe(401);
    expect((await order(`missing/${ID}`)).status).toBe(404);
    expect((await order("acme")).status).toBe(404);
    expect((await dispatch.fetch(HOST, `/_restore/acme/${ID}`, { headers: bearer })).status).toBe(404);
    for (const path of ["acme/", "acme/..%2flog", `acme/${ID}/more`, `dash/${ID}`, `/${ID}`, "acme/b%201"]) {
      expect([path, (await order(path)).status]).toEqual([path, 400]);
    }
    for (const body of [
      "{",
      "null",
      "[]",
      '"text"',
      '{"backup":"another"}',
      '{"discardPresent":"yes"}',
      '{"order":"none"}',
      `{"discardPresent":${" ".repeat(2_000)}true}`,
    ]) {
      const answer = await order(`acme/${ID}`, body);
      expect([body, answer.status, await answer.json()]).toMatchObject([
        body,
        400,
        { error: { code: "invalid_request" } },
      ]);
    }
  });
});

describe("GET /_backup/:slug/:id", () => {
  const order = (path: string, headers: Record<string, string> = bearer) =>
    dispatch.fetch(HOST, `/_backup/${path}`, { headers });

  test("reads one backup of a tenant, also a frozen one, as its root", async () => {
    dispatch.rest.tenants.set("acme", tenant("acme", { instance_status: "frozen" }));
    const reached = (await (await order("acme/20261122T230000000Z-0a1b2c3d")).json()) as { url: string };
    expect(reached).toMatchObject({
      worker: "tenant-acme",
      method: "GET",
      url: `https://tenant-acme.${DOMAIN}/api/admin/gateway/backups/20261122T230000000Z-0a1b2c3d`,
      headers: { "x-platform-role": "ROOT" },
    });
  });

  test("requires the token, a slug and an id", async () => {
    expect((await order("acme/b1", {})).status).toBe(401);
    expect((await order("acme")).status).toBe(404);
    for (const path of ["acme/", "acme/..%2flog", "acme/b1/more", "dash/b1", "/b1", "acme/b%201"]) {
      expect([path, (await order(path)).status]).toEqual([path, 400]);
    }
  });
});

describe("orders for the inbox", () => {
  const ID = "7b0a3c52-1d2e-4f60-8a9b-0c1d2e3f4a5b";
  const order = (path: string, body?: string, headers: Record<string, string> = bearer) =>
    dispatch.fetch(HOST, path, { method: body === undefined ? "GET" : "POST", headers, ...(body && { body }) });
  const replay = (body: string, slug = "acme") => order(`/_inbox-replay/${slug}`, body);

  test.each([
    ["/_inbox/acme", undefined, "/api/internal/inbox?limit=50", "inbox_read"],
    [
      "/_inbox/acme?state=dead&after=7&limit=9&x=y",
      undefined,
      "/api/internal/inbox?state=dead&after=7&limit=9",
      "inbox_read",
    ],
    ["/_inbox-replay/acme", { ids: [ID] }, "/api/internal/inbox/replay", "inbox_replayed"],
    ["/_inbox-drop/acme", { all: true }, "/api/internal/inbox/drop", "inbox_dropped"],
    ["/_inbox-export/acme?state=dead", undefined, "/api/internal/inbox/export?state=dead", "inbox_exported"],
    ["/_inbox-export/acme", undefined, "/api/internal/inbox/export", "inbox_exported"],
  ])(
    "%s reaches the Worker of a tenant, also a frozen one, without the database",
    async (path, body, reached, outcome) => {
      dispatch.rest.tenants.set("acme", tenant("acme", { instance_status: "frozen" }));
      dispatch.rest.resolved.length = 0;
      const answer = await order(path, body && JSON.stringify(body));
      const sent = (await answer.json()) as { body: string; headers: Record<string, string> };
      expect(sent).toMatchObject({ worker: "tenant-acme", url: `https://tenant-acme.${DOMAIN}${reached}` });
      expect(sent.body).toBe(body === undefined ? "" : JSON.stringify(body));
      expect(JSON.stringify(sent)).not.toContain(INVALIDATE_TOKEN);
      expect(dispatch.rest.resolved).toEqual([]);
      await expect
        .poll(() => dispatch.logs.filter((line) => line.includes(`"outcome":"${outcome}"`)).at(-1))
        .toContain('"tenant":"acme"');
    },
  );

  test("accepts a selection of 200 messages", async () => {
    const ids = Array.from({ length: 200 }, () => ID);
    expect((await replay(JSON.stringify({ ids }))).status).toBe(200);
    expect((await replay(JSON.stringify({ ids: [...ids, ID] }))).status).toBe(400);
  });

  test("require the token, a slug, and a valid query or selection", async () => {
    for (const path of ["/_inbox/acme", "/_inbox-export/acme"])
      expect((await order(path, undefined, {})).status).toBe(401);
    for (const path of ["/_inbox-replay/acme", "/_inbox-drop/acme"]) {
      expect((await order(path, '{"all":true}', {})).status).toBe(401);
    }
    expect((await replay('{"all":true}', "dash")).status).toBe(400);
    expect((await replay('{"all":true}', "missing")).status).toBe(404);
    for (const body of [
      "{",
      "[]",
      "{}",
      '{"all":false}',
      '{"ids":[]}',
      '{"ids":["x"]}',
      `{"all":true,"ids":["${ID}"]}`,
    ]) {
      expect([body, await (await replay(body)).json()]).toMatchObject([
        body,
        { error: { reason: "dispatch_inbox_selection_invalid" } },
      ]);
    }
    for (const query of ["state=gone", "after=x", "limit=0", "limit=201"]) {
      for (const name of ["inbox", "inbox-export"]) {
        expect([query, await (await order(`/_${name}/acme?${query}`)).json()]).toMatchObject([
          query,
          { error: { reason: "dispatch_inbox_query_invalid" } },
        ]);
      }
    }
  });
});

const ID = "7b0a3c52-1d2e-4f60-8a9b-0c1d2e3f4a5b";
const secrets = { botToken: "123:bot-token", secretToken: "s" };
const channel = { kind: "telegram", url: "https://hooks.example.com/key", secrets } as const;
const apiKey = { provider: "openai", key: "sk-proj-0123456789abcdef" } as const;
const policies = { revision: "5f0c3a9e-1f2b-8c3d-9e4f-a5b6c7d8e9f0", layers: [null, { mode: "audit", entries: [] }] };
const header = { name: "GitHub", host: "api.github.com", header: "authorization", prefix: "Bearer " };
const secret = { ...header, value: "ghp_0123456789abcdef" };
/** Orders with encrypted values, and what the tenant's Worker gets. */
const sealedOrders = [
  {
    path: "channels",
    reason: "dispatch_channel_unreadable",
    ...{ more: {}, name: "channels", opened: channel, confidential: "bot-token" },
    seal: (key: string) => sealChannel({ used: key }, ID, channel),
  },
  {
    path: "provider-keys",
    reason: "dispatch_provider_key_unreadable",
    ...{ more: {}, name: "keys", opened: { id: ID, ...apiKey }, confidential: apiKey.key },
    seal: (key: string) => sealProviderKey({ used: key }, ID, apiKey),
  },
  {
    path: "egress",
    reason: "dispatch_egress_secret_unreadable",
    ...{ more: policies, name: "secrets", opened: { id: ID, ...secret }, confidential: secret.value },
    seal: (key: string) => sealEgressSecret({ used: key }, ID, secret),
  },
];

describe.each(sealedOrders)("PUT /_$path/:slug", ({ path, reason, more, name, opened, confidential, seal }) => {
  const order = async (key: string, id = ID) => ({
    ...more,
    sealed: [{ id, credentials: Buffer.from(await seal(key)).toString("base64") }],
  });
  const put = (body: object, headers: Record<string, string> = bearer) =>
    dispatch.fetch(HOST, `/_${path}/acme`, { method: "PUT", headers, body: JSON.stringify(body) });

  test("decrypts what a tenant stores and sends it to its Worker, also an empty list", async () => {
    for (const [body, list] of [
      [await order(DOORS_KEY), [opened]],
      [{ ...more, sealed: [] }, []],
    ] as const) {
      const reached = (await (await put(body)).json()) as { body: string };
      const url = `https://tenant-acme.${DOMAIN}/api/internal/${path}`;
      expect(reached).toMatchObject({ worker: "tenant-acme", method: "PUT", url });
      expect(JSON.parse(reached.body)).toEqual({ ...more, [name]: list });
    }
    expect(dispatch.logs.join("\n")).not.toContain(confidential);
  });

  test("refuses what another key or ID encrypted, and callers without the token", async () => {
    for (const body of [await order("x".repeat(48)), await order(DOORS_KEY, crypto.randomUUID())]) {
      const answer = await put(body);
      expect([answer.status, await answer.json()]).toMatchObject([409, { error: { reason } }]);
    }
    expect((await put(await order(DOORS_KEY), {})).status).toBe(401);
  });
});

test.each(["provider-keys", "egress"])("GET /_%s/:slug reads what the tenant's Worker knows", async (path) => {
  const read = await (await dispatch.fetch(HOST, `/_${path}/acme`, { headers: bearer })).json();
  expect(read).toMatchObject({ method: "GET", url: expect.stringContaining(`/api/internal/${path}`) });
});
