/**
 * What the dashboard asks vendors for the automation service, which cannot decrypt the credentials of channels: `POST` with the bearer token of events
 * and a `sealedChannelsOrder`.
 */
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";

/** Makes vendors send no more webhooks. Below the path of events, whose Access application covers it. */
export const STOP_CHANNELS_PATH = `${LIVE_PUSH_PATH}/channels/stop`;

export const stoppedChannels = z.object({
  /** IDs of the channels whose vendor sends no more webhooks. What remains for others is done by hand. */
  stopped: z.array(z.uuid()),
});
