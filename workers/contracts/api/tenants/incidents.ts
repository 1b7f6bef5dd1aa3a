/** Incidents in the API: the automation service opens and closes them, users acknowledge them. */
import * as z from "zod";
import { incident } from "#domain/entities/incident.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, ROOTS_AND_TENANT_USERS, route, routes } from "../route.ts";

export type Incident = z.infer<typeof incident>;

export const incidentRoutes = routes("incidents", {
  listIncidents: route("get", "/incidents", {
    summary: "List incidents",
    callers: ROOTS_AND_TENANT_USERS,
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
    summary: "Acknowledge an incident",
    callers: BOTH_ROOTS,
    params: z.object({ id: z.uuid() }),
    answer: incident,
  }),
});
