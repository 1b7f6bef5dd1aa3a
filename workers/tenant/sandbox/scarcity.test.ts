/** Reports of disk and memory to administrators. */
import { expect } from "vitest";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { ADMIN, running } from "../testing/backup-tenant.ts";
import { HEALTH, PROCESSES } from "../testing/engine-proxy.ts";
import type { Tenant } from "../testing/harness.ts";
import { test } from "../testing/test.ts";
import { Scarcity, warningsOf } from "./scarcity.ts";

async function statusOf(tenant: Tenant): Promise<SandboxStatus> {
  const response = await tenant.fetch("/api/admin/gateway/status", { headers: ADMIN });
  expect(response.status).toBe(200);
  return sandboxStatus.parse(await response.json());
}

/** Creates objects over one storage, and collects what they record. */
function openScarcity() {
  const stored = new Map<string, unknown>();
  const recorded: string[] = [];
  const storage = {
    get: async (key: string) => stored.get(key),
    put: async (key: string, value: unknown) => void stored.set(key, value),
  };
  /** Creates another object, as after an eviction. */
  const watch = () =>
    new Scarcity(storage, (event, { message = "" }) => recorded.push([event, message].join(" ").trimEnd()));
  return { watch, recorded };
}

const disk = (percent: number) => ({ disk: { usedBytes: percent * 1e7, totalBytes: 1e9 } });
const FULL =
  "disk.scarce 80 % of the disk is used, 800 MB of 1000 MB; when it is full, the gateway cannot write, and backups and restores fail. A larger plan has more.";

test("reports a full disk once each time, with the remedy", async () => {
  const { watch, recorded } = openScarcity();
  const one = watch();
  for (const percent of [79, 80, 99, 80, 78]) await one.observe(disk(percent));
  expect(recorded).toEqual([FULL]);
  // Not repeated by a new object, nor after a missing value.
  await watch().observe(disk(85));
  await watch().observe({});
  await watch().observe(disk(85));
  expect(recorded).toEqual([FULL]);
  await watch().observe(disk(74));
  await watch().observe(disk(80));
  expect(recorded).toEqual([FULL, "disk.eased", FULL]);
});

test("reports memory separately", async () => {
  const { watch, recorded } = openScarcity();
  await watch().observe({ ...disk(80), memory: { usedBytes: 9e8, totalBytes: 1e9 } });
  expect(recorded.map((line) => line.split(" ")[0])).toEqual(["disk.scarce", "memory.scarce"]);
  expect(warningsOf({ memory: { usedBytes: 9e8, totalBytes: 1e9 } })).toEqual([
    { resource: "memory", message: expect.stringContaining("A larger plan has more.") },
  ]);
});

test("returns the use of disk and memory without waking the sandbox, to administrators only", async ({
  openProxied,
}) => {
  const { tenant, proxy } = await openProxied();
  expect(await statusOf(tenant)).toEqual({
    ts: expect.any(String),
    inbox: { pending: 0, dead: 0, limit: 1_000 },
    sandbox: "asleep",
    worker: expect.any(String),
    // Its plan never sleeps.
    sleep: {},
    socketChannels: [],
    warnings: [],
  });
  await running(tenant);
  proxy.calls.length = 0;
  const { sandbox, disk, memory } = await statusOf(tenant);
  // The first backup may be in progress.
  expect(proxy.calls.filter((call) => call === PROCESSES || call === HEALTH)).toEqual([PROCESSES]);
  expect(sandbox).toBe("awake");
  for (const use of [disk, memory]) {
    expect(use?.usedBytes).toBeGreaterThan(0);
    expect(use?.usedBytes).toBeLessThan(use?.totalBytes ?? 0);
  }
  proxy.fail(PROCESSES);
  expect(await statusOf(tenant)).toMatchObject({ sandbox: "unknown", warnings: [] });
  for (const headers of [{}, { "X-Platform-Role": "BASE_USER" }])
    expect((await tenant.fetch("/api/admin/gateway/status", { headers })).status).toBe(403);
  const posted = await tenant.fetch("/api/admin/gateway/status", { method: "POST", headers: ADMIN });
  expect(posted.status).toBe(405);
});
