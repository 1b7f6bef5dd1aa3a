/** Runs `npm start` in a temporary directory. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { eachAtMost } from "#fleet/runs/bounded.ts";
import { type EdgeFile, readEdgeFile } from "#local/state/edge-file.ts";
import { READY } from "#tests/testing/edge-program.ts";
import type { ByMode, Run } from "../suite.ts";
import { waitForGateway } from "../waiting.ts";
import { type Footprints, measureFootprints } from "./footprint.ts";

const START_MS = 120_000;
const WAKE_MS = 60_000;
/** Gateways that start at a time, so that each starts within its time on a busy machine. */
const STARTS = 4;
/** Time after the last request, for temporary memory to be released. */
const SETTLE_MS: ByMode<number> = { full: 5_000, smoke: 0 };

export interface RunningEdge extends EdgeFile {
  directory: string;
  /** Milliseconds of the first `npm start` until it was ready. */
  startedIn: number;
  /** Starts gateways and waits until they run. @throws Error when one does not within a minute */
  wake(slugs: readonly string[]): Promise<void>;
  settled(): Promise<Footprints>;
  now(): Footprints;
  close(): Promise<void>;
}

/** @param variables of the edge's environment */
export async function openRunningEdge(
  { mode, signal }: Run,
  variables: Record<string, string> = {},
): Promise<RunningEdge> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-"));
  const startedAt = performance.now();
  const child = spawn("npm", ["start", "--", "--state", directory, "--port", String(await freePort())], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    // A thousand uploads exceed Cloudflare's limit of API requests, which is not what this measures.
    env: { ...process.env, EDGE_LIMITS: "apiRequests=100000", ...variables },
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
    await waitForOutput(child.stdout, ended, signal);
    const startedIn = performance.now() - startedAt;
    pid = Number(await readFile(join(directory, "edge.lock"), "utf8"));
    const edge = pid;
    const file = readEdgeFile(directory);
    const now = () => measureFootprints(edge, directory);
    return {
      ...file,
      directory,
      startedIn,
      now,
      wake: async (slugs) => void (await eachAtMost(STARTS, slugs, (slug) => waitForGateway(file, slug, WAKE_MS))),
      settled: async () => {
        await delay(SETTLE_MS[mode]);
        return now();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function waitForOutput(output: NodeJS.ReadableStream, ended: Promise<void>, signal: AbortSignal): Promise<void> {
  let text = "";
  const ready = new Promise<void>((resolve) => {
    output.on("data", (chunk) => {
      text += chunk;
      if (text.includes(READY)) resolve();
    });
  });
  const failed = ended.then(() => Promise.reject(new Error(`npm start ended:\n${text}`)));
  const timeout = delay(START_MS, undefined, { ref: false, signal }).then(() =>
    Promise.reject(new Error(`npm start was not ready within ${START_MS} ms.`)),
  );
  await Promise.race([ready, failed, timeout]);
}
