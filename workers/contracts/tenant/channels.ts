/** Channels whose messages the platform delivers to the tenant's gateway. */
import * as z from "zod";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `PUT` with a {@link channelsOrder}: replaces all connected channels. 204 after they are stored. A change starts the gateway, or restarts it
 * with the new channels.
 */
export const CHANNELS_PATH = `${INTERNAL_PATH_PREFIX}/channels`;

/** Variable of the gateway: a JSON array of {@link channel}. */
export const CHANNELS_VARIABLE = "CHANNELS";

const secret = z.string().min(1).max(4096);
const common = {
  /** Public URL of the channel's door, where the vendor sends its webhooks. */
  url: z.url({ protocol: /^https?$/ }).max(2048),
  /** Replaces the base URL of the vendor's API. For tests. */
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
};

export const channel = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("telegram"),
    ...common,
    secrets: z.strictObject({
      /** The bot's token. */
      botToken: secret,
      /** The door's secret token, which the gateway registers at Telegram. */
      secretToken: secret,
    }),
  }),
  z.strictObject({ kind: z.literal("slack"), ...common, secrets: z.strictObject({ botToken: secret }) }),
]);
export type Channel = z.infer<typeof channel>;

export const channelsOrder = z.strictObject({
  channels: z
    .array(channel)
    .refine((channels) => new Set(channels.map(({ kind }) => kind)).size === channels.length, "one channel per kind"),
});
export type ChannelsOrder = z.infer<typeof channelsOrder>;

/**
 * `PUT` to the dispatch Worker's order `/_channels/{slug}`, which decrypts the channels (`workers/shared/doors/channel-credentials.ts`) and sends a
 * {@link channelsOrder} to {@link CHANNELS_PATH}. The automation service cannot decrypt them.
 */
export const sealedChannelsOrder = z.strictObject({
  sealed: z.array(z.strictObject({ id: z.uuid(), credentials: z.base64() })),
});
export type SealedChannelsOrder = z.infer<typeof sealedChannelsOrder>;
