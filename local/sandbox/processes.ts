/**
 * The processes of a sandbox, found in `/proc` by the markers in their environment: so they are found again by another
 * process, and whatever process group they moved to.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PROCESS_MARKER, type SandboxProcess } from "../../workers/contracts/sandbox.ts";

/** Environment variable that holds the directory of the sandbox a process belongs to. */
export const SANDBOX_MARKER = "TENANTRY_SANDBOX";

export interface FoundProcess {
  pid: number;
  /** The process group. */
  group: number;
  /** One letter of `/proc/PID/stat`: R, S, D, T, … */
  state: string;
  /** Directory of its sandbox. */
  sandbox: string;
  /** Set for the gateway and the startup script themselves, not for their children. */
  type: SandboxProcess["type"] | undefined;
  /** Port the gateway was told to listen on. */
  port: number | undefined;
}

function variable(environment: string[], name: string): string | undefined {
  return environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** One process, or `undefined` when it is gone or belongs to no sandbox at or under `directory`. */
export function inspectProcess(pid: number, directory: string): FoundProcess | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, "latin1");
    if (!text.includes(SANDBOX_MARKER)) return undefined;
    const environment = Buffer.from(text, "latin1").toString("utf8").split("\0");
    const sandbox = variable(environment, SANDBOX_MARKER);
    if (sandbox === undefined || (sandbox !== directory && !sandbox.startsWith(`${directory}/`))) return undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const marker = variable(environment, PROCESS_MARKER);
    const type = marker === `gateway:${pid}` ? "gateway" : marker === `script:${pid}` ? "script" : undefined;
    const port = Number(variable(environment, "GATEWAY_PORT"));
    return {
      pid,
      group: Number(fields[2]),
      state: fields[0] ?? "?",
      sandbox,
      type,
      port: Number.isInteger(port) && port > 0 ? port : undefined,
    };
  } catch {
    // The process ended meanwhile, or is another user's.
    return undefined;
  }
}

/** Every process of the sandboxes at or under `directory` (an absolute path), in one pass over `/proc`. */
export function findProcesses(directory: string): FoundProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => inspectProcess(Number(name), directory))
    .filter((found) => found !== undefined);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended just now.
  }
}

/**
 * Ends every process of the sandboxes at or under `directory` and returns when none is left: SIGTERM first, SIGKILL after
 * `graceMs` (0: at once).
 *
 * @returns how many there were
 * @throws Error when some are still there ten seconds after SIGKILL
 */
export async function endProcesses(directory: string, graceMs: number): Promise<number> {
  const ended = new Set<number>();
  const killAt = Date.now() + graceMs;
  const deadline = killAt + 10_000;
  for (;;) {
    const found = findProcesses(directory);
    if (found.length === 0) return ended.size;
    const force = Date.now() >= killAt;
    for (const { pid, group, state } of found) {
      const seen = ended.has(pid);
      ended.add(pid);
      if (seen && !force) continue;
      // Members that cleared their environment still end with their group.
      const targets = group > 1 && group !== pid && found.some((other) => other.pid === group) ? [pid] : [pid, -group];
      for (const target of targets) if (target !== 0 && target !== -1) signal(target, force ? "SIGKILL" : "SIGTERM");
      if (state === "T") signal(pid, "SIGCONT");
    }
    if (Date.now() > deadline) throw new Error(`${found.length} processes of a sandbox cannot be ended`);
    await delay(10);
  }
}
