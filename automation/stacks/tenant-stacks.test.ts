import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { enginesOfJobs } from "#database/work/jobs.ts";
import { isDead } from "../engine/state/recovery.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../testing/database-proxy.ts";
import { startTestService } from "../testing/test-service.ts";

/**
 * In the engine's place: a destruction notes its number and then ends by no signal but a kill; that of the tenant `locked` finds the lock of
 * a process on another host.
 */
const ENGINE = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
case "$*" in
  version*) echo v3.200.0 ;;
  "stack export"*) echo '{"version":3,"deployment":{}}' ;;
  destroy*production-locked*)
    echo "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file." >&2
    echo "  file:///states/1.json: created by ada@elsewhere (pid 7) at $(date -u +%Y-%m-%dT%H:%M:%SZ)" >&2
    exit 255 ;;
  destroy*) trap '' INT TERM; echo $$ > "$(dirname "$0")/destroying"; while :; do sleep 1; done ;;
esac
`;

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Awaited<ReturnType<typeof startTestService>>;
const directory = mkdtempSync(join(tmpdir(), "tenantry-engine-"));
const file = (name: string) => {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
beforeAll(async () => {
  writeFileSync(join(directory, "pulumi"), ENGINE);
  chmodSync(join(directory, "pulumi"), 0o755);
  database = await startTestDatabase();
  proxy = await startDatabaseProxy(database.urlOf("service"));
  service = await startTestService(database, {
    DATABASE_URL: proxy.url,
    PLATFORM_STACK: "organization/tenantry/platform",
    PROVISIONING_API_TOKEN: "token-of-a-test",
    PULUMI_BACKEND_URL: `file://${directory}`,
    PULUMI_CONFIG_PASSPHRASE: "of-a-test",
    PATH: `${directory}:${process.env.PATH}`,
  });
});
afterAll(async () => {
  proxy?.goOn();
  await service?.stop();
  await proxy?.stop();
  await database?.stop();
  rmSync(directory, { recursive: true });
});

async function askForRemoval(slug: string): Promise<string> {
  const values = { kind: "deprovision", slug, requested_by: "root@tenantry.example" };
  const { db } = database;
  return (await db.insertInto("tenantry.jobs").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

test("waits for the lock of a manual run, also on a host that ran the tenant's jobs", async () => {
  const { db } = database;
  const earlier = await askForRemoval("locked");
  await service.lines.find(({ event, job }) => event === "job_failed" && job === earlier);
  const noted = { job_id: earlier, kind: "started", data: { host: "elsewhere", attempt: 1 } };
  await db.insertInto("tenantry.job_events").values(noted).execute();
  const before = service.lines.all.length;
  const failed = await service.lines.find((line) => {
    const isLater = service.lines.all.indexOf(line) >= before;
    return isLater && line.event === "job_failed" && line.job === earlier;
  });
  expect(failed.cause).toContain("Another run has locked the stack production-locked: ada on elsewhere since");
  expect(failed.cause).toContain("npm run fleet -- recover STACK --force");
  expect(failed.final).toBe(false);
  expect(file("calls")).not.toContain("cancel");
});

test("a disconnected replica ends its run before another takes the stack, and has recorded its lock", async () => {
  await askForRemoval("cut");
  await expect.poll(() => file("destroying"), { timeout: 60_000 }).toMatch(/^\d+\n/);
  const engine = { hostname: hostname(), pid: Number(file("destroying")) };
  const noted = () => enginesOfJobs(database.db, "cut");
  await expect.poll(noted).toEqual([{ ...engine, at: expect.any(String) }]);
  const lock = { ...engine, username: "service", timestamp: new Date().toISOString() };
  expect(isDead(lock, {})).toBe(false);
  // Another host cannot check the process, but knows the recorded engine.
  const [elsewhere, deadEngines] = ["replica", (await noted()).map((one) => ({ ...one, hostname: "replica" }))];
  expect(isDead({ ...lock, hostname: elsewhere }, { deadEngines })).toBe(true);

  proxy.fallSilent();
  // Other replicas wait 30 seconds, much less than the two minutes that other runs have to end.
  await expect.poll(() => isDead(lock, {}), { timeout: 60_000, interval: 250 }).toBe(true);
});
