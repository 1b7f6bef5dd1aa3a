/** What a killed run leaves behind: its lock, a torn state, and creates that nobody saw the end of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { parsedJson } from "../../json.ts";
import type { EngineVariables } from "../command-line.ts";
import type { EngineProcess } from "../order.ts";
import { PROJECT } from "../project-name.ts";
import { pendingCreates, removeMade } from "./pending-creates.ts";
import { dropMadeRoles, hasPendingRoles } from "./pending-roles.ts";
import { repairState } from "./torn-state.ts";

/** Who holds a lock of a stack. */
export interface LockHolder {
  hostname: string;
  pid: number;
  username: string;
  /** When it was taken, as the engine writes it. */
  timestamp: string;
}

/** How far clocks of hosts may be apart. */
const CLOCKS_MS = 600_000;

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
  /** Engines of runs that are over. Default: none. */
  deadEngines?: readonly EngineProcess[] | undefined;
  /** Whether everyone is. */
  force?: boolean | undefined;
}

/** Whether a lock is a killed run's. */
export function isDead(holder: LockHolder, { deadEngines = [], force = false }: TakenForDead): boolean {
  if (force) return true;
  if (holder.hostname === hostname()) return !isEngine(holder.pid);
  return deadEngines.some(
    (engine) =>
      engine.hostname === holder.hostname &&
      engine.pid === holder.pid &&
      Math.abs(Date.parse(engine.at) - Date.parse(holder.timestamp)) < CLOCKS_MS,
  );
}

/** Whether locks may be removed: every holder is dead, and one is named unless all are taken for dead. */
export function areDead(holders: readonly LockHolder[], dead: TakenForDead): boolean {
  return (holders.length > 0 || dead.force === true) && holders.every((holder) => isDead(holder, dead));
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

/**
 * Forgets creates that nobody saw the end of. What they made and a run would not find again is removed first: our own provider adopts by
 * name, the vendors' make another or are refused.
 *
 * @returns what was removed of the account and the database, as people call it
 * @throws CommandError of the engine where another run holds the stack: what is pending may be that one's
 */
export async function forgetPendingCreates(stack: Stack): Promise<string[]> {
  const { deployment: before } = await stack.exportStack();
  let removed: string[] = [];
  const inAccount = pendingCreates(before).length > 0;
  if (inAccount || hasPendingRoles(before)) {
    // It takes the lock, and keeps what is pending: whoever is killed after it begins here again.
    await stack.refresh();
    const { deployment: now } = await stack.exportStack();
    removed = await dropMadeRoles(before, now);
    if (inAccount) {
      const client = await accountClient({ ...process.env, ...stack.workspace.envVars });
      removed.push(...(await removeMade(client, before, now)));
    }
  }
  await stack.refresh({ clearPendingCreates: true });
  return removed;
}

async function accountClient(variables: EngineVariables): Promise<Cloudflare> {
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: baseURL } = variables;
  if (!apiToken) {
    throw new Error(
      "A killed run may have left things in the account: set CLOUDFLARE_API_TOKEN, so that they can be found and removed.",
    );
  }
  // Few runs need it, and it takes long to load.
  const { default: Client } = await import("cloudflare");
  return new Client({ apiToken, apiKey: null, apiEmail: null, ...(baseURL && { baseURL }) });
}
