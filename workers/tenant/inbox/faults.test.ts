/**
 * Messages of many conversations while gateway, container and object are killed. `INBOX_FAULT_MESSAGES` and `INBOX_FAULT_SEED` choose another
 * size and order.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { backUp, crash, requestBackup, running } from "../testing/backup-tenant.ts";
import { eventually, referenceGateway, type Tenant } from "../testing/harness.ts";
import { test } from "../testing/test.ts";
import { drained, inbox, processed, send, setRule } from "./testing/inbox-tenant.ts";

const MESSAGES = Number(process.env.INBOX_FAULT_MESSAGES ?? 200);
const SEED = Number(process.env.INBOX_FAULT_SEED ?? 1);
const CONVERSATIONS = 20;
/** Messages between two faults. */
const BATCH = 25;

const FAULTS: Readonly<Record<string, (tenant: Tenant) => Promise<unknown>>> = {
  gateway: crash,
  container: (tenant) => tenant.loseContainer(),
  object: (tenant) => tenant.restartWorker(),
  backup: (tenant) => requestBackup(tenant).catch(() => undefined),
};

/** Sends a message as a vendor does: again until it is acknowledged. */
const sendUntilStored = (tenant: Tenant, eventId: string, conversation: string) =>
  eventually(async () => {
    const response = await send(tenant, eventId, { conversation }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 202;
  });

test("loses no message, processes none twice, and keeps the order of each conversation while processes are killed", async ({
  openTenant,
}) => {
  const tenant = await openTenant(referenceGateway);
  await running(tenant);
  // Keeps deliveries in progress when a fault comes.
  await setRule(tenant, { holdMs: 50 });
  await backUp(tenant);
  const order = fc.sample(fc.noShrink(fc.nat(CONVERSATIONS - 1)), { numRuns: MESSAGES, seed: SEED });
  const faults = fc.sample(fc.noShrink(fc.constantFrom(...Object.keys(FAULTS))), { numRuns: MESSAGES, seed: SEED });
  const sent = new Map<number, string[]>();
  for (let begin = 0; begin < MESSAGES; begin += BATCH) {
    const batch = new Map<number, string[]>();
    for (const conversation of order.slice(begin, begin + BATCH)) {
      const all = sent.get(conversation) ?? [];
      const id = `${conversation}-${all.length}`;
      sent.set(conversation, [...all, id]);
      batch.set(conversation, [...(batch.get(conversation) ?? []), id]);
    }
    // Deliveries are in progress, and some were accepted since the last fault.
    await eventually(async () => (await inbox(tenant)).status.pending < BATCH / 2);
    await Promise.all([
      FAULTS[faults[begin] ?? ""]?.(tenant),
      ...[...batch].map(async ([conversation, ids]) => {
        for (const id of ids) await sendUntilStored(tenant, id, String(conversation));
      }),
    ]);
  }
  await drained(tenant);
  // The container may have been lost last, so that messages are delivered again.
  await running(tenant);
  await drained(tenant);
  const all = await processed(tenant);
  expect((await inbox(tenant)).status.dead).toBe(0);
  for (const [conversation, ids] of sent) expect(all.filter((id) => id.startsWith(`${conversation}-`))).toEqual(ids);
  expect(all).toHaveLength(MESSAGES);
});
