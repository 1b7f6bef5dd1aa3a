/**
 * What the dashboard asks vendors for the automation service, which cannot decrypt the credentials of channels: `POST` with the bearer token of events
 * and a `sealedChannelsOrder`.
 */
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";

/** Makes vendors send no more webhooks. Below the path of events, whose Access application covers it. */
export const STOP_CHANNELS_PATH = `${LIVE_PUSH_PATH}/channels/stop`;

/** Asks vendors whether they accept the tokens. */
export const CHECK_CHANNELS_PATH = `${LIVE_PUSH_PATH}/channels/check`;

export const checkedChannels = z.object({
  /** Channels whose vendor responded. `name`: of the bot; null if the vendor rejects the token. */
  checked: z.array(z.object({ id: z.uuid(), name: z.string().nullable() })),
});
export type CheckedChannels = z.infer<typeof checkedChannels>;

export const stoppedChannels = z.object({
  /** IDs of the channels whose vendor sends no more webhooks. What remains for others is done by hand. */
  stopped: z.array(z.uuid()),
});
