/**
 * Starts Miniflare instances so that their workerd processes never outlive this one, are not reached by Ctrl-C, and are
 * known by process id.
 */
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

/** One running workerd and the Miniflare that steers it. */
export interface Workerd {
  miniflare: Miniflare;
  /** Process id of workerd. */
  pid: number;
  /** The loopback port of a Worker's socket; `entrypoint` is the socket's, `default` if not given. */
  port(worker: string, entrypoint?: string): Promise<number>;
  /** Ends workerd at once, whatever it is doing, and resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Where the sockets and process id files of one runtime lie; removed by {@link removeScratch}. */
export interface Scratch {
  directory: string;
  starts: number;
}

const LAUNCHER = fileURLToPath(new URL("launch-workerd.sh", import.meta.url));
const LONGEST_LINE = 2_000;
const SCRATCH_PREFIX = join(tmpdir(), "tenantry-");

/**
 * Makes a private scratch directory; short, because a unix socket's path must be.
 *
 * @param note a file to remember it in, so that the next one made with that note removes what a killed program left
 */
export function createScratch(note?: string): Scratch {
  if (note !== undefined) removeLeft(note);
  const directory = mkdtempSync(SCRATCH_PREFIX);
  if (note !== undefined) writeFileSync(note, directory, { mode: 0o600 });
  return { directory, starts: 0 };
}

export function removeScratch(scratch: Scratch): void {
  rmSync(scratch.directory, { recursive: true, force: true });
}

function removeLeft(note: string): void {
  if (!existsSync(note)) return;
  const left = readFileSync(note, "utf8");
  const isScratch = left.startsWith(SCRATCH_PREFIX) && /^[A-Za-z0-9]+$/.test(left.slice(SCRATCH_PREFIX.length));
  if (isScratch) rmSync(left, { recursive: true, force: true });
}

/**
 * Starts workerd and resolves when it listens.
 * @param label names the process in the log
 * @throws Error with workerd's own words when a script or an option is refused
 */
export async function startWorkerd(o: {
  options: WorkerdDefinition;
  scratch: Scratch;
  label: string;
  /** Called after workerd ended by itself and was started again: another process, another id. */
  onCrash?: () => void;
  log: Log;
}): Promise<Workerd> {
  o.scratch.starts += 1;
  const pidFile = join(o.scratch.directory, `${o.scratch.starts}.pid`);
  const complaints: string[] = [];
  let ready = false;
  const say = (line: string) => {
    if (!ready) complaints.push(line);
    o.log("workerd", "output", { of: o.label, line: line.slice(0, LONGEST_LINE) });
  };
  const inspector = inspectorPort(o.options.workers.map(({ name }) => name));
  const binary = workerdBinary();
  // Read by Miniflare whenever it starts workerd, also after a crash.
  process.env.MINIFLARE_WORKERD_PATH = LAUNCHER;
  const miniflare = withoutSignalListeners(
    () =>
      new Miniflare({
        ...o.options,
        ...(inspector !== undefined && { inspectorPort: inspector }),
        cf: false,
        logRequests: false,
        unsafeRuntimeEnv: { TENANTRY_PID_FILE: pidFile, TENANTRY_WORKERD: binary },
        unsafeHandleRuntimeRestart: () => o.onCrash?.(),
        handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
          createInterface(stdout).on("line", say);
          createInterface(stderr).on("line", say);
        },
      }),
  );
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose().catch(() => {});
    const reason = complaints.join("\n") || (error instanceof Error ? error.message : String(error));
    throw new Error(`${o.label} did not start: ${reason.slice(0, LONGEST_LINE)}`);
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
        // Gone already.
      }
      await disposed;
    },
  };
}

// Miniflare's listeners end the process at once on a signal, before anything else could stop in order.
function withoutSignalListeners<T>(make: () => T): T {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const before = signals.map((signal) => new Set(process.listeners(signal)));
  const made = make();
  signals.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) {
      if (!before[index]?.has(listener)) process.removeListener(signal, listener);
    }
  });
  return made;
}

/** The workerd of the user's choice, else the one that came with Miniflare. */
function workerdBinary(): string {
  const configured = process.env.MINIFLARE_WORKERD_PATH;
  if (configured !== undefined && configured !== LAUNCHER) return configured;
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  return z.object({ default: z.string() }).parse(fromMiniflare("workerd")).default;
}
