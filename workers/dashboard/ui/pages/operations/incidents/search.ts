/** What the address of the list of incidents says. */
import * as z from "zod";

export const incidentViews = ["open", "over", "all"] as const;
export type IncidentView = (typeof incidentViews)[number];

export const incidentsSearch = z.object({ show: z.enum(incidentViews).optional().catch(undefined) });
