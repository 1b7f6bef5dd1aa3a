/** Webhooks at the doors' host: what is accepted reaches the tenant's inbox once, and every refusal is the same. */
import { request as httpRequest } from "node:http";
import { type WebhookKind, WEBHOOK_KINDS, webhookKinds } from "@tenantry/webhooks/kinds";
import { Response } from "@tenantry/edge/workerd";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hooksHostname } from "#domain/names/hostnames.ts";
import { decodeDelivery } from "#workers/contracts/tenant/inbox.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";
import { addDoor, type TestDoor } from "./testing/door.ts";
import { keySet, SAMPLES, type Sent, signed } from "./testing/webhooks.ts";

const HOST = hooksHostname("production", DOMAIN);
/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;
/** Of the vendors with JWTs; `undefined`: unreachable. */
let issuerKeys: object | undefined;
let keyRequests: string[];
beforeAll(async () => {
  dispatch = await startDispatch(
    {},
    {
      outside: ({ url }) => {
        keyRequests.push(url);
        return issuerKeys === undefined ? new Response("down", { status: 503 }) : Response.json(issuerKeys);
      },
    },
  );
  for (const slug of ["acme", "full", "old", "throws", "missing"]) dispatch.rest.tenants.set(slug, tenant(slug));
}, 120_000);
afterAll(() => dispatch?.stop());
beforeEach(() => {
  dispatch.messages.length = 0;
  keyRequests = [];
  issuerKeys = keySet();
});

let ids = 1_000;
const nextId = () => String((ids += 1));
let addresses = 0;

async function send(key: string, { method, path, headers, body }: Sent, more: Record<string, string> = {}) {
  addresses += 1;
  const response = await dispatch.fetch(HOST, `/${key}${path}`, {
    method,
    // Each from its own network, to stay below the rate limit.
    headers: { "cf-connecting-ip": `2001:db8:1:${addresses.toString(16)}::1`, ...headers, ...more },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

const refusalOf = (answer: Awaited<ReturnType<typeof send>>) => {
  const { date: _, ...headers } = answer.headers;
  return { ...answer, headers };
};
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
    await expect.poll(() => linesOf(door).map(({ outcome }) => outcome), SOON).toEqual(["door_queued", "door_duplicate"]);
    expect(linesOf(door)[0]).toMatchObject({ tenant: "acme", status: answer.status, cache: "database" });
    await expect.poll(() => dispatch.rest.touchedDoors.filter((id) => id === door.id)).toHaveLength(1);
  });

  test("refuses a forged webhook without a call to the tenant", async () => {
    const door = await addDoor(dispatch.rest, "acme", kind);
    const { headers, ...sent } = await signed(kind, nextId());
    const names = ["authorization", ...Object.keys(headers).filter((name) => /signature|token/.test(name))];
    const forged = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        names.includes(name) ? value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (c) => (c === "Q" ? "g" : "Q")) : value,
      ]),
    );
    const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
    for (const wrong of [forged, unsigned]) expect((await send(door.key, { ...sent, headers: wrong })).status).toBe(404);
    expect(dispatch.messages).toEqual([]);
    await expect
      .poll(() => linesOf(door).map(({ outcome, reason }) => `${outcome} ${reason}`), SOON)
      .toEqual(["not_found signature_wrong", "not_found signature_missing"]);
  });
});
