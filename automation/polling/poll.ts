/** Polls every instance's health. The check is passive, so it starts no gateway, except of an instance that is being provisioned. */
import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import { type HealthRecord, recordHealth } from "#database/health/history.ts";
import { closeIncidents, closeUnpolled, openIncident } from "#database/health/incidents.ts";
import { type PolledInstance, polledInstances, setRunning } from "#database/health/polled-instances.ts";
import { noteOccurrence } from "#database/notifications/occurrences.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { errorParts } from "#domain/errors/catalogue-error.ts";
import { incidentErrors } from "#domain/errors/service/automation.ts";
import type { NewDevice } from "#workers/contracts/tenant/devices.ts";
import type { UnexpectedRestore } from "#workers/contracts/tenant/health-snapshot.ts";
import { type DispatchWorker, tryStatus } from "../outside/dispatch-worker.ts";
import { type Consequence, consequenceOf, type Probe } from "./transitions.ts";

const GATEWAY_DEAD = "gateway_dead";
const INBOX_FULL = "inbox_full";
const BACKUP_FAILING = "backup_failing";

const PAGE = 500;

export interface PollOptions {
  environment: Environment;
  dispatch: Pick<DispatchWorker, "health" | "start" | "status">;
  /** Milliseconds over which the probes of a page are spread at random. */
  jitterMs: number;
  /** Number of concurrent probes. */
  concurrency: number;
  timeoutMs: number;
  /** Ends the round; results so far are stored. */
  signal: AbortSignal;
}

export interface Round {
  probed: number;
  unreachable: number;
  cameUp: number;
}

/** Polls all instances once. @throws Error if the database cannot be reached */
export async function pollHealth(db: Kysely<DB>, options: PollOptions): Promise<Round> {
  const round: Round = { probed: 0, unreachable: 0, cameUp: 0 };
  let after: string | undefined;
  for (;;) {
    const page = await polledInstances(db, options.environment, { after, limit: PAGE });
    const records: HealthRecord[] = [];
    await eachWithJitter(page, options, async (instance) => {
      const { probe, record, flags, restores = [], devices = [] } = await probeInstance(instance, options);
      if (options.signal.aborted) return;
      round.probed += 1;
      if (probe.kind === "unreachable") round.unreachable += 1;
      if (record !== undefined) records.push(record);
      const { becomesRunning, life } = consequenceOf(instance, probe, new Date());
      if (becomesRunning && (await setRunning(db, instance))) round.cameUp += 1;
      await openIncidents(db, instance, { life, why: reasonOf(probe), flags });
      const ended = [
        ...(life === "alive" ? [GATEWAY_DEAD] : []),
        ...(flags?.inboxFull === false ? [INBOX_FULL] : []),
        ...(flags?.backupFailed === false ? [BACKUP_FAILING] : []),
      ];
      if (ended.length > 0) await closeIncidents(db, instance.id, ended);
      for (const restore of restores) await noteUnexpectedRestore(db, instance, restore);
      for (const device of devices) await noteNewDevice(db, instance, device);
    }).finally(() => recordHealth(db, records));
    after = page.at(-1)?.id;
    if (page.length < PAGE || options.signal.aborted) break;
  }
  await closeUnpolled(db, options.environment, [GATEWAY_DEAD, INBOX_FULL, BACKUP_FAILING]);
  return round;
}

interface Probed {
  probe: Probe;
  record?: HealthRecord;
  /** Undefined if unknown. */
  flags?: Flags;
  /** Unexpected restores, if they are known. */
  restores?: readonly UnexpectedRestore[];
  /** New devices, if they are known. */
  devices?: readonly NewDevice[];
}

/** What the snapshot states beside the probes. */
type Flags = Record<"inboxFull" | "backupFailed", boolean>;

async function probeInstance(
  { id, slug, status }: PolledInstance,
  { dispatch, timeoutMs, signal: ended }: PollOptions,
): Promise<Probed> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
  const started = performance.now();
  const base = { instanceId: id, at: new Date() };
  try {
    const check = status === "provisioning" ? dispatch.start : dispatch.health;
    const snapshot = await check(slug, signal);
    const { startup, readiness, liveness, restoreStatus } = snapshot;
    const { unexpectedRestores: restores = [], newDevices: devices = [] } = snapshot;
    const flags = { inboxFull: snapshot.inboxFull === true, backupFailed: snapshot.backupFailed === true };
    if (!liveness.ok && snapshot.status === "stopped") {
      const sandbox = await tryStatus(dispatch, slug, signal);
      if (sandbox?.sandbox === "asleep") return { probe: { kind: "asleep" }, flags, restores, devices };
    }
    const record = {
      ...base,
      startupOk: startup.ok,
      readinessOk: readiness.ok,
      livenessOk: liveness.ok,
      hadBackup: restoreStatus.hadBackup,
      restored: restoreStatus.restored,
      latencyMs: Math.max(startup.latencyMs, readiness.latencyMs, liveness.latencyMs),
    };
    return { probe: { kind: "snapshot", snapshot }, record, flags, restores, devices };
  } catch (error) {
    const none = { startupOk: false, readinessOk: false, livenessOk: false, hadBackup: false, restored: false };
    const reason = error instanceof Error && error.name === "TimeoutError" ? "it timed out" : "it cannot be reached";
    return {
      probe: { kind: "unreachable", reason },
      record: { ...base, ...none, latencyMs: performance.now() - started },
    };
  }
}

function reasonOf(probe: Probe): string {
  if (probe.kind === "unreachable") return `${probe.reason}.`;
  return probe.kind === "snapshot" ? (probe.snapshot.liveness.error ?? "its liveness probe fails.") : "";
}

/** Calls `work` for each item with limited concurrency and random pauses. */
async function eachWithJitter<T>(
  items: readonly T[],
  { concurrency, jitterMs, signal }: PollOptions,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const share = jitterMs / Math.max(1, items.length / concurrency);
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, async () => {
    for (let item = queue.shift(); item !== undefined && !signal.aborted; item = queue.shift()) {
      await pause(Math.random() * share, undefined, { signal }).catch(() => undefined);
      await work(item);
    }
  });
  const failed = (await Promise.allSettled(workers)).find((worker) => worker.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Opens the incidents of an instance that are due. @param o.why what the probe reported */
async function openIncidents(
  db: Kysely<DB>,
  { id: instanceId }: PolledInstance,
  { life, why, flags }: { life: Consequence["life"]; why: string; flags: Flags | undefined },
): Promise<void> {
  if (life === "dead") {
    const texts = errorParts(incidentErrors.gateway_dead, { fault: why });
    await openIncident(db, { instanceId, kind: GATEWAY_DEAD, ...texts });
  }
  if (flags?.inboxFull)
    await openIncident(db, { instanceId, kind: INBOX_FULL, ...errorParts(incidentErrors.webhooks_refused) });
  if (flags?.backupFailed)
    await openIncident(db, { instanceId, kind: BACKUP_FAILING, ...errorParts(incidentErrors.backup_failing) });
}

/** Notes a restore that nobody ordered, once for each restore. */
async function noteUnexpectedRestore(
  db: Kysely<DB>,
  { id: instanceId }: PolledInstance,
  { at, backup, endedAt, damaged }: UnexpectedRestore,
): Promise<void> {
  const data = { backup: backup ?? null, endedAt: endedAt ?? null, damaged: damaged ?? null };
  await noteOccurrence(db, { instanceId, kind: "restore", subject: `restore:${instanceId}:${at}`, data });
}

/** Notes a new device, once for each request or pairing. */
async function noteNewDevice(
  db: Kysely<DB>,
  { id: instanceId }: PolledInstance,
  { id, at, waits, name, platform }: NewDevice,
): Promise<void> {
  const data = { device: name ?? id.slice(0, 12), platform: platform ?? null, at, waits };
  await noteOccurrence(db, { instanceId, kind: "new_device", subject: `device:${instanceId}:${id}:${at}`, data });
}
