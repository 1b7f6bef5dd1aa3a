/** Webhooks at the doors' host: what is accepted reaches the tenant's inbox once, and every refusal is the same. */
import { createHash } from "node:crypto";
import { type ClientRequest, request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { Response } from "@tenantry/edge/workerd";
import { signWebhook } from "@tenantry/webhooks";
import { WEBHOOK_KINDS, webhookKinds } from "@tenantry/webhooks/kinds";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDoorKey } from "#domain/doors/door-key.ts";
import { decodeDelivery } from "#workers/contracts/tenant/inbox.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";
import { addDoor, doorKeys, type TestDoor } from "./testing/door.ts";
import { type Answer, HOOKS_HOST, nextId, sendWebhook } from "./testing/send.ts";
import { keySet, SAMPLES, type Sent, signed } from "./testing/webhooks.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;
beforeAll(async () => {
  dispatch = await startDispatch(
    {},
    {
      outside: () => Response.json(keySet()),
    },
  );
  dispatch.rest.tenants.set("acme", tenant("acme"));
}, 120_000);
afterAll(() => dispatch?.stop());
beforeEach(() => {
  dispatch.messages.length = 0;
});

const send = (key: string, sent: Sent, more?: Record<string, string>) => sendWebhook(dispatch, key, sent, more);
/** Log lines about a door. */
const linesOf = ({ id }: TestDoor) =>
  dispatch.logs.filter((line) => line.startsWith("{") && line.includes(id)).map((line) => JSON.parse(line));

describe.each(webhookKinds)("a door of kind %s", (kind) => {
  test("acknowledges a signed webhook as the vendor requires, and stores it once", async () => {
    const door = await addDoor(dispatch.rest, "acme", kind);
    const sent = await signed(kind, nextId());
    const answer = await send(door.key, sent, { "x-platform-role": "ROOT", cookie: "a=b" });
    const { acknowledgement, forwarded } = WEBHOOK_KINDS[kind];
    expect(answer.status).toBe(acknowledgement.status);
    if (kind !== "telegram") expect(answer.body).toBe(acknowledgement.body);
    expect(await send(door.key, sent)).toMatchObject({ status: answer.status, body: answer.body });

    expect(dispatch.messages).toHaveLength(1);
    const { worker, message } = dispatch.messages[0] ?? expect.fail();
    expect([worker, message.body]).toEqual(["tenant-acme", sent.body]);
    const delivery = decodeDelivery(message.headers["x-platform-delivery"] ?? "");
    expect(delivery).toMatchObject({ door: door.id, kind, name: kind, query: "", subpath: sent.path.slice(1) });
    expect(delivery?.headers).toEqual(
      forwarded.flatMap((name) => (sent.headers[name] === undefined ? [] : [[name, sent.headers[name]]])),
    );
    // Nothing else of the vendor's request, and nothing of a client, is passed on.
    expect(message.headers).not.toHaveProperty("x-platform-role");
    expect(message.headers).not.toHaveProperty("cookie");
    await expect
      .poll(() => linesOf(door).map(({ outcome }) => outcome), SOON)
      .toEqual(["door_queued", "door_duplicate"]);
    expect(linesOf(door)[0]).toMatchObject({ tenant: "acme", status: answer.status, cache: "database" });
    await expect.poll(() => dispatch.rest.touchedDoors.filter((id) => id === door.id)).toHaveLength(1);
  });

  test("refuses a forged webhook without a call to the tenant", async () => {
    const door = await addDoor(dispatch.rest, "acme", kind);
    const { headers, ...sent } = await signed(kind, nextId());
    const names = [
      "authorization",
      ...Object.keys(headers).filter((name) => /signature|token/.test(name) && !name.endsWith("timestamp")),
    ];
    const forged = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        names.includes(name) ? value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (c) => (c === "Q" ? "g" : "Q")) : value,
      ]),
    );
    const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
    for (const wrong of [forged, unsigned])
      expect((await send(door.key, { ...sent, headers: wrong })).status).toBe(404);
    expect(dispatch.messages).toEqual([]);
    await expect
      .poll(() => linesOf(door).map(({ outcome, reason }) => `${outcome} ${reason}`), SOON)
      .toEqual(["not_found signature_wrong", "not_found signature_missing"]);
    // The owner sees the first one of each minute.
    await expect
      .poll(() => dispatch.rest.refusals.filter((one) => one.door === door.id))
      .toEqual([{ door: door.id, reason: "signature_wrong" }]);
  });
});

describe("a refusal", () => {
  let unknown: Answer;
  let good: Sent;
  beforeAll(async () => {
    good = await signed("telegram", nextId());
    unknown = await send(newDoorKey(), good);
    expect([unknown.status, JSON.parse(unknown.body).error.reason]).toEqual([404, "webhook_not_accepted"]);
  });
  afterEach(() => expect(dispatch.messages).toEqual([]));

  const doorOf = (slug: string, changes: Partial<TenantRecord> = {}, state?: "disabled") => {
    dispatch.rest.tenants.set(slug, tenant(slug, changes));
    return addDoor(dispatch.rest, slug, "telegram", state && { state });
  };

  test.each([
    ["a disabled door", "disabled", () => doorOf("one", {}, "disabled")],
    ["a frozen tenant", "instance_frozen", () => doorOf("two", { instance_status: "frozen" })],
    ["a stopped tenant", "instance_stopped", () => doorOf("three", { instance_status: "stopped" })],
    ["a client that is a draft", "client_not_active", () => doorOf("four", { client_status: "draft" })],
    ["a deleted tenant", "unknown", () => doorOf("five", { environment: "development" })],
  ])("is the same for %s as for an unknown key", async (_what, reason, open) => {
    const door = await open();
    expect(await send(door.key, good)).toEqual(unknown);
    await expect
      .poll(() => dispatch.logs.filter((line) => line.includes(reason)).at(-1), SOON)
      .toContain('"outcome":"not_found"');
  });

  test("is the same for another tenant's instance of the slug", async () => {
    const door = await doorOf("six");
    expect((await send(door.key, await signed("telegram", nextId()))).status).toBe(200);
    dispatch.messages.length = 0;
    dispatch.rest.tenants.set("six", tenant("six"));
    await dispatch.fetch(`_dispatch.${DOMAIN}`, "/_invalidate/six", {
      headers: { authorization: `Bearer ${INVALIDATE_TOKEN}` },
    });
    expect(await send(door.key, good)).toEqual(unknown);
  });

  test("is the same for every method, path and body that the kind does not allow", async () => {
    const { key } = await addDoor(dispatch.rest, "acme", "telegram");
    const large = "x".repeat(WEBHOOK_KINDS.telegram.maxBodyBytes + 1);
    const variants: [string, Partial<Sent>][] = [
      ...["PUT", "PATCH", "DELETE", "OPTIONS"].map((method): [string, Partial<Sent>] => [key, { method }]),
      [key, { method: "GET", body: undefined }],
      [key, { body: large }],
      [key, { body: "not JSON" }],
      [key, { path: "/" }],
      [key, { path: "/agent" }],
      [key, { path: `/${"a/".repeat(3_000)}` }],
      [key, { path: "/..%2f..%2fapi%2finternal%2finbox" }],
      [`%${key.charCodeAt(0).toString(16)}${key.slice(1)}`, {}],
      [key.slice(1), {}],
      [`${key}a`, {}],
      [`/${key}`, {}],
      [key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase(), {}],
      ["", {}],
    ];
    for (const [at, change] of variants) {
      expect([change, await send(at, { ...good, ...change })]).toEqual([change, unknown]);
    }
    const { status, headers, body } = await send(key, { ...good, method: "HEAD", body: undefined });
    expect([status, body, headers["content-type"]]).toEqual([404, "", unknown.headers["content-type"]]);
  });

  test("is sent for a body that does not end before the vendor's time limit, and for a large one of unknown length", async () => {
    const door = await addDoor(dispatch.rest, "acme", "line");
    const sent = await signed("line", nextId());
    const answered = (start: (request: ClientRequest) => void, length?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { hostname, port } = dispatch.url;
        const headers = { ...sent.headers, host: HOOKS_HOST, ...(length && { "content-length": length }) };
        const options = { hostname, port, path: `/${door.key}`, method: "POST", headers };
        const request = httpRequest(options, (response) => {
          response.resume();
          resolve(response.statusCode);
          request.destroy();
        });
        request.on("error", reject);
        start(request);
      });
    expect(await answered((request) => request.write(sent.body?.slice(0, 10)))).toBe(404);
    await expect.poll(() => linesOf(door).at(-1)?.reason, SOON).toBe("BodyTooSlow");
    expect(await answered((request) => request.write(sent.body?.slice(0, 10)), String(sent.body?.length))).toBe(404);
    await expect.poll(() => linesOf(door).map(({ reason }) => reason), SOON).toEqual(["BodyTooSlow", "BodyTooSlow"]);
    expect(await answered((request) => request.end("x".repeat(WEBHOOK_KINDS.line.maxBodyBytes + 1)))).toBe(404);
    await expect.poll(() => linesOf(door).at(-1)?.reason, SOON).toBe("BodyTooLarge");
  });
});

test.each([
  ["compressed", gzipSync('{"text":"José"}'), { "content-encoding": "gzip" }],
  [
    "in UTF-16",
    Buffer.from('\ufeff{"text":"José"}', "utf16le"),
    { "content-type": "application/json; charset=utf-16" },
  ],
  ["in Latin-1", Buffer.from('{"text":"José"}', "latin1"), { "content-type": "application/json; charset=iso-8859-1" }],
])(
  "verifies a body %s on its bytes and passes it on unchanged, but not one whose event cannot be read",
  async (_what, body, described) => {
    const digest = createHash("sha256").update(body).digest("hex");
    const headers: Record<string, string> = { "content-type": "application/json", ...described };
    const sign = async (kind: "hmac" | "slack") => {
      const webhook = {
        method: "POST",
        subpath: "",
        query: new URLSearchParams(),
        headers: new Headers(headers),
        body,
      };
      const added = await signWebhook(kind, SAMPLES[kind].secrets, webhook, { now: Date.now() });
      const door = await addDoor(dispatch.rest, "acme", kind);
      const sent = { method: "POST", headers: { ...headers, ...added }, body };
      return { door, status: (await dispatch.fetch(HOOKS_HOST, `/${door.key}`, sent)).status };
    };
    expect((await sign("hmac")).status).toBe(200);
    expect(dispatch.messages.map(({ message }) => message.digest)).toEqual([digest]);
    const delivery = decodeDelivery(dispatch.messages[0]?.message.headers["x-platform-delivery"] ?? "");
    expect(Object.fromEntries(delivery?.headers ?? [])).toEqual(headers);
    const unread = await sign("slack");
    expect([unread.status, dispatch.messages.length]).toEqual([404, 1]);
    await expect.poll(() => dispatch.rest.refusals).toContainEqual({ door: unread.door.id, reason: "malformed" });
    await expect.poll(() => linesOf(unread.door).map(({ reason }) => reason), SOON).toEqual(["malformed"]);
  },
);

test.each([
  ["Slack's challenge", "slack", { body: '{"type":"url_verification","challenge":"c-1"}' }, '{"challenge":"c-1"}'],
  ["Discord's ping", "discord", { body: '{"type":1}' }, '{"type":1}'],
  ["LINE's check", "line", { body: '{"destination":"U","events":[]}' }, ""],
  [
    "Meta's challenge",
    "whatsapp",
    { method: "GET", path: "?hub.mode=subscribe&hub.verify_token=meta-token&hub.challenge=77", body: undefined },
    "77",
  ],
] as const)("answers %s without a call to the tenant", async (_what, kind, change, body) => {
  const door = await addDoor(dispatch.rest, "acme", kind);
  const sent = await signed(kind, nextId(), { body: change.body });
  expect(await send(door.key, { ...sent, ...change })).toMatchObject({ status: 200, body });
  expect(dispatch.messages).toEqual([]);
  await expect.poll(() => linesOf(door).map(({ outcome }) => outcome), SOON).toEqual(["door_answered"]);
});

test("serves a tenant that had the doors' host before there were doors", async () => {
  dispatch.rest.tenants.set("hooks", tenant("hooks"));
  dispatch.rest.roles.set("hooks ada@acme.test", "ADMIN");
  const token = await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-hooks"] });
  const headers = { "cf-access-jwt-assertion": token };
  // The absence of the tenant is cached for ten seconds.
  await dispatch.fetch(HOOKS_HOST, "/_invalidate/hooks", { headers: { authorization: `Bearer ${INVALIDATE_TOKEN}` } });
  expect(await (await dispatch.fetch(HOOKS_HOST, "/page", { headers })).json()).toMatchObject({
    worker: "tenant-hooks",
  });
  const door = await addDoor(dispatch.rest, "acme", "bearer");
  expect((await send(door.key, await signed("bearer", nextId()))).status).toBe(200);
});

test("logs neither keys nor secrets nor bodies", () => {
  const text = dispatch.logs.join("\n");
  const secrets = Object.values(SAMPLES).flatMap(({ secrets }) => Object.values(secrets));
  for (const secret of [...secrets, ...doorKeys, "acme/site", "anything"]) expect(text).not.toContain(secret);
});
