/** Sends a tenant the terms of its model calls: its own keys for model providers, and the cap of its spending. */
import type { Kysely } from "kysely";
import { spendingToPush } from "#database/billing/spending-cap.ts";
import { providerKeysToPush, recordKeyPushFailed, recordKeysPushed } from "#database/provider-keys/pushes.ts";
import type { DB } from "#database/types.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { type DispatchWorker, TenantRefusal } from "../../../outside/dispatch-worker.ts";
import type { JobKind } from "../../kind.ts";
import { JobRefused } from "../../refusals.ts";
import { pushKind, sealedOrder } from "./push.ts";

const pushKeys = pushKind({
  name: "push_provider_keys",
  toPush: providerKeysToPush,
  send: (dispatch, slug, found, signal) => dispatch.setProviderKeys(slug, sealedOrder(found), signal),
  recordPushed: (db, pushed) =>
    recordKeysPushed(
      db,
      pushed.map(({ id }) => id),
    ),
  recordFailed: (db, instanceId, cause) =>
    recordKeyPushFailed(db, instanceId, errorText(jobErrors.provider_keys_not_sent, { cause })),
});

export const pushProviderKeys: JobKind = {
  ...pushKeys,
  async run(job, means, run) {
    await pushKeys.run(job, means, run);
    if (job.instance_id !== null)
      await sendCap(run.db, { ...job, instanceId: job.instance_id }, means.dispatch, run.signal);
  },
};

async function sendCap(
  db: Kysely<DB>,
  { instanceId, slug }: { instanceId: string; slug: string },
  dispatch: DispatchWorker,
  signal: AbortSignal,
): Promise<void> {
  const found = await spendingToPush(db, instanceId);
  if (found === undefined) return;
  try {
    await dispatch.setSpendingCap(slug, found, signal);
  } catch (error) {
    if (!(error instanceof TenantRefusal)) throw error;
    // A Worker of an earlier version has no cap.
    if (found.cap === null) return;
    throw new JobRefused({ message: error.message, reason: error.reason }, { cause: error });
  }
}
