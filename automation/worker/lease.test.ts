import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { findPoolsWithoutLease } from "#database/work/queue-state.ts";
import { startDatabaseProxy } from "../testing/database-proxy.ts";
import { Lease } from "./lease.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const isHeld = async (poolId: string) => (await findPoolsWithoutLease(database.db, [poolId])).length === 0;

test("aborts work when the server is silent, until the lease is confirmed again", async () => {
  const proxy = await startDatabaseProxy(database.urlOf("service"));
  onTestFinished(() => proxy.stop());
  const lease = new Lease(proxy.url, "silent", () => undefined);
  onTestFinished(() => lease.release());
  await expect.poll(() => isHeld("silent")).toBe(true);
  const { held } = lease;
  proxy.fallSilent();
  if (!held.aborted) await once(held, "abort");
  proxy.goOn();
  await expect.poll(() => lease.held.aborted, { timeout: 60_000 }).toBe(false);
  expect(lease.held).not.toBe(held);
  expect(await isHeld("silent")).toBe(true);
});

test.runIf(process.platform === "linux")("the server probes the connection within seconds", async () => {
  const lease = new Lease(database.urlOf("service"), "watched", () => undefined);
  onTestFinished(() => lease.release());
  await expect.poll(() => isHeld("watched")).toBe(true);
  const { rows } = await database.pool.query<{ near: number; far: number }>(
    `select inet_server_port() as near, client_port as far from pg_stat_activity
     where pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
  );
  const [session] = rows;
  if (session === undefined) throw new Error("no session holds the lease");
  // The server's end has one timer between queries: for keep-alive probes.
  await expect.poll(() => keepAliveOf(session)).toBeLessThanOrEqual(5);
});

/** Returns the seconds until the connection's end at port `near` probes the one at port `far`. */
function keepAliveOf({ near, far }: { near: number; far: number }): number {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", , , timer = ""] = line.trim().split(/\s+/);
    if (!local.endsWith(`:${hex(near)}`) || !remote.endsWith(`:${hex(far)}`)) continue;
    const [kind, ticks = ""] = timer.split(":");
    // 02 is the keep-alive timer; ticks are hundredths of a second.
    return kind === "02" ? Number.parseInt(ticks, 16) / 100 : Number.POSITIVE_INFINITY;
  }
  throw new Error("there is no such connection");
}
