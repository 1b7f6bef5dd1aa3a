/**
 * A round of looks at every instance's health: passive, so that none is started or kept awake by it. One that is being provisioned is
 * started, as nothing else shows that it can be.
 */
import type { Kysely } from "kysely";
import { type HealthRecord, recordHealth } from "#database/health/history.ts";
import { type PolledInstance, polledInstances, setRunning } from "#database/health/polled-instances.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { closeThoseNotPolled, followLife } from "./incidents.ts";
import { consequenceOf, type Look } from "./transitions.ts";

/** Instances read at once, and records written at once. */
const PAGE = 500;

/** The dispatch Worker's orders that look. @throws Error when there is no good answer */
export interface Looks {
  /** `GET /_health/:slug`. */
  health(slug: string, signal: AbortSignal): Promise<unknown>;
  /** `POST /_start/:slug`: a look that starts what does not run. */
  start(slug: string, signal: AbortSignal): Promise<unknown>;
  /** `GET /_status/:slug`. */
  status(slug: string, signal: AbortSignal): Promise<unknown>;
}

export interface PollOptions {
  environment: Environment;
  looks: Looks;
  /** Over how many milliseconds a page's looks are spread, at random, so that not all tenants are called at once. */
  jitterMs: number;
  /** Looks at once. */
  concurrency: number;
  /** How long a look may take, in milliseconds. */
  timeoutMs: number;
  /** Ends the round; what was seen so far is kept. */
  signal: AbortSignal;
  now?: () => Date;
  random?: () => number;
}

export interface Round {
  looked: number;
  unreachable: number;
  /** Instances that came up. */
  cameUp: number;
}

/** One round over all instances that are polled. @throws Error when the database does not answer */
export async function pollHealth(db: Kysely<DB>, options: PollOptions): Promise<Round> {
  const round: Round = { looked: 0, unreachable: 0, cameUp: 0 };
  let after: string | undefined;
  for (;;) {
    const page = await polledInstances(db, options.environment, { after, limit: PAGE });
    const records: HealthRecord[] = [];
    await each(page, options, async (instance) => {
      const { look, record } = await lookAt(instance, options);
      if (options.signal.aborted) return;
      round.looked += 1;
      if (look.kind === "unreachable") round.unreachable += 1;
      if (record !== undefined) records.push(record);
      const { becomesRunning, life } = consequenceOf(instance, look, (options.now ?? newDate)());
      if (becomesRunning && (await setRunning(db, instance))) round.cameUp += 1;
      await followLife(db, instance, life, reasonOf(look));
    }).finally(() => recordHealth(db, records));
    after = page.at(-1)?.id;
    if (page.length < PAGE || options.signal.aborted) break;
  }
  await closeThoseNotPolled(db, options.environment);
  return round;
}

const newDate = () => new Date();

/** What became of the record of a look that nobody could make: it lives no more, as far as one knows. */
async function lookAt(instance: PolledInstance, options: PollOptions): Promise<{ look: Look; record?: HealthRecord }> {
  const { looks, timeoutMs, now = newDate } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const started = performance.now();
  const base = { instanceId: instance.id, at: now() };
  try {
    const take = instance.status === "provisioning" ? looks.start : looks.health;
    const snapshot = healthSnapshot.parse(await take(instance.slug, signal));
    const { startup, readiness, liveness, restoreStatus } = snapshot;
    // Only one that does not live may sleep.
    if (!liveness.ok && snapshot.status === "stopped" && (await sleeps(instance.slug, looks, signal))) {
      return { look: { kind: "asleep" } };
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
    return { look: { kind: "snapshot", snapshot }, record };
  } catch (error) {
    const none = { startupOk: false, readinessOk: false, livenessOk: false, hadBackup: false, restored: false };
    const reason =
      error instanceof Error && error.name === "TimeoutError" ? "it did not answer in time" : "it cannot be reached";
    return {
      look: { kind: "unreachable", reason },
      record: { ...base, ...none, latencyMs: performance.now() - started },
    };
  }
}

async function sleeps(slug: string, looks: Looks, signal: AbortSignal): Promise<boolean> {
  const status = await looks.status(slug, signal).catch(() => undefined);
  return sandboxStatus.safeParse(status).data?.sandbox === "asleep";
}

function reasonOf(look: Look): string {
  if (look.kind === "unreachable") return `${look.reason}.`;
  return look.kind === "snapshot" ? (look.snapshot.liveness.error ?? "its liveness probe fails.") : "";
}

/** Calls `work` for each, so many at once, the first calls spread at random. */
async function each<T>(items: readonly T[], o: PollOptions, work: (item: T) => Promise<void>): Promise<void> {
  const random = o.random ?? Math.random;
  const queue = [...items];
  const workers = Array.from({ length: Math.min(o.concurrency, items.length) }, async () => {
    const share = o.jitterMs / Math.max(1, items.length / o.concurrency);
    for (let item = queue.shift(); item !== undefined && !o.signal.aborted; item = queue.shift()) {
      await pause(random() * share, o.signal);
      await work(item);
    }
  });
  const failed = (await Promise.allSettled(workers)).find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Resolves after a time, or at once when the signal ends it. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
