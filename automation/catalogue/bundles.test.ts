import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { listBundles } from "#database/versions/bundles.ts";
import { bundleWorker } from "#workers/bundle.ts";
import { readStoredBundle } from "#workers/stored-bundle.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";
import { bundleDirectory } from "./bundles.ts";

let database: TestDatabase;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  database = await startTestDatabase();
  service = await startTestService(database);
});
afterAll(async () => {
  await service.stop();
  await database.stop();
});

test("stores this release's Worker once as the default, and deploys it from storage", async () => {
  await requestRun(database, "keep_bundle");
  await requestRun(database, "keep_bundle");
  const own = await bundleWorker("tenant");
  const known = await listBundles(database.db, "production");
  expect(known).toMatchObject([{ content_hash: own.contentHash, default: true, withdrawn_at: null, tenants: 0 }]);
  const directory = await bundleDirectory(database.db, known[0]?.id ?? "");
  const kept = await readStoredBundle(directory);
  expect({ ...kept, path: own.path }).toEqual(own);
  expect(readdirSync(kept.path)).toEqual(readdirSync(own.path));
  expect(await bundleDirectory(database.db, known[0]?.id ?? "")).toBe(directory);
  expect(existsSync(join(directory, "bundle.json"))).toBe(true);
});

test("keeps the default when a later release's Worker is stored", async () => {
  const values = { content_hash: "e".repeat(64), release: "9.9.9", content: Buffer.from("x") };
  await database.db.insertInto("tenantry.worker_bundles").values(values).execute();
  const known = await listBundles(database.db, "production");
  expect(known.map((entry) => [entry.release === "9.9.9", entry.default])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("does not deploy a damaged bundle, and does not allow changes of its content", async () => {
  const { pool, db } = database;
  const { rows } = await pool.query("select id from tenantry.worker_bundles where content_hash = $1", ["e".repeat(64)]);
  await expect(bundleDirectory(db, rows[0].id)).rejects.toThrow(/is damaged\. Withdraw it/);
  await pool.query("update tenantry.worker_bundles set content = 'y' where id = $1", [rows[0].id]);
  const after = await pool.query("select content from tenantry.worker_bundles where id = $1", [rows[0].id]);
  expect(after.rows[0].content.toString()).toBe("x");
});
