/** The dispatch Worker, as the platform calls it. */

import * as z from "zod";
import { errorBody } from "#workers/contracts/errors.ts";
import { type CutOutcome, invalidated } from "#workers/contracts/invalidated.ts";
import { type BackupReport, backupReport, restoreAnswered } from "#workers/contracts/tenant/backup.ts";
import { BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { call, RefusedCall } from "./call.ts";

/** A tenant's Worker refused the order, in its own sentence: trying again is of no use. */
export class TenantRefusal extends TaskError {
  override name = "TenantRefusal";
}

export interface RestoredBackup {
  /** Id of the backup that takes the state's place. */
  restored: string;
  /** Id of the backup of the state before; null where none was made for it. */
  present: string | null;
}

export interface DispatchWorker {
  /** Has it forget what it knows of a tenant, and cut whoever is connected. @returns what became of those @throws TaskError */
  invalidate(slug: string, signal: AbortSignal): Promise<CutOutcome>;
  /** What a passive look at a tenant's health tells. @throws TaskError */
  health(slug: string, signal: AbortSignal): Promise<unknown>;
  /** Has its gateway start where it does not run. @returns what an activating look at its health tells @throws TaskError */
  start(slug: string, signal: AbortSignal): Promise<unknown>;
  /**
   * Has what is there backed up; nothing is, and none is needed, where nothing runs or there is no such tenant.
   *
   * @returns the backup's id, or `undefined` where there is nothing to back up
   * @throws TenantRefusal where its state may not be backed up, TaskError else
   */
  backUp(slug: string, signal: AbortSignal): Promise<string | undefined>;
  /** What there is of its backups. @throws TaskError */
  backups(slug: string, signal: AbortSignal): Promise<BackupReport>;
  /**
   * Has a backup put in place of the present state, which is backed up before. The gateway is started again, and need not be ready when
   * this returns.
   *
   * @param how.discardPresent goes on when the present state cannot be backed up
   * @param how.order a UUID that names the order: given again it is answered as before, and not carried out again. Default: another each time
   * @throws TenantRefusal where the tenant has its reasons, TaskError else
   */
  restore(
    slug: string,
    backup: string,
    how: { discardPresent: boolean; order?: string },
    signal: AbortSignal,
  ): Promise<RestoredBackup>;
  /** Has its gateway start anew. @throws TaskError */
  restart(slug: string, signal: AbortSignal): Promise<void>;
  /** What its Worker tells of its sandbox, without waking it. @throws TaskError */
  status(slug: string, signal: AbortSignal): Promise<unknown>;
}

/** Longer than the dispatch Worker waits for the tenant's, so that its answer is heard. */
const RESTORE_MS = BACKUP_TIMEOUT_MS + 30_000;

const made = z.object({ id: z.string() });

/** What of a tenant's refusals does not pass by itself. */
function refusalOf(error: unknown): TenantRefusal | undefined {
  if (!(error instanceof RefusedCall) || ![400, 404, 409].includes(error.status)) return undefined;
  const told = errorBody.safeParse(jsonOf(error.body)).data?.error;
  if (told?.code === "tenant_not_found")
    return new TenantRefusal("The tenant has no Worker, or the dispatch Worker is of an earlier release: deploy both.");
  return told && new TenantRefusal(told.message);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function dispatchWorker({
  DISPATCH_URL: url,
  INVALIDATE_TOKEN: token,
}: Pick<Settings, "DISPATCH_URL" | "INVALIDATE_TOKEN">): DispatchWorker {
  const order = (path: string, signal: AbortSignal, body?: object, answerMs?: number) =>
    call({ url: `${url}${path}`, token, name: "The dispatch Worker", ...(answerMs && { answerMs }) }, signal, body);
  return {
    async invalidate(slug, signal) {
      const answer = invalidated.safeParse(JSON.parse(await order(`/_invalidate/${slug}`, signal)));
      if (!answer.success) throw new TaskError("The dispatch Worker's answer does not say what became of the order.");
      return answer.data.cut;
    },
    health: async (slug, signal) => JSON.parse(await order(`/_health/${slug}`, signal)),
    start: async (slug, signal) => JSON.parse(await order(`/_start/${slug}`, signal, {})),
    async backUp(slug, signal) {
      try {
        const answer = await order(`/_backup/${slug}`, signal, {}, BACKUP_TIMEOUT_MS);
        return answer === "" ? undefined : made.parse(JSON.parse(answer)).id;
      } catch (error) {
        if (error instanceof RefusedCall && error.status === 404) return undefined;
        throw refusalOf(error) ?? error;
      }
    },
    backups: async (slug, signal) => backupReport.parse(JSON.parse(await order(`/_backups/${slug}`, signal))),
    async restore(slug, backup, how, signal) {
      const answer = await order(`/_restore/${slug}/${backup}`, signal, how, RESTORE_MS).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
      const { restored, present } = restoreAnswered.parse(JSON.parse(answer));
      return { restored, present: present?.id ?? null };
    },
    restart: async (slug, signal) => void (await order(`/_restart/${slug}`, signal, {})),
    status: async (slug, signal) => JSON.parse(await order(`/_status/${slug}`, signal)),
  };
}
