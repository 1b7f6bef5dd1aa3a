/** Incidents in the API: the automation service opens and closes them, users acknowledge them. */
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
  remedy: z.string(),
  opened_at: instant,
  acknowledged: z.object({ at: instant, by: z.string() }).nullable(),
  /** Null while it is open. */
  closed_at: instant.nullable(),
});
export type Incident = z.infer<typeof incident>;

export const incidentRoutes = routes("incidents", {
  listIncidents: route("get", "/incidents", {
    summary: "List incidents, newest first",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      /** `true`: open incidents; `false`: closed ones. */
      open: z
        .enum(["true", "false"])
        .transform((value) => value === "true")
        .optional(),
      instance_id: z.uuid().optional(),
    }),
    answer: pageOf(incident),
  }),
  acknowledgeIncident: route("post", "/incidents/:id/acknowledge", {
    summary: "Acknowledge an incident; the first user who does is recorded",
    callers: BOTH_ROOTS,
    params: z.object({ id: z.uuid() }),
    answer: incident,
  }),
});
