/** Sends a tenant its own keys for model providers, encrypted: the dispatch Worker decrypts them. */
import { providerKeysToPush, recordKeyPushFailed, recordKeysPushed } from "#database/provider-keys/pushes.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { TenantRefusal } from "../../../outside/dispatch-worker.ts";
import type { JobKind } from "../../kind.ts";
import { JobRefused } from "../../refusals.ts";

export const pushProviderKeys: JobKind = {
  name: "push_provider_keys",
  async run({ instance_id, slug }, { dispatch }, { db, signal }) {
    if (instance_id === null) return;
    const keys = await providerKeysToPush(db, instance_id);
    const sealed = keys.map(({ id, credentials }) => ({ id, credentials: credentials.toString("base64") }));
    try {
      // A tenant that is not deployed yet gets them when it runs (`push_provider_keys_again` in database/routines/doors/provider-keys.sql).
      if (!(await dispatch.setProviderKeys(slug, { sealed }, signal))) return;
    } catch (error) {
      if (!(error instanceof TenantRefusal)) throw error;
      throw new JobRefused({ message: error.message, reason: error.reason }, { cause: error });
    }
    const ids = keys.map(({ id }) => id);
    await recordKeysPushed(db, ids);
  },
  async failed({ instance_id }, cause, { db }) {
    if (instance_id === null) return;
    await recordKeyPushFailed(db, instance_id, errorText(jobErrors.provider_keys_not_sent, { cause }));
  },
};
