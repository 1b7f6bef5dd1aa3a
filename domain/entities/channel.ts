/** A channel, a bot of a messenger that is connected to an instance: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { channelStates } from "../channels/channel.ts";
import { channelKinds } from "../channels/kinds.ts";
import { instant, timestamps } from "./entity.ts";

export const channel = z.object({
  id: z.uuid(),
  instance_id: z.uuid(),
  kind: z.enum(channelKinds),
  /** How messages arrive. A `socket` channel is offline while its tenant sleeps. */
  transport: z.enum(["webhook", "socket"]),
  /** Null for a socket channel. */
  door_id: z.uuid().nullable(),
  /** The bot at the vendor. */
  account: z.object({ id: z.string(), name: z.string() }),
  state: z.enum(channelStates),
  /** Why the state is a fault, and what to do; null without one. */
  last_error: z.string().nullable(),
  /** When the vendor last accepted the token. */
  checked_at: instant,
  /** When the tenant received the present token; null until then. */
  pushed_at: instant.nullable(),
  /** When the gateway was first known to have accepted a message; null until then. */
  connected_at: instant.nullable(),
  /** When a verified request of the vendor last arrived, to the minute; null if never. */
  last_received_at: instant.nullable(),
  /** E-mail address. */
  created_by: z.string(),
  token_replaced_at: instant.nullable(),
  ...timestamps,
  version: z.number().int(),
});
