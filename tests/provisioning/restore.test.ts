/** Restores a tenant's state to a chosen backup, and back, by the API, with the real Worker, gateway and service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { ProvisionedPlatform, ROOT } from "./testing/provisioned-platform.ts";

const HOST = "acme.tenantry.localhost";

let platform: ProvisionedPlatform;
/** Of acme. */
let instance: string;
beforeAll(async () => {
  platform = await ProvisionedPlatform.open();
});
afterAll(() => platform?.close());

async function provisioned(slug: string): Promise<string> {
  const asked = await platform.provision((await platform.newClient(slug)).id);
  expect(await platform.ended(asked.job?.id)).toMatchObject({ status: "succeeded" });
  return asked.id;
}

const ask = async (options: { method?: string; body?: string } = {}) =>
  call(platform.edge, HOST, "/api/notes", {
    ...options,
    headers: { ...(await loggedIn(platform.edge, ROOT, HOST)), "content-type": "application/json" },
  });
const write = async (text: string) =>
  expect((await ask({ method: "POST", body: JSON.stringify({ text }) })).status).toBe(201);
async function notes(): Promise<string[]> {
  const { body } = await callUntil(ask, ({ status }) => status === 200);
  return (JSON.parse(body) as { notes: { text: string }[] }).notes.map(({ text }) => text);
}

/** Restores a backup. @returns the job, and the backup of the state before */
async function restored(backup: string) {
  const job = await platform.ended((await platform.restore(instance, backup)).id);
  const kept = job.events.find(({ kind }) => kind === "restored")?.message;
  return { job, present: / Backup ([\w-]+) has the former state\.$/.exec(kept ?? "")?.[1] ?? "" };
}

test("restores a backup, backs up the state before, and restores that in turn", async () => {
  instance = await provisioned("acme");
  await write("first");
  const chosen = await platform.backUp(instance);
  await write("second");
  const { job, present } = await restored(chosen);
  expect(job).toMatchObject({ kind: "restore_backup", status: "succeeded", cause: null, attempts: 1 });
  expect(job.events.map(({ kind }) => kind)).toEqual(["queued", "started", "restored", "succeeded"]);
  expect(await notes()).toEqual(["first"]);
  const backups = await platform.backups(instance);
  expect(backups.map(({ id }) => id)).toEqual(expect.arrayContaining([chosen, present]));
  expect(backups[0]?.gateway).toEqual({ name: "reference-gateway", version: "1.0.0" });
  expect(await platform.instance(instance)).toMatchObject({ status: "running", state_cause: null });

  await write("third");
  const back = await restored(present);
  expect(await notes()).toEqual(["first", "second"]);
  await restored(back.present);
  expect(await notes()).toEqual(["first", "third"]);
});

test("refuses a backup of another tenant, and a damaged one, with a reason and without changes", async () => {
  const before = await notes();
  const foreignBackup = await platform.backUp(await provisioned("other"));
  const { job: foreign } = await restored(foreignBackup);
  expect(foreign).toMatchObject({ status: "failed", attempts: 1, cause: expect.stringContaining("Backup not found") });
  const damaged = await platform.backUp(instance);
  await platform.edge.runtime.bucket("tenantry-backups-acme").delete(`backups/${damaged}/archive.tar.gz`);
  const count = (await platform.backups(instance)).length;
  const { job } = await restored(damaged);
  expect(job).toMatchObject({ status: "failed", attempts: 1, cause: expect.stringContaining("damaged") });
  expect((await platform.instance(instance)).state_cause).toContain("The backup is damaged");
  expect(await notes()).toEqual(before);
  expect(await platform.backups(instance)).toHaveLength(count);
});

test("continues after the service is killed, and restores once", async () => {
  const chosen = await platform.backUp(instance);
  const before = await notes();
  await write("since");
  const count = (await platform.backups(instance)).length;
  const { id } = await platform.restore(instance, chosen);
  await expect.poll(async () => (await platform.job(id)).attempts, { timeout: 60_000, interval: 20 }).toBe(1);
  platform.killService();
  const ended = await platform.ended(id);
  expect(ended).toMatchObject({ status: "succeeded", cause: null });
  expect(ended.attempts).toBeGreaterThan(1);
  expect(await notes()).toEqual(before);
  // The state before, and the copy that was restored.
  expect(await platform.backups(instance)).toHaveLength(count + 2);
});
