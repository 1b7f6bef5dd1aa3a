/** A door, a public webhook endpoint of an instance: the API, the queries and the dashboard derive from this schema. */
import { webhookKinds } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { doorStates } from "../doors/door.ts";
import { instant, managed, timestamps } from "./entity.ts";

export const door = z.object({
  id: z.uuid(),
  instance_id: z.uuid(),
  kind: z.enum(webhookKinds),
  /** Unique in the instance. The gateway of most kinds receives messages at `/hooks/{name}`. */
  name: z.string(),
  /** A disabled door refuses every request. */
  state: z.enum(doorStates),
  /** The last four characters of its key. */
  key_hint: z.string(),
  /** Until when the former key is accepted; null if it is not. */
  former_key_until: instant.nullable(),
  /** Names of the secrets that are set. */
  secret_names: z.array(z.string()),
  /** Until when the former secrets are accepted; null if they are not. */
  former_until: instant.nullable(),
  ...managed,
  /** E-mail address, or the stack that declares it. */
  created_by: z.string(),
  /** When its key or secrets were last replaced; null if never. */
  rotated_at: instant.nullable(),
  /** When the last request with a valid signature arrived, to the minute; null if never. */
  last_used_at: instant.nullable(),
  /** When a request with the door's address was last refused, to the minute; null if never. */
  last_refused_at: instant.nullable(),
  /** Why it was refused, and what to do; null if none was. */
  last_refusal: z.string().nullable(),
  ...timestamps,
  version: z.number().int(),
});
