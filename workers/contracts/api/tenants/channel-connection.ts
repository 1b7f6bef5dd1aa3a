import * as z from "zod";
import { leftOutCauses } from "../../tenant/sandbox.ts";
import { channelConditions } from "../../tenant/sandbox-status.ts";

/** A channel whose messages arrive over a connection of the gateway, or any channel that the gateway was started without. */
export const channelConnection = z.object({
  /** As the gateway names it, such as `irc`. */
  messenger: z.string(),
  /** Its name for people. */
  label: z.string(),
  /** The gateway's name of the bot. */
  account: z.string(),
  /** `offline_while_asleep`: it receives nothing until the instance wakes. */
  condition: z.enum(channelConditions),
  /** Why it is not online; null if it is, or if the gateway does not say. */
  reason: z.string().nullable(),
  /** Why the gateway was started without it; null if it was not. */
  cause: z.enum(leftOutCauses).nullable(),
  /** What the owner does about the cause. */
  remedy: z.string().nullable(),
  /** Whether the platform connected it; else the tenant did within its gateway. */
  is_own: z.boolean(),
  /** Whether it keeps the instance awake while it is connected, by the plan. */
  keeps_awake: z.boolean(),
  /** The kind of channel that receives messages of this messenger while the instance sleeps; null without one. */
  webhook_kind: z.string().nullable(),
});
export type ChannelConnection = z.infer<typeof channelConnection>;
