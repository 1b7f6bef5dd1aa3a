/**
 * What the dashboard asks vendors for the automation service, which cannot decrypt the credentials of channels: `POST` with the bearer token of events
 * and a `sealedChannelsOrder`.
 */
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";

/** Makes vendors send no more webhooks. Below the path of events, whose Access application covers it. */
export const STOP_CHANNELS_PATH = `${LIVE_PUSH_PATH}/channels/stop`;

/** Asks vendors whether they accept the tokens, and where they send webhooks. */
export const CHECK_CHANNELS_PATH = `${LIVE_PUSH_PATH}/channels/check`;

/** Where a vendor sends a bot's webhooks. `registered`: to the channel's door. `unknown`: the vendor does not say. */
export const registrations = ["registered", "elsewhere", "none", "unknown"] as const;

export const checkedChannels = z.object({
  /**
   * Channels whose vendor responded. `name`: of the bot; null if the vendor rejects the token. `registration`: of the bot's webhook; absent if the
   * vendor did not say, and from a dashboard of an earlier version.
   */
  checked: z.array(
    z.object({ id: z.uuid(), name: z.string().nullable(), registration: z.enum(registrations).optional() }),
  ),
});
export type CheckedChannels = z.infer<typeof checkedChannels>;

export const stoppedChannels = z.object({
  /** IDs of the channels whose vendor sends no more webhooks. What remains for others is done by hand. */
  stopped: z.array(z.uuid()),
});
