/** Faults of what doors depend on: the vendor is asked to retry, or a cached entry serves. */
import { Response } from "@tenantry/edge/workerd";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDoorKey } from "#domain/doors/door-key.ts";
import { DOOR_ENTRY_VERSION } from "#workers/contracts/door-entry.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";
import { addDoor, type TestDoor } from "./testing/door.ts";
import { type Answer, HOOKS_HOST, nextId, sendWebhook } from "./testing/send.ts";
import { keySet, SAMPLES, signed } from "./testing/webhooks.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };
const bearer = { authorization: `Bearer ${INVALIDATE_TOKEN}` };

let dispatch: DispatchUnderTest;
/** Of the vendors with JWTs; `undefined`: unreachable. */
let issuerKeys: object | undefined;
let keyRequests = 0;
beforeAll(async () => {
  const outside = () => {
    keyRequests += 1;
    return issuerKeys === undefined ? new Response("down", { status: 503 }) : Response.json(issuerKeys);
  };
  dispatch = await startDispatch({}, { outside });
}, 120_000);
afterAll(() => dispatch?.stop());
beforeEach(() => {
  dispatch.messages.length = 0;
  dispatch.rest.setDown(false);
  dispatch.rest.tenants.set("acme", tenant("acme"));
});

const send = async (door: TestDoor, kind: Parameters<typeof signed>[0], o?: Parameters<typeof signed>[2]) =>
  sendWebhook(dispatch, door.key, await signed(kind, nextId(), o));
const order = (path: string, init = {}) => dispatch.fetch(`_dispatch.${DOMAIN}`, path, { headers: bearer, ...init });
const reasonOf = ({ body }: Answer) => JSON.parse(body).error.reason;

describe("while the tenant cannot store a webhook", () => {
  test.each([
    ["its inbox is full", "full", "42"],
    ["its Worker is of an earlier version", "old", "5"],
    ["its Worker throws", "throws", "5"],
    ["its Worker does not exist", "missing", "5"],
    ["its Worker does not respond before the vendor's time limit", "hangs", "5"],
  ])("asks the vendor to send it again, because %s", async (_what, slug, retryAfter) => {
    dispatch.rest.tenants.set(slug, tenant(slug));
    // The kind with the shortest time limit.
    const door = await addDoor(dispatch.rest, slug, "line");
    const answer = await send(door, "line");
    expect([answer.status, answer.headers["retry-after"], reasonOf(answer)]).toEqual([
      503,
      retryAfter,
      "door_unavailable",
    ]);
    expect(answer.body).not.toContain("secret detail");
    await expect
      .poll(() => dispatch.logs.some((line) => line.includes(door.id) && line.includes('"reason":')))
      .toBe(true);
    expect(dispatch.rest.touchedDoors).not.toContain(door.id);
  });

  test("reads a door again whose secrets are encrypted with another key, once for each cached entry", async () => {
    const doorsKey = "another-password-of-32-characters-or-more";
    const [door, good] = [
      await addDoor(dispatch.rest, "acme", "line", { doorsKey }),
      await addDoor(dispatch.rest, "acme", "line"),
    ];
    const reads = () => dispatch.rest.resolvedDoors.filter((hash) => hash === door.hash).length;
    const refused = { status: 503, headers: { "retry-after": "5" } };
    expect(await send(door, "line")).toMatchObject(refused);
    expect(reads()).toBe(2);
    for (let call = 0; call < 3; call += 1) expect(await send(door, "line")).toMatchObject(refused);
    expect(reads()).toBe(2);

    // Another isolate has cached an entry from before a rotation in KV.
    const record = dispatch.rest.doors.get(good.hash) ?? expect.fail();
    const { slug: _, ...unreadable } = dispatch.rest.doors.get(door.hash) ?? expect.fail();
    const entry = { ...unreadable, id: record.id, tenant: dispatch.rest.tenants.get("acme") };
    const store = async () =>
      (await dispatch.kv()).put(
        `door:${good.hash}`,
        JSON.stringify({ v: DOOR_ENTRY_VERSION, door: entry, readAt: Date.now() }),
      );
    await store();
    expect((await send(good, "line")).status).toBe(200);
    expect((await send(good, "line")).status).toBe(200);
    expect(dispatch.rest.resolvedDoors.filter((hash) => hash === good.hash)).toHaveLength(1);

    dispatch.rest.doors.set(good.hash, { ...record, state: "disabled" });
    await order(`/_invalidate-door/${good.hash}`);
    await store();
    expect((await send(good, "line")).status).toBe(404);
    dispatch.rest.doors.delete(good.hash);
    await order(`/_invalidate-door/${good.hash}`);
    await store();
    expect((await send(good, "line")).status).toBe(404);
  });
});

describe("the keys of vendors with JWTs", () => {
  test("are fetched once, and again for a new key, but not for each forged one", async () => {
    issuerKeys = undefined;
    const door = await addDoor(dispatch.rest, "acme", "googlechat");
    expect(await send(door, "googlechat")).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    issuerKeys = keySet();
    keyRequests = 0;
    for (let call = 0; call < 3; call += 1) expect((await send(door, "googlechat")).status).toBe(200);
    expect(keyRequests).toBe(1);

    issuerKeys = { keys: [...keySet().keys, ...keySet("key-2").keys] };
    expect((await send(door, "googlechat", { keyId: "key-2" })).status).toBe(200);
    expect(keyRequests).toBe(2);
    const forged = Array.from({ length: 30 }, (_, id) => send(door, "googlechat", { keyId: `made-up-${id}` }));
    expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([404]));
    expect(keyRequests).toBeLessThan(12);
    // The known keys still serve.
    issuerKeys = undefined;
    expect((await send(door, "googlechat")).status).toBe(200);
  });
});

describe("a rotation", () => {
  test("accepts two secrets of a door", async () => {
    const [used, former] = [{ channelSecret: "new-secret" }, { channelSecret: "former-secret" }];
    const door = await addDoor(dispatch.rest, "acme", "line", { secrets: used, former });
    for (const secrets of [used, former]) expect((await send(door, "line", { secrets })).status).toBe(200);
    expect((await send(door, "line", { secrets: SAMPLES.line.secrets })).status).toBe(404);
  });

  test("of the platform's key accepts secrets that are encrypted with either", async () => {
    const other = "password-of-32-characters-or-more-before-the-rotation";
    const rotating = await startDispatch({ OTHER_DOORS_KEY: other });
    try {
      rotating.rest.tenants.set("acme", tenant("acme"));
      for (const doorsKey of [undefined, other]) {
        const { key } = await addDoor(rotating.rest, "acme", "bearer", doorsKey === undefined ? {} : { doorsKey });
        expect((await sendWebhook(rotating, key, await signed("bearer", nextId()))).status).toBe(200);
      }
    } finally {
      await rotating.stop();
    }
  });
});

describe("while the database is down", () => {
  test("serves doors that were known recently, asks others to retry, and leaves the time of the last use", async () => {
    const known = await addDoor(dispatch.rest, "acme", "bearer");
    expect((await send(known, "bearer")).status).toBe(200);
    const [stale, unknown] = [
      await addDoor(dispatch.rest, "acme", "bearer"),
      await addDoor(dispatch.rest, "acme", "bearer"),
    ];
    const kv = await dispatch.kv();
    const { slug: _, ...door } = dispatch.rest.doors.get(stale.hash) ?? expect.fail();
    const entry = { v: DOOR_ENTRY_VERSION, door: { ...door, tenant: dispatch.rest.tenants.get("acme") } };
    await kv.put(`door:${stale.hash}`, JSON.stringify({ ...entry, readAt: Date.now() - 5 * 60_000 }));
    const old = await addDoor(dispatch.rest, "acme", "bearer");
    await kv.put(`door:${old.hash}`, JSON.stringify({ ...entry, readAt: Date.now() - 16 * 60_000 }));
    dispatch.rest.setDown(true);
    for (const served of [known, stale]) expect((await send(served, "bearer")).status).toBe(200);
    for (const refused of [unknown, old]) {
      expect(await send(refused, "bearer")).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    }
    await expect.poll(() => dispatch.logs.some((line) => line.includes("door-touch.failed")), SOON).toBe(true);
  });
});

describe("a cached entry", () => {
  test.each([
    ["of an older shape", { v: 0 }],
    ["of another environment's door", { tenant: tenant("acme", { environment: "development" }) }],
    ["that is expired", { readAt: Date.now() - 61_000 }],
  ])("in KV is not used when it is one %s", async (_what, { tenant: other, ...change }: Record<string, unknown>) => {
    const door = await addDoor(dispatch.rest, "acme", "bearer");
    const { slug: _, ...record } = dispatch.rest.doors.get(door.hash) ?? expect.fail();
    const stored = { ...record, state: "disabled", tenant: other ?? dispatch.rest.tenants.get("acme") };
    const entry = { v: DOOR_ENTRY_VERSION, door: stored, readAt: Date.now(), ...change };
    await (await dispatch.kv()).put(`door:${door.hash}`, JSON.stringify(entry));
    expect((await send(door, "bearer")).status).toBe(200);
  });

  test("ends with the order for its hash, and a frozen tenant's with the order for its slug", async () => {
    const door = await addDoor(dispatch.rest, "acme", "bearer");
    expect((await send(door, "bearer")).status).toBe(200);
    const record = dispatch.rest.doors.get(door.hash) ?? expect.fail();
    dispatch.rest.doors.set(door.hash, { ...record, state: "disabled" });
    expect((await send(door, "bearer")).status).toBe(200);
    const cleared = await order(`/_invalidate-door/${door.hash}`);
    expect([cleared.status, await cleared.json()]).toEqual([
      200,
      { invalidated: door.hash, elsewhereWithinSeconds: 60 },
    ]);
    expect((await send(door, "bearer")).status).toBe(404);

    dispatch.rest.doors.set(door.hash, record);
    await order(`/_invalidate-door/${door.hash}`);
    expect((await send(door, "bearer")).status).toBe(200);
    dispatch.rest.tenants.set("acme", tenant("acme", { instance_status: "frozen" }));
    await order("/_invalidate/acme");
    expect((await send(door, "bearer")).status).toBe(404);
  });

  test("is not cleared without the token, or for something other than a hash", async () => {
    const hash = "0".repeat(64);
    expect((await order(`/_invalidate-door/${hash}`, { headers: {} })).status).toBe(401);
    for (const path of ["", "acme", hash.slice(1), `${hash}0`, `${hash}/`, "A".repeat(64)]) {
      expect([path, (await order(`/_invalidate-door/${path}`)).status]).toEqual([path, 400]);
    }
  });
});

test("limits unknown keys per network, and reads nothing for what is no key", async () => {
  const before = dispatch.rest.resolvedDoors.length;
  const from = (address: string, key: string) =>
    dispatch.fetch(HOOKS_HOST, `/${key}`, { method: "POST", headers: { "cf-connecting-ip": address } });
  const statuses = [];
  for (let call = 0; call < 130; call += 1) statuses.push((await from("192.0.2.1", newDoorKey())).status);
  expect(statuses.slice(0, 100)).toEqual(Array(100).fill(404));
  expect(statuses.at(-1)).toBe(429);
  const refused = await from("192.0.2.1", newDoorKey());
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 1]);
  const lookups = dispatch.rest.resolvedDoors.length - before;
  expect(lookups).toBe(statuses.filter((status) => status === 404).length);
  // Other networks, and doors that this isolate knows, are not affected.
  const door = await addDoor(dispatch.rest, "acme", "bearer");
  expect((await send(door, "bearer")).status).toBe(200);
  const sent = await signed("bearer", nextId());
  expect((await sendWebhook(dispatch, door.key, sent, { "cf-connecting-ip": "192.0.2.1" })).status).toBe(200);

  await from("192.0.2.2", "no-key");
  await from("192.0.2.2", `${newDoorKey()}x`);
  expect(dispatch.rest.resolvedDoors.length - before).toBe(lookups + 1);
});
