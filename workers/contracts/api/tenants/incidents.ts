/** Incidents, by the API: opened and closed by the automation service, acknowledged by people. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";

export const incident = z.object({
  id: z.uuid(),
  instance_id: z.uuid(),
  client: z.object({ id: z.uuid(), slug: z.string() }),
  /** Such as `gateway_dead`. */
  kind: z.string(),
  cause: z.string(),
  /** What to do. */
  remedy: z.string(),
  opened_at: instant,
  acknowledged: z.object({ at: instant, by: z.string() }).nullable(),
  /** Null while it lasts. */
  closed_at: instant.nullable(),
});
export type Incident = z.infer<typeof incident>;

export const incidentRoutes = routes("incidents", {
  listIncidents: route("get", "/incidents", {
    summary: "List incidents, newest first",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      /** `true`: those that last; `false`: those that are over. */
      open: z
        .enum(["true", "false"])
        .transform((value) => value === "true")
        .optional(),
      instance_id: z.uuid().optional(),
    }),
    answer: pageOf(incident),
  }),
  acknowledgeIncident: route("post", "/incidents/:id/acknowledge", {
    summary: "Acknowledge an incident; whoever was first stays named",
    callers: BOTH_ROOTS,
    params: z.object({ id: z.uuid() }),
    answer: incident,
  }),
});
