/** Vendors of channels, which the dashboard asks: the service cannot decrypt the credentials. */
import type * as z from "zod";
import type { SealedChannel } from "#database/channels/pushes.ts";
import {
  CHECK_CHANNELS_PATH,
  type CheckedChannels,
  checkedChannels,
  STOP_CHANNELS_PATH,
  stoppedChannels,
} from "#workers/contracts/channel-vendors.ts";
import type { Settings } from "../settings.ts";
import { callJson } from "./call.ts";

/** The dashboard's requests to vendors take up to 20 seconds. */
const ANSWER_MS = 30_000;

export type ChannelVendors = NonNullable<ReturnType<typeof channelVendors>>;

/** @returns undefined if the service has no connection to the dashboard */
export function channelVendors({ LIVE_URL: url, LIVE_TOKEN: token }: Pick<Settings, "LIVE_URL" | "LIVE_TOKEN">) {
  if (url === undefined || token === undefined) return undefined;
  const order = <T>(schema: z.ZodType<T>, path: string, channels: readonly SealedChannel[], signal: AbortSignal) => {
    const target = { url: new URL(path, url).href, token, name: "The dashboard", answerMs: ANSWER_MS };
    const sealed = channels.map(({ id, credentials }) => ({ id, credentials: credentials.toString("base64") }));
    return callJson(schema, target, signal, { sealed });
  };
  return {
    /** @returns the channels whose vendor responded @throws TaskError if the dashboard does not respond */
    check: async (channels: readonly SealedChannel[], signal: AbortSignal): Promise<CheckedChannels["checked"]> =>
      (await order(checkedChannels, CHECK_CHANNELS_PATH, channels, signal)).checked,
    /** Makes vendors send no more webhooks. @returns the IDs of the channels whose vendor sends none @throws TaskError if the dashboard does not respond */
    stop: async (channels: readonly SealedChannel[], signal: AbortSignal): Promise<string[]> =>
      (await order(stoppedChannels, STOP_CHANNELS_PATH, channels, signal)).stopped,
  };
}
