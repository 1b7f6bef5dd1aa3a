/** Reads what tenants know of their own provider keys, for owners: whether the provider accepts a key, and when it was last used. */
import type { Kysely } from "kysely";
import {
  instancesWithProviderKeys,
  type ReportedKey,
  recordKeyReport,
  type WatchedInstance,
} from "#database/provider-keys/pushes.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import type { Environment } from "#domain/environment.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";

interface KeyPolling {
  environment: Environment;
  dispatch: Pick<DispatchWorker, "providerKeys">;
  timeoutMs: number;
  /** Ends the round; results so far are stored. */
  signal: AbortSignal;
}

/** @returns how many tenants could not be read: an unreachable tenant is reported by its health @throws Error if the database cannot be reached */
export async function pollProviderKeys(
  db: Kysely<DB>,
  { environment, dispatch, timeoutMs, signal }: KeyPolling,
): Promise<{ read: number; unreadable: number }> {
  const round = { read: 0, unreadable: 0 };
  for (const instance of await instancesWithProviderKeys(db, environment)) {
    if (signal.aborted) break;
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const report = await dispatch.providerKeys(instance.slug, until).catch(() => undefined);
    if (report === undefined) {
      round.unreadable += 1;
      continue;
    }
    round.read += 1;
    for (const { id, lastUsedAt, fault } of report.keys) {
      const at = lastUsedAt === null ? null : new Date(lastUsedAt);
      const dated = fault && { ...fault, at: new Date(fault.at) };
      await record(db, instance, { id, lastUsedAt: at, fault: dated });
    }
  }
  return round;
}

/** Stores a report that differs from the stored one, of a key that the instance still has, with an event when its state changes. */
async function record(db: Kysely<DB>, { id, clientId, keys }: WatchedInstance, reported: ReportedKey): Promise<void> {
  const known = keys.find((key) => key.id === reported.id);
  if (known === undefined || known.fault === "push_failed" || isStored(known, reported)) return;
  await db.transaction().execute(async (tx) => {
    await recordKeyReport(tx, reported);
    const kind = reported.fault?.kind ?? null;
    if (known.fault === kind) return;
    const { provider } = known;
    const data = { instance_id: id, by: "service", provider, key_id: known.id, ...(kind && { fault: kind }) };
    const event = kind === null ? "provider_key.accepted" : "provider_key.refused";
    await queueEvent(tx, { client_id: clientId, kind: event, data: JSON.stringify(data) });
  });
}

const isStored = (known: WatchedInstance["keys"][number], { lastUsedAt, fault }: ReportedKey): boolean =>
  known.lastUsedAt?.getTime() === lastUsedAt?.getTime() &&
  known.fault === (fault?.kind ?? null) &&
  known.lastError === (fault?.message ?? null) &&
  known.lastErrorAt?.getTime() === fault?.at.getTime();
