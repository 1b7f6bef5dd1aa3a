/** The dispatch Worker, as the platform calls it. */

import { BACKUP_TIMEOUT_MS } from "../../workers/contracts/internal.ts";
import { type CutOutcome, invalidated } from "../../workers/contracts/invalidated.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { call, RefusedCall } from "./call.ts";

export interface DispatchWorker {
  /** Has it forget what it knows of a tenant, and cut whoever is connected. @returns what became of those @throws TaskError */
  invalidate(slug: string, signal: AbortSignal): Promise<CutOutcome>;
  /** What a passive look at a tenant's health tells. @throws TaskError */
  health(slug: string, signal: AbortSignal): Promise<unknown>;
  /** Has its gateway start where it does not run. @returns what an activating look at its health tells @throws TaskError */
  start(slug: string, signal: AbortSignal): Promise<unknown>;
  /** Has what is there backed up; nothing is, and none is needed, where nothing runs or there is no such tenant. @throws TaskError */
  backUp(slug: string, signal: AbortSignal): Promise<void>;
  /** Has its gateway start anew. @throws TaskError */
  restart(slug: string, signal: AbortSignal): Promise<void>;
  /** What its Worker tells of its sandbox, without waking it. @throws TaskError */
  status(slug: string, signal: AbortSignal): Promise<unknown>;
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
        await order(`/_backup/${slug}`, signal, {}, BACKUP_TIMEOUT_MS);
      } catch (error) {
        if (!(error instanceof RefusedCall && error.status === 404)) throw error;
      }
    },
    restart: async (slug, signal) => void (await order(`/_restart/${slug}`, signal, {})),
    status: async (slug, signal) => JSON.parse(await order(`/_status/${slug}`, signal)),
  };
}
