import { existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { LATE_LIST_MS, systemClock } from "@tenantry/cloudflare-client/late-list";
import { parsedJson } from "@tenantry/std/parsed-json";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { engineRunErrors } from "#domain/errors/service/engine-runs.ts";
import { openCloudflare } from "../../outside/cloudflare.ts";
import type { EngineVariables } from "../command-line.ts";
import type { EngineProcess } from "../order.ts";
import { PROJECT } from "../project-name.ts";
import { pendingCreates, removeUnrecorded } from "./pending-creates.ts";
import { dropUnrecordedRoles, hasPendingRoles } from "./pending-roles.ts";
import { repairState } from "./torn-state.ts";

export interface LockHolder {
  hostname: string;
  pid: number;
  username: string;
  timestamp: string;
}

/** Maximum difference between the clocks of two hosts. */
const CLOCKS_MS = 600_000;

/** The engine's message for backends other than Pulumi Cloud. */
const HOLDER = /created by (\S+)@(\S+) \(pid (\d+)\) at (\S+)/g;

/** Returns the lock holders in the engine's message; none if the backend does not report them. */
export function lockHolders(refusal: string): LockHolder[] {
  return [...refusal.matchAll(HOLDER)].map(([, username = "", host = "", pid = "", timestamp = ""]) => ({
    username,
    hostname: host,
    pid: Number(pid),
    timestamp,
  }));
}

export interface DeadHolders {
  /** Engines of runs that have ended. Default: none. */
  deadEngines?: readonly EngineProcess[] | undefined;
  /** Whether every holder is treated as dead. */
  force?: boolean | undefined;
}

/** Whether the process that holds a lock is dead. */
export function isDead(holder: LockHolder, { deadEngines = [], force = false }: DeadHolders): boolean {
  if (force) return true;
  if (holder.hostname === hostname()) return !isEngine(holder.pid);
  return deadEngines.some(
    (engine) =>
      engine.hostname === holder.hostname &&
      engine.pid === holder.pid &&
      Math.abs(Date.parse(engine.at) - Date.parse(holder.timestamp)) < CLOCKS_MS,
  );
}

/** Whether locks may be removed. Without `force`, at least one holder must be known. */
export function areDead(holders: readonly LockHolder[], dead: DeadHolders): boolean {
  return (holders.length > 0 || dead.force === true) && holders.every((holder) => isDead(holder, dead));
}

/** Whether the process runs and is an engine: operating systems reuse process IDs. */
function isEngine(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (!existsSync("/proc/self/stat")) return true;
  const [, name = "", state = ""] = /^\d+ \((.*)\) (\S)/s.exec(textOf(`/proc/${pid}/stat`) ?? "") ?? [];
  // A killed process is a zombie until its parent reads its exit code.
  return name.startsWith("pulumi") && state !== "Z" && state !== "X";
}

const lockFile = z.object({ hostname: z.string(), pid: z.number(), username: z.string(), timestamp: z.string() });

/** Repairs a state in a file backend that a killed run wrote partially. Does nothing while a run may be alive. Other backends write atomically. */
export function repairTorn(backend: string, stack: string, dead: DeadHolders): void {
  if (!backend.startsWith("file://")) return;
  const holders = locksOf(backend, stack);
  // A partially written lock belongs to a dead run: it is written in a moment.
  if (holders.length === 0 || holders.some((holder) => holder !== undefined && !isDead(holder, dead))) return;
  repairState(join(fileURLToPath(backend), ".pulumi/stacks", PROJECT, `${stack}.json`));
}

/** Returns the lock holders of a stack in a file backend; `undefined` for a partially written lock. Other backends report none here. */
export function locksOf(backend: string, stack: string): (LockHolder | undefined)[] {
  if (!backend.startsWith("file://")) return [];
  const locks = join(fileURLToPath(backend), ".pulumi/locks/organization", PROJECT, stack);
  return (existsSync(locks) ? readdirSync(locks) : []).flatMap((file) => {
    const text = textOf(join(locks, file));
    return text === undefined ? [] : [lockFile.safeParse(parsedJson(text)).data];
  });
}

/** @returns `undefined` if the file or process no longer exists */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

const pending = z.object({ pending_operations: z.array(z.unknown()).nullish() });

/** Whether a run was killed during an operation. @param deployment exported */
export function hasPendingOperations(deployment: unknown): boolean {
  return (pending.safeParse(deployment).data?.pending_operations ?? []).length > 0;
}

/** Clears pending creates and removes what they created. @returns names @throws CommandError if another run has the stack */
export async function forgetPendingCreates(stack: Stack): Promise<string[]> {
  const until = systemClock.now() + LATE_LIST_MS;
  const { deployment: before } = await stack.exportStack();
  let removed: string[] = [];
  const inAccount = pendingCreates(before).length > 0;
  if (inAccount || hasPendingRoles(before)) {
    // It takes the lock and keeps the pending creates, so a kill after it is recovered again.
    await stack.refresh();
    const { deployment: now } = await stack.exportStack();
    removed = await dropUnrecordedRoles(before, now);
    if (inAccount) {
      removed.push(...(await removeUnrecorded(await accountClient(stack), before, { now, until })));
    }
  }
  await stack.refresh({ clearPendingCreates: true });
  return removed;
}

/** Opens the API with the stack's token. @throws CatalogueError without one */
export async function accountClient(stack: Stack): Promise<Cloudflare> {
  const variables: EngineVariables = { ...process.env, ...stack.workspace.envVars };
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: baseURL } = variables;
  if (apiToken) return openCloudflare({ apiToken, baseURL });
  throw new CatalogueError(engineRunErrors.recovery_without_token);
}
