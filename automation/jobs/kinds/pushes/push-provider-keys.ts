/** Sends a tenant its own keys for model providers. */
import { providerKeysToPush, recordKeyPushFailed, recordKeysPushed } from "#database/provider-keys/pushes.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { pushKind, sealedOrder } from "./push.ts";

export const pushProviderKeys = pushKind({
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
