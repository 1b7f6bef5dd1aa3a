/** Exactly one gateway in situations that could start two. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { probeConfinement } from "@tenantry/edge/containers";
import { expect } from "vitest";
import { gatewayProcessImage } from "../container/process-image.ts";
import { ADMIN, crash, running } from "../testing/backup-tenant.ts";
import { PROCESSES, START } from "../testing/engine-proxy.ts";
import { firstProcessOf } from "../testing/first-process.ts";
import { eventually, slowGateway, type Tenant } from "../testing/harness.ts";
import { gatewayOf } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";

/** Without namespaces, a container has no process outside. */
const isConfined = (await probeConfinement(gatewayProcessImage())).kind === "namespaces";

const isStart = (call: string) => call === START;
/** How often a gateway has begun to listen in this sandbox. */
const begun = (tenant: Tenant) =>
  readFileSync(join(tenant.root, "logs/gateway.log"), "utf8").split("listening").length - 1;

async function expectOne(tenant: Tenant): Promise<void> {
  const { processId } = await running(tenant);
  expect(tenant.processes("gateway").map(({ ownPid }) => String(ownPid))).toEqual([processId]);
  expect(tenant.processes("script")).toEqual([]);
}

test("starts one gateway for fifty calls that found none", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied(slowGateway);
  // The disk of a container is visible only while it runs.
  await running(tenant);
  await crash(tenant);
  proxy.calls.length = 0;
  const held = proxy.hold(isStart);
  const snapshots = Array.from({ length: 50 }, () => tenant.health());
  await eventually(() => proxy.calls.filter((call) => call === PROCESSES).length >= 50);
  await eventually(() => held.calls.length > 0);
  held.release();
  await Promise.all(snapshots);
  await expectOne(tenant);
  expect(proxy.calls.filter(isStart)).toHaveLength(1);
  expect(begun(tenant)).toBe(2);
});

test("starts one gateway when a Worker dies during the start and another takes over", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied(slowGateway);
  const held = proxy.hold(isStart);
  const lost = tenant.health().catch(() => undefined);
  await eventually(() => held.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  const second = tenant.health();
  await eventually(() => held.calls.length === 2);
  // Both starts are in progress, without knowledge of each other.
  held.release();
  await second;
  await expectOne(tenant);
  expect(begun(tenant)).toBe(1);
});

test("starts no other gateway when a start arrives late", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied(slowGateway);
  let starts = 0;
  const held = proxy.hold((call) => isStart(call) && ++starts === 1);
  const lost = tenant.health().catch(() => undefined);
  await eventually(() => held.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  const { processId } = await running(tenant);
  held.release();
  await eventually(() => proxy.answers.filter(isStart).length === 2);
  await expectOne(tenant);
  expect((await tenant.health()).processId).toBe(processId);
  expect(begun(tenant)).toBe(1);
});

test.skipIf(!isConfined)(
  "starts one gateway after the process outside its container was killed",
  async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    const former = gatewayOf(tenant);
    const [, outer] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${firstProcessOf(tenant)}/status`, "utf8")) ?? [];
    process.kill(Number(outer), "SIGKILL");
    await eventually(() => tenant.processes("gateway").every(({ pid }) => pid !== former));
    await expectOne(tenant);
    expect((await tenant.fetch("/")).status).toBe(200);
  },
);

test("leaves one gateway after concurrent restarts and health calls, and never runs two", async ({ openProxied }) => {
  const { tenant } = await openProxied(slowGateway);
  await running(tenant);
  let most = 0;
  let done = false;
  const watch = (async () => {
    while (!done) {
      most = Math.max(most, tenant.processes("gateway").length);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const restart = () => tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  for (let round = 0; round < 3; round++)
    await Promise.all([...Array.from({ length: 5 }, restart), ...Array.from({ length: 10 }, () => tenant.health())]);
  await expectOne(tenant);
  done = true;
  await watch;
  expect(most).toBe(1);
});
