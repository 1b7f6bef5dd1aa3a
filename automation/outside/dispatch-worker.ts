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
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import {
  type ProviderKeysReport,
  providerKeysReport,
  type SealedProviderKeysOrder,
} from "#workers/contracts/tenant/provider-keys.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { type SleepAnswered, type SleepOrder, sleepAnswered } from "#workers/contracts/tenant/sleep.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { callService, RefusedCall } from "./call.ts";

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

const created = z.object({ id: z.string() });

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
  const request = (path: string, signal: AbortSignal, body?: object, answerMs?: number) =>
    callService(
      { url: `${url}${path}`, token, name: "The dispatch Worker", ...(answerMs && { answerMs }) },
      signal,
      body,
    );
  const requestJson = async (path: string, signal: AbortSignal, body?: object): Promise<unknown> =>
    JSON.parse(await request(path, signal, body));
  /** @returns whether the tenant has a Worker @throws TenantRefusal */
  const replace = async (path: string, order: object, signal: AbortSignal): Promise<boolean> => {
    const target = { url: `${url}${path}`, token, name: "The dispatch Worker", method: "PUT" } as const;
    try {
      await callService(target, signal, order);
      return true;
    } catch (error) {
      const refused = refusalOf(error);
      if (refused?.reason === outsideErrors.tenant_worker_not_found.reason) return false;
      throw refused ?? error;
    }
  };
  return {
    /** Drops the caches of a tenant and closes its connections. */
    async invalidate(slug: string, signal: AbortSignal): Promise<CutOutcome> {
      const answer = invalidated.safeParse(await requestJson(`/_invalidate/${slug}`, signal));
      if (!answer.success) throw new TaskError(outsideErrors.dispatch_response_invalid);
      return answer.data.cut;
    },
    /** Drops the cache entry of a door. @param keyHash SHA-256 of its key, in hex */
    invalidateDoor: async (keyHash: string, signal: AbortSignal) =>
      void (await request(`/_invalidate-door/${keyHash}`, signal)),
    /** Replaces a tenant's channels. @returns whether the tenant has a Worker @throws TenantRefusal */
    setChannels: (slug: string, order: SealedChannelsOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_channels/${slug}`, order, signal),
    /** Replaces a tenant's own provider keys. @returns whether the tenant has a Worker @throws TenantRefusal */
    setProviderKeys: (slug: string, order: SealedProviderKeysOrder, signal: AbortSignal): Promise<boolean> =>
      replace(`/_provider-keys/${slug}`, order, signal),
    /** Returns what a tenant knows of its provider keys. */
    providerKeys: async (slug: string, signal: AbortSignal): Promise<ProviderKeysReport> =>
      providerKeysReport.parse(await requestJson(`/_provider-keys/${slug}`, signal)),
    health: (slug: string, signal: AbortSignal) => requestJson(`/_health/${slug}`, signal),
    /** Starts the gateway if it does not run. @returns its health */
    start: (slug: string, signal: AbortSignal) => requestJson(`/_start/${slug}`, signal, {}),
    /** @returns the backup's id, or `undefined` if nothing runs @throws TenantRefusal if the state must not be backed up */
    async backUp(slug: string, signal: AbortSignal): Promise<string | undefined> {
      try {
        const answer = await request(`/_backup/${slug}`, signal, {}, BACKUP_TIMEOUT_MS);
        return answer === "" ? undefined : created.parse(JSON.parse(answer)).id;
      } catch (error) {
        if (error instanceof RefusedCall && error.status === 404) return undefined;
        throw refusalOf(error) ?? error;
      }
    },
    backups: async (slug: string, signal: AbortSignal): Promise<BackupReport> =>
      backupReport.parse(await requestJson(`/_backups/${slug}`, signal)),
    /** Backs up the state and replaces it. @param how.order UUID: a repeated order returns the first result @throws TenantRefusal */
    async restore(
      slug: string,
      backup: string,
      how: { discardPresent: boolean; order: string },
      signal: AbortSignal,
    ): Promise<RestoredBackup> {
      const answer = await request(`/_restore/${slug}/${backup}`, signal, how, RESTORE_MS).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
      const { restored, present } = restoreAnswered.parse(JSON.parse(answer));
      return { restored, present: present?.id ?? null };
    },
    /** Backs up the state and puts the tenant to sleep. @throws TenantRefusal if it must stay awake, or its Worker has no such order */
    async sleep(slug: string, order: SleepOrder, signal: AbortSignal): Promise<SleepAnswered> {
      const answer = await request(`/_sleep/${slug}`, signal, order, RESTORE_MS).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
      return sleepAnswered.parse(JSON.parse(answer));
    },
    restart: async (slug: string, signal: AbortSignal) => void (await request(`/_restart/${slug}`, signal, {})),
    /** Reads the status of the sandbox without waking it. */
    status: (slug: string, signal: AbortSignal) => requestJson(`/_status/${slug}`, signal),
  };
}

/** Starts the gateway. @returns its health, or `undefined` if it cannot be read */
export async function tryStart(
  dispatch: Pick<DispatchWorker, "start">,
  slug: string,
  signal: AbortSignal,
): Promise<HealthSnapshot | undefined> {
  return healthSnapshot.safeParse(await dispatch.start(slug, signal).catch(() => undefined)).data;
}

/** @returns the sandbox's status, or `undefined` if it cannot be read */
export async function tryStatus(
  dispatch: Pick<DispatchWorker, "status">,
  slug: string,
  signal: AbortSignal,
): Promise<SandboxStatus | undefined> {
  return sandboxStatus.safeParse(await dispatch.status(slug, signal).catch(() => undefined)).data;
}
