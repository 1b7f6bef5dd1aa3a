/** Channels whose messages the platform delivers to the tenant's gateway. */
import * as z from "zod";
import { type ChannelKind, channelKinds, fieldsOf, messengerOf, termsOf } from "#domain/channels/kinds.ts";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `PUT` with a {@link channelsOrder}: replaces all connected channels. 204 after they are stored. A change starts the gateway, or restarts it
 * with the new channels.
 */
export const CHANNELS_PATH = `${INTERNAL_PATH_PREFIX}/channels`;

/** Variable of the gateway: a JSON array of {@link channel}. */
export const CHANNELS_VARIABLE = "CHANNELS";

const text = z.string().min(1).max(4096);
const address = z.url({ protocol: /^https?$/ }).max(2048);

/** Returns the schema of named values of a kind. */
function valuesOf(kind: ChannelKind, place: "secrets" | "settings", generated: readonly string[] = []) {
  const fields = fieldsOf(kind).filter(([, field]) => field.place === place);
  const shape = fields.map(([, field]) => [field.as, field.optional === true ? text.optional() : text]);
  return z.strictObject(Object.fromEntries([...shape, ...generated.map((name) => [name, text])]));
}

/** Replaces the base URL of the vendor's API. For tests. */
const apiRoot = address.optional();

function schemaOf(kind: ChannelKind) {
  const { transport, generated } = termsOf(kind);
  const settings = valuesOf(kind, "settings");
  return z.strictObject({
    kind: z.literal(kind),
    apiRoot,
    secrets: valuesOf(kind, "secrets", generated),
    ...(transport === "webhook" && { url: address }),
    ...(Object.keys(settings.shape).length > 0 && { settings }),
  });
}

/** What a tenant gets of a channel; see `domain/channels/kinds.ts`. */
export interface Channel {
  kind: ChannelKind;
  /** Public URL of a webhook channel's door, where the vendor sends its webhooks. */
  url?: string | undefined;
  apiRoot?: string | undefined;
  secrets: Record<string, string>;
  settings?: Record<string, string> | undefined;
}

const schemas = channelKinds.map(schemaOf) as [ReturnType<typeof schemaOf>, ...ReturnType<typeof schemaOf>[]];
export const channel = z.discriminatedUnion("kind", schemas) as unknown as z.ZodType<Channel>;

export const channelsOrder = z.strictObject({
  channels: z
    .array(channel)
    .refine(
      (channels) => new Set(channels.map(({ kind }) => messengerOf(kind))).size === channels.length,
      "one channel per messenger",
    ),
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
