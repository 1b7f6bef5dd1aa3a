/** The edge of `npm start`, in a process of its own as users run it, over a temporary directory. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { type EdgeFile, readEdgeFile } from "#local/state/edge-file.ts";
import { READY } from "#tests/testing/edge-program.ts";
import { call } from "#tests/testing/http.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { type Footprints, footprints } from "./footprint.ts";

const START_MS = 120_000;
const WAKE_MS = 60_000;
const POLL_MS = 500;

export interface RunningEdge extends EdgeFile {
  directory: string;
  /** Milliseconds from the start of `npm start`, over nothing, until it said that all is ready. */
  startedIn: number;
  /** Starts the gateways of tenants, and resolves when they run. @throws Error when one does not within a minute */
  wake(slugs: readonly string[]): Promise<void>;
  /** What is held in memory when all is quiet. */
  settled(): Promise<Footprints>;
  /** What is held at this moment. */
  now(): Footprints;
  close(): Promise<void>;
}

/** @param settleMs how long {@link RunningEdge.settled} waits @param signal ends the start */
export async function openRunningEdge(settleMs: number, signal: AbortSignal): Promise<RunningEdge> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-"));
  const begun = performance.now();
  const child = spawn("npm", ["start", "--", "--state", directory, "--port", String(await freePort())], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
    // Signals come from here alone, so that it ends in order.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let pid: number | undefined;
  const close = async () => {
    if (pid !== undefined) process.kill(pid, "SIGINT");
    else if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
    await removeDatabase(join(directory, "postgres"));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await printed(child.stdout, ended, signal);
    const startedIn = performance.now() - begun;
    pid = Number(await readFile(join(directory, "edge.lock"), "utf8"));
    const edge = pid;
    const file = readEdgeFile(directory);
    const now = () => footprints(edge, directory);
    return {
      ...file,
      directory,
      startedIn,
      now,
      wake: async (slugs) => void (await Promise.all(slugs.map((slug) => running(file, slug)))),
      settled: async () => {
        await delay(settleMs);
        return now();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function printed(output: NodeJS.ReadableStream, ended: Promise<void>, signal: AbortSignal): Promise<void> {
  let text = "";
  const ready = new Promise<void>((resolve) => {
    output.on("data", (chunk) => {
      text += chunk;
      if (text.includes(READY)) resolve();
    });
  });
  const failed = ended.then(() => Promise.reject(new Error(`npm start ended:\n${text}`)));
  const late = delay(START_MS, undefined, { ref: false, signal }).then(() =>
    Promise.reject(new Error(`npm start was not ready within ${START_MS} ms.`)),
  );
  await Promise.race([ready, failed, late]);
}

async function running(edge: EdgeFile, slug: string): Promise<void> {
  const deadline = Date.now() + WAKE_MS;
  for (;;) {
    const { status, body } = await call(edge, `${slug}.${edge.domain}`, "/api/health");
    const parsed = status === 200 ? healthSnapshot.safeParse(JSON.parse(body)) : undefined;
    if (parsed?.success === true && parsed.data.startup.ok) return;
    if (Date.now() > deadline) throw new Error(`The gateway of ${slug} did not start within ${WAKE_MS} ms.`);
    await delay(POLL_MS);
  }
}
