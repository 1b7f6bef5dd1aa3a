/** What a killed run leaves behind: its lock, a torn state, and creates that nobody saw the end of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";
import { parsedJson } from "../json.ts";
import { PROJECT } from "./project-name.ts";
import { repairState } from "./torn-state.ts";

/** Who holds a lock of a stack. */
export interface LockHolder {
  hostname: string;
  pid: number;
  username: string;
  /** When it was taken, as the engine writes it. */
  timestamp: string;
}

/** Of a backend that is not the vendor's service, in the engine's own words. */
const HOLDER = /created by (\S+)@(\S+) \(pid (\d+)\) at (\S+)/g;

/** The holders that an engine's refusal names; none where the backend does not name them. */
export function lockHolders(refusal: string): LockHolder[] {
  return [...refusal.matchAll(HOLDER)].map(([, username = "", host = "", pid = "", timestamp = ""]) => ({
    username,
    hostname: host,
    pid: Number(pid),
    timestamp,
  }));
}

/** Who is taken for dead. */
export interface TakenForDead {
  /** Hosts on which no run of the stack lives. Default: none. */
  deadHosts?: readonly string[] | undefined;
  /** Whether everyone is. */
  force?: boolean | undefined;
}

/** Whether a lock is a killed run's. */
export function isDead(holder: LockHolder, { deadHosts = [], force = false }: TakenForDead): boolean {
  if (force) return true;
  return holder.hostname === hostname() ? !isEngine(holder.pid) : deadHosts.includes(holder.hostname);
}

/** Whether the process is there, and an engine's: numbers of processes are used again. */
function isEngine(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (!existsSync("/proc/self/stat")) return true;
  const [, name = "", state = ""] = /^\d+ \((.*)\) (\S)/s.exec(textOf(`/proc/${pid}/stat`) ?? "") ?? [];
  // One that was killed stays listed until its parent has looked after it.
  return name.startsWith("pulumi") && state !== "Z" && state !== "X";
}

const lockFile = z.object({ hostname: z.string(), pid: z.number(), username: z.string(), timestamp: z.string() });

/**
 * Puts right what a killed run tore of a stack's state in a directory (`file://`), before the engine reads it. Nothing is touched while a
 * run that may live holds the stack, and nothing of other backends, which write whole objects.
 */
export function repairTorn(backend: string, stack: string, dead: TakenForDead): void {
  if (!backend.startsWith("file://")) return;
  const holders = locksOf(backend, stack);
  // A lock that was torn itself is nobody's any more: it is written in a moment.
  if (holders.length === 0 || holders.some((holder) => holder !== undefined && !isDead(holder, dead))) return;
  repairState(join(fileURLToPath(backend), ".pulumi/stacks", PROJECT, `${stack}.json`));
}

/**
 * Who holds locks of a stack of this project, `undefined` for one whose lock is torn. Of other backends than directories none is known
 * before the stack is wanted.
 */
export function locksOf(backend: string, stack: string): (LockHolder | undefined)[] {
  if (!backend.startsWith("file://")) return [];
  const locks = join(fileURLToPath(backend), ".pulumi/locks/organization", PROJECT, stack);
  return (existsSync(locks) ? readdirSync(locks) : []).flatMap((file) => {
    const text = textOf(join(locks, file));
    return text === undefined ? [] : [lockFile.safeParse(parsedJson(text)).data];
  });
}

/** @returns `undefined` for a file, or a process, that went meanwhile */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

const pending = z.object({ pending_operations: z.array(z.unknown()).nullish() });

/** Whether a run was killed while it made something. @param deployment an exported state */
export function hasPendingOperations(deployment: unknown): boolean {
  return (pending.safeParse(deployment).data?.pending_operations ?? []).length > 0;
}

/** Forgets creates that nobody saw the end of. Creates adopt by name, so that running again makes nothing twice. */
export async function forgetPendingCreates(stack: Stack): Promise<void> {
  await stack.refresh({ clearPendingCreates: true });
}
