/** Restarts of the platform's database, which is not part of the edge. */
import { expect } from "vitest";
import type { Edge } from "#local/edge.ts";
import { sql } from "../../testing/sql.ts";

/** A restart begins within this time of a step, in milliseconds of production. */
const WITHIN_MS = 10 * 60_000;
const SOON = { timeout: 60_000, interval: 50 };

/** Returns a function that runs a step of a journey. The weather decides whether and when the database restarts during it. */
export function withRestarts(edge: Edge): <T>(step: string, work: () => Promise<T>) => Promise<T> {
  return async (step, work) => {
    const { weather } = edge;
    const fault = weather?.next("database", step);
    if (weather === undefined || fault === undefined) return work();
    const restarted = weather.delay(fault.amount * WITHIN_MS).then(() => restartDatabase(edge));
    const [result] = await Promise.allSettled([work(), restarted]);
    await restarted;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
}

/**
 * Ends all sessions with 57P01, then a process of the server: the server ends other sessions, and refuses new ones with 57P03 until its recovery
 * ends. Resolves when it accepts connections.
 */
async function restartDatabase(edge: Edge): Promise<void> {
  await sql(
    edge,
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  const [writer] = await sql(edge, "select pid from pg_stat_activity where backend_type = 'walwriter'");
  process.kill((writer as { pid: number }).pid, "SIGKILL");
  // The session that asked ends, too.
  await expect.poll(() => isRecovered(edge, writer as { pid: number }), SOON).toBe(true);
}

async function isRecovered(edge: Edge, { pid }: { pid: number }): Promise<boolean> {
  const text = "select pid from pg_stat_activity where backend_type = 'walwriter'";
  const [writer] = await sql(edge, text).catch(() => []);
  return writer !== undefined && (writer as { pid: number }).pid !== pid;
}
