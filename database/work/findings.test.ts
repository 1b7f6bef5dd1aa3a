import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAs } from "../testing/as-caller.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { readCaller, runExclusively, storeFindings } from "./findings.ts";

let database: TestDatabase;
let db: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase();
  db = openAs(database, "service");
});
afterAll(async () => {
  await db.destroy();
  await database.stop();
});
beforeEach(async () => void (await database.pool.query("truncate tenantry.findings")));

const bucket = { kind: "bucket", identity: "tenantry-backups-gone@2026-11-01T00:00:00Z" };
const token = { kind: "token", identity: "0123" };
const age = (interval: string, column = "first_seen") =>
  database.pool.query(`update tenantry.findings set first_seen = now() - interval '${interval}'
    ${column === "both" ? `, last_seen = now() - interval '${interval}'` : ""}`);

test("returns when each was first seen, and deletes those that a complete check does not find", async () => {
  const kinds = ["bucket", "token"];
  expect(await storeFindings(db, { kinds, seen: [bucket, token, bucket] })).toHaveLength(2);
  await age("30 hours");
  const [again] = await storeFindings(db, { kinds: ["bucket"], seen: [bucket] });
  expect(again?.hours).toBeCloseTo(30, 1);

  // Findings of a kind that was not checked are not deleted.
  await storeFindings(db, { kinds: ["token"], seen: [] });
  await age("40 hours");
  const [kept, added] = await storeFindings(db, { kinds, seen: [bucket, token] });
  expect(kept?.hours).toBeCloseTo(40, 1);
  expect(added?.hours).toBeCloseTo(0, 1);
  await storeFindings(db, { kinds, seen: [] });
  expect((await storeFindings(db, { kinds, seen: [bucket] }))[0]?.hours).toBeCloseTo(0, 1);
});

test("restarts the age of a finding that was not checked for a week", async () => {
  await storeFindings(db, { kinds: ["bucket"], seen: [bucket] });
  await age("8 days", "both");
  expect((await storeFindings(db, { kinds: ["bucket"], seen: [bucket] }))[0]?.hours).toBeCloseTo(0, 1);
});

test("runs one removal at a time", async () => {
  const other = openAs(database, "service");
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  const began = Promise.withResolvers<void>();
  const first = runExclusively(db, async () => {
    began.resolve();
    await held;
    return "done";
  });
  await began.promise;
  expect(await runExclusively(other, async () => "done too")).toBeUndefined();
  free();
  expect(await first).toBe("done");
  expect(await runExclusively(other, async () => "after it")).toBe("after it");
  await other.destroy();
});

test("returns the caller's kind and environment", async () => {
  expect(await readCaller(db)).toEqual({ kind: "service", environment: "production" });
});
