/** Open connections through the Worker: relayed unchanged, and closed when no longer allowed. */
import type { Response, WebSocket } from "miniflare";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };
const ACME = `acme.${DOMAIN}`;
/** The cache's minute passes in two seconds. */
const SPEED = 30;

let dispatch: DispatchUnderTest;
let session: Record<string, string>;
let acme: TenantRecord;

beforeEach(async () => {
  dispatch = await startDispatch({}, { speed: SPEED });
  acme = tenant("acme");
  dispatch.rest.tenants.set("acme", acme);
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
  session = {
    "cf-access-jwt-assertion": await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] }),
  };
});
afterEach(() => dispatch?.stop());

const upgrade = (path = "/ws", headers = session) =>
  dispatch.fetch(ACME, path, { headers: { upgrade: "websocket", ...headers } });

/** An open WebSocket with its messages and its close. */
function opened({ webSocket }: Response) {
  if (!webSocket) throw new Error("no WebSocket");
  const messages: unknown[] = [];
  let hear = () => {};
  webSocket.addEventListener("message", ({ data }) => {
    messages.push(data);
    hear();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    webSocket.addEventListener("close", ({ code, reason }) => resolve({ code, reason })),
  );
  webSocket.accept();
  const received = async (count: number) => {
    while (messages.length < count) {
      await new Promise<void>((resolve) => {
        hear = resolve;
      });
    }
    return messages;
  };
  return { webSocket: webSocket as WebSocket, received, closed };
}

const freeze = () => dispatch.rest.tenants.set("acme", { ...acme, instance_status: "frozen" });

describe("a WebSocket", () => {
  test("relays text, bytes and close codes in order and in both directions", async () => {
    const one = opened(await upgrade());
    one.webSocket.send("text");
    one.webSocket.send(new Uint8Array([1, 2, 3]));
    const [greeting, text, bytes] = await one.received(3);
    expect(greeting).toContain("tenant-acme");
    expect([text, new Uint8Array(bytes as ArrayBuffer)]).toEqual(["text", new Uint8Array([1, 2, 3])]);
    one.webSocket.send("close 4001 bye");
    expect(await one.closed).toEqual({ code: 4001, reason: "bye" });

    const other = opened(await upgrade());
    await other.received(1);
    other.webSocket.close(4002, "enough");
    await expect.poll(() => dispatch.logs.join("\n"), SOON).toContain("tenant saw the end: 4002 enough");
  });

  test.each([
    ["of a frozen tenant", "/ws", freeze],
    ["of a removed user", "/ws", () => dispatch.rest.roles.delete("acme ada@acme.test")],
    ["of the health stream of a frozen tenant", "/api/health/ws", freeze],
  ])("%s ends when the cached entry expires", async (_, path, change) => {
    const response = await upgrade(path, path === "/ws" ? session : {});
    const { received, closed } = opened(response);
    await received(1);
    change();
    expect(await closed).toMatchObject({ code: 1008 });
  });

  test("of a valid user stays open when the entry expires, and during a database outage", async () => {
    const one = opened(await upgrade());
    await one.received(1);
    dispatch.rest.resolved.length = 0;
    dispatch.rest.setDown(true);
    await expect.poll(() => dispatch.rest.resolved.length, SOON).toBeGreaterThan(0);
    one.webSocket.send("still here");
    expect(await one.received(2)).toContain("still here");
  });
});

describe("a body of unknown length", () => {
  test("ends when its tenant is frozen and the cached entry expires", async () => {
    const response = await dispatch.fetch(ACME, "/stream", { headers: session });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("data: more\n\n");
    freeze();
    let over = false;
    while (!over) over = (await reader?.read().catch(() => undefined))?.done ?? true;
    expect((await dispatch.fetch(ACME, "/stream", { headers: session })).status).toBe(403);
  });

  test("is complete, compressed or not", async () => {
    for (const path of ["/long", "/long?compressed"]) {
      const response = await dispatch.fetch(ACME, path, { headers: session });
      expect(response.headers.get("content-length")).toBeNull();
      expect((await response.text()).length).toBe(600_000);
    }
  });
});

describe("GET /_invalidate/:slug", () => {
  const invalidate = async (slug: string) => {
    const headers = { authorization: `Bearer ${INVALIDATE_TOKEN}` };
    const response = await dispatch.fetch(`_dispatch.${DOMAIN}`, `/_invalidate/${slug}`, { headers });
    return { status: response.status, ...((await response.json()) as { cut: string }) };
  };

  test("closes connections at the tenant's Worker, and reports whether its gateway may restart", async () => {
    expect(await invalidate("acme")).toMatchObject({ status: 200, cut: "done" });
    freeze();
    expect(await invalidate("acme")).toMatchObject({ status: 200, cut: "done" });
    expect(dispatch.cuts).toEqual([
      { worker: "tenant-acme", cut: { routable: true } },
      { worker: "tenant-acme", cut: { routable: false } },
    ]);
  });

  test("closes a WebSocket of a frozen tenant at once", async () => {
    const { received, closed } = opened(await upgrade());
    await received(1);
    freeze();
    expect(await invalidate("acme")).toMatchObject({ cut: "done" });
    expect(await closed).toEqual({ code: 1012, reason: "cut" });
    expect((await upgrade()).status).toBe(403);
  });

  test("reaches the Worker of a tenant that the database does not know, and while the database is down", async () => {
    expect(await invalidate("gone")).toMatchObject({ cut: "done" });
    dispatch.rest.setDown(true);
    expect(await invalidate("acme")).toMatchObject({ status: 200, cut: "done" });
    expect(dispatch.cuts).toEqual([
      { worker: "tenant-gone", cut: { routable: false } },
      { worker: "tenant-acme", cut: { routable: false } },
    ]);
  });

  test("reports a missing Worker without failure, and a Worker that failed", async () => {
    expect(await invalidate("missing")).toMatchObject({ status: 200, cut: "no_worker" });
    expect(await invalidate("uncut")).toMatchObject({ status: 200, cut: "failed" });
    await expect.poll(() => dispatch.logs.join("\n"), SOON).toContain('"event":"cut.failed"');
  });
});
