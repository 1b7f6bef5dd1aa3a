/** The versions that administrators see. */
import { expect } from "vitest";
import { bundleWorker } from "#workers/bundle.ts";
import { addNote, backUp, crash, empty, running, settled, statusOf } from "../../testing/backup-tenant.ts";
import { VERSIONS } from "../../testing/engine-proxy.ts";
import { asleep } from "../../testing/sleeping-tenant.ts";
import { test } from "../../testing/test.ts";
import { GATEWAY } from "../../testing/upgraded-tenant.ts";

const gateway = (version: string) => ({ name: GATEWAY, version });

test.concurrent("reports the gateway of the last start and the bundle without waking the sandbox, and reads the image once per start", async ({
  openUpgraded,
}) => {
  const { tenant, proxy, setImage } = await openUpgraded({ version: "1.0.0" });
  const asked = () => proxy.calls.filter((call) => call === VERSIONS).length;
  const worker = (await bundleWorker("tenant")).contentHash;
  const before = await statusOf(tenant);
  expect(before).toMatchObject({ sandbox: "asleep", worker });
  expect(before).not.toHaveProperty("gateway");
  expect(proxy.calls).toEqual([]);

  await running(tenant);
  expect(asked()).toBe(1);
  expect((await statusOf(tenant)).gateway).toEqual(gateway("1.0.0"));
  await addNote(tenant, "kept");
  await backUp(tenant);
  for (const [version, wake] of [
    ["2.0.0", crash],
    ["2.1.0", empty],
  ] as const) {
    const count = asked();
    await wake(tenant);
    setImage({ version });
    await running(tenant);
    expect(asked()).toBe(count + 1);
    expect((await statusOf(tenant)).gateway).toEqual(gateway(version));
  }

  const count = asked();
  await tenant.restartWorker();
  expect(await statusOf(tenant)).toMatchObject({ gateway: gateway("2.1.0"), worker });
  expect(asked()).toBe(count);
});

test.concurrent("reports both for a sleeping tenant", async ({ openTenant }) => {
  const tenant = await openTenant(undefined, { bindings: { SLEEP_AFTER_SECONDS: "1" } });
  await running(tenant);
  await asleep(tenant);
  expect(await statusOf(tenant)).toMatchObject({ sandbox: "asleep", gateway: gateway("1.0.0") });
});

test.concurrent("starts an image without a version, and no longer reports the previous one", async ({
  openUpgraded,
}) => {
  const { tenant, proxy } = await openUpgraded({ version: "1.0.0" });
  await running(tenant);
  expect((await statusOf(tenant)).gateway).toEqual(gateway("1.0.0"));
  await settled(tenant);
  await empty(tenant);
  await tenant.bucket.delete(...(await tenant.bucket.keys("backups/")));
  proxy.fail(VERSIONS);
  await running(tenant);
  expect(await statusOf(tenant)).not.toHaveProperty("gateway");
});

test.concurrent("reports no bundle when the Worker has no hash", async ({ openTenant }) => {
  const tenant = await openTenant(undefined, { bindings: { BUNDLE_HASH: "" }, versionCommand: ["sh", "-c", "exit 3"] });
  await running(tenant);
  const status = await statusOf(tenant);
  expect(status).not.toHaveProperty("worker");
  expect(status).not.toHaveProperty("gateway");
});
