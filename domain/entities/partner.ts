/** A partner: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { managed, named, timestamps } from "./entity.ts";

export const partner = z.object({
  ...named.shape,
  ...managed,
  /** How many clients it has, of those that the caller sees. */
  clients: z.number().int(),
  ...timestamps,
  version: z.number().int(),
});
