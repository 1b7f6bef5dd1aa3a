import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { ADMIN, adminLog, backUp, crash, listed, running, statusOf } from "../testing/backup-tenant.ts";
import { eventually } from "../testing/harness.ts";
import { listen } from "../testing/health-stream.ts";
import { asleep, during, gatewayOf, isAsleep, keepNote, keptNotes, openEcho } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

// Each test has its own tenant and mostly waits, so some run concurrently.

const test = base.extend("open", ({ openTenant }) => {
  return (bindings: Record<string, string> = { SLEEP_AFTER_SECONDS: "2" }) => openTenant(undefined, { bindings });
});

/** Stays awake for four seconds without traffic: longer than between requests that are sent every 200 ms, on a busy machine too. */
const patient = { SLEEP_AFTER_SECONDS: "4" };
const LONGER_MS = 7_000;

test.concurrent("sleeps after idle time with a backup, and wakes with the last changes", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  await keepNote(tenant, "first");
  await backUp(tenant);
  await keepNote(tenant, "written just before");
  await asleep(tenant);
  // The container ends a moment before its Worker notices.
  await tenant.until(
    ({ status, restoreStatus: { hadBackup, restored } }) => status === "stopped" && hadBackup && !restored,
    "?passive=1",
  );
  expect(isAsleep(tenant)).toBe(true);
  expect(await adminLog(tenant)).toContain("sleep.begun");

  // Concurrently, since each of them wakes it.
  const [refused, page] = await Promise.all([
    tenant.fetch("/api/notes", { headers: { accept: "application/json" } }),
    tenant.fetch("/", { headers: { accept: "text/html" } }),
  ]);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("/api/health/ws");
  const woken = await running(tenant);
  expect(woken.restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(woken.unexpectedRestores).toBeUndefined();
  expect(await keptNotes(tenant)).toEqual(new Set(["first", "written just before"]));
  expect(tenant.processes("gateway").length).toBeLessThanOrEqual(1);
});

test.concurrent("sleeps on an administrator's order despite its idle time, and wakes at the ordered time", async ({
  open,
}) => {
  const tenant = await open({ SLEEP_AFTER_SECONDS: "3600", WAKE_LEAD_SECONDS: "1" });
  await running(tenant);
  await keepNote(tenant, "kept");
  const first = gatewayOf(tenant);
  const order = (body?: string, headers = ADMIN) =>
    tenant.fetch("/api/admin/gateway/sleep", { method: "POST", headers, ...(body && { body }) });
  const member = { "X-Platform-Role": "BASE_USER" };
  expect([(await order(undefined, member)).status, (await order("[]")).status]).toEqual([403, 400]);
  expect(gatewayOf(tenant)).toBe(first);

  const answer = await order();
  expect([answer.status, await answer.json()]).toEqual([200, { asleep: true }]);
  expect(isAsleep(tenant)).toBe(true);
  expect(await (await order('{"wakeAfterSeconds":1}')).json()).toEqual({ asleep: true, wakesAt: expect.any(String) });
  await eventually(() => tenant.processes("gateway").length === 1);
  expect(await adminLog(tenant)).toContain("sleep.ended");
  expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
});

test.concurrent("wakes on a WebSocket", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  await asleep(tenant);
  const socket = await openEcho(tenant);
  const answer = new Promise((resolve) => socket.once("message", (data) => resolve(String(data))));
  socket.send("awake?");
  expect(await answer).toBe("awake?");
  socket.terminate();
});

describe.concurrent("is kept awake by", () => {
  test("requests and active health calls", async ({ open }) => {
    const tenant = await open(patient);
    await running(tenant);
    const gateway = gatewayOf(tenant);
    await during(LONGER_MS, () => tenant.fetch("/api/notes"));
    expect(gatewayOf(tenant)).toBe(gateway);
    await during(LONGER_MS, () => tenant.health());
    expect(gatewayOf(tenant)).toBe(gateway);
    await asleep(tenant);
  });

  test("a long streaming response", async ({ open }) => {
    const tenant = await open();
    await running(tenant);
    const answer = await tenant.fetch("/api/count?to=40&everyMs=100");
    expect((await answer.text()).trim().split("\n")).toHaveLength(40);
    await asleep(tenant);
  });

  test("WebSocket messages of a client", async ({ open }) => {
    const tenant = await open(patient);
    await running(tenant);
    const gateway = gatewayOf(tenant);
    const socket = await openEcho(tenant);
    await during(LONGER_MS, () => socket.send("still here"));
    expect(gatewayOf(tenant)).toBe(gateway);
    socket.terminate();
  });

  test("an active listener", async ({ open }) => {
    const tenant = await open({ SLEEP_AFTER_SECONDS: "8" });
    await running(tenant);
    const gateway = gatewayOf(tenant);
    const listener = await listen(`${tenant.url}/api/health/ws`);
    await eventually(() => listener.messages.length >= 4);
    expect(gatewayOf(tenant)).toBe(gateway);
    await listener.close();
  });

  test("a plan that never sleeps", async ({ open }) => {
    const tenant = await open({});
    await running(tenant);
    const gateway = gatewayOf(tenant);
    await during(4_000, () => tenant.health("?passive=1"));
    expect(gatewayOf(tenant)).toBe(gateway);
    expect((await statusOf(tenant)).sleep).toEqual({});
  });
});

describe.concurrent("is not kept awake by", () => {
  test("passive calls and listeners, which do not wake it either", async ({ open }) => {
    const tenant = await open();
    await running(tenant);
    const listener = await listen(`${tenant.url}/api/health/ws?passive=1`);
    await eventually(async () => {
      await tenant.health("?passive=1");
      return isAsleep(tenant);
    });
    const seen = listener.messages.length;
    await eventually(() => listener.messages.length >= seen + 2);
    expect(listener.messages.at(-1)?.status).toBe("stopped");
    expect(isAsleep(tenant)).toBe(true);
    await listener.close();
  });

  test("a WebSocket that is silent or only pings", async ({ open }) => {
    const tenant = await open();
    await running(tenant);
    const socket = await openEcho(tenant);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const pings = setInterval(() => socket.ping(), 200);
    await asleep(tenant);
    clearInterval(pings);
    await closed;
  });
});

test.concurrent("backs up a died gateway's state before it sleeps", async ({ open }) => {
  const tenant = await open();
  await running(tenant);
  await keepNote(tenant, "kept");
  await backUp(tenant);
  await keepNote(tenant, "after the backup");
  await crash(tenant);
  await asleep(tenant);
  await running(tenant);
  expect(await keptNotes(tenant)).toEqual(new Set(["kept", "after the backup"]));
});

test.concurrent("stays awake when the state may not be backed up, and logs it once", async ({ open }) => {
  const tenant = await open(patient);
  await running(tenant);
  await keepNote(tenant, "kept");
  await backUp(tenant);
  const gateway = gatewayOf(tenant);
  rmSync(join(tenant.root, "state", STATE_MARKER_FILE));
  await eventually(async () => (await adminLog(tenant)).includes("sleep.refused"));
  await delay(LONGER_MS);
  expect(gatewayOf(tenant)).toBe(gateway);
  expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
  expect((await adminLog(tenant)).match(/sleep\.refused/g)).toHaveLength(1);
});

/** The ticket variables of a gateway. */
function ticketKeys(pid: number | undefined): Partial<Record<"TICKET_KEY" | "FORMER_TICKET_KEY", string>> {
  const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  const [TICKET_KEY, FORMER_TICKET_KEY] = ["TICKET_KEY=", "FORMER_TICKET_KEY="].map((start) =>
    variables.find((one) => one.startsWith(start))?.slice(start.length),
  );
  return { TICKET_KEY, FORMER_TICKET_KEY } as Partial<Record<"TICKET_KEY" | "FORMER_TICKET_KEY", string>>;
}

describe.concurrent("a supervisor that starts cold", () => {
  test("puts it to sleep without calls", async ({ open }) => {
    const tenant = await open(patient);
    await running(tenant);
    await keepNote(tenant, "kept");
    await tenant.restartWorker();
    await asleep(tenant);
    expect(await listed(tenant)).not.toEqual([]);
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
  });

  test("considers earlier active calls", async ({ open }) => {
    const tenant = await open({ SLEEP_AFTER_SECONDS: "8" });
    await running(tenant);
    await during(3_000, () => tenant.health());
    const called = Date.now();
    await tenant.restartWorker();
    await asleep(tenant);
    expect(Date.now() - called).toBeGreaterThanOrEqual(8_000);
  });

  test("restarts a gateway with another environment once, and traffic continues with the new token", async ({
    open,
  }) => {
    const tenant = await open({});
    await running(tenant);
    await keepNote(tenant, "kept");
    const first = gatewayOf(tenant);
    const ada = { headers: { "x-platform-user": "ada@acme.example", "x-platform-role": "ADMIN" } };
    const keys = ticketKeys(first);
    expect(keys).toMatchObject({ TICKET_KEY: expect.any(String), FORMER_TICKET_KEY: undefined });
    await tenant.restartWorker({ GATEWAY_TOKEN: "another-token" });
    await tenant.until(({ status }) => status === "running", "?passive=1");
    expect(gatewayOf(tenant)).toBe(first);
    await eventually(async () => {
      const answers = await Promise.all([1, 2, 3].map(() => tenant.fetch("/api/notes")));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      const page = await tenant.fetch("/", ada);
      // No ticket is refused, whichever gateway responds.
      if (page.status === 200) expect(await page.text()).toContain('<span id="user">ada@acme.example</span>');
      return statuses.every((status) => status === 200);
    });
    expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
    const second = gatewayOf(tenant);
    expect(second).not.toBe(first);
    const { TICKET_KEY, FORMER_TICKET_KEY } = ticketKeys(second);
    expect(TICKET_KEY).not.toBe(keys.TICKET_KEY);
    expect(FORMER_TICKET_KEY?.split(".")[0]).toBe(keys.TICKET_KEY);
    expect(await listed(tenant)).not.toEqual([]);
    expect((await adminLog(tenant)).match(/environment\.changed/g)).toHaveLength(1);

    await tenant.restartWorker({ GATEWAY_TOKEN: "another-token" });
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
    expect(gatewayOf(tenant)).toBe(second);
  });
});

test.concurrent("wakes on an administrator's restart", async ({ open }) => {
  const tenant = await open(patient);
  await running(tenant);
  await keepNote(tenant, "kept");
  await asleep(tenant);
  expect((await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN })).status).toBe(202);
  // When a start takes as long as its idle time, it may sleep again before a passive call observes that it runs.
  await tenant.until(({ status }) => status !== "stopped", "?passive=1");
  expect(await keptNotes(tenant)).toEqual(new Set(["kept"]));
  expect(tenant.processes("gateway").length).toBeLessThanOrEqual(1);
});

test.concurrent("accepts a hundred listeners of the health stream, and another one when one leaves", async ({
  open,
}) => {
  const tenant = await open({});
  const url = `${tenant.url}/api/health/ws?passive=1`;
  const listeners = await Promise.all(Array.from({ length: 100 }, () => listen(url)));
  await expect(listen(url)).rejects.toThrow("503");
  await listeners.pop()?.close();
  listeners.push(await eventually(() => listen(url).catch(() => undefined)));
  await Promise.all(listeners.map((listener) => listener.close()));
});
