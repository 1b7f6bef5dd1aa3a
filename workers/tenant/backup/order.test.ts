import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { backupManifest } from "#workers/contracts/tenant/backup.ts";
import { STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { ADMIN, addNote, empty, listed, notes, running, settled } from "../testing/backup-tenant.ts";
import { type EngineProxy, STATE, UPLOAD } from "../testing/engine-proxy.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { test } from "../testing/test.ts";

const order = (tenant: Tenant) => tenant.fetch("/api/internal/backup", { method: "POST" });

/** Orders a backup by `send` while one is being stored that was archived before a change. */
async function holdsTheLastChange(
  { tenant, proxy }: { tenant: Tenant; proxy: EngineProxy },
  ask: (tenant: Tenant) => ReturnType<Tenant["fetch"]>,
): Promise<void> {
  const archived = proxy.hold((call) => call === UPLOAD);
  await running(tenant);
  await eventually(() => archived.calls.length > 0);
  await addNote(tenant, "after the archive");
  const answer = ask(tenant);
  await tenant.health("?passive=1");
  archived.release();
  const { id } = backupManifest.parse(await (await answer).json());
  const ids = await listed(tenant);
  expect(ids).toHaveLength(2);
  expect(ids.at(-1)).toBe(id);
  await empty(tenant);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["after the archive"]);
}

describe.concurrent("a backup ordered by the platform", () => {
  test("contains the last changes and is counted", async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    await settled(tenant);
    await addNote(tenant, "just now");
    const answer = await order(tenant);
    expect(answer.status).toBe(200);
    expect(await listed(tenant)).toContain(backupManifest.parse(await answer.json()).id);
    await empty(tenant);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["just now"]);
  });

  test("is a new one when a backup is in progress, which may have begun before the last change", async ({
    openProxied,
  }) => {
    await holdsTheLastChange(await openProxied(), order);
  });

  test("is a new one for administrators too, and concurrent orders share one", async ({ openProxied }) => {
    const ask = (tenant: Tenant) => tenant.fetch("/api/admin/gateway/backup", { method: "POST", headers: ADMIN });
    await holdsTheLastChange(await openProxied(), async (tenant) => {
      const [answer] = await Promise.all([ask(tenant), ask(tenant), ask(tenant)]);
      return answer;
    });
  });

  test("is empty without a state, and starts nothing", async ({ openTenant }) => {
    const tenant = await openTenant();
    for (let i = 0; i < 2; i++) expect((await order(tenant)).status).toBe(204);
    expect(tenant.processes()).toEqual([]);
    expect(await listed(tenant)).toEqual([]);
  });

  test("is refused with a reason when it would hide another", async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    await settled(tenant);
    rmSync(join(tenant.root, "state", STATE_MARKER_FILE));
    const answer = await order(tenant);
    expect(answer.status).toBe(409);
    const { error } = errorBody.parse(await answer.json());
    expect(error).toMatchObject({
      code: "conflict",
      reason: "backup_of_other_state",
      message: expect.stringContaining("would hide that one"),
    });
  });

  test("names the log when it fails, without internal details", async ({ openProxied }) => {
    const { tenant, proxy } = await openProxied();
    await running(tenant);
    await settled(tenant);
    proxy.fail(STATE);
    const answer = await order(tenant);
    expect(answer.status).toBe(503);
    expect(errorBody.parse(await answer.json()).error).toEqual({
      code: "tenant_unavailable",
      reason: "backup_failed",
      message: "Failed to create the backup. Read the reason at the tenant's GET /api/admin/gateway/log.",
    });
  });
});
