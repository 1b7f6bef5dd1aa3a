/** A client: the stack settings, the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { plans } from "../plans/plan.ts";
import { choiceSchema } from "../settings/choice.ts";
import { fieldBodies } from "../settings/client.ts";
import { clientStates } from "../tenants/instance-state.ts";
import { instant, managed, named, timestamps } from "./entity.ts";
import { instance } from "./instance.ts";

export const client = z.object({
  ...named.shape,
  billing_plan: choiceSchema(plans, "plan"),
  status: choiceSchema(clientStates, "client status"),
  ...managed,
  /** Null for an internal client. */
  partner: named.nullable(),
  /** Null until the client has one. */
  instance: instance
    .pick({ id: true, status: true, environment: true })
    .extend({
      /**
       * What froze the instance; null while it is not frozen. `client`: an ADMIN. A partner root cannot resume what the platform froze, and an
       * ADMIN only what an ADMIN froze. Only credit resumes what credit froze.
       */
      frozen_by: z.enum(["platform", "partner", "client", "credit", "deletion"]).nullable(),
      ai_gateway_id: z.string().nullable(),
      /** Whether the gateway belongs to the pool. */
      ai_gateway_pooled: z.boolean(),
    })
    .nullable(),
  /** End of a deleted client's grace period; null for any other. */
  delete_after: instant.nullable(),
  /**
   * Who deleted the client; null for any other. `client`: an ADMIN. A partner root cannot restore what the platform deleted, and an ADMIN only
   * what an ADMIN deleted. Only credit restores what credit deleted.
   */
  deletion_by: z.enum(["platform", "partner", "client", "credit"]).nullable(),
  ...fieldBodies,
  ...timestamps,
  version: z.number().int(),
});
