/** A tenant's own key for a model provider: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { keyProviders, providerKeyStates } from "../provider-keys/providers.ts";
import { instant } from "./entity.ts";

export const providerKey = z.object({
  /** Changes with the key. */
  id: z.uuid(),
  instance_id: z.uuid(),
  provider: z.enum(keyProviders),
  /** The key's last four characters. */
  key_hint: z.string(),
  state: z.enum(providerKeyStates),
  /** Why the state is a fault, in the provider's words if it reported it; null without one. */
  last_error: z.string().nullable(),
  last_error_at: instant.nullable(),
  /** When the tenant received the key; null until then. */
  pushed_at: instant.nullable(),
  /** When a call last used the key, to the minute; null if never. */
  last_used_at: instant.nullable(),
  /** E-mail address. */
  created_by: z.string(),
  created_at: instant,
});
