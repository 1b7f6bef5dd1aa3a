import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { IDS, incident, onePage, ROOT_EMAIL } from "../examples.ts";
import { section } from "../section.ts";

export const incidentSection = section(
  incidentRoutes,
  "Incidents",
  "The automation service probes each instance. It opens an incident when a gateway fails, and closes it when the gateway is healthy again.",
  {
    listIncidents: {
      description: "Returns open and closed incidents, newest first, each with its cause and what to do.",
      query: { open: "true", instance_id: IDS.instance },
      answer: onePage(incident),
    },
    acknowledgeIncident: {
      description:
        "Records that the caller handles an incident. It does not close the incident, and has no effect on an incident that is already acknowledged.",
      params: { id: IDS.incident },
      answer: { ...incident, acknowledged: { at: "2026-11-03T07:50:00.000Z", by: ROOT_EMAIL } },
    },
  },
);
