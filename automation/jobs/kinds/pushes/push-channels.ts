/** Sends a tenant all its channels. */
import { channelsToPush, recordPushed, recordPushFailed } from "#database/channels/pushes.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { pushKind, sealedOrder } from "./push.ts";

export const pushChannels = pushKind({
  name: "push_channels",
  toPush: channelsToPush,
  send: (dispatch, slug, found, signal) => dispatch.setChannels(slug, sealedOrder(found), signal),
  recordPushed,
  recordFailed: (db, instanceId, cause) =>
    recordPushFailed(db, instanceId, errorText(jobErrors.channels_not_sent, { cause })),
});
