/** Sends a tenant all its channels, encrypted: the dispatch Worker decrypts them. */
import { channelsToPush, recordPushed, recordPushFailed } from "#database/channels/pushes.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import type { JobKind } from "../kind.ts";
import { JobRefused } from "../refusals.ts";

export const pushChannels: JobKind = {
  name: "push_channels",
  async run({ instance_id, slug }, { dispatch }, { db, signal }) {
    if (instance_id === null) return;
    const channels = await channelsToPush(db, instance_id);
    const sealed = channels.map(({ id, credentials }) => ({ id, credentials: credentials.toString("base64") }));
    try {
      // A tenant that is not deployed yet gets them when it runs (`push_channels_again` in database/routines/doors/channels.sql).
      if (await dispatch.setChannels(slug, { sealed }, signal)) await recordPushed(db, channels);
    } catch (error) {
      if (!(error instanceof TenantRefusal)) throw error;
      throw new JobRefused({ message: error.message, reason: error.reason }, { cause: error });
    }
  },
  async failed({ instance_id }, cause, { db }) {
    if (instance_id === null) return;
    await recordPushFailed(db, instance_id, errorText(jobErrors.channels_not_sent, { cause }));
  },
};
