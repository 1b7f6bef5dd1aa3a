/** The dispatch Worker's internal API. */

import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import type { Named } from "#domain/errors/catalogue.ts";
import type { Carried } from "#domain/errors/catalogue-error.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type CutOutcome, invalidated } from "#workers/contracts/invalidated.ts";
import { type BackupReport, backupReport, restoreAnswered } from "#workers/contracts/tenant/backup.ts";
import type { SealedChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import type { SealedEgressOrder } from "#workers/contracts/tenant/egress.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import {
  type ProviderKeysReport,
  providerKeysReport,
  type SealedProviderKeysOrder,
} from "#workers/contracts/tenant/provider-keys.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { type SleepAnswered, type SleepOrder, sleepAnswered } from "#workers/contracts/tenant/sleep.ts";
import type { SpendingCapOrder } from "#workers/contracts/tenant/spending-cap.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { callJson, callService, RefusedCall, type Target } from "./call.ts";

/** The tenant's Worker refused the request, with its message. A retry does not help. */
export class TenantRefusal<const E extends Named | Carried = Named | Carried> extends TaskError<E> {
  override name = "TenantRefusal";
}

export interface RestoredBackup {
  restored: string;
  /** Id of the backup of the former state; null if none was made. */
  present: string | null;
}

/** Longer than the dispatch Worker waits for the tenant's, so that its response arrives. */
const RESTORE_MS = BACKUP_TIMEOUT_MS + 30_000;

/** A response without a body: nothing runs. */
const created = z.object({ id: z.string() }).optional();

function refusalOf(error: unknown): TenantRefusal | undefined {
  if (!(error instanceof RefusedCall) || ![400, 404, 409].includes(error.status)) return undefined;
  const refusal = errorBody.safeParse(parsedJson(error.body)).data?.error;
  if (refusal?.code === "tenant_not_found") return new TenantRefusal(outsideErrors.tenant_worker_not_found);
  return refusal && new TenantRefusal({ message: refusal.message, reason: refusal.reason });
}

export type DispatchWorker = ReturnType<typeof dispatchWorker>;

/** Every method throws TaskError if the dispatch Worker refuses or cannot be reached. */
export function dispatchWorker({
  DISPATCH_URL: url,
  INVALIDATE_TOKEN: token,
}: Pick<Settings, "DISPATCH_URL" | "INVALIDATE_TOKEN">) {
  const target = (path: string, answerMs?: number): Target => ({
    url: `${url}${path}`,
    token,
    name: "The dispatch Worker",
    ...(answerMs && { answerMs }),
  });
  const get = <T>(schema: z.ZodType<T>, path: string, signal: AbortSignal): Promise<T> =>
    callJson(schema, target(path), signal);
  /** @throws TenantRefusal */
  const order = async <T>(schema: z.ZodType<T>, path: string, signal: AbortSignal, body: object): Promise<T> => {
    try {
      return await callJson(schema, target(path, RESTORE_MS), signal, body);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
  /** @returns whether the tenant has a Worker @throws TenantRefusal */
  const replace = async (path: string, content: object, signal: AbortSignal): Promise<boolean> => {
    try {
      await callService({ ...target(path), method: "PUT" }, signal, content);
      return true;
    } catch (error) {
      const refused = refusalOf(error);
      if (refused?.reason === outsideErrors.tenant_worker_not_found.reason) return false;
      throw refused ?? error;
    }
  };
  return {
    /** Drops the caches of a tenant and closes its connections. */
    invalidate: async (slug: string, signal: AbortSignal): Promise<CutOutcome> =>
      (await get(invalidated, `/_invalidate/${slug}`, signal)).cut,
    /** Drops the cache entry of a door. @param keyHash SHA-256 of its key, in hex */
    invalidateDoor: async (keyHash: string, signal: AbortSignal) =>
      void (await callService(target(`/_invalidate-door/${keyHash}`), signal)),
    /** Replaces a tenant's channels. @returns whether the tenant has a Worker @throws TenantRefusal */
    setChannels: (slug: string, order: SealedChannelsOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_channels/${slug}`, order, signal),
    /** Replaces a tenant's own provider keys. @returns whether the tenant has a Worker @throws TenantRefusal */
    setProviderKeys: (slug: string, order: SealedProviderKeysOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_provider-keys/${slug}`, order, signal),
    /** Replaces a tenant's cap of spending. @returns whether the tenant has a Worker @throws TenantRefusal */
    setSpendingCap: (slug: string, order: SpendingCapOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_spending-cap/${slug}`, order, signal),
    /** Returns what a tenant knows of its provider keys. */
    providerKeys: (slug: string, signal: AbortSignal): Promise<ProviderKeysReport> =>
      get(providerKeysReport, `/_provider-keys/${slug}`, signal),
    /** Replaces a tenant's egress policies and secrets. @returns whether the tenant has a Worker @throws TenantRefusal */
    setEgress: (slug: string, order: SealedEgressOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_egress/${slug}`, order, signal),
    health: (slug: string, signal: AbortSignal): Promise<HealthSnapshot> =>
      get(healthSnapshot, `/_health/${slug}`, signal),
    /** Starts the gateway if it does not run. @returns its health */
    start: (slug: string, signal: AbortSignal): Promise<HealthSnapshot> =>
      callJson(healthSnapshot, target(`/_start/${slug}`), signal, {}),
    /** @returns the backup's id, or `undefined` if nothing runs @throws TenantRefusal if the state must not be backed up */
    async backUp(slug: string, signal: AbortSignal): Promise<string | undefined> {
      try {
        return (await callJson(created, target(`/_backup/${slug}`, BACKUP_TIMEOUT_MS), signal, {}))?.id;
      } catch (error) {
        if (error instanceof RefusedCall && error.status === 404) return undefined;
        throw refusalOf(error) ?? error;
      }
    },
    backups: (slug: string, signal: AbortSignal): Promise<BackupReport> =>
      get(backupReport, `/_backups/${slug}`, signal),
    /** Backs up the state and replaces it. @param how.order UUID: a repeated order returns the first result @throws TenantRefusal */
    async restore(
      slug: string,
      backup: string,
      how: { discardPresent: boolean; order: string },
      signal: AbortSignal,
    ): Promise<RestoredBackup> {
      const { restored, present } = await order(restoreAnswered, `/_restore/${slug}/${backup}`, signal, how);
      return { restored, present: present?.id ?? null };
    },
    /** Backs up the state and puts the tenant to sleep. @throws TenantRefusal if it must stay awake, or its Worker has no such order */
    sleep: (slug: string, how: SleepOrder, signal: AbortSignal): Promise<SleepAnswered> =>
      order(sleepAnswered, `/_sleep/${slug}`, signal, how),
    restart: async (slug: string, signal: AbortSignal) =>
      void (await callService(target(`/_restart/${slug}`), signal, {})),
    /** Reads the status of the sandbox without waking it. */
    status: (slug: string, signal: AbortSignal): Promise<SandboxStatus> =>
      get(sandboxStatus, `/_status/${slug}`, signal),
  };
}

/** Starts the gateway. @returns its health, or `undefined` if it cannot be read */
export const tryStart = (
  dispatch: Pick<DispatchWorker, "start">,
  slug: string,
  signal: AbortSignal,
): Promise<HealthSnapshot | undefined> => dispatch.start(slug, signal).catch(() => undefined);

/** @returns the sandbox's status, or `undefined` if it cannot be read */
export const tryStatus = (
  dispatch: Pick<DispatchWorker, "status">,
  slug: string,
  signal: AbortSignal,
): Promise<SandboxStatus | undefined> => dispatch.status(slug, signal).catch(() => undefined);
