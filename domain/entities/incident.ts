/** An incident of an instance: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { instant, named } from "./entity.ts";

export const incident = z.object({
  id: z.uuid(),
  instance_id: z.uuid(),
  client: named.omit({ name: true }),
  /** Such as `gateway_dead`. */
  kind: z.string(),
  cause: z.string(),
  remedy: z.string(),
  opened_at: instant,
  acknowledged: z.object({ at: instant, by: z.string() }).nullable(),
  /** Null while it is open. */
  closed_at: instant.nullable(),
});
