import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { WorkerdDefinition } from "../worker/definition.ts";
import { inspectorPort } from "./inspection.ts";
import { Miniflare } from "./miniflare.ts";

export interface Workerd {
  miniflare: Miniflare;
  /** Process id of workerd. */
  pid: number;
  /** Returns the loopback port of a Worker's socket. @param entrypoint Default: `default` */
  port(worker: string, entrypoint?: string): Promise<number>;
  /** Kills workerd. Resolves when the process has ended. */
  stop(): Promise<void>;
}

export interface Scratch {
  directory: string;
  starts: number;
}

const LAUNCHER = fileURLToPath(new URL("launch-workerd.sh", import.meta.url));
const MAX_LINE = 2_000;
const SCRATCH_PREFIX = join(tmpdir(), "edge-");

/**
 * Creates a private scratch directory. Its path is short, because that of a unix socket must be.
 *
 * @param note a file that records the path, so that the next call with it removes what a killed process left
 */
export function createScratch(note?: string): Scratch {
  if (note !== undefined) removeStale(note);
  const directory = mkdtempSync(SCRATCH_PREFIX);
  if (note !== undefined) writeFileSync(note, directory, { mode: 0o600 });
  return { directory, starts: 0 };
}

export function removeScratch(scratch: Scratch): void {
  rmSync(scratch.directory, { recursive: true, force: true });
}

function removeStale(note: string): void {
  if (!existsSync(note)) return;
  const stale = readFileSync(note, "utf8");
  const isScratch = stale.startsWith(SCRATCH_PREFIX) && /^[A-Za-z0-9]+$/.test(stale.slice(SCRATCH_PREFIX.length));
  if (isScratch) rmSync(stale, { recursive: true, force: true });
}

/**
 * Starts workerd in its own session, so that Ctrl-C does not reach it. It ends with this process. Resolves when it listens.
 *
 * @param o.label name of the process in the log
 * @throws Error with workerd's message when it refuses a script or an option
 */
export async function startWorkerd(o: {
  options: WorkerdDefinition;
  scratch: Scratch;
  label: string;
  /** Called when Miniflare has started workerd again after a crash, with another process id. */
  onCrash?: () => void;
  log: Log;
}): Promise<Workerd> {
  o.scratch.starts += 1;
  const pidFile = join(o.scratch.directory, `${o.scratch.starts}.pid`);
  const output: string[] = [];
  let ready = false;
  const onLine = (line: string) => {
    if (!ready) output.push(line);
    o.log("workerd", "output", { of: o.label, line: line.slice(0, MAX_LINE) });
  };
  const inspector = inspectorPort(o.options.workers.map(({ name }) => name));
  const binary = findWorkerd();
  // Miniflare reads it at each start of workerd, also after a crash.
  process.env.MINIFLARE_WORKERD_PATH = LAUNCHER;
  const miniflare = withoutSignalListeners(
    () =>
      new Miniflare({
        ...o.options,
        ...(inspector !== undefined && { inspectorPort: inspector }),
        cf: false,
        logRequests: false,
        unsafeRuntimeEnv: { EDGE_PID_FILE: pidFile, EDGE_WORKERD: binary },
        unsafeHandleRuntimeRestart: () => o.onCrash?.(),
        handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
          createInterface(stdout).on("line", onLine);
          createInterface(stderr).on("line", onLine);
        },
      }),
  );
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose().catch(() => {});
    const reason = output.join("\n") || (error instanceof Error ? error.message : String(error));
    throw new Error(`${o.label} did not start: ${reason.slice(0, MAX_LINE)}`);
  }
  ready = true;
  const pid = z.coerce.number().int().positive().parse(readFileSync(pidFile, "utf8").trim());
  return {
    miniflare,
    pid,
    port: async (worker, entrypoint) => Number((await miniflare.unsafeGetDirectURL(worker, entrypoint)).port),
    stop: async () => {
      const disposed = miniflare.dispose();
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
      await disposed;
    },
  };
}

// Miniflare's signal listeners would end the process before it could stop cleanly.
function withoutSignalListeners<T>(create: () => T): T {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const before = signals.map((signal) => new Set(process.listeners(signal)));
  const result = create();
  signals.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) {
      if (!before[index]?.has(listener)) process.removeListener(signal, listener);
    }
  });
  return result;
}

/** Returns the workerd that the user chose, else that of Miniflare. */
function findWorkerd(): string {
  const configured = process.env.MINIFLARE_WORKERD_PATH;
  if (configured !== undefined && configured !== LAUNCHER) return configured;
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  return z.object({ default: z.string() }).parse(fromMiniflare("workerd")).default;
}
