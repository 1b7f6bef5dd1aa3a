import { afterEach, beforeEach, expect, test } from "vitest";
import {
  putApplication,
  putGroup,
  putPolicy,
  startTestAccess,
  type TestAccess,
} from "../access/testing/test-access.ts";

const HOST = "acme.tenantry.localhost";
const ANN = "ann@acme.example";
const BOB = "bob@acme.example";
const SEEDS = [1, 2, 3];

let running: TestAccess;
let now = 1_800_000_000_000;
const email = (address: string) => ({ email: { email: address } });

const open = async (seed: number) => {
  running = await startTestAccess(undefined, { seed, rates: { access_late_change: 1 }, now: () => now });
};
beforeEach(() => open(1));
afterEach(() => running.stop());

const admits = (address: string) =>
  running.access.issue(address, HOST).then(
    () => true,
    () => false,
  );

/** Returns the first second in which `condition` is true. */
async function secondsUntil(condition: () => Promise<boolean>): Promise<number> {
  const start = now;
  while (!(await condition())) {
    now += 1000;
    if (now - start > 120_000) throw new Error("The change did not take effect.");
  }
  return (now - start) / 1000;
}

test("admits a new member, and refuses a former one, up to 60 seconds late", async () => {
  putGroup(running.store, "members", [email(ANN)]);
  putPolicy(running.store, "allow", { include: [{ group: { id: "members" } }] });
  putApplication(running.store, "acme", HOST, ["allow"]);
  now += 60_000;
  expect([await admits(ANN), await admits(BOB)]).toEqual([true, false]);

  putGroup(running.store, "members", [email(BOB)]);
  expect([await admits(ANN), await admits(BOB)]).toEqual([true, false]);
  const late = await secondsUntil(() => admits(BOB));
  expect(late).toBeGreaterThan(0);
  expect(late).toBeLessThanOrEqual(60);
  expect(await admits(ANN)).toBe(false);
});

test("keeps a deleted policy in effect for up to 60 seconds", async () => {
  putPolicy(running.store, "allow", { include: [{ everyone: {} }] });
  putApplication(running.store, "acme", HOST, ["allow"]);
  now += 60_000;
  running.store.delete("access_policy", "allow");
  expect(await admits(ANN)).toBe(true);
  now += 60_000;
  expect(await admits(ANN)).toBe(false);
});

test("delays the same change by the same time for the same seed", async () => {
  const delays: number[] = [];
  for (const seed of [...SEEDS, ...SEEDS]) {
    await running.stop();
    await open(seed);
    putApplication(running.store, "acme", HOST, ["allow"]);
    putPolicy(running.store, "allow", { include: [{ everyone: {} }] });
    delays.push(await secondsUntil(() => admits(ANN)));
  }
  expect(delays.slice(SEEDS.length)).toEqual(delays.slice(0, SEEDS.length));
  expect(new Set(delays).size).toBeGreaterThan(1);
});
