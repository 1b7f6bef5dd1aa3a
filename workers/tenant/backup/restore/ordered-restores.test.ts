/** Restores with an order id: each is carried out once, despite interruptions. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { restoreAnswered } from "#workers/contracts/tenant/backup.ts";
import { ADMIN, addNote, adminLog, backUp, listed, notes, running, settled } from "../../testing/backup-tenant.ts";
import { ARCHIVE, DESTROY, type EngineProxy } from "../../testing/engine-proxy.ts";
import { eventually, stateFiles, type Tenant } from "../../testing/harness.ts";
import { test as base } from "../../testing/test.ts";

const send = (tenant: Tenant, backup: string, order: string) =>
  tenant.fetch("/api/admin/gateway/restore", {
    method: "POST",
    headers: ADMIN,
    body: JSON.stringify({ backup, order }),
  });
async function restore(tenant: Tenant, backup: string, order: string) {
  const answer = await send(tenant, backup, order);
  expect(answer.status).toBe(200);
  return restoreAnswered.parse(await answer.json());
}

// A tenant with a backup of its first note, and a second note since.
const test = base.extend("old", async ({ openProxied }) => {
  const opened = await openProxied();
  const { tenant } = opened;
  await running(tenant);
  await settled(tenant);
  await addNote(tenant, "first");
  const { id } = await backUp(tenant);
  await addNote(tenant, "second");
  return { ...opened, id, order: randomUUID() };
});

test.concurrent("returns the first result for a repeated order, keeps later changes, and carries out a new order", async ({
  old: { tenant, id, order },
}) => {
  const answered = await restore(tenant, id, order);
  expect(answered).toEqual({ restored: id, present: { id: expect.any(String) } });
  expect((await running(tenant)).unexpectedRestores).toBeUndefined();
  await addNote(tenant, "third");
  const before = await listed(tenant);
  expect(await restore(tenant, id, order)).toEqual(answered);
  await tenant.restartWorker();
  expect(await restore(tenant, id, order)).toEqual(answered);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first", "third"]);
  expect(await listed(tenant)).toEqual(before);

  expect(await restore(tenant, answered.present?.id ?? "", randomUUID())).toMatchObject({ present: {} });
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first", "second"]);
  // Other restores followed.
  expect(await restore(tenant, id, order)).toEqual(answered);
  expect(await notes(tenant)).toEqual(["first", "second"]);
});

test.concurrent("joins the restore in progress for a repeated order", async ({ old: { tenant, proxy, id, order } }) => {
  const before = await listed(tenant);
  const held = proxy.hold((call) => call === ARCHIVE);
  const first = restore(tenant, id, order);
  await eventually(() => held.calls.length === 1);
  const second = restore(tenant, id, order);
  held.release();
  expect(await first).toEqual(await second);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first"]);
  // The previous state, and the copy that was restored.
  expect(await listed(tenant)).toHaveLength(before.length + 2);
});

/** Kills the Worker when the chosen backup is already the newest, and the disk still has the previous state. */
async function dieBeforeTheEnd({
  tenant,
  proxy,
  id,
  order,
}: {
  tenant: Tenant;
  proxy: EngineProxy;
  id: string;
  order: string;
}) {
  let ends = 0;
  // Never released: the dead Worker's calls do not arrive.
  const held = proxy.hold((call) => call === DESTROY && ++ends === 1);
  const lost = send(tenant, id, order).catch(() => undefined);
  await eventually(() => held.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  expect(stateFiles(tenant)).not.toEqual([]);
}

test.concurrent("completes a restore when its order is repeated after the Worker died with the chosen backup as the newest", async ({
  old,
}) => {
  const { tenant, id, order } = old;
  await dieBeforeTheEnd(old);
  const { restored, present } = await restore(tenant, id, order);
  expect(restored).toBe(id);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first"]);
  expect(await adminLog(tenant)).toContain("restore.gone-on");
  await addNote(tenant, "third");
  await restore(tenant, id, order);
  expect(await notes(tenant)).toEqual(["first", "third"]);
  await restore(tenant, present?.id ?? "", randomUUID());
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first", "second"]);
});

test.concurrent("completes a restore at the next start when its Worker died", async ({ old }) => {
  const { tenant, id, order } = old;
  await dieBeforeTheEnd(old);
  await running(tenant);
  expect(await adminLog(tenant)).toContain("restore.gone-on");
  expect(await notes(tenant)).toEqual(["first"]);
  await addNote(tenant, "third");
  const before = await listed(tenant);
  expect(await restore(tenant, id, order)).toMatchObject({ restored: id, present: {} });
  expect(await notes(tenant)).toEqual(["first", "third"]);
  expect(await listed(tenant)).toEqual(before);
});

test.concurrent("completes an interrupted restore before a backup, so that the replaced state never becomes the newest", async ({
  old,
}) => {
  const { tenant } = old;
  await dieBeforeTheEnd(old);
  const before = await listed(tenant);
  expect((await tenant.fetch("/api/internal/backup", { method: "POST" })).status).toBe(204);
  expect(stateFiles(tenant)).toEqual([]);
  expect(await listed(tenant)).toEqual(before);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first"]);
});

test.concurrent("restores the oldest backup of a full store and keeps the previous state", async ({ openTenant }) => {
  const tenant = await openTenant(undefined, { bindings: { BACKUP_STORAGE_BYTES: "1" } });
  await running(tenant);
  await settled(tenant);
  await addNote(tenant, "first");
  const { id } = await backUp(tenant);
  expect(await listed(tenant)).toEqual([id]);
  await addNote(tenant, "second");
  const { present } = await restore(tenant, id, randomUUID());
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first"]);
  await restore(tenant, present?.id ?? "", randomUUID());
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first", "second"]);
});

test.concurrent("repeats a restore whose Worker died before it backed up the current state", async ({
  old: { tenant, proxy, id, order },
}) => {
  const held = proxy.hold((call) => call === ARCHIVE);
  const lost = send(tenant, id, order).catch(() => undefined);
  await eventually(() => held.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  held.release();
  await running(tenant);
  await addNote(tenant, "third");
  const { present } = await restore(tenant, id, order);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first"]);
  await restore(tenant, present?.id ?? "", randomUUID());
  await running(tenant);
  expect(await notes(tenant)).toEqual(["first", "second", "third"]);
});
